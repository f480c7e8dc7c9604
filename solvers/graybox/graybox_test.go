package graybox

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/internal/host"
	"github.com/clopt/clopt/solvers/masw"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

var partSchemes = []map[string]string{
	{"scheme": "chains"},
	{"scheme": "synchronous"},
}

func engineOf(r solvers.Run) *partEngine {
	switch r := r.(type) {
	case *chainsRun:
		return r.engine.(*partEngine)
	case *syncRun:
		return r.engine
	}
	panic("no parts")
}

// The bits of a part do not depend on other parts.
func TestPartAlone(t *testing.T) {
	for _, scheme := range shorttest.Rows(1, partSchemes) {
		for _, f := range shorttest.Rows(1, []string{"f12", "f13"}) {
			t.Run(f+" "+scheme["scheme"], func(t *testing.T) {
				set := solvertest.WithSettings(scheme, "population", "6", "iterations", "12")
				setup := solvers.Setup{Key: rng.Key{Seed: 9}}
				one := newRun(t, &Graybox{}, "cec2013/"+f+":n=1000", set, solvertest.OpenDevices(t, 1, shard.Options{}),
					setup)
				three := newRun(t, &Graybox{}, "cec2013/"+f+":n=3000", set,
					solvertest.OpenDevices(t, 2, shard.Options{}), setup)
				for range 9 {
					solvertest.Advance(t, one)
					solvertest.Advance(t, three)
					a, b := engineOf(one).read(t, 0), engineOf(three).read(t, 0)
					if !slices.Equal(a.f, b.f) || !slices.Equal(a.marked, b.marked) {
						t.Fatalf("part 0 alone has values %v, among three %v", a.f, b.f)
					}
					for j := range a.x {
						if !slices.Equal(a.x[j], b.x[j]) {
							t.Fatalf("individual %d of part 0 differs", j)
						}
					}
					if c := engineOf(three).read(t, 1); slices.Equal(c.f, b.f) {
						t.Fatal("part 1 is a copy of part 0")
					}
				}
			})
		}
	}
}

// With one part, the synchronous scheme has the bits of masw with one portion. This is also tested for the kernels of
// devices that are not processors.
func TestPartSyncIsWhole(t *testing.T) {
	shorttest.Out(t)
	for _, points := range []int{1, 0, 2} {
		for _, f := range []string{"f12", "f2", "f8", "f14"} {
			set := map[string]string{"population": "9", "iterations": "14"}
			setup := solvers.Setup{Key: rng.Key{Seed: 4, Run: 1}}
			g := solvertest.OpenDevices(t, 1, shard.Options{Points: points})
			whole := newRun(t, &masw.MASW{}, "cec2013/"+f, set, g, setup)
			parts := newRun(t, &Graybox{}, "cec2013/"+f, solvertest.WithSettings(set, "scheme", "synchronous"), g,
				setup)
			n := solvertest.ParseProblem(t, "cec2013/"+f).Domain().N
			x, y := make([]float64, n), make([]float64, n)
			for range 60 {
				solvertest.Advance(t, whole)
				solvertest.Advance(t, parts)
				if err := errors.Join(whole.Incumbent(x), parts.Incumbent(y)); err != nil {
					t.Fatal(err)
				}
				for i := range x {
					if math.Abs(x[i]-y[i]) > 1e-12*200 {
						t.Fatalf("%s: variable %d is %v with whole acceptance and %v by parts", f, i, x[i], y[i])
					}
				}
			}
		}
	}
}

// With one part, the chains scheme has the bits of masw-seq with the same number of stored states.
func TestPartChainsIsSeq(t *testing.T) {
	shorttest.Out(t)
	set := map[string]string{"population": "6", "iterations": "12"}
	g, setup := solvertest.OpenDevices(t, 1, shard.Options{}), solvers.Setup{Key: rng.Key{Seed: 4, Run: 1}}
	seq := newRun(t, &Graybox{Parts: 1}, "cec2013/f2", solvertest.WithSettings(set, "on", "device"), g, setup)
	parts := newRun(t, &Graybox{}, "cec2013/f2", solvertest.WithSettings(set, "states", "6"), g, setup)
	for range 30 {
		solvertest.Advance(t, seq)
		solvertest.Advance(t, parts)
		a, b := engineOf(seq).read(t, 0), engineOf(parts).read(t, 0)
		if !slices.Equal(a.f, b.f) || !slices.Equal(a.marked, b.marked) {
			t.Fatalf("values %v and %v", a.f, b.f)
		}
	}
}

// If there are fewer states than individuals with a chain, only the least recently used state is dropped.
func TestPartStates(t *testing.T) {
	shorttest.Out(t)
	set := map[string]string{"population": "6", "iterations": "3", "states": "2"}
	r := newRun(t, &Graybox{}, "cec2013/f12:n=3000", set, solvertest.OpenDevices(t, 1, shard.Options{}),
		solvers.Setup{Key: rng.Key{Seed: 1}})
	e, most := engineOf(r), 0
	for range 200 {
		solvertest.Advance(t, r)
		for u := range 3 {
			owned := map[uint32]int{}
			for j, k := range e.read(t, u).row {
				if k > 2 {
					t.Fatalf("individual %d has bias %d of 2", j, k)
				} else if k < 2 {
					owned[k]++
				}
			}
			for k, n := range owned {
				if n != 1 {
					t.Fatalf("bias %d belongs to %d individuals", k, n)
				}
			}
			most = max(most, len(owned))
		}
	}
	if most != 2 {
		t.Errorf("at most %d chains were stored", most)
	}
}

// The better of two points part by part is never worse than the better whole point. This is tested with values of the
// host.
func TestPartNeverWorse(t *testing.T) {
	for _, spec := range []string{"cec2013/f1:n=5000", "cec2013/f9:n=5000", "cec2013/f12:n=5000", "cec2013/f14:n=5000",
		"cec2013/f15:mode=distinct,n=5000"} {
		p := solvertest.ParseProblem(t, spec).(problems.Referenced)
		ti := p.Tiling()
		strictly := false
		for k := range uint32(6) {
			key := rng.Key{Seed: 77}
			x := host.Drawn(p, problems.FP64, key, k, 0, rng.Check, 0, p.Domain().N)
			y := host.Drawn(p, problems.FP64, key, k, 1, rng.Check, 0, p.Domain().N)
			if k > 2 { // near x
				for i := range y {
					y[i] = x[i] + 1e-3*(y[i]-x[i])
				}
			}
			fx, _ := problems.Eval(p, x)
			fy, _ := problems.Eval(p, y)
			best := slices.Clone(x)
			for b := range ti.Tiles() {
				lo, hi := ti.Reads(b)
				ax, ay := make([]float64, 1), make([]float64, 1)
				p.HostTile(b, x[lo:hi], ax)
				p.HostTile(b, y[lo:hi], ay)
				if ay[0] < ax[0] {
					copy(best[lo:hi], y[lo:hi])
				}
			}
			f, _ := problems.Eval(p, best)
			if f > min(fx, fy)*(1+1e-12) {
				t.Errorf("%s: points of %v and %v, part by part %v", spec, fx, fy, f)
			}
			strictly = strictly || f < 0.999*min(fx, fy) || k > 2 && f < min(fx, fy)
		}
		if !strictly {
			t.Errorf("%s: part by part was never better", spec)
		}
	}
}

// An objective file declares its parts, and its sums may have weights.
func TestPartObjective(t *testing.T) {
	shorttest.Out(t)
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "user.cl")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const two = "{ real v = at(x, k) - R(0.3); acc[0] += v * v; acc[1] += R(1.0) - cos_2pi(v); }\n"
	const head = "//@ bounds -5 5\n//@ reads k\n//@ sums 2\n"
	const body = "static void component(uint k, point x, data d, real *acc) "
	sums := write(head + "//@ f 2*s0 + 10*s1 - 4\n" + body + two)
	for _, scheme := range partSchemes {
		set := solvertest.WithSettings(scheme, "population", "10", "iterations", "50")
		for _, prec := range []problems.Precision{problems.FP64, problems.FP32} {
			m, err := solvers.Configure(&Graybox{}, set)
			if err != nil {
				t.Fatal(err)
			}
			p := solvertest.ParseProblem(t, sums+":n=2500")
			res, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 2, shard.Options{}),
				solvers.Settings{Precision: prec, Budget: solvers.Budget{Evaluations: 3000}}, m)
			if err != nil {
				t.Fatal(err)
			}
			m, _ = solvers.Configure(&masw.MASW{}, map[string]string{"population": "10", "iterations": "50"})
			whole, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 2, shard.Options{}),
				solvers.Settings{Precision: prec, Budget: solvers.Budget{Evaluations: 3000}}, m)
			if err != nil {
				t.Fatal(err)
			}
			if !res.Confirmed || res.F >= whole.F {
				t.Errorf("%v %s: %v, confirmed %v; whole acceptance %v", scheme, prec, res.F, res.Confirmed, whole.F)
			}
		}
	}
	for text, want := range map[string]string{
		"//@ f sqrt(s0)\n": "not linear", "//@ f s0*s1\n": "not linear",
	} {
		path := write(head + text + body + two)
		_, err := (&Graybox{}).Start(context.Background(), solvertest.ParseProblem(t, path+":n=2500"),
			solvertest.OpenDevices(t, 1, shard.Options{}), solvers.Setup{})
		if e := (*solvers.SettingError)(nil); !errors.As(err, &e) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := (&Graybox{}).Start(context.Background(), solvertest.ParseProblem(t, "cec2013/f3:n=2000,mode=paper"),
		solvertest.OpenDevices(t, 1, shard.Options{}), solvers.Setup{}); err == nil {
		t.Error("an Ackley function of all variables is accepted as if it had parts")
	}
}

// With distinct shifts the parts have different start values, and part 0 has those of the plain mode.
func TestPartDistinct(t *testing.T) {
	shorttest.Out(t)
	set := map[string]string{"population": "6", "iterations": "12"}
	g, setup := solvertest.OpenDevices(t, 1, shard.Options{}), solvers.Setup{Key: rng.Key{Seed: 2}}
	plain := newRun(t, &Graybox{}, "cec2013/f2:n=2000", set, g, setup)
	distinct := newRun(t, &Graybox{}, "cec2013/f2:n=2000,mode=distinct", set, g, setup)
	for range 4 {
		solvertest.Advance(t, plain)
		solvertest.Advance(t, distinct)
	}
	a, b := engineOf(plain), engineOf(distinct)
	if !slices.Equal(a.read(t, 0).f, b.read(t, 0).f) || slices.Equal(a.read(t, 1).f, b.read(t, 1).f) {
		t.Error("part 0 must be the same and part 1 another one")
	}
}

// Start points are the first individuals.
func TestPartStart(t *testing.T) {
	shorttest.Out(t)
	p := solvertest.ParseProblem(t, "cec2013/f8:n=2000")
	x, _ := p.Info().Optimum()
	for _, set := range append(partSchemes, map[string]string{"on": "host"}) {
		m := &Graybox{}
		if set["on"] != "" {
			m.Parts = 1
		}
		r := newRun(t, m, p.Spec().String(), solvertest.WithSettings(set, "population", "4"),
			solvertest.OpenDevices(t, 2, shard.Options{}), solvers.Setup{X0: [][]float64{x}})
		s, ok, err := r.Step(context.Background(), 4)
		if err != nil || !ok || s.Best != 0 || s.Evaluations != 4 {
			t.Errorf("%v: %+v, %v, %v", set, s, ok, err)
		}
		y := make([]float64, 2000)
		if err := r.Incumbent(y); err != nil || !slices.Equal(x, y) {
			t.Errorf("%v: another point, %v", set, err)
		}
	}
}
