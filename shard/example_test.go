package shard_test

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/classic"
	"github.com/clopt/clopt/shard"
)

func ExampleEvaluate() {
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
	p, err := classic.New("rosenbrock", 1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := shard.Evaluate(context.Background(), devices, p, problems.FP64, [][]float64{make([]float64, 1000)})
	fmt.Println(f, err)
	// Output:
	// [999] <nil>
}
