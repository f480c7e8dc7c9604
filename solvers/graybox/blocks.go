package graybox

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// Parts of large problems need not be in memory together. They are searched in blocks, ranges of super-tiles: a block
// is searched until its parts rest or have made as many evaluations as the run may make, or until its share of the time
// is over. What is left of the budget after the last block goes to another round of all blocks, with twice the
// patience, in which the first restart of a part begins at its best point. The host keeps the best point. A part does
// the same whatever parts are in its block, so without a limit of time a run has the same bits on any number of
// devices, in blocks of any size.

// blocksRun is a run in blocks.
type blocksRun struct {
	engine
	layout solvers.Info
	shares []int // super-tiles of each device, in proportion
	size   int   // super-tiles of a block

	x     []float64     // the best point of the parts whose block is over
	drawn []float64     // accumulators of the first start point, for each super-tile
	open  *run          // the block that is searched; nil between blocks
	end   int           // of its super-tiles
	until time.Duration // the block ends when Setup.Left is at most this; 0: not set, or no time after it
	found sums          // what all parts have reached and done
	state blocksState

	waiting []waiting // the states of parts that have begun and wait for a later block; see blocks_state.go
}

// blocksState is what a run in blocks must remember besides its vectors.
type blocksState struct {
	Sample  solvers.Sample
	Round   int
	Done    int    // super-tiles whose block is over in this round
	Begun   int    // super-tiles whose block has begun
	Most    uint32 // evaluations of a part in this round
	Units   int64  // cost of the rounds before
	Strange int64  // values that were not finite in these
	Turns   turns  // of a step that was cancelled
	// Searches has the work and the gain of each search in these.
	Searches []float64
	// Rows has what graybox_report found last, for each class and super-tile.
	Rows [][]float64
}

// drawn returns the accumulators of the first start point, for each super-tile. They count until a block begins.
func drawn(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup,
	shards []shard.Shard) ([]float64, error) {
	pl, err := shard.Place(g, p, s.Precision, shards, shard.Drawn(), p.Accumulators(), nil)
	if err != nil {
		return nil, err
	}
	defer pl.Close()
	return pl.EvalRows(ctx, 1, func(int) []any {
		return []any{s.Key.Seed, s.Key.Run, uint32(0), uint32(0), uint32(rng.Init)}
	})
}

// all returns the number of super-tiles.
func (r *blocksRun) all() int { return r.p.Tiling().SuperTiles() }

// column returns the first column of a super-tile in a vector of that name, or the number of columns after the last
// super-tile.
func (r *blocksRun) column(name string, super int) int {
	t := r.p.Tiling()
	tile := t.Tiles()
	if super < t.SuperTiles() {
		tile, _ = t.SuperTile(super)
	}
	if name != points {
		return tile
	}
	return min(tile*t.TileVars, t.N)
}

// begin opens the next block: the parts that wait, or those after all that have begun.
func (r *blocksRun) begin() error {
	st := &r.state
	last := r.all()
	if st.Begun > st.Done {
		last = st.Begun
	}
	e := r.engine
	if st.Round > 0 {
		e.s.X0 = [][]float64{r.x}
	}
	for {
		r.end = min(st.Done+r.size, last)
		open, err := e.begin(shard.SplitRange(r.p.Tiling(), st.Done, r.end, r.shares), st.Round)
		if _, refused := errors.AsType[*device.RefusedError](err); refused && r.size > 1 {
			r.size = (r.size + 1) / 2 // the block is too large for a device
			continue
		}
		if err != nil {
			return err
		}
		open.most, open.state.Layers[0].Patience = st.Most, 1<<st.Round
		r.open = open
		r.until = 0
		st.Begun = max(st.Begun, r.end)
		return nil
	}
}

// resume copies the states of parts that have waited to the devices.
func (r *blocksRun) resume() error {
	if r.waiting == nil {
		return nil
	}
	block := r.open.memory.State(nil)
	err := block.Each(func(piece int) error {
		for k, v := range block.Vectors {
			if err := r.waiting[k].write(v.Columns[piece]); err != nil {
				return err
			}
		}
		return nil
	})
	if r.end == r.state.Begun {
		r.waiting = nil
	}
	return err
}

// reached returns what all parts have reached and done. Parts whose block has not begun have the first start point, or
// what they had after the round before.
func (r *blocksRun) reached() sums {
	st, accs := &r.state, r.p.Accumulators()
	width := accs + reported
	all := make([]float64, width)
	for i, rows := range st.Rows {
		class := make([]float64, width)
		for k := range r.all() {
			row := rows[k*width : (k+1)*width]
			switch {
			case k < st.Begun:
			case st.Round > 0:
				row = row[:accs]
			case i == 0:
				row = r.drawn[k*accs : (k+1)*accs]
			default:
				row = nil
			}
			for a, v := range row {
				class[a] += v
			}
		}
		for a, v := range class {
			all[a] += v
		}
	}
	all[accs+3] += float64(st.Strange)
	for k, v := range st.Searches {
		all[accs+states+k] += v
	}
	found := sumsOf(r.p, all, r.partsIn(int64(r.p.Tiling().Tiles())))
	found.units += st.Units
	return found
}

// finish ends the block that is open.
func (r *blocksRun) finish() error {
	st, accs := &r.state, r.p.Accumulators()
	if err := r.open.read(0, r.x); err != nil {
		return err
	}
	r.open.memory.Close()
	r.open, st.Done = nil, r.end
	if st.Done < r.all() {
		return nil
	}
	for _, rows := range st.Rows {
		total := shard.Fold(rows, accs+reported)
		st.Units, st.Strange = st.Units+int64(total[accs]), st.Strange+int64(total[accs+3])
		for k, v := range total[accs+states:] {
			st.Searches[k] += v
		}
	}
	st.Round++
	st.Done = 0
	st.Begun = 0
	return nil
}

// waiting has the columns [lo, hi) of a vector on the host, row after row.
type waiting struct {
	solvers.Vector
	lo, hi int
	bytes  []byte
}

// ReadBytes reads elements from element off on into dst.
func (w waiting) ReadBytes(off int, dst []byte) error {
	copy(dst, w.bytes[off*w.Size:])
	return nil
}

// WriteBytes sets the elements from element off on.
func (w waiting) WriteBytes(off int, src []byte) error {
	copy(w.bytes[off*w.Size:], src)
	return nil
}

// write writes the columns that to has.
func (w waiting) write(to solvers.Columns) error {
	step := max(1, solvers.Piece/w.Size)
	for row := range w.Rows {
		for at := to.From; at < to.To; at += step {
			n := min(step, to.To-at)
			from := (row*(w.hi-w.lo) + at - w.lo) * w.Size
			if err := to.On.WriteBytes(row*(to.To-to.From)+at-to.From, w.bytes[from:from+n*w.Size]); err != nil {
				return err
			}
		}
	}
	return nil
}

// first copies the first row, of reals, to the columns of x.
func (w waiting) first(x []float64) {
	for k := w.lo; k < w.hi; k++ {
		b := w.bytes[(k-w.lo)*w.Size:]
		if w.Size == 8 {
			x[k] = math.Float64frombits(binary.LittleEndian.Uint64(b))
		} else {
			x[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
	}
}

// mostTimes is how many times longer a step is at most where few parts of a block do not rest.
const mostTimes = 8

// quota returns how many evaluations the parts of the block that is open make in a step.
func (r *blocksRun) quota() int64 {
	cost, accs := 0.0, r.p.Accumulators() // of the parts that do not rest; 0 before the first step
	for _, rows := range r.state.Rows {
		for k := r.state.Done; k < r.end; k++ {
			cost += rows[k*(accs+reported)+accs+2]
		}
	}
	times := float64(r.open.total()) / cost
	if cost == 0 {
		times = 1
	}
	return r.open.quota() * int64(min(times, mostTimes))
}

// Step lets the parts of a block that do not rest make some evaluations.
func (r *blocksRun) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	st := &r.state
	if err := ctx.Err(); err != nil {
		return st.Sample, false, err
	}
	total, limit := r.costOf(int64(r.p.Tiling().Tiles())), room.Evaluations
	if st.Begun == 0 {
		if st.Units%total > 0 {
			limit-- // a part of an evaluation has been made
		}
		if 1<<st.Round > mostPatience || limit < 1 {
			return st.Sample, false, nil
		}
		st.Most = uint32(min(limit, math.MaxUint32))
	}
	if r.open == nil {
		if err := r.begin(); err != nil {
			return st.Sample, false, err
		}
		if err := r.resume(); err != nil {
			return st.Sample, false, err
		}
	}
	if r.s.Left != nil && r.until == 0 {
		left, blocks := r.s.Left(), (r.all()-st.Done+r.size-1)/r.size
		r.until = left - left/time.Duration(blocks)
	}
	o := r.open
	o.state.Sample.Step = st.Sample.Step
	o.state.Turns = st.Turns
	if st.Turns.Count == 0 {
		if err := o.startTurn(ctx, int(min(r.quota(), int64(st.Most)))); err != nil {
			return st.Sample, false, err
		}
	}
	err := o.advance(ctx)
	cancelled := err != nil && ctx.Err() != nil && st.Sample.Step > 0
	if err != nil && !cancelled {
		return st.Sample, false, err
	}
	found, e := o.report(context.WithoutCancel(ctx)) // work that was done is counted
	if e != nil {
		return st.Sample, false, e
	}
	width := r.p.Accumulators() + reported
	for i, rows := range o.rows {
		copy(st.Rows[i][st.Done*width:r.end*width], rows[st.Done*width:])
	}
	s := st.Sample
	r.found = r.reached()
	s.Add(0, r.found.f, r.found.nonFinite)
	s.Worked(float64(r.found.units) / float64(total))
	st.Turns = o.state.Turns
	if cancelled {
		s.Step, st.Turns.F = st.Sample.Step, s.F
		return s, false, err
	}
	st.Sample, o.state.Units = s, found.units
	if found.awake > 0 && (r.s.Left == nil || r.s.Left() > r.until) {
		return s, true, nil
	}
	return s, true, r.finish()
}

// Incumbent writes the best point to x: parts whose block has not begun have their start point.
func (r *blocksRun) Incumbent(first int, x []float64) error {
	copy(x, r.x[first:])
	if r.state.Round == 0 {
		end := first + len(x)
		for lo := max(first, r.column(points, r.state.Begun)); lo < end; lo += piece {
			hi := min(lo+piece, end)
			copy(x[lo-first:hi-first], host.Drawn(r.p, r.s.Precision, r.s.Key, 0, 0, rng.Init, lo, hi))
		}
	}
	if r.open == nil {
		return nil
	}
	return r.open.read(first, x)
}

// Info describes the layout of the run, and its searches. A run has ended when all parts rest for good.
func (r *blocksRun) Info() solvers.Info {
	info := r.layout
	info.Searches, info.Ended = r.found.searches, r.state.Begun == 0 && 1<<r.state.Round > mostPatience
	return info
}

// Close releases the block that is open, and the kernels.
func (r *blocksRun) Close() {
	if r.open != nil {
		r.open.memory.Close()
	}
	r.close()
}
