package graybox

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// State returns the state of the host and the vectors that are kept. Before the end of the first step, which begins
// anew, there are none.
func (r *run) State() *solvers.State {
	st := r.memory.State(&r.state)
	st.Restored = r.restored
	vectors := st.Vectors
	st.Arrange = func() error {
		st.Vectors = nil
		if r.state.Sample.Step > 0 {
			st.Vectors = vectors
		}
		return nil
	}
	st.Arrange()
	return st
}

// restored compares the vectors with the state of the host.
func (r *run) restored(ctx context.Context) error {
	st := &r.state
	if st.Sample.Step == 0 {
		return nil
	}
	if st.Layer < 0 || st.Layer >= len(r.layers) || len(st.Layers) != len(r.layers) {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a state of layer %d of %d", st.Layer, len(st.Layers))}
	}
	for _, l := range st.Layers {
		if l.Patience < 1 || l.Patience > mostPatience {
			return &checkpoint.Damage{Msg: fmt.Sprintf("a state with a patience of %d restarts", l.Patience)}
		}
	}
	if len(st.Slopes) != r.p.Accumulators() {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a state with %d slopes", len(st.Slopes))}
	}
	if err := r.weigh(st.Slopes); err != nil {
		return err
	}
	want := sums{f: st.Sample.F, units: st.Units, awake: st.Awake, cost: st.Cost}
	if t := &st.Turns; t.Count > 0 {
		want = sums{f: t.F, units: t.Units, awake: t.Awake, cost: t.Cost}
	}
	return r.verify(ctx, want)
}

// verify refuses numbers with which a kernel would leave its buffers, and stored points that do not have the stored
// values or that together are not what is wanted. A value of NaN is not known.
func (r *run) verify(ctx context.Context, want sums) error {
	for i := range r.classes {
		if err := r.inRange(i); err != nil {
			return err
		}
	}
	if err := r.exchange(); err != nil {
		return err
	}
	now, err := r.report(ctx)
	if err != nil {
		return err
	}
	if now.units != want.units || now.awake != want.awake || now.cost != want.cost {
		return &checkpoint.Damage{Msg: fmt.Sprintf("%d parts do not rest, of cost %d, after work of %d; the state "+
			"says %d, %d and %d", now.awake, now.cost, now.units, want.awake, want.cost, want.units)}
	}
	if !r.checked {
		return nil
	}
	if math.IsNaN(want.f) {
		return nil
	}
	if r.open() { // neighbours have changed the values of the parts
		acc, err := r.evaluate(ctx)
		if err != nil {
			return err
		}
		r.state.Values--
		return solvers.SameValue(r.p.Objective(acc), want.f, r.p.Tolerance(r.s.Precision))
	}
	if err := solvers.SameValue(now.f, want.f, r.p.Tolerance(r.s.Precision)); err != nil {
		return err
	}
	for i := range r.classes {
		for row := range 2 {
			if err := r.recall(i, row, want.f); err != nil {
				return err
			}
		}
	}
	return nil
}

// again evaluates the stored points of a row of class i again.
func (r *run) again(i, row int) error {
	k := &r.kernels[i]
	return r.launch(context.Background(), k.again, i, 0, len(r.classes[i].parts), &k.paceAgain, 1, new([]shard.Stretch),
		func(int, int) device.Values { return device.Values{"row": row} })
}

// Rows of words, as in kernels/solvers/graybox/worker.cl.
const (
	wordMade   = 0
	wordSearch = 4
	wordChain  = 7
)

// searchStart is the number of the search of a part whose next evaluation is that of a start point.
const searchStart = 7

// inRange refuses searches that class i does not have, and numbers of variables beyond those of a part. Parts of the
// last tile that have no variables never begin, and have zeros.
func (r *run) inRange(i int) error {
	set := 1 << searchStart
	for _, s := range r.classes[i].searches {
		set |= 1 << s
	}
	return r.places[i].Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		words, columns := r.on[s].classes[i].words, r.columns(i, s)
		for from := 0; from < columns; from += piece {
			search := make([]uint32, min(piece, columns-from))
			at, made := make([]uint32, len(search)), make([]uint32, len(search))
			if err := errors.Join(words.Read(wordSearch*columns+from, search), words.Read(wordChain*columns+from, at),
				words.Read(wordMade*columns+from, made)); err != nil {
				return err
			}
			for k, which := range search {
				n := len(r.classes[i].parts[(from+k)%len(r.classes[i].parts)].Vars)
				begun := which > 0 || made[k] > 0
				if which > searchStart || begun && set>>which&1 == 0 || which == uint32(mts) && at[k] >= uint32(n) {
					return &checkpoint.Damage{Msg: fmt.Sprintf("part %d makes search %d at variable %d", from+k, which,
						at[k])}
				}
			}
		}
		return nil
	})
}

// recall evaluates the stored points of a row of class i, and compares their values with the stored ones. f is the
// value of the whole. The sums stay as they were stored.
func (r *run) recall(i, row int, f float64) error {
	width := partSums(r.p)
	stored := make([][]float64, len(r.on))
	raw := make([][]byte, len(r.on))
	if err := r.places[i].Each(func(s int, sh shard.Shard, _ *cl.Device) (err error) {
		raw[s] = make([]byte, 8*width*r.columns(i, s))
		if err = r.on[s].classes[i].acc.Raw().ReadBytes(row*width*r.columns(i, s), raw[s]); err != nil {
			return err
		}
		stored[s], err = r.readSums(i, s, 0, r.columns(i, s), row)
		return err
	}); err != nil {
		return err
	}
	if err := r.again(i, row); err != nil {
		return err
	}
	return r.places[i].Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		got, err := r.readSums(i, s, 0, r.columns(i, s), row)
		if err != nil {
			return err
		}
		for w := range len(got) / width {
			if err := r.sameValue(got[w*width:(w+1)*width], stored[s][w*width:(w+1)*width], f); err != nil {
				return fmt.Errorf("part %d: %w", w, err)
			}
		}
		return r.on[s].classes[i].acc.Raw().WriteBytes(row*width*r.columns(i, s), raw[s])
	})
}

// sameValue compares the values of a part. The tolerance is relative to them or to the value of the whole. A best point
// whose stored value is not finite has not been found yet.
func (r *run) sameValue(got, want []float64, f float64) error {
	var v, w float64
	for a, c := range r.state.Slopes {
		v, w = v+c*got[a], w+c*want[a]
	}
	scale := max(1, math.Abs(w))
	if host.Finite(f) {
		scale = max(scale, math.Abs(f))
	}
	if !host.Finite(w) || math.Abs(v-w) <= 2*r.p.Tolerance(r.s.Precision)*scale {
		return nil
	}
	return &solvers.RestoreError{Got: v, Want: w}
}
