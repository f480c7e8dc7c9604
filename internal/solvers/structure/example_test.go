package structure_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/structure"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// A component has three variables, of which it declares two. With as_uint the text is not understood.
func ExampleVerify() {
	infos, err := cl.Discover()
	if err != nil {
		fmt.Println(err)
		return
	}
	devices, err := shard.Open(infos[:1], shard.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer devices.Close()
	p, err := opencl.Parse(strings.NewReader(`//@ bounds -1 1
//@ reads k..k+1
//@ components n-2
static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k) * at(x, k + as_uint(2)); }
`), nil, 20)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := structure.Verify(context.Background(), devices, p, problems.FP64, rng.Key{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("component", report.Read.Component, "reads variable", report.Read.Variable)
	// Output:
	// component 0 reads variable 2
}
