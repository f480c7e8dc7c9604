package solvers_test

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems/classic"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/random"
)

func ExampleMinimize() {
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
	p, err := classic.New("rastrigin", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	settings := solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 1000}}
	result, err := solvers.Minimize(context.Background(), p, devices, settings, &random.Random{Batch: 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f %v %v\n", result.F, result.Confirmed, result.Status)
	// Output:
	// 0.14 true evals
}
