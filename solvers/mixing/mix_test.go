package mixing

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
)

// build makes a graph of edges {u, v, w}.
func build(n int, edges [][3]int) *graph.Graph {
	rows := make([][][2]int, n)
	for _, e := range edges {
		rows[e[0]] = append(rows[e[0]], [2]int{e[1], e[2]})
		rows[e[1]] = append(rows[e[1]], [2]int{e[0], e[2]})
	}
	g := &graph.Graph{Offsets: []int{0}, Unit: 1}
	for _, r := range rows {
		slices.SortFunc(r, func(a, b [2]int) int { return a[0] - b[0] })
		for _, e := range r {
			g.Neighbors, g.Weights = append(g.Neighbors, uint32(e[0])), append(g.Weights, int64(e[1]))
		}
		g.Offsets = append(g.Offsets, len(g.Neighbors))
	}
	return g
}

// maxcut reads a graph of the given data, such as "gset/G1", or skips the test.
func maxcut(t testing.TB, name string) *graph.Graph {
	dir := os.Getenv("CLOPT_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	path := filepath.Join(dir, "maxcut", name+".txt")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no data: %v", err)
	}
	g, _, err := graph.Read(path, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

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
			g := maxcut(b, name)
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
