package graybox

import (
	"context"
	"fmt"
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/checkpoint"
	"github.com/clopt/clopt/solvers/internal/host"
)

// The state of a run is chainsState or syncState, and the vectors of partShard that are kept. The current
// colour follows from the state of the host.

func (e *partEngine) state(run *chainsState) *solvers.State {
	st := e.memory.State(run)
	st.Restored = func(ctx context.Context) error {
		colours := e.shape.colours
		if run.Phase < phaseTurn || run.Phase > phaseSearch || run.Colour < 0 || run.Colour >= colours {
			return &checkpoint.Damage{Msg: fmt.Sprintf("a state in phase %d of colour %d", run.Phase, run.Colour)}
		}
		// After the first step a turn begins. If the next turn is due, the last one was that of the colour
		// before.
		e.turned, e.searching = run.Sample.Step > 1, run.Phase == phaseSearch
		if e.colour = run.Colour; run.Phase == phaseTurn {
			e.colour = (run.Colour + colours - 1) % colours
		}
		return e.restored(ctx, run.Sample.F)
	}
	return st
}

// State returns syncState and the vectors.
func (r *syncRun) State() *solvers.State {
	st := r.engine.memory.State(&r.state)
	st.Restored = func(ctx context.Context) error {
		if p := r.state.Phase; p < 0 || p >= 2*r.iterations {
			return &checkpoint.Damage{Msg: fmt.Sprintf("a state in phase %d of %d", p, 2*r.iterations)}
		}
		return r.engine.restored(ctx, r.state.Sample.F)
	}
	return st
}

// restored evaluates the stored points and compares their values with the stored ones: the rows of all
// parts whose values are current, and the best point, whose value is f. The values of another colour are
// not current; its rows are evaluated when its turn begins.
func (e *partEngine) restored(ctx context.Context, f float64) error {
	if err := e.inRange(); err != nil {
		return err
	}
	best := e.best
	if e.shape.shared() {
		if err := e.exchange(); err != nil { // no file has the variables before a shard
			return err
		}
		best = e.total
	}
	if !e.check {
		return nil
	}
	if !e.shape.shared() || e.turned {
		if err := e.recall(f); err != nil {
			return err
		}
	}
	again, _, err := best(ctx)
	if err != nil {
		return err
	}
	return solvers.SameValue(again, f, e.p.Tolerance(e.s.Precision))
}

// inRange refuses numbers of individuals and biases that would lead a kernel out of its buffers.
func (e *partEngine) inRange() error {
	b := e.shape
	n, rows := uint32(b.n), uint32(b.rows)
	return e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		o, all := e.on[s], b.count(sh.Tiles())
		const most = 1 << 12 // parts at a time
		for lo := 0; lo < all; lo += most {
			parts := min(most, all-lo)
			slot, chain, now := make([]uint32, 2*b.n*parts), make([]uint32, 6*b.rows*parts), make([]uint32, 4*parts)
			if err := o.slot.Read(2*b.n*lo, slot); err != nil {
				return err
			}
			if err := o.chain.Read(6*b.rows*lo, chain); err != nil {
				return err
			}
			if err := o.now.Read(4*lo, now); err != nil {
				return err
			}
			good := true
			for u := range parts {
				for _, k := range slot[2*b.n*u+b.n : 2*b.n*(u+1)] {
					good = good && k <= rows
				}
				for k := range b.rows {
					good = good && chain[6*(b.rows*u+k)] <= n
				}
				good = good && now[4*u] < n && now[4*u+1] < rows && now[4*u+3] < uint32(b.points)
			}
			if !good {
				return &checkpoint.Damage{Msg: "a part refers to an individual or a chain that does not exist"}
			}
		}
		return nil
	})
}

// again makes graybox_populate evaluate stored rows instead of drawing new ones.
const again = math.MaxUint32

// recall evaluates the rows of the parts of the current colour, or of all parts, and compares them with
// their accumulators, which it does not change. f is the value of the best point, which determines the
// tolerance.
func (e *partEngine) recall(f float64) error {
	b := e.shape
	var pace shard.Pace
	return e.pl.Rounds(&pace, 1, e.whole(), func(s, tile0, tiles, _, _ int) error {
		step := max(1, solvers.Piece/(8*b.per()*b.points*b.accs))
		if e.whole() {
			step = tiles
		}
		for tile := tile0; tile < tile0+tiles; tile += step {
			if err := e.recallTiles(s, tile, min(step, tile0+tiles-tile), f); err != nil {
				return err
			}
		}
		return nil
	})
}

func (e *partEngine) recallTiles(s, tile, tiles int, f float64) error {
	b, o := e.shape, e.on[s]
	part, parts, width := e.shape.part(tile), b.count(tiles), b.points*b.accs
	first := part - e.shape.part(e.pl.Shards()[s].TileLo)
	// Evaluating writes accumulators and counts values that are not finite.
	acc, now := shard.Window{Of: o.acc.Raw(), Width: width}, shard.Window{Of: o.now, Width: 4}
	oldAcc, oldNow := make([]byte, 8*width*parts), make([]byte, 16*parts)
	want, got := make([]float64, width*parts), make([]float64, width*parts)
	if err := acc.ReadBytes(first, oldAcc); err != nil {
		return err
	}
	if err := now.ReadBytes(first, oldNow); err != nil {
		return err
	}
	if err := o.acc.Read(first*width, want); err != nil {
		return err
	}
	kernel, more := e.kernels.refresh, e.tables(s)
	if !b.shared() {
		kernel, more = e.kernels.populate, e.tables(s, uint32(again), o.acc.Arg())
	}
	rows := int(e.candidates())
	if err := e.groups(kernel, s, rows, tile, tiles, more...); err != nil {
		return err
	}
	if err := o.acc.Read(first*width, got); err != nil {
		return err
	}
	for u := range parts {
		if !e.moves(part + u) {
			continue
		}
		for j := range rows {
			at := u*width + j*b.accs
			if err := b.sameValue(got[at:at+b.accs], want[at:at+b.accs], f, e.p.Tolerance(e.s.Precision)); err != nil {
				return fmt.Errorf("row %d of part %d: %w", j, part+u, err)
			}
		}
	}
	if err := acc.WriteBytes(first, oldAcc); err != nil {
		return err
	}
	return now.WriteBytes(first, oldNow)
}

// moves reports whether part u has the current colour.
func (e *partEngine) moves(u int) bool {
	if b := e.shape; b.parts != nil {
		return b.parts.Parts[u%b.per()].Colour == e.colour
	}
	return u%e.shape.colours == e.colour
}

// sameValue compares the values of a part. The tolerance is relative to them or to the value of the whole.
func (b partShape) sameValue(got, want []float64, f, tol float64) error {
	var v, w float64
	for a, c := range b.coef {
		v, w = v+c*got[a], w+c*want[a]
	}
	scale := max(1, math.Abs(w))
	if host.Finite(f) {
		scale = max(scale, math.Abs(f))
	}
	if host.Finite(w) && math.Abs(v-w) <= 2*tol*scale || !host.Finite(w) && !host.Finite(v) {
		return nil
	}
	return &solvers.RestoreError{Got: v, Want: w}
}
