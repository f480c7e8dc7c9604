package trial_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/shard"
)

// The text reads one variable more than it declares. With as_uint it is not understood, and so tried.
func ExampleTry() {
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
//@ components n-1
//@ reads k
static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k) * at(x, k + as_uint(1)); }
`), nil, 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	err = trial.Try(context.Background(), devices, p, problems.FP64)
	if read, ok := errors.AsType[*trial.ReadError](err); ok {
		fmt.Println("component", read.Component, "reads variable", read.Variable, "and declares", read.Declared)
	}
	// Output:
	// component 0 reads variable 1 and declares [0]
}
