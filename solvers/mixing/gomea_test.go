package mixing

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/engine"
	"github.com/clopt/clopt/test/graphtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// bruteForce returns the largest cut of a small graph.
func bruteForce(g *graph.Graph) (best int64) {
	side := make([]uint8, g.N())
	for k := range 1 << max(g.N()-1, 0) {
		for v := range side {
			side[v] = uint8(k >> v & 1)
		}
		best = max(best, g.Cut(side))
	}
	return best
}

// Every variant and model finds the optima of tiny graphs, which are known or enumerated.
func TestTinyOptima(t *testing.T) {
	ring := func(n, w int) *graph.Graph {
		var e [][3]int
		for v := range n {
			e = append(e, [3]int{v, (v + 1) % n, w})
		}
		return graphtest.Build(n, e)
	}
	complete := func(n int, weight func(k int) int) *graph.Graph {
		var e [][3]int
		for u := range n {
			for v := range u {
				e = append(e, [3]int{v, u, weight(len(e))})
			}
		}
		return graphtest.Build(n, e)
	}
	one := func(int) int { return 1 }
	mixed := func(k int) int { return bits.OnesCount(uint(k*2654435761))%13 - 6 }
	cases := []struct {
		g    *graph.Graph
		want int64
	}{
		{ring(3, 1), 2}, {ring(12, 1), 12}, {ring(13, 1), 12}, {ring(9, -2), 0}, {complete(9, one), 20},
		{graphtest.Build(6, [][3]int{{0, 1, 1}, {0, 2, 3}, {0, 3, -1}, {0, 5, 2}}), 6},
		{graphtest.Build(1, nil), 0}, {graphtest.Build(70, nil), 0}, {graphtest.Build(2, [][3]int{{0, 1, -4}}), 0},
		{complete(14, mixed), -1}, {complete(11, func(k int) int { return mixed(k) << 40 }), -1},
	}
	group := solvertest.OpenFirst(t, 1, shard.Options{})
	for k, c := range cases {
		if c.want < 0 {
			c.want = bruteForce(c.g)
		}
		methods := []*GOMEA{{Variant: "serial"}, {Variant: "serial", Linkage: "learned", Donor: "single"},
			{Variant: "serial", Linkage: "sparse", Bound: 4, Local: "ls"},
			{Variant: "serial", Linkage: "univariate", Force: "off", Local: "sa", Sweeps: 5},
			{Variant: "serial", Similarity: "weight", Population: 8}}
		if k%3 == 0 {
			methods = append(methods, &GOMEA{})
		}
		for _, m := range methods {
			goal := -float64(c.want)
			res, err := solvers.Minimize(context.Background(), cut.NewMaxCut(c.g), group, solvers.Settings{
				Key: rng.Key{Seed: 7}, Budget: solvers.Budget{Evaluations: 300000, Target: &goal}}, m)
			if err != nil {
				t.Fatalf("case %d with %s: %v", k, solvers.Spell(m), err)
			}
			if res.F != goal || !res.Confirmed {
				t.Errorf("case %d with %s: cut %g, the largest is %d", k, solvers.Spell(m), -res.F, c.want)
			}
		}
	}
}

// A limit applies to the work and is kept, and limits that are too small are refused.
func TestGomeaLimit(t *testing.T) {
	p := unproven{cut.NewMaxCut(graphtest.Small()["sparse"])}
	group := solvertest.OpenFirst(t, 1, shard.Options{})
	for _, m := range []*GOMEA{{Variant: "serial"}, {}, {Local: "sa", Base: 16, Sweeps: 20}} {
		for _, limit := range []int64{16, 1000, 20000} {
			res, err := solvers.Minimize(context.Background(), p, group,
				solvers.Settings{Budget: solvers.Budget{Evaluations: limit}}, m)
			if m.Local == "sa" && limit < 4000 {
				if err == nil {
					t.Errorf("%s: the limit %d is too small, and the run made work %v", solvers.Spell(m), limit,
						res.Work)
				}
				continue
			}
			least := 0.8 * float64(limit)
			if m.Local == "sa" {
				least = 0.2 * float64(limit) // the next population may take 15,400
			}
			if err != nil || res.Work > float64(limit) || limit == 20000 && res.Work < least ||
				res.Status != solvers.Evaluations {
				t.Errorf("%s, limit %d: work %v, %v, %v", solvers.Spell(m), limit, res.Work, res.Status, err)
			}
		}
		if _, err := solvers.Minimize(context.Background(), p, group,
			solvers.Settings{Budget: solvers.Budget{Evaluations: 15}}, m); err == nil {
			t.Errorf("%s: a limit below the size of a population is accepted", solvers.Spell(m))
		}
	}
}

// unproven is a problem whose optimum is not known to be one, so that a run that has found it goes on.
type unproven struct{ problems.Cut }

func (p unproven) Info() problems.Info {
	info := p.Cut.Info()
	info.Proven = false
	return info
}

// A limit of evaluations also ends runs on graphs without edges, of which all cuts are the same, and on those of which
// no edge or one is left.
func TestNothingToDecide(t *testing.T) {
	group := solvertest.OpenFirst(t, 1, shard.Options{})
	for _, c := range []struct {
		n     int
		edges [][3]int
		best  float64
	}{
		{1, nil, 0}, {2, nil, 0}, {5, nil, 0}, {70, nil, 0}, {2, [][3]int{{0, 1, 1}}, 1}, {2, [][3]int{{0, 1, -3}}, 0},
		{6, [][3]int{{0, 1, 2}, {1, 2, 1}, {3, 4, -1}}, 3},
		{7, [][3]int{{0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {3, 4, 2}}, 4},
	} {
		methods := []solvers.Solver{&GOMEA{Variant: "serial"}, &GOMEA{Variant: "serial", Population: 16},
			&GOMEA{Variant: "serial", Local: "sa"}, &AnnealGraph{Variant: "serial", Chains: 32}}
		if c.n == 5 {
			methods = append(methods, &GOMEA{}, &GOMEA{Local: "sa"})
		}
		for _, m := range methods {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			res, err := solvers.Minimize(ctx, unproven{cut.NewMaxCut(graphtest.Build(c.n, c.edges))}, group,
				solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 60000}}, m)
			cancel()
			if err != nil || res.Status != solvers.Evaluations || -res.F != c.best || res.Work > 60000 ||
				res.Work < 10000 {
				t.Errorf("%d vertices, edges %v, %s %s: %+v, %v", c.n, c.edges, m.Traits().Name, solvers.Spell(m),
					res, err)
			}
		}
	}
}

// A start point is part of the first population.
func TestGomeaStart(t *testing.T) {
	g := graphtest.Small()["ring"]
	p := cut.NewMaxCut(g)
	x := make([]float64, g.N())
	for v := 1; v < g.N(); v++ { // cut every edge of weight 1
		x[v] = x[v-1]
		if g.Weights[g.Offsets[v-1]+min(v-1, 1)] > 0 || v == 1 {
			x[v] = 1 - x[v-1]
		}
	}
	f, err := problems.Eval(p, x)
	if err != nil {
		t.Fatal(err)
	}
	for _, variant := range []string{"serial", "parallel"} {
		var first solvers.Sample
		_, err := solvers.Minimize(context.Background(), p, solvertest.OpenFirst(t, 1, shard.Options{}),
			solvers.Settings{X0: [][]float64{x}, Budget: solvers.Budget{Evaluations: 16},
				Recorder: record(func(s solvers.Sample) { first = s })}, &GOMEA{Variant: variant})
		if err != nil {
			t.Fatal(err)
		}
		if first.Best > f {
			t.Errorf("%s: the best value is %v after the first step, and the start point has %v", variant, first.Best,
				f)
		}
	}
}

// The method finds the known optima of larger graphs.
func TestGomeaPlanted(t *testing.T) {
	group := solvertest.OpenFirst(t, 1, shard.Options{})
	for _, spec := range shorttest.Rows(1, []string{"maxcut:tile=12x12,p=0.5,seed=3",
		"maxcut:torus=20x20,weights=unit"}) {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		known, ok := p.Info().BestKnown()
		if !ok {
			t.Fatalf("%s: no known optimum", spec)
		}
		for _, m := range []*GOMEA{{Variant: "serial"}, {Local: "ls"}} {
			res, err := solvers.Minimize(context.Background(), p, group,
				solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 3e5, Target: &known}}, m)
			if err != nil {
				t.Fatal(err)
			}
			if res.F != known || !res.Confirmed {
				t.Errorf("%s with %s: %v after work %v, optimum %v", spec, solvers.Spell(m), res.F, res.Work, known)
			}
		}
	}
}

// The trace and the result are the same on any number of devices.
func TestGomeaDevices(t *testing.T) {
	p := cut.NewMaxCut(graphtest.Small()["dense"])
	for _, m := range []solvers.Solver{&GOMEA{Base: 4},
		&GOMEA{Base: 6, Local: "sa", Sweeps: 10, form: engine.Form{Spill: true}}} {
		var first []solvers.Sample
		var x []float64
		for _, v := range []struct {
			devices int
			opt     shard.Options
		}{
			{1, shard.Options{}}, {2, shard.Options{LaunchTime: 1e-6}},
			{3, shard.Options{Weights: []float64{1, 0, 2}}}, {5, shard.Options{NoCheck: true}},
		} {
			var all []solvers.Sample
			res, err := solvers.Minimize(context.Background(), p, solvertest.OpenFirst(t, v.devices, v.opt),
				solvers.Settings{
					Key: rng.Key{Seed: 2}, Budget: solvers.Budget{Evaluations: 8000},
					Recorder: record(func(s solvers.Sample) { s.Elapsed = 0; all = append(all, s) })}, m)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first, x = all, res.X
			}
			if !slices.Equal(all, first) || !slices.Equal(x, res.X) {
				t.Errorf("%s: the run differs on %d devices", m, v.devices)
			}
		}
		if len(first) < 10 {
			t.Errorf("%s: only %d steps", m, len(first))
		}
	}
}

func ExampleGOMEA() {
	m, err := solvers.Configure(&GOMEA{}, map[string]string{"base": "32", "local": "sa"})
	text := strings.ReplaceAll(solvers.Spell(m), ",", " ")
	fmt.Println(strings.Replace(text, " sweeps", "\nsweeps", 1))
	fmt.Println(err)
	// Output:
	// population=auto base=32 linkage=auto bound=auto similarity=abs fi=on donor=differing local=sa
	// sweeps=500 variant=parallel
	// <nil>
}

// A population is not created if the run is cancelled.
func TestCreateIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := solvertest.ParseProblem(t, "maxcut:gnp=40,p=0.1,weights=pm1,seed=1")
	for _, variant := range []string{"serial", "parallel"} {
		m := &GOMEA{Variant: variant}
		run := solvertest.Start(t, m, p, solvertest.OpenFirst(t, 1, shard.Options{}), solvers.Setup{})
		r := run.(*gomeaRun)
		if err := r.create(ctx, r.newPopulation(0), nil); err != context.Canceled {
			t.Errorf("%s: %v", variant, err)
		}
	}
}

// Graphs are refused if the indices of kernels would overflow.
func TestAddressed(t *testing.T) {
	for _, c := range []struct {
		vertices, edges int
		ok              bool
	}{
		{0, 0, true}, {715827882, 1<<31 - 1, true}, {715827884, 0, false}, {2, 1 << 31, false},
	} {
		if err := addressed(c.vertices, c.edges); (err == nil) != c.ok {
			t.Errorf("%d vertices and %d edges: %v", c.vertices, c.edges, err)
		}
	}
}

// Start returns the error if a device cannot build a program, here because of the size of a group.
func TestBuildFails(t *testing.T) {
	m, p := &GOMEA{Population: 4, form: engine.Form{Group: 1 << 40}}, cut.NewMaxCut(graphtest.Small()["two"])
	_, err := m.Start(context.Background(), p, solvertest.OpenFirst(t, 1, shard.Options{}), solvers.Setup{})
	if _, ok := errors.AsType[*cl.BuildError](err); !ok {
		t.Errorf("Start: %v", err)
	}
}
