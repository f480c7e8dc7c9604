package exact_test

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/clopt/clopt/internal/solvers/runs/exact"
)

func ExampleNumber() {
	text, err := json.Marshal([]exact.Number{0.1, exact.Number(math.Inf(1))})
	fmt.Println(string(text), err)
	fmt.Println(exact.Format(0.1))
	// Output:
	// [0.1,null] <nil>
	// 0.1
}
