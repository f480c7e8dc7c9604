package classic_test

import (
	"fmt"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/classic"
)

func ExampleNew() {
	p, err := classic.New("ackley", 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := problems.Eval(p, []float64{0, 0, 1})
	fmt.Printf("%.4f %v, at best %g\n", f, err, *p.Info().Best)
	// Output:
	// 2.1811 <nil>, at best 0
}
