package shard

import (
	"context"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// writer writes points of a view that makes them to memory, and then evaluates them as stored points. Where components
// may read any variable, a variable is read many times, and such a view would make it anew each time. That takes a
// processor 20 times as long as reading it.
type writer struct {
	stored *Placement
	most   int      // points that are written at a time
	x      []*Reals // of each shard; nil on other ranks
	from   int      // the first of the points that were written last
	points int      // their number
}

// writes reports whether points of the view are written before they are evaluated.
func (v View) writes(t problems.Tiling) bool { return v.Made && t.Whole }

// writtenBytes bounds the memory of points that are written at a time, unless one point is larger.
const writtenBytes = 64 << 20

// Written returns how many points a placement writes at a time before it evaluates them, under a view that makes
// them. width is that of Place. 0: it evaluates them under the view.
func Written(p problems.Problem, prec problems.Precision, width int) int {
	t := p.Tiling()
	if !Drawn().writes(t) {
		return 0
	}
	return max(1, min(width/p.Accumulators(), writtenBytes/(t.N*prec.Bits()/8)))
}

func newWriter(g *Devices, p problems.Problem, prec problems.Precision, shards []Shard, width int) (w *writer,
	err error) {
	w = &writer{most: Written(p, prec, width)}
	w.stored, err = Place(g, p, prec, shards, Plain(), w.most*p.Accumulators(), nil)
	if err == nil {
		err = w.allocate()
	}
	return w, err
}

// move lets the writer have other shards. nil is allowed.
func (w *writer) move(shards []Shard) error {
	if w == nil {
		return nil
	}
	w.release()
	if err := w.stored.Move(shards); err != nil {
		return err
	}
	return w.allocate()
}

func (w *writer) allocate() error {
	w.x = make([]*Reals, len(w.stored.shards))
	return w.stored.Each(func(s int, _ Shard, d *cl.Device) (err error) {
		w.x[s], err = AllocReals(d, w.stored.prec, w.most*w.stored.tiling.N)
		return err
	})
}

func (w *writer) release() {
	for _, x := range w.x {
		x.Close()
	}
	w.x = nil
}

// close releases everything. nil is allowed.
func (w *writer) close() {
	if w != nil {
		w.release()
		w.stored.Close()
	}
}

// eval is Eval of a placement whose points are written first.
func (w *writer) eval(ctx context.Context, pl *Placement, points int, view func(s int) []any) ([]float64, error) {
	n, quads := pl.tiling.N, (pl.tiling.N+3)/4
	var all []float64
	for w.from, w.points = 0, 0; w.from+w.points < points; {
		w.from += w.points
		w.points = min(w.most, points-w.from)
		if err := pl.Each(func(s int, sh Shard, _ *cl.Device) error {
			o := pl.on[sh.Device]
			return pl.slices(&o.writing, s, quads, w.points, func(quad, count int) error {
				return o.write.Launch([]int{count, w.points}, nil,
					slices.Concat(view(s), []any{w.x[s].Arg(), uint32(quad), uint32(w.from)}, o.Tables)...)
			})
		}); err != nil {
			return nil, err
		}
		sums, err := w.stored.Eval(ctx, w.points, func(s int) []any {
			return []any{w.x[s].Arg(), uint64(n), uint32(0)}
		})
		if all = append(all, sums...); err != nil {
			return all, err
		}
	}
	return all, nil
}

// check is Check for the points that were written last.
func (w *writer) check(key rng.Key, at func(point, lo, hi int) ([]float64, error)) error {
	return w.stored.Check(key, w.points, func(point, lo, hi int) ([]float64, error) {
		return at(w.from+point, lo, hi)
	})
}
