package random_test

import (
	"fmt"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/random"
)

func ExampleRandom() {
	m, err := solvers.Configure(&random.Random{}, map[string]string{"batch": "100"})
	fmt.Println(m.Traits().Name, solvers.Spell(m), err)
	// Output:
	// random batch=100 <nil>
}
