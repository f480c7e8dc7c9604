package device_test

import (
	"fmt"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// A share is described once. The plan of its memory follows from the description.
func ExampleShare() {
	var points *shard.Reals
	share := device.Share{Precision: problems.FP64, Variables: 1000, Vectors: []device.Vector{
		{To: &points, Name: "x", What: "points", Rows: 4, Per: device.Variable, Kept: "x"},
	}}
	for _, item := range share.Items() {
		fmt.Println(item.What, shard.Bytes(item.Bytes))
	}
	// Output:
	// points 31.2 KiB
}
