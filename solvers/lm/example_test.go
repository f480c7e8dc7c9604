package lm_test

import (
	"fmt"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/lm"
)

func ExampleLM() {
	m, err := solvers.Configure(&lm.LM{}, map[string]string{"patience": "8"})
	fmt.Println(m.Traits().Name, solvers.Spell(m), err)
	// Output:
	// lm patience=8,descents=auto <nil>
}
