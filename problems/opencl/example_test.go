package opencl_test

import (
	"fmt"
	"strings"

	"github.com/clopt/clopt/problems/opencl"
)

func ExampleParse() {
	p, err := opencl.Parse(strings.NewReader(`//@ name bowl
//@ bounds -1 1
//@ reads k
static void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k)); }
`), nil, 1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Info().Title, p.Domain().N, p.Structure().Reads(7, nil))
	// Output:
	// bowl 1000 [7]
}
