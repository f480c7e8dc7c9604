package formats_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/clopt/clopt/internal/problems/formats"
	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/write"
	"github.com/clopt/clopt/problems/graph"
)

// A graph becomes a QUBO.
func ExampleRead() {
	dir, err := os.MkdirTemp("", "formats-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "triangle.txt")
	if err := os.WriteFile(path, []byte("3 3\n1 2 1\n2 3 1\n1 3 1\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	model, _, err := formats.Read(path, graph.Sides, formats.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(model.N(), "vertices, a cut of", model.Value([]uint8{0, 1, 1}))
	bits, err := model.To(graph.Bits)
	if err != nil {
		fmt.Println(err)
		return
	}
	var text bytes.Buffer
	qubo, _ := format.ByName("qubo")
	_, err = write.Model(&text, bits, qubo, true)
	fmt.Print(err, "\n", text.String())
	// Output:
	// 3 vertices, a cut of 2/1
	// <nil>
	// p qubo 0 3 3 3
	// 0 0 -2
	// 1 1 -2
	// 2 2 -2
	// 0 1 2
	// 0 2 2
	// 1 2 2
}
