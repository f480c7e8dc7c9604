package ranks_test

import (
	"fmt"

	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/test/hoststest"
)

// Three goroutines are the ranks here. In a run they are processes, which package mpi connects.
func ExampleMessages() {
	err := hoststest.Run(3, func(h ranks.Hosts) error {
		all, err := ranks.Messages(h, fmt.Sprint("rank ", h.Rank(), " is ready"))
		if h.Rank() == 0 {
			for _, message := range all {
				fmt.Println(message)
			}
		}
		return err
	})
	fmt.Println(err)
	// Output:
	// rank 0 is ready
	// rank 1 is ready
	// rank 2 is ready
	// <nil>
}
