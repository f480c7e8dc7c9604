package partial_test

import (
	"fmt"

	"github.com/clopt/clopt/internal/shard/partial"
	"github.com/clopt/clopt/problems/classic"
)

// Component k of Rosenbrock's function reads the variables k and k+1.
func ExampleTouchDefines() {
	p, err := classic.New("rosenbrock", 1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range partial.TouchDefines(p.Structure()) {
		fmt.Println(d.Name, d.Value)
	}
	// Output:
	// TOUCH_STRIDE 1u
	// TOUCH_FROM 0u
	// TOUCH_TO 1u
	// TOUCH_OWN 0
}
