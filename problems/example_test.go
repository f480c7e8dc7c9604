package problems_test

import (
	"fmt"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/classic"
)

// The structure of a function says which components a change of one variable touches.
func ExampleStructure() {
	p, err := classic.New("rosenbrock", 6)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := p.Structure()
	fmt.Println(s.Components(), "components; component 2 reads", s.Reads(2, nil))
	fmt.Println("variable 3 touches", s.ComponentsOf(3, nil))
	f, err := problems.Eval(p, []float64{1, 1, 1, 1, 1, 2})
	fmt.Println(f, err)
	// Output:
	// 6 components; component 2 reads [2 3]
	// variable 3 touches [2 3]
	// 100 <nil>
}
