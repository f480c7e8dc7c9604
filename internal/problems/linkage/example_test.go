package linkage_test

import (
	"fmt"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
)

// The edges of two triangles weigh more than the edge between them, so each triangle becomes a set.
func ExampleSparse() {
	var edges graph.Edges
	for _, e := range [][2]int{{0, 2}, {2, 4}, {0, 4}, {1, 3}, {3, 5}, {1, 5}} {
		edges.Add(e[0], e[1], 5, 0)
	}
	edges.Add(4, 5, 1, 0)
	g, _, _, _ := edges.Graph(6, false)
	similarity := make([]float64, len(g.Weights))
	for e, w := range g.Weights {
		similarity[e] = float64(w)
	}
	m := linkage.Sparse(g, similarity, 0, rng.Key{Seed: 1})
	for _, s := range m.Sets[6:] {
		fmt.Println(m.Order[s.Lo:s.Hi])
	}
	// Output:
	// [2 0]
	// [4 2 0]
	// [1 3]
	// [1 3 5]
}
