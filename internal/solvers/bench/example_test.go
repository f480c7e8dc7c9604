package bench_test

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/bench"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/classic"
)

func ExampleSelfTest() {
	infos, err := cl.Discover()
	if err != nil {
		fmt.Println(err)
		return
	}
	device, err := cl.Open(infos[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	defer device.Close()
	p, err := classic.New("sphere", 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	err = bench.SelfTest(context.Background(), device, []problems.Problem{p}, func(family, _ string, err error) {
		fmt.Println(family, err)
	})
	fmt.Println(err)
	// Output:
	// draws <nil>
	// sums <nil>
	// classic <nil>
	// classic <nil>
	// <nil>
}
