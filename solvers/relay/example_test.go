package relay_test

import (
	"fmt"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/lbfgs"
	"github.com/clopt/clopt/solvers/relay"
)

// Each round descends from twice as many points, and then sweeps twice as often.
func ExampleNew() {
	m := relay.New("turns", "descents and sweeps in turn", func(round int) []solvers.Solver {
		return []solvers.Solver{&lbfgs.LBFGS{Patience: 1 << round}, &anneal.SA{Variant: "sweeps", N: 10 << round}}
	})
	fmt.Println(m.Name(), m)
	// Output:
	// turns patience=3
}
