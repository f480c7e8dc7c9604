package methods_test

import (
	"fmt"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
)

func ExampleAuto() {
	for _, spec := range []string{"rastrigin:n=1000", "rosenbrock:n=1000", "maxcut:torus=20x20,weights=pm1"} {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		m, _ := methods.Auto(p, problems.FP64, solvers.Budget{})
		fmt.Println(spec, "by", m.Traits().Name)
	}
	_, err := methods.New("graybox", map[string]string{"serch": "mts"})
	fmt.Println(err)
	// Output:
	// rastrigin:n=1000 by graybox
	// rosenbrock:n=1000 by relay
	// maxcut:torus=20x20,weights=pm1 by mixing
	// method graybox has no setting "serch"; did you mean "search"? It has search
}
