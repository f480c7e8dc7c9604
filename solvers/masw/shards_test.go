package masw

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cec2013"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/random"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// follow makes steps. It returns their samples, the chains and the incumbent.
func follow(t *testing.T, r solvers.Run, n, steps int) ([]solvers.Sample, []chain, []float64) {
	t.Helper()
	defer r.Close()
	var all []solvers.Sample
	for range steps {
		s, ok, err := r.Step(context.Background(), solvers.Unlimited)
		if err != nil || !ok {
			t.Fatalf("step: %v, %v", ok, err)
		}
		all = append(all, s)
	}
	x := make([]float64, n)
	if err := r.Incumbent(0, x); err != nil {
		t.Fatal(err)
	}
	var chains []chain
	if m, ok := r.(*maswRun); ok {
		chains = m.states[0].Chains
	}
	return all, chains, x
}

// The bits of a run do not depend on the pieces into which the share of a device is split.
func TestMASWPieces(t *testing.T) {
	for _, c := range shorttest.Rows(1, []struct {
		spec   string
		prec   problems.Precision
		m      MASW
		steps  int
		pieces [][]int // per split: of each device
	}{
		{"cec2013/f12:n=7000,mode=paper", problems.FP64, MASW{Population: 8, Iterations: 5, Portions: 3}, 16,
			[][]int{{2}, {7}, {3, 2}}},
		{"cec2013/f12:n=7000,mode=paper", problems.FP32, MASW{Population: 8, Iterations: 5, Portion: 2000}, 16,
			[][]int{{5}}},
		{"cec2013/f4:n=6000", problems.FP64, MASW{Population: 6, Iterations: 3, Portions: 4}, 10, [][]int{{4}, {2, 3}}},
		// More tiles than super-tiles: most portions are decided on a device, those at borders on the host.
		{"cec2013/f12:n=301000,mode=paper", problems.FP64, MASW{Population: 4, Iterations: 2, Portion: 3000}, 5,
			[][]int{{5, 2}}},
	}) {
		p := solvertest.ParseProblem(t, c.spec)
		s := solvers.Setup{Key: rng.Key{Seed: 8, Run: 1}, Precision: c.prec}
		g := solvertest.OpenDevices(t, 2, shard.Options{})
		run := solvertest.Start(t, &c.m, p, solvertest.OpenDevices(t, 1, shard.Options{}), s)
		samples, chains, x := follow(t, run, p.Domain().N, c.steps)
		for _, pieces := range c.pieces {
			second := (len(pieces) - 1) * p.Tiling().SuperTiles() / 2
			pieces = append(slices.Clone(pieces), 1)[:2]
			supers := []int{p.Tiling().SuperTiles() - second, second}
			shards := shard.Split(p.Tiling(), supers, pieces)
			run, err := c.m.start(p, g, s, shards, 1)
			if err != nil {
				t.Fatal(err)
			}
			samples2, chains2, x2 := follow(t, run, p.Domain().N, c.steps)
			for i := range samples {
				if samples[i] != samples2[i] {
					t.Fatalf("%s %v, pieces %v: step %d is %+v, in one piece %+v", c.spec, c.prec, pieces, i+1,
						samples2[i], samples[i])
				}
			}
			if !slices.Equal(chains, chains2) || !slices.Equal(x, x2) {
				t.Errorf("%s %v, pieces %v: the chains or the point differ", c.spec, c.prec, pieces)
			}
		}
	}
}

// A point has the same bits and the same value if it is drawn where it is evaluated, if it is stored, and
// if the host draws it.
func TestDrawnIsStored(t *testing.T) {
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	for _, spec := range shorttest.Rows(1, []string{"cec2013/f12:n=2500,mode=paper", "../../test/testdata/ackley.cl"}) {
		p, err := catalog.Parse(spec, problems.Options{Dim: 2500})
		if err != nil {
			t.Fatal(err)
		}
		for _, prec := range []problems.Precision{problems.FP64, problems.FP32} {
			key, batch := rng.Key{Seed: 77, Run: 3}, 9
			run := solvertest.Start(t, &random.Random{Batch: batch}, p, g, solvers.Setup{Key: key, Precision: prec})
			samples, _, x := follow(t, run, p.Domain().N, 2)
			var points [][]float64
			for i := range uint32(2 * batch) {
				points = append(points, host.Drawn(p, prec, key, i, 0, rng.Random, 0, p.Domain().N))
			}
			f, err := shard.Evaluate(context.Background(), g, p, prec, points)
			if err != nil {
				t.Fatal(err)
			}
			best := slices.Min(f)
			if best != samples[1].Best || !slices.Equal(x, points[slices.Index(f, best)]) {
				t.Errorf("%s %v: drawn %v, stored %v", spec, prec, samples[1].Best, best)
			}
			if samples[0].F != slices.Min(f[:batch]) || samples[1].F != slices.Min(f[batch:]) {
				t.Errorf("%s %v: %+v of %v", spec, prec, samples, f)
			}
		}
	}
}

// Start points take the first slots and are rounded to the precision.
func TestStartPoints(t *testing.T) {
	g := solvertest.OpenDevices(t, 2, shard.Options{})
	p := solvertest.ParseProblem(t, "cec2013/f1:n=3000").(*cec2013.CEC2013)
	opt, _ := p.Info().Optimum()
	near := slices.Clone(opt)
	for i := range near {
		near[i] += 0.25
	}
	for _, prec := range []problems.Precision{problems.FP64, problems.FP32} {
		s := solvers.Setup{Key: rng.Key{Seed: 1}, Precision: prec, X0: [][]float64{make([]float64, 3000), near}}
		run := solvertest.Start(t, &MASW{Population: 4}, p, g, s)
		samples, _, x := follow(t, run, p.Domain().N, 1)
		start := p.Domain().Stored(prec, 0, near)
		want, err := problems.Eval(p, start)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(x, start) || math.Abs(samples[0].Best-want) > p.Tolerance(prec)*want {
			t.Errorf("%v: best %v, the start point has %v", prec, samples[0].Best, want)
		}
	}
	if err := solvers.Check(p, solvers.Settings{X0: [][]float64{opt, opt, opt, opt, opt}},
		&MASW{Population: 4}); err == nil {
		t.Error("five start points are accepted for a population of four")
	}
}
