package relay_test

import (
	"fmt"

	"github.com/clopt/clopt/internal/solvers/relay"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/lbfgs"
)

// Each round makes twice as many descents, and then twice as many sweeps.
func ExampleNew() {
	m := relay.New("turns", "descents and sweeps in turn", func(problems.Problem) relay.Rounds {
		return func(round int) []relay.Leg {
			return []relay.Leg{
				{Solver: &lbfgs.LBFGS{Descents: 1 << round}},
				{Solver: &anneal.SA{Variant: "sweeps", N: 10 << round}},
			}
		}
	})
	fmt.Println(m.Traits().Name, solvers.Spell(m))
	// Output:
	// turns patience=4
}
