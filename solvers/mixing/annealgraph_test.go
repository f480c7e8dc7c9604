package mixing

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
	"github.com/clopt/clopt/test/graphtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// Annealing and local search have the same bits and as many sweeps on devices as on the host. No single flip improves
// the result, except perhaps that of the anchor of a dense graph, which annealing never flips.
func TestAnnealTwin(t *testing.T) {
	for name, g := range graphtest.Small() {
		for _, v := range shorttest.Rows(2, []struct {
			devices int
			m       GOMEA
			opt     shard.Options
		}{
			{2, GOMEA{Population: 35, Local: "sa", Sweeps: 20, block: 7}, shard.Options{LaunchTime: 1e-6}},
			{1, GOMEA{Population: 34, Local: "sa", Sweeps: 20, split: true}, shard.Options{}},
			{2, GOMEA{Population: 5, Local: "ls"}, shard.Options{LaunchTime: 1e-6}},
			{1, GOMEA{Population: 34, Local: "sa", Sweeps: 20, spill: true, split: true}, shard.Options{}},
			{2, GOMEA{Population: 4, Local: "ls", spill: true, block: 3}, shard.Options{LaunchTime: 1e-6}},
		}) {
			key := rng.Key{Seed: 8}
			r := runOf(t, &v.m, g, solvertest.OpenFirst(t, v.devices, v.opt), key)
			looks := 0
			for len(r.populations) == 0 {
				s, ok, err := r.Step(context.Background(), 1<<40)
				if !ok || err != nil {
					t.Fatalf("%s, %v, split %v: %v, %v", name, &v.m, v.m.split, ok, err)
				}
				if !math.IsInf(s.F, 1) {
					looks++
				}
			}
			plan := r.engine.(*parallelEngine).plan
			n := plan.X.Graph.N()
			sweeps, _ := v.m.polish()
			a := host.NewAnnealing(plan.X.Graph, sweeps, key)
			c := &host.Counts{}
			best := &host.Elite{Row: make([]uint64, host.Words(n))}
			m := host.NewMixer(plan.X, key, host.Differing, true, best, c)
			p := host.NewPopulation(0, v.m.Population, host.Words(n))
			p.Allocate()
			longest := make([]int64, (p.N+host.ChainsPerWord-1)/host.ChainsPerWord)
			for i := range p.N {
				p.Draw(key, i, n)
			}
			for i, n := range annealOnHost(t, a, plan.X, p) {
				block := &longest[i/host.ChainsPerWord]
				if *block = max(*block, n); a.Sliced == nil {
					c.Values += n * a.Vertex
					c.Edges += n * a.Edges
				}
				for range looks {
					m.Evaluate(p, i)
				}
				for q := range uint32(plan.X.Graph.N()) {
					if a.Dense != nil && a.Dense.Anchor == q {
						continue
					}
					if gainOf(plan.X.Graph, p.Row(i), q) > 0 && n < int64(len(a.Temps)) {
						t.Errorf("%s: flipping vertex %d improves the cut", name, q)
					}
				}
			}
			for b, n := range longest {
				if a.Sliced != nil { // chains of a word rest together
					n *= int64(min(host.ChainsPerWord, p.N-b*host.ChainsPerWord))
					c.Values += n * a.Vertex
					c.Edges += n * a.Edges
				}
			}
			q := r.populations[0]
			if got := rowsOf(t, r, q); !slices.Equal(got, p.Rows) || !slices.Equal(q.F, p.F) {
				t.Errorf("%s, %s on %d: cuts %v, host %v", name, v.m.String(), v.devices, q.F, p.F)
			}
			if d := r.state.Counts; d.Values != c.Values || d.Edges != c.Edges {
				t.Errorf("%s: %d values of %d edges, host %d of %d", name, d.Values, d.Edges, c.Values, c.Edges)
			}
		}
	}
}

// annealOnHost anneals the individuals of p chain by chain, and returns the sweeps of each.
func annealOnHost(t *testing.T, a *host.Annealing, x *host.Mixture, p *host.Population) []int64 {
	t.Helper()
	sweeps := make([]int64, p.N)
	for from := 0; from < len(a.Temps); {
		to := a.Leg(from)
		for i := range p.N {
			n, err := a.Chain(context.Background(), x, p.Row(i), p.Who(i), p.Generation, from, to)
			if err != nil {
				t.Fatal(err)
			}
			sweeps[i] += n
			p.F[i] = host.CutOf(x.Graph, p.Row(i))
		}
		if from = to; a.Selects(to) {
			p.Swept = to
			p.Take(a.Select(p))
		}
	}
	p.Swept = 0
	return sweeps
}

// gainOf returns the change of the cut of o if vertex v flips.
func gainOf(g *graph.Graph, o []uint64, v uint32) (gain int64) {
	for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
		if host.Side(o, g.Neighbors[e]) == host.Side(o, v) {
			gain += g.Weights[e]
		} else {
			gain -= g.Weights[e]
		}
	}
	return gain
}

// Annealing without mixing continues with new chains of twice the sweeps, keeps its limit, and has the same bits on any
// number of devices.
func TestAnnealGraph(t *testing.T) {
	p := cut.NewMaxCut(graphtest.Small()["dense"])
	var first []solvers.Sample
	for _, v := range []struct {
		devices int
		variant string
	}{{1, ""}, {3, ""}, {1, "serial"}} {
		var all []solvers.Sample
		res, err := solvers.Minimize(context.Background(), p, solvertest.OpenFirst(t, v.devices, shard.Options{}),
			solvers.Settings{
				Key: rng.Key{Seed: 2}, Budget: solvers.Budget{Evaluations: 4000},
				Recorder: record(func(s solvers.Sample) { s.Elapsed = 0; all = append(all, s) }),
			}, &AnnealGraph{Chains: 4, Sweeps: 20, Variant: v.variant})
		if err != nil {
			t.Fatal(err)
		}
		if !res.Confirmed || res.Work > 4000 || res.Work < 2000 || len(all) < 3 {
			t.Errorf("%+v after %d steps", res, len(all))
		}
		if v.variant == "serial" {
			if all[len(all)-1].Best != first[len(first)-1].Best {
				t.Errorf("serial finds %v, devices %v", res.F, first[len(first)-1].Best)
			}
			continue
		}
		if first == nil {
			first = all
		}
		if !slices.Equal(all, first) {
			t.Errorf("%d devices: the trace differs", v.devices)
		}
	}
}

type record func(solvers.Sample)

func (r record) Record(s solvers.Sample) error { r(s); return nil }

// A population for which there is too little time leaves out sweeps all along, makes as many as fit, and ends at T = 0.
func TestSweepsLeftOut(t *testing.T) {
	for _, name := range []string{"ring", "dense"} { // the second one is selected
		const sweeps, fit = 200, 50 // a sweep takes a second
		r := runOf(t, &GOMEA{Population: 4, Local: "sa", Sweeps: sweeps}, graphtest.Small()[name],
			solvertest.OpenFirst(t, 1, shard.Options{LaunchTime: 1e-6}), rng.Key{Seed: 3})
		a := r.engine.(*parallelEngine).anneal
		made, latest := 0, 0
		a.e.run.s.Left = func() time.Duration {
			if a.of.Swept > 0 && a.of.Swept <= sweeps {
				made, latest = int(a.of.Annealed[0]), a.of.Swept
			}
			return time.Duration(fit-int(a.of.Annealed[0])) * time.Second
		}
		for len(r.populations) == 0 {
			if _, _, err := r.Step(context.Background(), 1<<40); err != nil {
				t.Fatal(err)
			}
		}
		if latest < sweeps*9/10 || made < fit*8/10 || made > fit*11/10 {
			t.Errorf("%s: %d sweeps are made when %d of %d are due, want %d in all", name, made, latest, sweeps, fit)
		}
	}
}
