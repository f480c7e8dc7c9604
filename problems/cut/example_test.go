package cut_test

import (
	"fmt"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
)

// The largest cut of a cycle of five vertices has four edges. All problems are minimized, so the value is -4.
func ExampleNewMaxCut() {
	var edges graph.Edges
	for i := range 5 {
		edges.Add(i, (i+1)%5, 1, 0)
	}
	g, _, _, _ := edges.Graph(5, false)
	p := cut.NewMaxCut(g)
	f, err := problems.Eval(p, []float64{0, 1, 0, 1, 0})
	fmt.Println(f, err, "at best", *p.Info().Best)
	// Output:
	// -4 <nil> at best -4
}
