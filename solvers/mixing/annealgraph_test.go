package mixing

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/graphtest"
	"github.com/clopt/clopt/test/solvertest"
)

// Annealing and local search on devices leave the bits that they leave on the
// host, and as many sweeps; what they leave is a maximum under single flips.
func TestAnnealTwin(t *testing.T) {
	for name, g := range graphtest.Small() {
		for _, v := range []struct {
			devices int
			m       GOMEA
			opt     shard.Options
		}{
			{1, GOMEA{Population: 5, Local: "sa", Sweeps: 30, block: 7}, shard.Options{}},
			{2, GOMEA{Population: 5, Local: "ls"}, shard.Options{LaunchTime: 1e-6}},
			{1, GOMEA{Population: 34, Local: "sa", Sweeps: 20, spill: true, split: true}, shard.Options{}},
			{2, GOMEA{Population: 4, Local: "ls", spill: true, block: 3}, shard.Options{LaunchTime: 1e-6}},
		} {
			key := rng.Key{Seed: 8}
			r := runOf(t, &v.m, g, solvertest.OpenFirst(t, v.devices, v.opt), key)
			looks := 0
			for len(r.state.Populations) == 0 {
				s, ok, err := r.Step(context.Background(), 1<<40)
				if !ok || err != nil {
					t.Fatal(ok, err)
				}
				if !math.IsInf(s.F, 1) {
					looks++
				}
			}
			plan := r.engine.(*parallelEngine).plan
			sweeps, _ := v.m.polish()
			a := newAnnealing(plan.x.graph, sweeps, key)
			c := &counts{}
			m := newMixer(plan.x, key, differing, true, &elite{row: make([]uint64, wordsOf(g.N()))}, c)
			p := newPopulation(0, v.m.Population, wordsOf(g.N()))
			p.room()
			longest := make([]int64, (p.n+chainsPerWord-1)/chainsPerWord)
			for i := range p.n {
				p.populate(key, i, g.N())
				n, err := a.host(context.Background(), plan.x, p.row(i), p.who(i), 0)
				if err != nil {
					t.Fatal(err)
				}
				block := &longest[i/chainsPerWord]
				if *block = max(*block, n); a.sliced == nil {
					c.values += n * a.vertex
					c.edges += n * a.edges
				}
				for range looks {
					m.evaluate(p, i)
				}
				for q := range uint32(g.N()) {
					if gainOf(plan.x.graph, p.row(i), q) > 0 && n < int64(len(a.temps)) {
						t.Errorf("%s: flipping %d would gain", name, q)
					}
				}
			}
			for b, n := range longest {
				if a.sliced != nil { // chains of a word rest together
					n *= int64(min(chainsPerWord, p.n-b*chainsPerWord))
					c.values += n * a.vertex
					c.edges += n * a.edges
				}
			}
			q := r.state.Populations[0]
			if got := rowsOf(t, r, q); !slices.Equal(got, p.rows) || !slices.Equal(q.f, p.f) {
				t.Errorf("%s, %s on %d: cuts %v, host %v", name, v.m.String(), v.devices, q.f, p.f)
			}
			if d := r.state.Counts; d.values != c.values || d.edges != c.edges {
				t.Errorf("%s: %d values of %d edges, host %d of %d", name, d.values, d.edges, c.values, c.edges)
			}
		}
	}
}

// gainOf is what flipping vertex v of the partition o adds to its cut.
func gainOf(g *graph.Graph, o []uint64, v uint32) (gain int64) {
	for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
		if side(o, g.Neighbors[e]) == side(o, v) {
			gain += g.Weights[e]
		} else {
			gain -= g.Weights[e]
		}
	}
	return gain
}

// A word of chains on the host is what the chains are one by one.
func TestAnnealWord(t *testing.T) {
	for name, g := range graphtest.Small() {
		key := rng.Key{Seed: 3, Run: 1}
		a := newAnnealing(g, 12, key)
		if a.sliced == nil {
			if name != "large w" {
				t.Errorf("%s: no counters", name)
			}
			continue
		}
		x := newMixture(g, linkage.Univariate(g.N()), key)
		for _, n := range []int{1, 7, 32} {
			p, q := newPopulation(3, 64, wordsOf(g.N())), newPopulation(3, 64, wordsOf(g.N()))
			p.room()
			q.room()
			rows, longest := [][]uint64{}, int64(0)
			for i := range n {
				p.populate(key, 32+i, g.N())
				q.populate(key, 32+i, g.N())
				sweeps, err := a.host(context.Background(), x, p.row(32+i), p.who(32+i), 5)
				if err != nil {
					t.Fatal(err)
				}
				longest = max(longest, sweeps)
				rows = append(rows, q.row(32+i))
			}
			sweeps, err := a.hostWord(context.Background(), rows, q.who(32), 5)
			if err != nil || sweeps != longest || !slices.Equal(p.rows, q.rows) {
				t.Errorf("%s, %d chains: %d sweeps, one by one %d; equal: %v; %v", name, n, sweeps, longest, slices.Equal(p.rows, q.rows), err)
			}
		}
	}
}

// Annealing alone goes on with new chains of twice the sweeps, keeps its limit,
// and has the same bits on any number of devices.
func TestAnnealGraph(t *testing.T) {
	p := cut.NewMaxCut(graphtest.Small()["dense"])
	var first []solvers.Sample
	for _, v := range []struct {
		devices int
		variant string
	}{{1, ""}, {3, ""}, {1, "serial"}} {
		var all []solvers.Sample
		res, err := solvers.Minimize(context.Background(), p, solvertest.OpenFirst(t, v.devices, shard.Options{}), solvers.Settings{
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
			t.Errorf("%d devices: another trace", v.devices)
		}
	}
}

type record func(solvers.Sample)

func (r record) Record(s solvers.Sample) error { r(s); return nil }
