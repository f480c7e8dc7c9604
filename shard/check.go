package shard

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"sync"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/problems/rng"
)

// CheckError means that the values of a device and of the host reference differ.
type CheckError struct {
	Device      string
	Tile, Point int
	Got, Want   float64
}

func (e *CheckError) Error() string {
	return fmt.Sprintf(
		"%s disagrees with the host reference in tile %d of point %d: %.17g, host %.17g; "+
			"the device or its driver is not usable for this problem",
		e.Device, e.Tile, e.Point, e.Got, e.Want)
}

// maxChecked is the largest number of tiles of a shard that Check compares.
const maxChecked = 1000

// Check compares the sums that the last Eval of points left on the devices with the host reference (see Compare), and
// adds them again: what Eval returned must have the bits of the sum of its tiles. Otherwise the error is a *SumError.
func (pl *Placement) Check(key rng.Key, points int, at func(point, lo, hi int) ([]float64, error)) error {
	defer pl.g.Stages().During(stages.Check)()
	if pl.writer != nil {
		return pl.writer.check(key, at)
	}
	if err := pl.addAgain(points * pl.p.Accumulators()); err != nil {
		return err
	}
	return pl.Compare(key, points, func(s, tile int, row []float64) error {
		return pl.held[s].tiles.Read((tile-pl.shards[s].TileLo)*len(row), row)
	}, at)
}

// Compare compares tile sums with the host reference, for the first three of points and for at most 1000 tiles of each
// shard, drawn with key. sums writes the accumulators of all points in a tile of shard s to row, one point after the
// other. at returns the variables [lo, hi) of a point as the device has them. Both are called from several goroutines,
// and their errors end the comparison. The error of a device that disagrees is a *CheckError. A problem without a host
// reference whose text the host does not read passes.
func (pl *Placement) Compare(key rng.Key, points int, sums func(s, tile int, row []float64) error,
	at func(point, lo, hi int) ([]float64, error)) error {
	ref := pl.reference()
	if ref == nil {
		return nil
	}
	accs := pl.p.Accumulators()
	if pl.tiling.Whole && pl.Here(0) { // every tile reads all variables: draw them once
		whole := make([][]float64, min(points, 3))
		for p := range whole {
			var err error
			whole[p], err = at(p, 0, pl.tiling.N)
			if err != nil {
				return err
			}
		}
		at = func(p, lo, hi int) ([]float64, error) { return whole[p][lo:hi], nil }
	}
	return pl.Each(func(s int, sh Shard, d *cl.Device) error {
		n, seen := min(sh.Tiles(), maxChecked), min(points, 3)
		wrong := make([]error, n*seen)
		busy := make(chan struct{}, runtime.GOMAXPROCS(0)) // the host computes on all processors
		var wg sync.WaitGroup
		defer wg.Wait()
		for k := range n {
			t := sh.TileLo + k
			if sh.Tiles() > n {
				word := key.Word(uint32(k), uint32(s), 0, rng.Check)
				t = sh.TileLo + int(rng.Int(word, uint32(sh.Tiles())))
			}
			row := make([]float64, points*accs)
			if err := sums(s, t, row); err != nil {
				return err
			}
			lo, hi := pl.tiling.Reads(t)
			for p := range seen {
				x, err := at(p, lo, hi)
				if err != nil {
					return err
				}
				busy <- struct{}{}
				wg.Go(func() {
					if a, want := ref.disagrees(t, x, row[p*accs:(p+1)*accs]); a >= 0 {
						wrong[k*seen+p] = &CheckError{Device: d.String(), Tile: t, Point: p, Got: row[p*accs+a],
							Want: want}
					}
					<-busy
				})
			}
		}
		wg.Wait()
		return cmp.Or(wrong...)
	})
}

// Agree reports whether a device's value and the host's differ by at most tol times the larger of the host's value and
// scale. They agree as well if neither is finite.
func Agree(got, want, tol, scale float64) bool {
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return math.IsNaN(got) || math.IsInf(got, 0)
	}
	return math.Abs(got-want) <= tol*max(math.Abs(want), scale)+1e-300
}
