package anneal_test

import (
	"fmt"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
)

// The settings of a row of the paper.
func ExamplePublishedAnnealing() {
	set, _ := anneal.PublishedAnnealing("F4_a", "v2")
	fmt.Println(set)
	_, err := solvers.Configure(&anneal.SA{}, set)
	fmt.Println(err)
	// Output:
	// map[starts:same variant:v2]
	// <nil>
}
