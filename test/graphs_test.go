package test

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/masw"
	"github.com/clopt/clopt/solvers/random"
	"github.com/clopt/clopt/test/datatest"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// cutOf is f from the definition, for a Max-Cut problem of whole weights.
func cutOf(g *graph.Graph) func(x []float64) float64 {
	return func(x []float64) float64 {
		sum := 0.0
		for u := range g.N() {
			for e := g.Offsets[u]; e < g.Offsets[u+1]; e++ {
				if v := int(g.Neighbors[e]); v > u && (x[u] > 0.5) != (x[v] > 0.5) {
					sum -= g.Scale(g.Weights[e])
				}
			}
		}
		return sum
	}
}

func TestGraphs(t *testing.T) {
	opt := problemtest.Options{Devices: problemtest.Devices(t, 3), Kinds: problemtest.Kinds(t)}
	for _, spec := range shorttest.Rows(2, []string{
		"maxcut:gnp=900,p=0.05,weights=pm1", "maxcut:torus=11x12x13,weights=-3..4,seed=7",
		"maxcut:tile=4x6,p=0.5,seed=1", "maxcut:torus=40x51,weights=unit", "maxcut:complete=50",
		"maxcut:cliques=30x5,seed=4", "maxcut:torus=300x300,weights=1..9",
	}) {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		opt.Reference = cutOf(p.(problems.Cut).Graph())
		problemtest.Test(t, p, opt)
	}
}

// TestGraphValues: weights that add up beyond 2^53, decimals and graphs without
// edges have exact values on host and device.
func TestGraphValues(t *testing.T) {
	dir := t.TempDir()
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for _, c := range []struct {
		name, text string
		points     [][]float64
		want       []float64
	}{
		{
			"big.txt", "4 4\n1 2 900719925474099301\n2 3 -7\n3 4 1\n1 4 -900719925474099300\n",
			[][]float64{{1, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 1}, {1, 0, 1, 1}, {0, 0, 0, 0}},
			[]float64{-1, 900719925474099299, 900719925474099307, -900719925474099294, 0},
		},
		{"decimal.txt", "3 3\n1 2 0.1\n2 3 0.25\n1 3 -0.125\n", [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
			[]float64{0.025, -0.35, -0.125}},
		{"empty.txt", "2 0\n", [][]float64{{1, 0}}, []float64{0}},
		{"negative.txt", "2 1\n1 2 -3\n", [][]float64{{1, 0}, {1, 1}}, []float64{3, 0}},
	} {
		file := filepath.Join(dir, c.name)
		writeFile(t, file, c.text)
		p, err := catalog.Parse("maxcut:"+file, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := shard.Evaluate(t.Context(), g, p, problems.FP64, c.points)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range c.points {
			host, err := problems.Eval(p.(problems.Referenced), x)
			if err != nil || f[i] != c.want[i] || host != c.want[i] {
				t.Errorf("%s %v: %v, host %v, want %v, %v", c.name, x, f[i], host, c.want[i], err)
			}
		}
	}
}

// TestGraphRandom: random search keeps the contract on binary problems. Its best points are binary, and equal in both
// precisions.
func TestGraphRandom(t *testing.T) {
	devices := problemtest.Devices(t, 5)
	for _, spec := range shorttest.Rows(1,
		[]string{"maxcut:gnp=300,p=0.1,weights=pm1", "maxcut:torus=30x200,weights=-3..4"}) {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var best [2][]float64
		for i, prec := range []problems.Precision{problems.FP64, problems.FP32} {
			m := &random.Random{Batch: 16}
			solvertest.Test(t, m, p, solvertest.Options{Devices: devices, Precision: prec})
			res, err := solvers.Minimize(t.Context(), p, problemtest.Group(t, devices[:1], shard.Options{}),
				solvers.Settings{
					Key: rng.Key{Seed: 5}, Precision: prec, Budget: solvers.Budget{Evaluations: 100},
				}, m)
			if err != nil || !res.Confirmed || res.F != res.HostF {
				t.Fatalf("%s: %+v, %v", spec, res, err)
			}
			ones := 0.0
			for _, v := range res.X {
				if v != 0 && v != 1 {
					t.Fatalf("%s: a variable of %v", spec, v)
				}
				ones += v
			}
			if n := float64(len(res.X)); math.Abs(ones-n/2) > 2.5*math.Sqrt(n) {
				t.Errorf("%s: %v of %v variables are 1", spec, ones, n)
			}
			best[i] = res.X
		}
		if !slices.Equal(best[0], best[1]) {
			t.Errorf("%s: fp32 has another best point", spec)
		}
	}
	// A method for real variables refuses, before it allocates.
	p, _ := catalog.Parse("maxcut:complete=5", problems.Options{})
	_, err := solvers.Minimize(t.Context(), p, problemtest.Group(t, devices[:1], shard.Options{}), solvers.Settings{},
		&masw.MASW{})
	if _, ok := errors.AsType[*solvers.SettingError](err); !ok {
		t.Errorf("masw on bits: %v", err)
	}
}

// TestGraphCollection: every given assignment has its published cut on a device; with -short one of each folder.
func TestGraphCollection(t *testing.T) {
	dir := datatest.File(t, "maxcut")
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.sol"))
	if err != nil || len(files) < 60 {
		t.Fatalf("%d assignments, %v", len(files), err)
	}
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for i, sol := range files {
		if testing.Short() && i > 0 && filepath.Dir(sol) == filepath.Dir(files[i-1]) {
			continue
		}
		p, err := catalog.Parse(sol[:len(sol)-4]+".txt", problems.Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		points, err := cut.ReadBinaryPoints(sol, p.Domain())
		if err != nil || len(points.X) != 1 {
			t.Errorf("%v: %d points", err, len(points.X))
			continue
		}
		host, err := problems.Eval(p.(problems.Referenced), points.X[0])
		if err != nil {
			t.Fatal(err)
		}
		f, err := shard.Evaluate(t.Context(), g, p, problems.FP64, points.X)
		if err != nil || f[0] != host {
			t.Errorf("%s: %v on the device, %v on the host, %v", sol, f, host, err)
		}
		side := make([]uint8, p.Domain().N)
		p.(problems.Cut).Side(points.X[0], side)
		if cut := p.(problems.Cut).Graph().Cut(side); p.(problems.Cut).Value(cut) != host {
			t.Errorf("%s: cut %d, host %v", sol, cut, host)
		}
		if best, ok := p.Info().BestKnown(); ok && host < best {
			t.Errorf("%s: %v, better than the best known %v", sol, host, best)
		}
	}
}
