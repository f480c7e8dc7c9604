package stats_test

import (
	"fmt"

	"github.com/clopt/clopt/internal/solvers/stats"
)

func ExampleWilcoxon() {
	a := []float64{1.2, 0.5, 3.1, 2.2, 0.9, 1.8}
	b := []float64{1.9, 0.7, 3.0, 4.0, 1.6, 2.9}
	r := stats.Wilcoxon(a, b)
	fmt.Printf("sums of ranks %g and %g, p = %.4f\n", r.Plus, r.Minus, r.P)
	fmt.Printf("median of a %.2f\n", stats.Summarise(a).Median)
	// Output:
	// sums of ranks 20 and 1, p = 0.0625
	// median of a 1.50
}
