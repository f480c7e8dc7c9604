package graybox

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// A checkpoint of a run in blocks has the best point of the parts whose block is over, and the states of the parts
// whose block has begun. It does not depend on the devices. Where fewer of those parts fit at a time when the run goes
// on, the states of the others wait on the host for a block of their own.

// State returns the state of the host, the vectors of the parts whose block has begun, and the best point.
func (r *blocksRun) State() *solvers.State {
	st := &solvers.State{Host: &r.state, Restored: r.restored}
	r.list(st)
	st.Arrange = func() error {
		if err := r.arrange(); err != nil {
			return err
		}
		r.list(st)
		return nil
	}
	return st
}

// list sets the vectors of a state. The block that is open has a piece for each shard. The last piece is on the host.
func (r *blocksRun) list(st *solvers.State) {
	block := &solvers.State{Each: func(func(piece int) error) error { return nil }}
	if r.open != nil {
		block = r.open.memory.State(nil)
	} else {
		for _, v := range r.waiting {
			block.Vectors = append(block.Vectors, v.Vector)
		}
	}
	for k := range block.Vectors {
		var here solvers.Columns
		if r.waiting != nil {
			v := r.waiting[k]
			here = solvers.Columns{Lo: r.column(v.Name, r.end), Hi: v.hi, From: v.lo, To: v.hi, On: v}
		}
		block.Vectors[k].Columns = append(block.Vectors[k].Columns, here)
	}
	known := r.column(points, r.state.Done)
	if r.state.Round > 0 {
		known = len(r.x)
	}
	best := solvers.Vector{Name: "best", Rows: 1, Size: 8, Columns: make([]solvers.Columns, block.Pieces+1)}
	best.Columns[block.Pieces] = solvers.Columns{Hi: known, To: known, On: reals(r.x)}
	st.Vectors = append(block.Vectors, best)
	st.Pieces = block.Pieces + 1
	st.Common = 1
	st.Each = func(f func(piece int) error) error {
		if err := block.Each(f); err != nil {
			return err
		}
		return f(block.Pieces)
	}
}

// arrange opens the block of the state that has been loaded, and makes room for the states of parts that have to wait.
func (r *blocksRun) arrange() error {
	st, all := &r.state, r.all()
	bad := st.Done < 0 || st.Begun < st.Done || st.Begun > all || st.Done == all || st.Round < 0 ||
		1<<min(st.Round, 30) > 2*mostPatience || len(st.Rows) != len(r.classes) ||
		len(st.Searches) != 2*len(names)
	for _, rows := range st.Rows {
		bad = bad || len(rows) != all*(r.p.Accumulators()+reported)
	}
	if bad {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a state of super-tiles %d to %d in round %d", st.Done, st.Begun,
			st.Round)}
	}
	if st.Begun == st.Done {
		return nil
	}
	if err := r.begin(); err != nil || r.end == st.Begun {
		return err
	}
	for _, v := range r.open.memory.State(nil).Vectors {
		lo, hi := r.column(v.Name, r.end), r.column(v.Name, st.Begun)
		v.Columns = nil
		r.waiting = append(r.waiting, waiting{v, lo, hi, make([]byte, v.Rows*(hi-lo)*v.Size)})
	}
	return nil
}

// restored compares what was loaded with the state of the host.
func (r *blocksRun) restored(ctx context.Context) error {
	st := &r.state
	for _, v := range r.waiting {
		if v.Name == points {
			v.first(r.x) // the best point
		}
	}
	r.found = r.reached()
	f := st.Sample.F
	if st.Turns.Count > 0 {
		f = st.Turns.F
	}
	if err := solvers.SameValue(r.found.f, f, r.p.Tolerance(r.s.Precision)); err != nil || r.open == nil {
		return err
	}
	width := r.p.Accumulators() + reported
	all := make([]float64, width)
	for _, rows := range st.Rows {
		for a, v := range shard.Fold(rows[st.Done*width:r.end*width], width) {
			all[a] += v
		}
	}
	return r.open.verify(ctx, sumsOf(r.p, all, r.open.parts()))
}

// reals are numbers on the host.
type reals []float64

// ReadBytes reads numbers from number off on into dst.
func (r reals) ReadBytes(off int, dst []byte) error {
	for k := range len(dst) / 8 {
		binary.LittleEndian.PutUint64(dst[8*k:], math.Float64bits(r[off+k]))
	}
	return nil
}

// WriteBytes sets the numbers from number off on.
func (r reals) WriteBytes(off int, src []byte) error {
	for k := range len(src) / 8 {
		r[off+k] = math.Float64frombits(binary.LittleEndian.Uint64(src[8*k:]))
	}
	return nil
}
