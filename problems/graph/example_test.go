package graph_test

import (
	"fmt"

	"github.com/clopt/clopt/problems/graph"
)

// A torus of an even number of rows and columns has a cut with all of its edges.
func ExampleTorus() {
	t, err := graph.Torus([]int{4, 6}, graph.Unit, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Graph.N(), "vertices,", t.Graph.M(), "edges, largest cut", t.Best, t.Known)
	fmt.Println(t.Graph.Cut(t.Side))
	// Output:
	// 24 vertices, 48 edges, largest cut 48 true
	// 48
}
