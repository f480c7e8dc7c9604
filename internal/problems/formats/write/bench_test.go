package write

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/clopt/clopt/internal/problems/formats"
	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/problems/graph"
)

// BenchmarkRead reads a torus of 2e6 edges.
func BenchmarkRead(b *testing.B) {
	in, err := graph.Torus([]int{1000, 1000}, graph.PM1, 1)
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "g")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := Model(f, graph.NewModel(graph.Sides, graph.Quadratic{Pairs: in.Graph}), format.Rudy,
		false); err != nil {
		b.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	f.Close()
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := formats.Read(path, graph.Sides, formats.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
