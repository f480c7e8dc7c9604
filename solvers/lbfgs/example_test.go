package lbfgs_test

import (
	"fmt"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/lbfgs"
)

func ExampleLBFGS() {
	m, err := solvers.Configure(&lbfgs.LBFGS{}, map[string]string{"pairs": "5"})
	fmt.Println(m.Traits().Name, solvers.Spell(m), err)
	// Output:
	// lbfgs pairs=5,kick=auto,reach=auto,patience=auto,descents=auto <nil>
}
