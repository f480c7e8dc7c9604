package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems"
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

// engineOf returns an engine on devices, for a graph or, if individuals are annealed, for what is left of it. Without a
// linkage model, m has components where they fit if individuals are annealed, and else a tree.
func engineOf(t testing.TB, m Method, g *graph.Graph, group *shard.Devices, key rng.Key) *parallel {
	t.Helper()
	p := problems.Cut(cut.NewMaxCut(g))
	if m.Sweeps > 0 {
		p = host.Reduced(p)
	}
	g = p.Graph()
	shape := host.ShapeOf(g)
	switch {
	case m.Linkage != "":
	case m.Sweeps > 0 && shape.FitsComponents():
		m.Linkage = Components
	default:
		m.Linkage = Tree
	}
	home := linkage.Univariate(g.N())
	if m.Linkage == Tree {
		home = linkage.Sparse(g, linkage.Abs.Of(g), m.Bound, key)
	}
	e, err := newParallel(context.Background(), Task{Method: m, Problem: p, Shape: shape, Home: home,
		Setup: solvers.Setup{Key: key}, Elite: &host.Elite{Row: make([]uint64, host.Words(g.N()))},
		Counts: &host.Counts{}}, group)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// grown makes the first population of an engine. looks is the number of steps in which it was evaluated.
func grown(t *testing.T, e *parallel) (p *host.Population, looks int) {
	t.Helper()
	p = host.NewPopulation(0, e.First, host.Words(e.plan.X.Graph.N()))
	err := e.Allocate(p)
	if err == nil {
		err = e.Create(context.Background(), p, nil)
	}
	for done := false; !done && err == nil; {
		e.Counts.Noted = false
		if done, err = e.Grow(context.Background(), p); e.Counts.Noted {
			looks++
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return p, looks
}

// rowsOf reads a population from the first device.
func rowsOf(t *testing.T, e *parallel, p *host.Population) []uint64 {
	t.Helper()
	all := make([]uint64, p.N*p.Words)
	for i := range p.N {
		if err := e.read(e.live[p].on[0].parents, i, all[i*p.Words:(i+1)*p.Words]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// drawn draws the first population of an engine on the host.
func drawn(e *parallel) *host.Population {
	n := e.plan.X.Graph.N()
	p := host.NewPopulation(0, e.First, host.Words(n))
	p.Allocate()
	for i := range p.N {
		p.Draw(e.Setup.Key, i, n)
	}
	return p
}

// mixerOf returns a mixer on the host that makes what an engine makes.
func mixerOf(e *parallel) *host.Mixer {
	x := e.plan.X
	return host.NewMixer(x, e.Setup.Key, e.Donors, e.Force, &host.Elite{Row: make([]uint64, host.Words(x.Graph.N()))},
		&host.Counts{})
}

// sameTwin fails unless a population q and the elitist on devices have the bits of p and m on the host.
func sameTwin(t *testing.T, e *parallel, q *host.Population, m *host.Mixer, p *host.Population, generation int) {
	t.Helper()
	if got := rowsOf(t, e, q); !slices.Equal(got, p.Rows) || !slices.Equal(q.F, p.F) || !slices.Equal(q.Hash, p.Hash) ||
		!slices.Equal(q.Idle, p.Idle) {
		t.Fatalf("generation %d: populations differ: cuts %v, host %v; idle %v, host %v", generation, q.F, p.F, q.Idle,
			p.Idle)
	}
	if elite := e.Elite; elite.F != m.Elite.F || !slices.Equal(elite.Row, m.Elite.Row) {
		t.Fatalf("generation %d: elitist %d, host %d", generation, elite.F, m.Elite.F)
	}
}

// sameCounts fails unless devices and host have counted the same evaluations.
func sameCounts(t *testing.T, e *parallel, c *host.Counts) {
	t.Helper()
	if d := e.Counts; d.Values != c.Values || d.Edges != c.Edges {
		t.Errorf("%d values of %d edges, host %d of %d", d.Values, d.Edges, c.Values, c.Edges)
	}
}

// twins makes a first population on devices and on the host, and compares some generations of both. next makes one on
// the host.
func twins(t *testing.T, e *parallel, generations int, next func(m *host.Mixer, p *host.Population, gen int)) {
	t.Helper()
	q, _ := grown(t, e)
	m, p := mixerOf(e), drawn(e)
	for i := range p.N {
		m.Evaluate(p, i)
	}
	for gen := range generations {
		sameTwin(t, e, q, m, p, gen)
		if _, _, err := e.Advance(context.Background(), q, 1<<50); err != nil {
			t.Fatal(err)
		}
		next(m, p, gen)
	}
	sameCounts(t, e, m.Counts)
}

// Devices and host agree on every bit of every generation, with and without local memory, on one device and on three.
func TestMixTwin(t *testing.T) {
	for name, g := range graphtest.Small() {
		for _, v := range shorttest.Rows(2, []struct {
			devices int
			m       Method
			opt     shard.Options
		}{
			{3, Method{First: 10, Donors: host.Single}, shard.Options{}},
			{1, Method{First: 7, Force: true, Form: Form{Spill: true}}, shard.Options{LaunchTime: 1e-6}},
			{1, Method{First: 9, Force: true}, shard.Options{}},
			{2, Method{First: 6, Force: true, Bound: 10}, shard.Options{LaunchTime: 1e-6}},
			{1, Method{First: 4, Force: true, Form: Form{Group: 8}}, shard.Options{}},
			// TestComponentsTwin builds the same text as this one.
			{1, Method{First: 4, Force: true, Form: Form{Group: 16, Spill: true}}, shard.Options{}},
		}) {
			group := solvertest.OpenFirst(t, v.devices, v.opt)
			if v.m.Form.Group > 1 && name == "ring" && strings.HasPrefix(group.Infos()[0].Platform, "Portable") {
				continue // PoCL 5 loses values across barriers in that loop and crashes; Oclgrind runs it
			}
			t.Run(fmt.Sprintf("%s on %d: %+v", name, v.devices, v.m), func(t *testing.T) {
				e := engineOf(t, v.m, g, group, rng.Key{Seed: 3, Run: 1})
				twins(t, e, min(12, 2+9000/g.N()), func(m *host.Mixer, p *host.Population, gen int) {
					m.ByGroups(p, host.Order(e.plan.Groups, e.plan.Sets, e.Setup.Key, p), e.plan.Sets, gen%2 == 1)
				})
			})
		}
	}
}
