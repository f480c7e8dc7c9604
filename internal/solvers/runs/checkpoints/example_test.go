package checkpoints_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/solvers"
)

// The example stores two checkpoints in a folder that keeps one, and reads the newer one.
func Example() {
	dir, _ := os.MkdirTemp("", "clopt")
	defer os.RemoveAll(dir)
	f, err := disk.OpenFolder(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	os.WriteFile(filepath.Join(dir, "trace.jsonl"), nil, 0o666)

	var state struct{ Value float64 }
	store := checkpoints.Store{Dir: f, Keep: 1}
	run := checkpoints.Manifest{Identity: checkpoints.Identity{Solver: "random", Seed: 1}}
	run.Trace.Name = "trace.jsonl"
	for step := range 2 {
		state.Value = 10 * float64(step)
		name, _, err := store.Write(run, &solvers.State{Host: &state}, solvers.Progress{}, checkpoints.Position{})
		fmt.Println("wrote", name, err)
	}
	names, err := checkpoints.List(f)
	fmt.Println(names, err)

	other := checkpoints.Identity{Solver: "random", Seed: 2}
	fmt.Println(run.Identity.Difference(other))
	state.Value = 0
	saved, err := checkpoints.Read(f, names[0])
	if err == nil {
		_, err = saved.Load(f, &solvers.State{Host: &state})
	}
	fmt.Println(state.Value, err)
	// Output:
	// wrote 000001 <nil>
	// wrote 000002 <nil>
	// [000002] <nil>
	// the seed is 2, and was 1
	// 10 <nil>
}
