package cl

import "testing"

// These are the calls that a run makes most often. docs/install.md compares their times with and without cgo, from
// alternate runs of: CGO_ENABLED=0 go test ./cl -bench . -run none

// BenchmarkLaunch queues small launches, and waits after each thousand.
func BenchmarkLaunch(b *testing.B) {
	d := open(b)
	p := must(d.Build(storeText, "", nil))
	defer p.Close()
	k := must(p.Kernel("test_store", Mem[uint32](), U32))
	x := must(Alloc[uint32](d, 1))
	defer x.Close()
	n := uint32(0)
	for b.Loop() {
		if n++; n%1000 == 0 {
			check(b, d.Finish())
		}
		check(b, k.Launch([]int{1}, nil, x, n)) // the number is another one each time, so it is set
	}
	check(b, d.Finish())
}

// BenchmarkRead reads buffers of some sizes.
func BenchmarkRead(b *testing.B) {
	d := open(b)
	for _, c := range []struct {
		name  string
		bytes int
	}{{"8B", 8}, {"1MiB", 1 << 20}, {"64MiB", 64 << 20}} {
		b.Run(c.name, func(b *testing.B) {
			x := must(Alloc[float64](d, c.bytes/8))
			defer x.Close()
			host := make([]float64, c.bytes/8)
			b.SetBytes(int64(c.bytes))
			for b.Loop() {
				check(b, x.Read(0, host))
			}
		})
	}
}
