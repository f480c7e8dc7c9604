package inputs_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/internal/solvers/runs/inputs"
	"github.com/clopt/clopt/problems/opencl"
)

// A run folder gets a copy of the objective and its tables, and can check it.
func Example() {
	dir, err := os.MkdirTemp("", "inputs-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "bowl.cl")
	text := "//@ bounds -1 1\nstatic void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k)); }\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	p, err := opencl.ParseFile(file, 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	folder, err := disk.OpenFolder(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer folder.Close()
	fmt.Println(inputs.Of(p).Write(folder))
	copied, err := folder.Read("inputs/bowl.cl", 1000)
	fmt.Println(string(copied) == text, err, inputs.Check(folder))
	// Output:
	// <nil>
	// true <nil> <nil>
}
