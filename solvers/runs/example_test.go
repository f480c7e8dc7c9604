package runs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/runs/inspect"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/solvers/runs"
)

// This example makes a run in a new folder and reads its files again.
func Example() {
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
	group, err := shard.NewDevices([]*cl.Device{device}, shard.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer group.Close()
	problem, err := catalog.Parse("cec2013/f2:n=1000", problems.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	solver, err := methods.New("random", nil)
	if err != nil {
		fmt.Println(err)
		return
	}

	parent, err := os.MkdirTemp("", "runs-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(parent)
	dir, err := runs.NewFolder(parent, runs.Slug(problem.Spec().String(), solver.Traits().Name))
	if err != nil {
		fmt.Println(err)
		return
	}
	run := runs.Run{
		Problem: problem, Solver: solver, Devices: group, Precision: problems.FP64, Seed: 1,
		Budget: solvers.Budget{Evaluations: 1000}, Storage: runs.Storage{Format: "npy"},
	}
	result, err := run.Make(context.Background(), dir, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	course, err := inspect.ReadCourse(result)
	if err != nil {
		fmt.Println(err)
		return
	}
	again, err := runs.ReadResult(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(filepath.Base(dir), "stopped:", result.Stop.Detail)
	fmt.Println("the trace ends with the best value:", course.Over("evaluations").At(1000) == float64(again.Best.F))
	inspect.Verify(dir, nil, func(c inspect.Checked) { fmt.Println(c.Part, c.Err) })
	// Output:
	// cec2013-f2-n-1000-random stopped: no further step fits into 1000 evaluations
	// the trace ends with the best value: true
	// recipe <nil>
	// trace <nil>
	// result <nil>
	// best point <nil>
	// checkpoint <nil>
}
