package host

import (
	"context"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/graphtest"
)

// serialTest returns a mixer and an evaluated population on a graph.
func serialTest(g *graph.Graph, n int, key rng.Key) (*Mixer, *Population) {
	m := NewMixer(NewMixture(g, linkage.Sparse(g, linkage.Abs.Of(g), 0, key), key), key, Differing, true,
		&Elite{Row: make([]uint64, Words(g.N()))}, &Counts{})
	p := NewPopulation(0, n, Words(g.N()))
	p.Allocate()
	for i := range n {
		p.Draw(key, i, g.N())
		m.Evaluate(p, i)
	}
	return m, p
}

func (m *Mixer) generation(p *Population) {
	p.Agree()
	for i := range p.N {
		m.Offspring(context.Background(), p, i)
	}
	p.Rows, p.Next = p.Next, p.Rows
	p.Generation++
}

// BenchmarkMixing makes generations of a population until it has converged, and then starts again. It reports the sets
// that one core visits in a second.
func BenchmarkMixing(b *testing.B) {
	for _, name := range []string{"gset/G1", "gset/G22", "gset/G55", "gset/G81"} {
		b.Run(name, func(b *testing.B) {
			g := graphtest.MaxCut(b, name)
			steps, values := int64(0), int64(0)
			seed := uint32(0)
			m, p := serialTest(g, 32, rng.Key{Seed: seed})
			for b.Loop() {
				if p.Generation >= 40 || p.Uniform(m.X.Whole) {
					b.StopTimer()
					steps, values = steps+m.Sets, values+m.Values
					seed++
					m, p = serialTest(g, 32, rng.Key{Seed: seed})
					b.StartTimer()
				}
				m.generation(p)
			}
			steps, values = steps+m.Sets, values+m.Values
			b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "sets/s")
			b.ReportMetric(float64(values)/b.Elapsed().Seconds(), "deltas/s")
			b.ReportMetric(float64(m.Elite.F), "cut")
		})
	}
}

// Trying all sets and taking the one of the smallest priority is the same as trying them in the order of priorities
// until one improves.
func TestForcedImprovement(t *testing.T) {
	g := graphtest.Small()["sparse"]
	key := rng.Key{Seed: 5}
	m, p := serialTest(g, 8, key)
	took := 0
	for state := range 1000 {
		p.Generation = uint32(state)
		for i := range p.N {
			p.Draw(key, i, g.N())
		}
		copy(m.Elite.Row, p.Row(0))
		m.Elite.F, m.Elite.Hash = CutOf(m.X.Graph, p.Row(0)), m.X.HashOf(p.Row(0))
		begin := func() {
			copy(m.o, p.Row(1))
			if state%2 == 1 { // nearly the elitist
				copy(m.o, p.Row(0))
				m.o[0] ^= 1 << (state % 64)
			}
			m.f, m.hash = CutOf(m.X.Graph, m.o), m.X.HashOf(m.o)
			m.X.field.start(m.o)
		}
		begin()
		m.improveFirst(p, 1)
		first, f := slices.Clone(m.o), m.f
		begin()
		before := m.f
		for k := range m.order {
			m.order[k] = uint32(k)
		}
		slices.SortStableFunc(m.order, func(a, b uint32) int {
			x, y := key.Word(a, p.Who(1), p.Generation, rng.Force), key.Word(b, p.Who(1), p.Generation, rng.Force)
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return int(a) - int(b)
		})
		m.improve()
		if !slices.Equal(m.o, first) || m.f != f || m.hash != m.X.HashOf(m.o) || m.f != CutOf(m.X.Graph, m.o) {
			t.Fatalf("state %d: cuts %d and %d", state, m.f, f)
		}
		if m.f > before && !slices.Equal(m.o, m.Elite.Row) {
			took++
		}
	}
	if took < 100 {
		t.Errorf("only %d of 1000 states were improved", took)
	}
}

// Neither an individual nor the elitist gets worse in a generation, and every cut and hash is that of its bits.
func TestGenerationsRise(t *testing.T) {
	for name, g := range graphtest.Small() {
		m, p := serialTest(g, 12, rng.Key{Seed: 6})
		for range 8 {
			f, best := slices.Clone(p.F), m.Elite.F
			m.generation(p)
			for i := range p.N {
				if p.F[i] < f[i] || p.F[i] != CutOf(m.X.Graph, p.Row(i)) || p.Hash[i] != m.X.HashOf(p.Row(i)) {
					t.Fatalf("%s: individual %d has the cut %d; it was %d, and the bits have %d", name, i, p.F[i], f[i],
						CutOf(m.X.Graph, p.Row(i)))
				}
			}
			if m.Elite.F < best || m.Elite.F < slices.Max(p.F) || m.Elite.F != CutOf(m.X.Graph, m.Elite.Row) {
				t.Fatalf("%s: the elitist has the cut %d, before it was %d", name, m.Elite.F, best)
			}
		}
	}
}
