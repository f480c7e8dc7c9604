package checkpoints

import (
	"testing"

	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/solvers"
)

// memory is a vector of float64 in the memory of the host.
type memory []byte

func (m memory) ReadBytes(off int, dst []byte) error  { copy(dst, m[8*off:]); return nil }
func (m memory) WriteBytes(off int, src []byte) error { copy(m[8*off:], src); return nil }

// large returns a state of two pieces, 512 MiB together.
func large() *solvers.State {
	const rows, columns = 8, 8 << 20
	v := solvers.Vector{Name: "x", Rows: rows, Size: 8}
	for k := range 2 {
		lo, hi := k*columns/2, (k+1)*columns/2
		on := make(memory, 8*rows*(hi-lo))
		for i := range on {
			on[i] = byte(i ^ i>>8)
		}
		v.Columns = append(v.Columns, solvers.Columns{Lo: lo, Hi: hi, From: lo, To: hi, On: on})
	}
	return &solvers.State{Host: &struct{ N int }{}, Vectors: []solvers.Vector{v}, Pieces: 2,
		Each: func(f func(piece int) error) error {
			for k := range 2 {
				if err := f(k); err != nil {
					return err
				}
			}
			return nil
		}}
}

// One checkpoint is written, verified and loaded, one piece after the other as by one device.
func BenchmarkCheckpoint(b *testing.B) {
	st := large()
	for _, part := range []string{"write", "verify", "load"} {
		b.Run(part, func(b *testing.B) {
			dir, err := disk.OpenFolder(b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			defer dir.Close()
			store := &Store{Dir: dir, Keep: 1}
			write := func() {
				if _, _, err := store.Write(Manifest{}, st, solvers.Progress{}, Position{}); err != nil {
					b.Fatal(err)
				}
			}
			write()
			b.SetBytes(st.Bytes())
			for b.Loop() {
				switch part {
				case "write":
					write()
				case "verify":
					if _, err := verified(dir, mustList(b, dir)[0]); err != nil {
						b.Fatal(err)
					}
				case "load":
					c, err := Read(dir, mustList(b, dir)[0])
					if err == nil {
						_, err = c.Load(dir, st)
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func mustList(b *testing.B, dir *disk.Folder) []string {
	names, err := List(dir)
	if err != nil || len(names) == 0 {
		b.Fatal(names, err)
	}
	return names
}
