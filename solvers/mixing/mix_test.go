package mixing

import (
	"context"
	"testing"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/graphtest"
)

// serialTest is a started population of the serial method on a graph.
func serialTest(g *graph.Graph, n int, key rng.Key) (*mixer, *population) {
	m := newMixer(newMixture(g, linkage.Sparse(g, linkage.Abs.Of(g), 0, key), key), key, differing, true,
		&elite{row: make([]uint64, wordsOf(g.N()))}, &counts{})
	p := newPopulation(0, n, wordsOf(g.N()))
	p.room()
	for i := range n {
		p.populate(key, i, g.N())
		m.evaluate(p, i)
	}
	return m, p
}

func (m *mixer) generation(p *population) {
	p.agree()
	for i := range p.n {
		m.offspring(context.Background(), p, i)
	}
	p.rows, p.next = p.next, p.rows
	p.generation++
}

// BenchmarkMixing is generations of one population from its start until it has
// converged, again and again: sets visited a second by one core.
func BenchmarkMixing(b *testing.B) {
	for _, name := range []string{"gset/G1", "gset/G22", "gset/G55", "gset/G81"} {
		b.Run(name, func(b *testing.B) {
			g := graphtest.MaxCut(b, name)
			steps, values := int64(0), int64(0)
			seed := uint32(0)
			m, p := serialTest(g, 32, rng.Key{Seed: seed})
			for b.Loop() {
				if p.generation >= 40 || p.uniform(m.x.whole) {
					b.StopTimer()
					steps, values = steps+m.sets, values+m.values
					seed++
					m, p = serialTest(g, 32, rng.Key{Seed: seed})
					b.StartTimer()
				}
				m.generation(p)
			}
			steps, values = steps+m.sets, values+m.values
			b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "sets/s")
			b.ReportMetric(float64(values)/b.Elapsed().Seconds(), "deltas/s")
			b.ReportMetric(float64(m.elite.f), "cut")
		})
	}
}
