package inspect_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/clopt/clopt/internal/solvers/runs/inspect"
)

// Verify calls its function for each file of a run folder.
func ExampleVerify() {
	dir, err := os.MkdirTemp("", "inspect-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "trace.jsonl"), []byte("{\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(inspect.IsRun(dir))
	inspect.Verify(dir, nil, func(c inspect.Checked) { fmt.Println(c.Part, c.Err == nil) })
	// Output:
	// true
	// recipe false
	// trace false
	// unfinished true
}
