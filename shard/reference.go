package shard

import (
	"math"
	"sync/atomic"

	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/problems"
)

// reference is what the sums of tiles are compared with.
type reference interface {
	// disagrees returns the first accumulator of tile t that differs from that of the host, which is want, or -1. The
	// variables that the tile reads are x.
	disagrees(t int, x, got []float64) (a int, want float64)
}

// reference returns the reference of the problem; nil if there is none.
func (pl *Placement) reference() reference {
	tol := pl.p.Tolerance(pl.prec)
	if h, ok := pl.p.(problems.Referenced); ok {
		return independent{h, tol}
	}
	if pl.tiling.Whole && pl.tiling.N > mostWhole {
		return nil // points would take long
	}
	if h, err := problems.OnHost(pl.p, pl.prec); err == nil {
		r := &ofText{ref: h, tiling: pl.tiling, accs: pl.p.Accumulators(), tol: tol}
		r.left.Store(mostCompared)
		return r
	}
	return nil
}

// independent is a host reference.
type independent struct {
	h   problems.Referenced
	tol float64
}

// disagrees computes the error scale only if the values alone disagree, since that costs as much as the values.
func (r independent) disagrees(t int, x, got []float64) (a int, w float64) {
	want, scale := make([]float64, len(got)), []float64(nil)
	r.h.HostTile(t, x, want)
	for a, w := range want {
		if Agree(got[a], w, r.tol, 0) {
			continue
		}
		if scale == nil {
			scale = make([]float64, len(want))
			first, _ := r.h.Tiling().Reads(t)
			from, to := r.h.Tiling().Comps(t)
			r.h.ErrorScale(from, to, first, x, scale)
		}
		if !Agree(got[a], w, r.tol, scale[a]) {
			return a, w
		}
	}
	return -1, 0
}

// mostWhole is the largest number of variables of a text that is compared at whole points.
const mostWhole = 1 << 24

// mostCompared is how many operations the host may take to compare a text: about half a second of one processor.
const mostCompared = 1 << 27

// ofText is a text that the host reads.
type ofText struct {
	ref    *host.Reference
	tiling problems.Tiling
	accs   int
	tol    float64
	left   atomic.Int64 // operations
}

// disagrees compares nothing where the host cannot evaluate the text: an index outside of a table is found by the trial
// of the text. Nor does it when its operations are used up.
func (r *ofText) disagrees(t int, x, got []float64) (a int, w float64) {
	left := r.left.Load()
	if left <= 0 {
		return -1, 0
	}
	first, _ := r.tiling.Reads(t)
	from, to := r.tiling.Comps(t)
	want, sizes := make([]float64, r.accs), make([]float64, r.accs)
	took, err := r.ref.NewEvaluator().Range(from, to, first, x, left, want, sizes)
	r.left.Add(-took)
	if err != nil {
		return -1, 0
	}
	var spread []float64
	for a, w := range want {
		if Agree(got[a], w, r.tol, sizes[a]) {
			continue
		}
		if spread == nil {
			spread = r.ref.Spread(from, to, first, x, want, left)
		}
		if !(math.Abs(got[a]-w) <= spread[a]+r.tol*sizes[a]) && !math.IsInf(spread[a], 1) {
			return a, w
		}
	}
	return -1, 0
}
