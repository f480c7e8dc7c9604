package shard

// Values of a device are compared with the host within a tolerance, since the functions of drivers differ in their last
// bits. A sum that is wrong by 2^-40 is within it. But sums are added in a fixed order, so their bits can be compared:
// CheckSums does it for the tree of a work-group, and addAgain for the sums of tiles.

import (
	"fmt"
	"math"
	"sync"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// SumError means that a device adds wrongly.
type SumError struct {
	Device    string
	Got, Want float64 // a sum
}

func (e *SumError) Error() string {
	return fmt.Sprintf("%s adds wrongly: %.17g, and the host adds the same numbers to %.17g; "+
		"the device or its driver is not usable", e.Device, e.Got, e.Want)
}

// CheckSums lets each device of this rank add whole numbers in work-groups, once in a process. No such sum is rounded,
// in whatever order it is added, so the device must return the bits of the host. If it does not, the error is a
// *SumError. Options.NoCheck switches this off.
func (g *Devices) CheckSums() error {
	return g.Do(func(_ int, d *cl.Device) error {
		if _, passed := exact.Load(d.Info().Index); passed || g.opt.NoCheck {
			return nil
		}
		err := checkSums(d)
		if err == nil {
			exact.Store(d.Info().Index, true)
		}
		return err
	})
}

// exact has the indices of the devices that have passed CheckSums in this process. A program takes some 20 ms to load.
var exact sync.Map

// checkSums is CheckSums for one device.
func checkSums(d *cl.Device) error {
	const groups = 4
	size := GroupSize(d.Info())
	values := make([]float32, groups*size)
	for i := range values {
		values[i] = float32(int32(rng.Key{}.Word(uint32(i), 0, 0, rng.Check)) >> 8) // 24 bits, and both signs
	}
	sums, err := GroupSums(d, values)
	if err != nil {
		return err
	}
	want := make([]float64, groups)
	for i, v := range values {
		want[i/size] += float64(v)
	}
	return equal(d, sums, want)
}

// GroupSums adds values in work-groups of GroupSize on a device, and returns the sum of each group. The number of
// values is a multiple of GroupSize.
func GroupSums(d *cl.Device, values []float32) ([]float64, error) {
	size := GroupSize(d.Info())
	prog, err := Build(d, Assembly{Precision: problems.FP32, Parts: []kernels.Part{kernels.Get("lib/check.cl")},
		Defines: []kernels.Define{{Name: "GROUP", Value: fmt.Sprint(size)}}})
	if err != nil {
		return nil, err
	}
	defer prog.Close()
	k, err := prog.Kernel("check_sum", cl.Mem[float32](), SumArg(d))
	if err != nil {
		return nil, err
	}
	in, err := cl.Alloc[float32](d, len(values))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	out, err := AllocSums(d, len(values)/size)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	if err := in.Write(0, values); err != nil {
		return nil, err
	}
	if err := k.Launch([]int{len(values)}, []int{size}, in, out.Arg()); err != nil {
		return nil, err
	}
	sums := make([]float64, len(values)/size)
	return sums, out.Read(0, sums)
}

// mostAdded is the largest number of tile sums of a shard that addAgain adds.
const mostAdded = 1 << 20

// addAgain adds the tile sums that the last Eval left on the devices again, on the host and in the same order. The
// sums of super-tiles, and those that Eval returned, must have the same bits. width is the number of sums of a tile.
// Of a shard with more than 2^20 tile sums, it adds the first ones. The error is a *SumError.
func (pl *Placement) addAgain(width int) error {
	return pl.Each(func(s int, sh Shard, d *cl.Device) error {
		r, supers := pl.parts[s], make([]float64, sh.Supers()*width)
		if err := r.supers().Read(0, supers); err != nil {
			return err
		}
		returned, want := pl.last, supers
		if len(returned) == width { // of all super-tiles
			want = Fold(supers, width)
		} else {
			returned = returned[sh.SuperLo*width : sh.SuperHi*width]
		}
		if err := equal(d, returned, want); err != nil || r.single {
			return err
		}
		ends := []int{0} // of the super-tiles that are added, in tiles of the shard
		for k := range sh.Supers() {
			_, hi := pl.tiling.SuperTile(sh.SuperLo + k)
			if (hi-sh.TileLo)*width > mostAdded {
				break
			}
			ends = append(ends, hi-sh.TileLo)
		}
		n := len(ends) - 1
		rows, err := r.part.rows(ends[n], width)
		if err != nil {
			return err
		}
		for k := range n {
			if err := equal(d, supers[k*width:(k+1)*width], rows.fold(ends[k], ends[k+1])); err != nil {
				return err
			}
		}
		return nil
	})
}

// equal returns a *SumError if two sums differ.
func equal(d *cl.Device, got, want []float64) error {
	for j, v := range want {
		if got[j] != v && !(math.IsNaN(got[j]) && math.IsNaN(v)) {
			return &SumError{d.String(), got[j], v}
		}
	}
	return nil
}

// sumRows are rows of sums as a device has them: float64, or pairs of float32.
type sumRows struct {
	width   int // sums of a row
	doubles []float64
	pairs   []float32
}

// rows reads the first rows of a vector.
func (s *Sums) rows(n, width int) (r sumRows, err error) {
	r.width = width
	if s.f64 != nil {
		r.doubles = make([]float64, n*width)
		return r, s.f64.Read(0, r.doubles)
	}
	r.pairs = make([]float32, 2*n*width)
	return r, s.f32.Read(0, r.pairs)
}

// fold adds rows lo to hi - 1 in order, as eval_fold does.
func (r sumRows) fold(lo, hi int) []float64 {
	if r.doubles != nil {
		return Fold(r.doubles[lo*r.width:hi*r.width], r.width)
	}
	total := make([]float64, r.width)
	for j := range total {
		var x, y float32
		for k := lo; k < hi; k++ {
			at := 2 * (k*r.width + j)
			x, y = joinPairs(x, y, r.pairs[at], r.pairs[at+1])
		}
		total[j] = float64(x) + float64(y)
	}
	return total
}

// joinPairs is sum_join of kernels/lib/prelude.cl for pairs of float32.
func joinPairs(ax, ay, bx, by float32) (x, y float32) {
	s := ax + bx
	t := s - ax
	e := ((ax - (s - t)) + (bx - t)) + (ay + by)
	if s-s != 0 { // not finite
		return s, 0
	}
	x = s + e
	return x, e - (x - s)
}
