package anneal

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/partial"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// Accumulators that are updated by differences over eight thousand moves of a chain, more than a million in
// all, match the point. At this temperature nearly every move is accepted.
func TestSADrift(t *testing.T) {
	shorttest.Out(t)
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	for _, c := range []struct {
		problem string
		prec    problems.Precision
	}{
		{"classic/griewank:n=40", problems.FP64}, {"classic/shubert:n=3", problems.FP64},
		{"classic/F19_b", problems.FP64}, {"classic/dixon_price:n=25", problems.FP64},
		{"classic/schwefel:n=64", problems.FP32},
		{"classic/ackley:n=33", problems.FP32},
	} {
		p := solvertest.ParseProblem(t, c.problem).(problems.Referenced)
		m := sa(t, "variant=v1 T0=1e12 Tmin=1e11 rho=0.01 N=8000 chains=128")
		r, err := m.startDevices(context.Background(), p, g, solvers.Setup{Key: rng.Key{Seed: 2}, Precision: c.prec}, 1)
		if err != nil {
			t.Fatal(err)
		}
		var s solvers.Sample
		for ok := true; ok && !r.Info().Ended; {
			if s, ok, err = r.Step(context.Background(), solvers.Unlimited); err != nil {
				t.Fatal(err)
			}
		}
		if s.Moves != 128*8001 || !r.Info().Ended {
			t.Fatalf("%+v", s)
		}
		accs := p.Accumulators()
		kept := make([]float64, 128*accs)
		if err := r.chains.Each(func(i int, d *cl.Device) error { return r.on[i].acc.Read(0, kept) }); err != nil {
			t.Fatal(err)
		}
		// A move rounds a sum a few times by half an ulp of 53 bits. Each float32 term differs from the host's,
		// but this is not drift.
		size, worst := make([]float64, accs), 0.0
		for j := range size {
			for q := range 128 {
				size[j] = max(size[j], math.Abs(kept[j*128+q]))
			}
		}
		bound := 8000 * 2 * 0x1p-53
		for q, x := range columns(t, r) {
			full := make([]float64, accs)
			for k := range p.Structure().Components() {
				p.HostComponent(k, 0, x, full)
			}
			if c.prec == problems.FP32 {
				var w float64
				which := []uint32{0}
				w = x[0]
				acc, _, err := r.chains.Changes(x, which, []float64{w})
				if err != nil {
					t.Fatal(err)
				}
				copy(full, acc[accs:])
				if q > 3 {
					break
				}
			}
			for j := range full {
				if e := math.Abs(kept[j*128+q]-full[j]) / max(size[j], 1); e > worst {
					worst = e
				}
			}
		}
		if worst > bound {
			t.Errorf("%s in %v: off by %.1e of the largest accumulator, bound %.1e", c.problem, c.prec, worst, bound)
		}
		t.Logf("%s in %v: off by %.1e", c.problem, c.prec, worst)
		r.Close()
	}
}

// V0 is a chain of V1, with the same draws and the same moves.
func TestSAHostRun(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/F14").(problems.Referenced)
	key := rng.Key{Seed: 9, Run: 2}
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	const shape = " T0=20 Tmin=0.01 rho=0.4"
	v0 := solvertest.Start(t, sa(t, "variant=v0 N=10 chains=50"+shape), p, g, solvers.Setup{Key: key})
	v1, err := sa(t, "variant=v1 N=500 chains=1"+shape).startDevices(context.Background(), p, g,
		solvers.Setup{Key: key}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer v1.Close()
	var ends []solvers.Sample
	for _, r := range []solvers.Run{v0, v1} {
		var last solvers.Sample
		for {
			s, ok, err := r.Step(context.Background(), solvers.Unlimited)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			last = s
		}
		ends = append(ends, last)
	}
	a, b := make([]float64, 4), make([]float64, 4)
	if err := errors.Join(v0.Incumbent(0, a), v1.Incumbent(0, b)); err != nil {
		t.Fatal(err)
	}
	if ends[0].Moves != ends[1].Moves || math.Abs(ends[0].Best-ends[1].Best) > 1e-12 ||
		!slices.Equal(a, b) {
		t.Errorf("V0 ends with %+v at %v, one chain of V1 with %+v at %v", ends[0], a, ends[1], b)
	}
	if _, ok, _ := v0.Step(context.Background(), solvers.Unlimited); ok || !v0.Info().Ended {
		t.Error("V0 continues after the end of its schedule")
	}
}

// A chain that starts where the function is not finite reaches finite values, and the other values are
// counted.
func TestSANonFinite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "root.cl")
	text := "//@ bounds -1 1\n//@ n 3\n//@ reads k\nstatic void component(uint k, point x, data d, real *acc) { " +
		"acc[0] += sqrt(at(x, k)); }\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	p := solvertest.ParseProblem(t, file)
	res, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 1, shard.Options{}),
		solvers.Settings{Key: rng.Key{Seed: 1}}, sa(t, "T0=1 Tmin=1e-4 rho=0.5 N=50 chains=256"))
	if err != nil {
		t.Fatal(err)
	}
	if res.Status != solvers.Finished || res.NonFinite == 0 || res.F > 0.1 || !res.Confirmed {
		t.Errorf("%+v", res)
	}
}

// Sweeps that start where the function is not finite find a point at which it is. There every second pair of neighbours
// is outside the domain of a logarithm.
func TestSweepsNonFinite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "logs.cl")
	text := "//@ bounds -1 1\n//@ n 300\n//@ reads k..k+1\nstatic void component(uint k, point x, data d, real *acc) " +
		"{ acc[0] -= k + 1 < DIM ? log(-at(x, k) - at(x, k + 1)) : R(0.0); }\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r := sweeps(t, sa(t, "variant=sweeps N=5"), solvertest.ParseProblem(t, file), solvertest.OpenDevices(t, 2,
		shard.Options{}), solvers.Setup{Key: rng.Key{Seed: 1}})
	few := solvers.Room{Evaluations: math.MaxInt64, Moves: 100}
	if s, ok, err := r.Step(context.Background(), few); ok || err != nil {
		t.Errorf("a step of 100 moves: %+v, %v, %v", s, ok, err)
	}
	s, ok, err := r.Step(context.Background(), solvers.Unlimited)
	if !ok || err != nil || math.IsInf(s.Best, 0) || s.NonFinite == 0 || s.Moves%300 != 1 {
		t.Errorf("%+v, %v, %v", s, ok, err)
	}
}

// A text that reads more than it declares is refused, also where the point of the trial does not show it. With as_uint
// it is not understood.
func TestSARefusesWrongStructure(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"lie.cl": "//@ bounds -1 1\n//@ n 4\n//@ reads lists lists.txt\nstatic void component(uint k, point x, data " +
			"d, real *acc) { acc[0] += at(x, k) < R(0.7) ? R(1.0) : at(x, (k + as_uint(1)) % 4); }\n",
		"lists.txt": "0\n1\n2\n3\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := solvertest.ParseProblem(t, filepath.Join(dir, "lie.cl"))
	_, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 1, shard.Options{}),
		solvers.Settings{Key: rng.Key{Seed: 1}}, sa(t, "chains=1"))
	if e := (*partial.StructureError)(nil); !errors.As(err, &e) {
		t.Errorf("%v, want a StructureError", err)
	}
}

// The order in which groups run changes nothing: a run of a dozen groups repeats bit for bit.
func TestSARepeats(t *testing.T) {
	p, g := solvertest.ParseProblem(t, "classic/F1_a"), solvertest.OpenDevices(t, 1, shard.Options{NoCheck: true})
	var first *solvers.Result
	for range 8 {
		res, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Key: rng.Key{Seed: 1}},
			sa(t, "chains=1500 N=7 rho=0.9"))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = res
		}
		if res.F != first.F || !slices.Equal(res.X, first.X) {
			t.Errorf("%v, then %v", first.F, res.F)
		}
	}
}
