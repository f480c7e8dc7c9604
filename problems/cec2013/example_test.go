package cec2013_test

import (
	"fmt"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/cec2013"
)

// Generated data have the structure of the official ones, which Load reads.
func ExampleNew() {
	data := cec2013.Generate(1)
	p, err := cec2013.New(1, 2000, cec2013.ModeBlocks, data)
	if err != nil {
		fmt.Println(err)
		return
	}
	optimum := append(append([]float64{}, data.Shift...), data.Shift...)
	f, err := problems.Eval(p, optimum)
	fmt.Println(p.Spec(), f, err)
	// Output:
	// cec2013/f1:n=2000 0 <nil>
}
