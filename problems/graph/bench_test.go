package graph

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkRead reads a torus of 2e6 edges.
func BenchmarkRead(b *testing.B) {
	in, err := Torus([]int{1000, 1000}, PM1, 1)
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "g")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := in.Graph.WriteRudy(f); err != nil {
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
		if _, _, err := Read(path, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
