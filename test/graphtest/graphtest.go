// Package graphtest makes graphs for tests.
package graphtest

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/problems/formats"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/datatest"
)

// Build makes a graph of edges {u, v, w} between n vertices. Edges of weight 0 are left out.
func Build(n int, edges [][3]int) *graph.Graph {
	rows := make([][][2]int, n)
	for _, e := range edges {
		if e[2] == 0 {
			continue
		}
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

// Complete returns a complete graph of n vertices with weights up to most, but heavy at the edges of vertex 5. Edges
// whose weight would be 0 are left out.
func Complete(n, most, heavy int) *graph.Graph {
	var edges [][3]int
	for u := range n {
		for v := u + 1; v < n; v++ {
			w := rng.Key{Seed: 4}.Words(uint32(u*n+v), 0, 0, rng.Check)
			size := most
			if u == 5 || v == 5 {
				size = heavy
			}
			if k := int(rng.Int(w[0], uint32(2*size))) - size; k != 0 {
				edges = append(edges, [3]int{u, v, k})
			}
		}
	}
	return Build(n, edges)
}

// Rooted returns a sparse graph as that of a QUBO: vertex 0 has an edge to each of 200 others, whose absolute weights
// add up to more than 4095 there, and the others have as heavy edges between them, so that many cannot be cut. All
// weights are multiples of scale.
func Rooted(scale int) *graph.Graph {
	const n = 201
	var edges [][3]int
	for v := 1; v < n; v++ {
		w := rng.Key{Seed: 6}.Words(uint32(v), 0, 0, rng.Check)
		edges = append(edges, [3]int{0, v, scale * (32 - 64*int(w[0]&1))})
		for k, step := range []int{1, 7, 31} {
			if sign := 1 - 2*int(w[1]>>k&1); v+step < n {
				edges = append(edges, [3]int{v, v + step, scale * sign * (1 + int(w[2]>>(8*k)%40))})
			}
		}
	}
	return Build(n, edges)
}

// Scaled returns g with all weights multiplied by a number.
func Scaled(g *graph.Graph, by int64) *graph.Graph {
	scaled := g.WithWeights(slices.Clone(g.Weights))
	for e := range scaled.Weights {
		scaled.Weights[e] *= by
	}
	return scaled
}

// MaxCut reads a graph of the official data, such as "gset/G1", or skips the test.
func MaxCut(t testing.TB, name string) *graph.Graph {
	t.Helper()
	m, _, err := formats.Read(datatest.File(t, "maxcut", name+".txt"), graph.Sides, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m.Pairs
}

// Small are graphs by name that cover signs, sizes of weights, isolated vertices, components,
// sets larger than a work-item takes, hubs, and density.
func Small() map[string]*graph.Graph {
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
		return Build(n, edges)
	}
	ring := func(n int) *graph.Graph {
		var edges [][3]int
		for v := range n {
			edges = append(edges, [3]int{v, (v + 1) % n, 1 - 2*(v%3&1)})
		}
		return Build(n, edges)
	}
	hubs := func(n int) *graph.Graph {
		var edges [][3]int
		for v := 3; v < n; v++ {
			edges = append(edges, [3]int{0, v, 1}, [3]int{1, v, 1 - v%3}, [3]int{2, v, 2})
			if v+7 < n {
				edges = append(edges, [3]int{v, v + 7, 1 - 2*(v&1)})
			}
		}
		return Build(n, slices.DeleteFunc(edges, func(e [3]int) bool { return e[2] == 0 }))
	}
	return map[string]*graph.Graph{
		"sparse":  random(65, 0.03, law(1, true)),
		"dense":   random(65, 0.6, law(9, true)),
		"large w": random(65, 0.1, law(1<<40, true)),
		"rough":   random(300, 0.02, law(1e4, true)),
		"ring":    ring(3001),
		"heavy":   random(1300, 0.012, law(3, true)),
		"hubs":    hubs(300),
		"two":     Build(2, [][3]int{{0, 1, 3}}),
	}
}
