package write_test

import (
	"fmt"
	"os"

	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/write"
	"github.com/clopt/clopt/problems/graph"
)

// The function y0 - 2 y1 + 3 y0 y1 of two bits, for qbsolv.
func ExampleModel() {
	var pairs graph.Edges
	pairs.Add(0, 1, 3, 0)
	g, _, _, _ := pairs.Graph(2, false)
	model := graph.NewModel(graph.Bits, graph.Quadratic{Linear: []int64{1, -2}, Pairs: g})
	qubo, _ := format.ByName("qubo")
	_, err := write.Model(os.Stdout, model, qubo, false)
	fmt.Println(err)
	// Output:
	// p qubo 0 2 2 1
	// 0 0 1
	// 1 1 -2
	// 0 1 3
	// <nil>
}
