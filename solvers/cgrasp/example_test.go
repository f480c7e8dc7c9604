package cgrasp_test

import (
	"fmt"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/cgrasp"
)

// The settings of a row of the paper.
func ExamplePublishedGRASP() {
	set, _ := cgrasp.PublishedGRASP("G1")
	fmt.Println(set)
	_, err := solvers.Configure(&cgrasp.CGRASP{}, set)
	fmt.Println(err)
	// Output:
	// map[batch:1 evaluation:full extend:0 he:1e-7 hs:10 reuse:flag starts:1 tries:1e9 worth:0]
	// <nil>
}
