package engine

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
	"github.com/clopt/clopt/test/graphtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// Annealing and local search have the same bits and as many sweeps on devices as on the host. No single flip improves
// the result, except perhaps that of a vertex that annealing never flips, as the anchor of a dense graph.
func TestAnnealTwin(t *testing.T) {
	graphs := graphtest.Small()
	graphs["rooted"], graphs["rooted, rough"] = graphtest.Rooted(1), graphtest.Rooted(5000)
	graphs["hubs, rough"] = graphtest.Scaled(graphs["hubs"], 5000)
	for name, g := range graphs {
		for _, v := range shorttest.Rows(2, []struct {
			devices int
			m       Method
			opt     shard.Options
		}{
			{2, Method{First: 35, Anneals: true, Sweeps: 20, Form: Form{Block: 7}}, shard.Options{LaunchTime: 1e-6}},
			{1, Method{First: 34, Anneals: true, Sweeps: 20, Form: Form{Split: true}}, shard.Options{}},
			{2, Method{First: 5, Anneals: true}, shard.Options{LaunchTime: 1e-6}},
			{1, Method{First: 34, Anneals: true, Sweeps: 20, Form: Form{Spill: true, Split: true}}, shard.Options{}},
			{2, Method{First: 4, Anneals: true, Form: Form{Spill: true, Block: 3}}, shard.Options{LaunchTime: 1e-6}},
		}) {
			key := rng.Key{Seed: 8}
			e := engineOf(t, v.m, g, solvertest.OpenFirst(t, v.devices, v.opt), key)
			q, looks := grown(t, e)
			plan, m, p := e.plan, mixerOf(e), drawn(e)
			a, c := host.NewAnnealing(host.ShapeOf(plan.X.Graph), v.m.Sweeps, key), m.Counts
			longest := make([]int64, (p.N+host.ChainsPerWord-1)/host.ChainsPerWord)
			for i, n := range annealOnHost(t, a, plan.X, p) {
				block := &longest[i/host.ChainsPerWord]
				if *block = max(*block, n); a.Sliced == nil {
					c.Values += n * a.Vertex
					c.Edges += n * a.Edges
				}
				for range looks {
					m.Evaluate(p, i)
				}
				for _, q := range a.Classes.Members {
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
			if got := rowsOf(t, e, q); !slices.Equal(got, p.Rows) || !slices.Equal(q.F, p.F) {
				t.Errorf("%s, %+v on %d: cuts %v, host %v", name, v.m, v.devices, q.F, p.F)
			}
			sameCounts(t, e, c)
		}
	}
}

// annealOnHost anneals the individuals of p chain by chain, and returns the sweeps of each.
func annealOnHost(t *testing.T, a *host.Annealing, x *host.Mixture, p *host.Population) []int64 {
	t.Helper()
	sweeps := make([]int64, p.N)
	for from := 0; from < len(a.Temps); {
		p.Swept = from
		to := a.Leg(p)
		for i := range p.N {
			n, err := a.Chain(context.Background(), x, p.Row(i), p.Who(i), p.Generation, from, to)
			if err != nil {
				t.Fatal(err)
			}
			sweeps[i] += n
			p.F[i] = host.CutOf(x.Graph, p.Row(i))
		}
		from, p.Swept = to, to
		if a.Selects(p) {
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

// A population for which there is too little time leaves out sweeps all along, makes as many as fit, and ends at T = 0.
func TestSweepsLeftOut(t *testing.T) {
	for _, name := range []string{"ring", "dense"} { // the second one is selected
		const sweeps, fit = 200, 50 // a sweep takes a second
		e := engineOf(t, Method{First: 4, Anneals: true, Sweeps: sweeps}, graphtest.Small()[name],
			solvertest.OpenFirst(t, 1, shard.Options{LaunchTime: 1e-6}), rng.Key{Seed: 3})
		a := e.anneal
		made, latest := 0, 0
		e.Setup.Left = func() time.Duration {
			if a.of.Swept > 0 && a.of.Swept <= sweeps {
				made, latest = int(a.of.Annealed[0]), a.of.Swept
			}
			return time.Duration(fit-int(a.of.Annealed[0])) * time.Second
		}
		grown(t, e)
		if latest < sweeps*9/10 || made < fit*8/10 || made > fit*11/10 {
			t.Errorf("%s: %d sweeps are made when %d of %d are due, want %d in all", name, made, latest, sweeps, fit)
		}
	}
}
