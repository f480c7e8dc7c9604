package grid_test

import (
	"fmt"

	"github.com/clopt/clopt/internal/solvers/runs/grid"
)

func ExampleGrid() {
	var g grid.Grid
	for evals := int64(1); evals <= 1000; evals++ {
		if g.Due(evals, 0) && evals > 500 {
			fmt.Print(evals, " ")
		}
	}
	// Output:
	// 525 576 631 692 759 832 913 1000
}
