package mixing

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// hostTwin makes the offspring of a generation in the parallel order, on the host:
// groups outside, individuals inside, and within a group the sets in an order of
// its own, which must not matter.
func hostTwin(plan *devicePlan, m *mixer, p *population, backwards bool) {
	p.agree()
	best := *m.elite // that of the start
	best.row = slices.Clone(best.row)
	order := plan.order(m.key, p)
	changed := make([]bool, p.n)
	was := slices.Clone(p.f)
	copy(p.next, p.rows)
	for i := range p.n {
		m.elite = &best
		m.o = p.next[i*p.words : (i+1)*p.words]
		m.f, m.hash = p.f[i], p.hash[i]
		m.x.field.start(m.o)
		for g := 0; g < len(order); g += 3 {
			leads := m.f > best.f || best.is(m.f, m.hash, m.x.whole)
			for k := range order[g+1] - order[g] {
				t := order[g] + k
				if backwards {
					t = order[g+1] - 1 - k
				}
				set := plan.sets[3*t+2]
				s := m.x.model.Sets[set]
				j := p.donor(m.key, m.rule, m.o, i, set, s)
				if j < 0 {
					continue
				}
				change := m.change(p.row(j), s)
				if change < 0 || change == 0 && leads {
					continue
				}
				m.accept(change)
				changed[i] = true
			}
		}
		p.f[i], p.hash[i] = m.f, m.hash
	}
	promote := func() {
		for i := range p.n {
			best.offer(p.next[i*p.words:(i+1)*p.words], p.f[i], p.hash[i])
		}
	}
	promote()
	now := best
	now.row = slices.Clone(best.row)
	for i := range p.n {
		if m.force && (!changed[i] || p.idle[i] > patience(p.n)) && !now.is(p.f[i], p.hash[i], m.x.whole) {
			m.elite = &now
			m.o = p.next[i*p.words : (i+1)*p.words]
			m.f, m.hash = p.f[i], p.hash[i]
			m.x.field.start(m.o)
			m.improveFirst(p, i)
			p.f[i], p.hash[i] = m.f, m.hash
		}
		if p.f[i] > was[i] {
			p.idle[i] = 0
		} else {
			p.idle[i]++
		}
	}
	promote()
	m.elite = &best
	p.rows, p.next = p.next, p.rows
	p.generation++
}

// improveFirst is forced improvement with priorities: all sets are looked at.
func (m *mixer) improveFirst(p *population, i int) {
	at, least := -1, uint32(0)
	for set := range m.x.model.Sets {
		s := m.x.model.Sets[set]
		if !differ(m.o, m.elite.row, s.Lo, s.Hi) {
			continue
		}
		priority := m.key.Word(uint32(set), p.who(i), p.generation, rng.Force)
		if m.change(m.elite.row, s) > 0 && (at < 0 || priority < least) {
			at, least = set, priority
		}
	}
	if at < 0 {
		copy(m.o, m.elite.row)
		m.f, m.hash = m.elite.f, m.elite.hash
		return
	}
	before := *m.counts
	m.accept(m.change(m.elite.row, m.x.model.Sets[at]))
	*m.counts = before
}

// smallGraphs cover signs, sizes of weights, isolated vertices, components,
// sets larger than a work-item takes, and density.
func smallGraphs() map[string]*graph.Graph {
	law := func(most int, signed bool) func(w [4]uint32) int {
		return func(w [4]uint32) int {
			high, _ := bits.Mul64(uint64(w[1])<<32|uint64(w[3]), uint64(most)) // most may have more than 32 bits
			v := 1 + int(high)
			if signed && w[2]>>31 == 1 {
				v = -v
			}
			return v
		}
	}
	random := func(n int, p float64, weight func([4]uint32) int) *graph.Graph {
		var edges [][3]int
		for u := range n {
			for v := u + 1; v < n; v++ {
				if w := (rng.Key{Seed: 9}).Words(uint32(u*n+v), 0, 0, rng.Check); rng.Uniform(w[0]) < p {
					edges = append(edges, [3]int{u, v, weight(w)})
				}
			}
		}
		return build(n, edges)
	}
	ring := func(n int) *graph.Graph {
		var edges [][3]int
		for v := range n {
			edges = append(edges, [3]int{v, (v + 1) % n, 1 - 2*(v%3&1)})
		}
		return build(n, edges)
	}
	return map[string]*graph.Graph{
		"sparse":  random(65, 0.03, law(1, true)),
		"dense":   random(65, 0.6, law(9, true)),
		"large w": random(65, 0.1, law(1<<40, true)),
		"ring":    ring(3001),
		"heavy":   random(1300, 0.012, law(3, true)),
		"two":     build(2, [][3]int{{0, 1, 3}}),
	}
}

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
		if err := e.read(e.live[p][0].parents, i, all[i*p.words:(i+1)*p.words]); err != nil {
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
	for name, g := range smallGraphs() {
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
					hostTwin(plan, m, p, gen%2 == 1)
				}
				sameCounts(t, r, m.counts)
			})
		}
	}
}
