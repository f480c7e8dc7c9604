package trial

import (
	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// windowVars is the number of variables of a stored point that are on the device at a time, as far as components do not
// read more.
const windowVars = 1 << 20

// window is what a device has of a stored point: the variables that the components of some tiles read.
type window struct {
	x      []float64 // the point; nil: points are drawn, and the window is empty
	tiling problems.Tiling
	lo, hi int // tiles
	first  int // variable
	vars   *shard.Reals
}

// room returns the largest number of tiles in a window, and of their variables.
func room(t problems.Tiling) (tiles, vars int) {
	if t.Whole {
		return t.Tiles(), t.N
	}
	tiles = max(1, windowVars/t.TileVars)
	return tiles, min(t.N, tiles*t.TileVars+t.Halo)
}

// alloc makes room for a window on a device.
func (w *window) alloc(d *cl.Device, prec problems.Precision) (err error) {
	vars := 1
	if w.x != nil {
		_, vars = room(w.tiling)
	}
	w.vars, err = shard.AllocReals(d, prec, vars)
	return err
}

// load lets the window have what n components from number first on read, or as many of them as fit, which it returns.
func (w *window) load(first, n int) (int, error) {
	if w.x == nil {
		return n, nil
	}
	t := w.tiling
	tile := min(first/t.TileComps, t.Tiles()-1)
	if tile < w.lo || tile >= w.hi {
		tiles, _ := room(t)
		if t.Whole {
			tile = 0
		}
		w.lo, w.hi = tile, min(tile+tiles, t.Tiles())
		lo, _ := t.Reads(w.lo)
		_, hi := t.Reads(w.hi - 1)
		w.first = lo
		if err := w.vars.Write(0, w.x[lo:hi]); err != nil {
			return 0, err
		}
	}
	_, end := t.Comps(w.hi - 1)
	return min(n, end-first), nil
}

func (w *window) close() { w.vars.Close() }
