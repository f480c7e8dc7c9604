package mixing

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/graphtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// runOf starts GOMEA on a graph and devices.
func runOf(t testing.TB, m *GOMEA, g *graph.Graph, group *shard.Group, key rng.Key) *gomeaRun {
	t.Helper()
	run, err := m.Start(context.Background(), cut.NewMaxCut(g), group, solvers.Setup{Key: key})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(run.Close)
	return run.(*gomeaRun)
}

// rowsOf reads a population from the first device.
func rowsOf(t *testing.T, r *gomeaRun, p *population) []uint64 {
	t.Helper()
	e := r.engine.(*parallelEngine)
	all := make([]uint64, p.n*p.words)
	for i := range p.n {
		if err := e.read(e.live[p].on[0].parents, i, all[i*p.words:(i+1)*p.words]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// twinOf is the first population of r made once more on the host, and what mixes
// it. The elitist of the start is the first of the best.
func twinOf(r *gomeaRun) (*mixer, *population) {
	x, key := r.engine.(*parallelEngine).plan.x, r.s.Key
	n := x.graph.N()
	m := newMixer(x, key, r.m.rule(), r.m.Force != "off", &elite{row: make([]uint64, wordsOf(n))}, &counts{})
	p := newPopulation(0, r.m.Population, wordsOf(n))
	p.room()
	for i := range p.n {
		p.populate(key, i, n)
		m.evaluate(p, i)
	}
	return m, p
}

// sameTwin fails unless the devices' first population is the host's in every bit, and
// its elitist.
func sameTwin(t *testing.T, r *gomeaRun, m *mixer, p *population, generation int) {
	t.Helper()
	q, elite := r.state.Populations[0], r.state.Elite
	if got := rowsOf(t, r, q); !slices.Equal(got, p.rows) || !slices.Equal(q.f, p.f) || !slices.Equal(q.hash, p.hash) || !slices.Equal(q.idle, p.idle) {
		t.Fatalf("generation %d: populations differ: cuts %v, host %v; idle %v, host %v", generation, q.f, p.f, q.idle, p.idle)
	}
	if elite.f != m.elite.f || !slices.Equal(elite.row, m.elite.row) {
		t.Fatalf("generation %d: elitist %d, host %d", generation, elite.f, m.elite.f)
	}
}

// sameCounts fails unless both counted alike.
func sameCounts(t *testing.T, r *gomeaRun, c *counts) {
	t.Helper()
	if d := r.state.Counts; d.values != c.values || d.edges != c.edges {
		t.Errorf("%d values of %d edges, host %d of %d", d.values, d.edges, c.values, c.edges)
	}
}

// Devices and host agree on every bit of every generation, in local memory and
// without, on one device and on three.
func TestGomeaTwin(t *testing.T) {
	for name, g := range graphtest.Small() {
		for _, v := range shorttest.Rows(2, []struct {
			devices int
			m       GOMEA
			opt     shard.Options
		}{
			{3, GOMEA{Population: 10, Donor: "single", Force: "off"}, shard.Options{}},
			{1, GOMEA{Population: 7, spill: true}, shard.Options{LaunchTime: 1e-6}},
			{1, GOMEA{Population: 9}, shard.Options{}},
			{2, GOMEA{Population: 6, Bound: 10}, shard.Options{LaunchTime: 1e-6}},
			{1, GOMEA{Population: 4, group: 8}, shard.Options{}},
			{1, GOMEA{Population: 4, group: 16, spill: true}, shard.Options{}}, // TestComponentsTwin builds the same text
		}) {
			group := solvertest.OpenFirst(t, v.devices, v.opt)
			if v.m.group > 1 && name == "ring" && strings.HasPrefix(group.Infos()[0].Platform, "Portable") {
				continue // PoCL 5 loses values across barriers in that loop and crashes; Oclgrind runs it
			}
			t.Run(fmt.Sprintf("%s on %d by %d with %s", name, v.devices, v.m.group, v.m.String()), func(t *testing.T) {
				key := rng.Key{Seed: 3, Run: 1}
				r := runOf(t, &v.m, g, group, key)
				if _, ok, err := r.Step(context.Background(), 1<<40); !ok || err != nil {
					t.Fatal(ok, err)
				}
				plan := r.engine.(*parallelEngine).plan
				m, p := twinOf(r)
				for gen := range min(12, 2+9000/g.N()) {
					sameTwin(t, r, m, p, gen)
					if _, _, err := r.engine.advance(context.Background(), r.state.Populations[0], 1<<50); err != nil {
						t.Fatal(err)
					}
					m.groups(p, plan.order(key, p), plan.sets, gen%2 == 1)
				}
				sameCounts(t, r, m.counts)
			})
		}
	}
}
