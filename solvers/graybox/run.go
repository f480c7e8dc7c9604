package graybox

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// run is a started method. It has the parts of some shards.
type run struct {
	engine
	layout  solvers.Info
	on      []*partShard
	before  int // variables before those of a shard that its parts read
	layers  []layer
	tiles   int64 // of all shards
	memory  *device.Memory
	kernels []classKernels
	rows    [][]float64 // of each class: what graybox_report found for each super-tile
	most    uint32      // evaluations of a part
	round   int         // of blocks
	found   sums        // in the last report
	state   state
}

type classKernels struct {
	run, again, report *device.Kernel
	pace, paceAgain    shard.Pace
	layout             classLayout
}

// layer is a layer of parts.
type layer struct {
	colours int
	cost    int64 // of the components of all parts
}

// sums are what parts together have reached and done.
type sums struct {
	acc         []float64 // accumulators of the best point
	f           float64   // its value
	units       int64     // cost of the components evaluated so far
	awake, cost int64     // parts that do not rest, and the cost of their components
	nonFinite   int64     // values that were not finite; a value of each part is a value of the whole
	finite      int64     // parts whose best point has a finite value
	searches    []solvers.Search
	layers      []int64 // awake in each layer
}

// state is what a run must remember besides its vectors.
type state struct {
	Sample solvers.Sample
	Units  int64 // cost of the components evaluated so far
	Awake  int64 // parts that do not rest
	Cost   int64 // of their components
	Layer  int   // that works
	Layers []layerState
	Values int64     // evaluations of the best point, with open parts
	Slopes []float64 // coefficients of the accumulators
	Lost   bool      // the parts have come to sums at which the objective has no value
	Turns  turns     // to go in a step that was cancelled
}

// layerState is what a run must remember of a layer.
type layerState struct {
	Patience int     // restarts that find nothing better after which a part rests
	Awake    int64   // parts that do not rest
	Gain     float64 // what the value has fallen in its last step, per work
}

// turns are the rest of a step: the turns of the parts of a layer, in each of which every part that does not rest makes
// some evaluations. A step of closed parts is one turn. If the step was cancelled, the run keeps them for the next one.
type turns struct {
	Quota  int             // evaluations of a part in a turn
	Count  int             // turns to go; 0: the step is over
	Launch int             // kernels of a turn that are done, of all classes for each colour
	Made   []shard.Stretch // by the next one
	// What the parts have reached and done, when the step was cancelled.
	F                  float64 // NaN: it is not known
	Units, Awake, Cost int64
}

// mostPatience is the number of fruitless restarts after which a part rests for good.
const mostPatience = 64

// open reports whether parts read variables of each other.
func (r *run) open() bool { return r.classes[0].open }

// parts returns the number of all parts.
func (r *run) parts() int64 { return r.partsIn(r.tiles) }

// total returns the cost of an evaluation of all parts.
func (r *run) total() int64 { return r.costOf(r.tiles) }

// patience returns the patience of the parts of class i.
func (r *run) patience(i int) int { return r.state.Layers[r.classes[i].layer].Patience }

// columns returns the number of parts of class i in shard s.
func (r *run) columns(i, s int) int { return r.places[i].Shards()[s].Tiles() * len(r.classes[i].parts) }

// begin allocates the memory of shards, and begins a round of the search in their parts. Only one of the runs of an
// engine may be used.
func (e engine) begin(shards []shard.Shard, round int) (_ *run, err error) {
	r := &run{engine: e, on: make([]*partShard, len(shards)), rows: make([][]float64, len(e.classes)),
		most: math.MaxUint32, round: round, before: before(e.p)}
	for _, sh := range shards {
		r.tiles += int64(sh.Tiles())
	}
	r.layers = make([]layer, e.classes[len(e.classes)-1].layer+1)
	for _, c := range e.classes {
		l := &r.layers[c.layer]
		l.colours = c.colours
		for _, part := range c.parts {
			l.cost += r.tiles * int64(part.Cost)
		}
	}
	r.state = state{Sample: solvers.Sample{Best: math.Inf(1)}, Awake: r.parts(), Cost: r.total(), Slopes: e.coef,
		Layers: slices.Repeat([]layerState{{Patience: 1, Awake: 1, Gain: math.Inf(1)}}, len(r.layers))}
	defer func() {
		if err != nil {
			r.memory.Close()
		}
	}()
	for _, pl := range r.places {
		if err := pl.Move(shards); err != nil {
			return nil, err
		}
	}
	if r.whole != nil {
		if err := r.whole.Move(tiled(r.p, shards)); err != nil {
			return nil, err
		}
	}
	r.memory, err = device.Allocate(r.places[0], func(i int, sh shard.Shard) device.Share {
		r.on[i] = &partShard{}
		share := share(r.on[i], r.p, r.s.Precision, sh, r.classes, len(r.s.X0))
		share.Values = device.Values{"shard": device.ExtentOf(sh, r.before), "seed": r.s.Key.Seed, "run": r.s.Key.Run}
		return share
	})
	if err != nil {
		return nil, err
	}
	const common = "x words reals acc coefs table shard layout seed run "
	for i, c := range r.classes {
		r.kernels = append(r.kernels, classKernels{
			layout: c.layout(),
			run:    r.memory.Kernel(r.places[i], "graybox_run", common+"range turn "+device.Tables),
			again:  r.memory.Kernel(r.places[i], "graybox_again", common+"range row "+device.Tables),
			report: r.memory.Kernel(r.places[i], "graybox_report", common+"from most patience sums "+device.Tables),
		})
	}
	if err := r.weigh(e.coef); err != nil {
		return nil, err
	}
	return r, r.upload()
}

// weigh sets the coefficients of the accumulators.
func (r *run) weigh(coef []float64) error {
	return r.places[0].Each(func(s int, _ shard.Shard, d *cl.Device) error {
		bits := make([]uint64, len(coef))
		for a, v := range coef {
			bits[a] = math.Float64bits(v)
			if !d.Info().FP64 {
				bits[a] = uint64(math.Float32bits(float32(v)))
			}
		}
		return r.on[s].coefs.Write(0, bits)
	})
}

// upload stores the start points. Open parts read the first one in the best point, where variables that no component
// reads stay for the whole run.
func (r *run) upload() error {
	if err := r.places[0].Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		for j, x := range r.s.X0 {
			own := x[sh.ReadLo:sh.ReadHi]
			if r.round == 0 { // later ones are points that devices have stored
				own = r.p.Domain().Stored(r.s.Precision, sh.ReadLo, own)
			}
			if err := r.on[s].x.Write(r.before+(2+j)*sh.Vars(), own); err != nil {
				return err
			}
		}
		if !r.open() && !r.idle() {
			return nil
		}
		for lo := sh.ReadLo; lo < sh.ReadHi; lo += piece {
			hi := min(lo+piece, sh.ReadHi)
			if err := r.on[s].x.Write(r.before+lo-sh.ReadLo, r.first(lo, hi)); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return r.exchange()
}

// piece is the number of variables or parts that are copied at a time.
const piece = 1 << 17

// idle reports whether there are variables that no component reads.
func (r *run) idle() bool {
	t, read := r.p.Tiling(), 0
	for _, c := range r.classes {
		for _, part := range c.parts {
			read += len(part.Vars)
		}
	}
	return read < min(t.TileVars, t.N)
}

// first returns the variables [lo, hi) of the first start point.
func (r *run) first(lo, hi int) []float64 {
	if len(r.s.X0) > 0 {
		return r.p.Domain().Stored(r.s.Precision, lo, r.s.X0[0][lo:hi])
	}
	return host.Drawn(r.p, r.s.Precision, r.s.Key, 0, 0, rng.Init, lo, hi)
}

// exchange copies the variables of the best point that parts read from the neighbours of their shard.
func (r *run) exchange() error {
	return device.Exchange(r.places[0], r.before, func(s int) *shard.Reals { return r.on[s].x })
}

// values returns the arguments of the kernels of class i in shard s.
func (r *run) values(i, s int, more device.Values) device.Values {
	on, layout := r.on[s].classes[i], r.kernels[i].layout
	layout.Columns = uint32(r.columns(i, s))
	v := device.Values{"words": on.words, "reals": on.reals, "acc": on.acc, "table": on.table, "layout": layout}
	for name, value := range more {
		v[name] = value
	}
	return v
}

// launch launches a kernel over count parts of class i in each tile, from part first on, for rounds of work. values
// returns the arguments for the rounds from one on. If ctx is cancelled, made has the rounds that were made.
func (r *run) launch(ctx context.Context, k *device.Kernel, i, first, count int, pace *shard.Pace, rounds int,
	made *[]shard.Stretch, values func(from, rounds int) device.Values) error {
	c, pl := r.classes[i], r.places[i]
	if count == 0 {
		return nil
	}
	return pl.Rounds(ctx, pace, rounds, false, made, func(s, tile0, tiles, from, rounds int) error {
		size, parts := pl.GroupSize(s), tiles*count
		each := c.each(parts, size, r.on[s].coefs.Device().Info())
		more := values(from, rounds)
		more["range"] = partsRange{From: uint32(tile0 - pl.Shards()[s].TileLo), Parts: uint32(parts),
			First: uint32(first), Count: uint32(count), Each: uint32(each)}
		return k.Launch(s, []int{(parts + each - 1) / each * size}, []int{size}, r.values(i, s, more))
	})
}

// read copies what the shards hold of the best point to x, which begins with variable number first.
func (r *run) read(first int, x []float64) error {
	shards := r.places[0].Shards()
	return r.places[0].ReadPoint(first, x, func(s, lo int, dst []float64) error {
		from := r.on[s].x
		if kept := r.on[s].kept; kept != nil {
			from = kept
		}
		return from.Read(r.before+lo-shards[s].VarLo, dst)
	})
}

// Close releases the memory and the kernels.
func (r *run) Close() {
	r.memory.Close()
	r.close()
}
