package solvers

import (
	"context"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/draw"
	"github.com/clopt/clopt/shard"
)

// Annealing and local search on devices leave the bits that they leave on the
// host, and as many sweeps; what they leave is a maximum under single flips.
func TestAnnealTwin(t *testing.T) {
	for name, g := range smallGraphs() {
		for _, v := range []struct {
			devices int
			m       GOMEA
			opt     shard.Options
		}{
			{1, GOMEA{Population: 5, Local: "sa", Sweeps: 30}, shard.Options{}},
			{2, GOMEA{Population: 5, Local: "ls"}, shard.Options{LaunchTime: 1e-6}},
			{1, GOMEA{Population: 4, Local: "sa", Sweeps: 20, spill: true}, shard.Options{}},
			{2, GOMEA{Population: 4, Local: "ls", spill: true}, shard.Options{LaunchTime: 1e-6}},
		} {
			key := draw.Key{Seed: 8}
			r := runOf(t, &v.m, g, openGroup(t, v.devices, v.opt), key)
			if _, ok, err := r.Step(context.Background(), 1<<40); !ok || err != nil {
				t.Fatal(ok, err)
			}
			plan := r.engine.(*parallelEngine).plan
			sweeps, _ := v.m.polish()
			a := newAnnealing(plan.x.graph, sweeps, key)
			c := &counts{}
			m := newMixer(plan.x, key, differing, true, &elite{row: make([]uint64, wordsOf(g.N()))}, c)
			p := newPopulation(0, v.m.Population, wordsOf(g.N()))
			p.room()
			for i := range p.n {
				p.populate(key, i, g.N())
				n, err := a.host(context.Background(), plan.x.field, p.row(i), p.who(i), 0)
				if err != nil {
					t.Fatal(err)
				}
				c.values += n * a.vertex
				c.edges += n * a.edges
				m.evaluate(p, i)
				gain := plan.x.field.bind(p.row(i))
				for q := range uint32(g.N()) {
					if gain(q) > 0 && n < int64(len(a.temps)) {
						t.Errorf("%s: flipping %d would gain %d", name, q, gain(q))
					}
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
