package shard

// Values of a device are compared with the host within a tolerance, since the functions of drivers differ in their last
// bits. A sum that is wrong by 2^-40 is within it. But sums are added in a fixed order, so their bits can be compared:
// trial.Sums does it for the tree of a work-group, and addAgain for the sums of tiles.

import (
	"fmt"
	"math"

	"github.com/clopt/clopt/cl"
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

// mostAdded is the largest number of tile sums of a shard that addAgain adds.
const mostAdded = 1 << 20

// addAgain adds the tile sums that the last Eval left on the devices again, on the host and in the same order. The
// sums of super-tiles, and those that Eval returned, must have the same bits. width is the number of sums of a tile.
// Of a shard with more than 2^20 tile sums, it adds the first ones. The error is a *SumError.
func (pl *Placement) addAgain(width int) error {
	return pl.Each(func(s int, sh Shard, d *cl.Device) error {
		r, supers := pl.held[s], make([]float64, sh.Supers()*width)
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
		rows, err := r.tiles.rows(ends[n], width)
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
