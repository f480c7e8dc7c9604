package multistart

import (
	"context"
	"math"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/internal/host"
)

// engine is a problem that was cut into parts, with the kernels of their classes on all devices. The waves of a run
// have it in common.
type engine struct {
	p       problems.Problem
	s       solvers.Setup
	classes []class
	coef    []float64          // of the accumulators, at the begin
	checked bool               // values are compared with the host, and stored ones with an evaluation
	places  []*shard.Placement // of each class
}

// run is a started method. It has the parts of some shards.
type run struct {
	engine
	layout  solvers.Info
	on      []*partShard
	tiles   int64 // of all shards
	memory  *device.Memory
	kernels []classKernels
	rows    [][]float64 // of each class: what multistart_report found for each super-tile
	most    uint32      // evaluations of a part
	round   int         // of waves
	state   state
}

type classKernels struct {
	run, again, report *device.Kernel
	pace               shard.Pace // of run
}

// state is what a run must remember besides its vectors.
type state struct {
	Sample   solvers.Sample
	Units    int64     // cost of the components evaluated so far
	Patience int       // episodes that find nothing better after which a part rests
	Awake    int64     // parts that do not rest
	Cost     int64     // of their components
	Slopes   []float64 // coefficients of the accumulators
}

// mostPatience is the number of fruitless episodes after which a part rests for good.
const mostPatience = 64

// reported is the number of sums that multistart_report makes besides the accumulators.
const reported = 4

func (m *Multistart) start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup,
	classes []class) (solvers.Run, error) {
	plans, err := g.Fit(ctx, m.plan(p, s.Precision, classes), p, s.Precision)
	if err != nil {
		return nil, err
	}
	coef := p.Linear()
	if coef == nil {
		if coef, err = slopes(ctx, p, g, s, plans); err != nil {
			return nil, err
		}
	}
	e, err := build(p, g, s, classes, plans)
	if err != nil {
		return nil, err
	}
	e.coef = coef
	var r *run
	shards, err := device.SplitUntilFits(p.Tiling(), plans, func(shards []shard.Shard) (err error) {
		r, err = e.begin(shards, 0)
		return err
	})
	if err != nil {
		e.close()
		return nil, err
	}
	r.layout = solvers.Info{Plans: plans, Shards: shards, BuildTime: e.buildTime()}
	return r, nil
}

// build compiles the kernels of each class for the devices of a plan.
func build(p problems.Problem, g *shard.Devices, s solvers.Setup, classes []class,
	plans []shard.DevicePlan) (_ engine, err error) {
	e := engine{p: p, s: s, classes: classes, checked: g.Checked()}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	shards := shard.Split(p.Tiling(), shard.Supers(plans), nil)
	for _, c := range classes {
		view := shard.View{Group: c.group(), Serial: c.serial, Single: true, Form: problems.Item,
			Parts: []kernels.Part{kernels.Get("solvers/multistart/view.cl")}}
		pl, err := shard.Place(g, p, s.Precision, shards, view, p.Accumulators()+reported, e.defines(c),
			kernels.Get("solvers/multistart/part.cl"), kernels.Get("solvers/multistart/searches.cl"),
			kernels.Get("solvers/multistart/lbfgs.cl"), kernels.Get("solvers/multistart/cma.cl"),
			kernels.Get("solvers/multistart/axes.cl"), kernels.Get("solvers/multistart/multistart.cl"))
		if err != nil {
			return e, err
		}
		e.places = append(e.places, pl)
	}
	return e, nil
}

// buildTime returns the time that the kernels took.
func (e *engine) buildTime() (t time.Duration) {
	for _, pl := range e.places {
		t += pl.BuildTime
	}
	return t
}

// close releases the kernels.
func (e *engine) close() {
	for _, pl := range e.places {
		pl.Close()
	}
}

// begin allocates the memory of shards, and begins a round of the search in their parts. Only one of the runs of an
// engine may be used.
func (e engine) begin(shards []shard.Shard, round int) (_ *run, err error) {
	r := &run{engine: e, on: make([]*partShard, len(shards)), rows: make([][]float64, len(e.classes)),
		most: math.MaxUint32, round: round}
	for _, sh := range shards {
		r.tiles += int64(sh.Tiles())
	}
	r.state = state{Sample: solvers.Sample{Best: math.Inf(1)}, Patience: 1, Awake: r.parts(), Cost: r.total(),
		Slopes: e.coef}
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
	if r.memory, err = device.Allocate(r.places[0], func(i int, sh shard.Shard) device.Share {
		r.on[i] = &partShard{}
		share := share(r.on[i], r.p, r.s.Precision, sh, r.classes, len(r.s.X0))
		share.Values = device.Values{"stride": uint64(sh.Vars()), "lo": sh.ReadLo, "tile_lo": sh.TileLo,
			"seed": r.s.Key.Seed, "run": r.s.Key.Run}
		return share
	}); err != nil {
		return nil, err
	}
	const common = "x stride lo words reals acc coefs table tile_lo columns seed run "
	for i := range r.classes {
		r.kernels = append(r.kernels, classKernels{
			run: r.memory.Kernel(r.places[i], "multistart_run",
				common+"from parts quota most patience given pass "+device.Tables),
			again:  r.memory.Kernel(r.places[i], "multistart_again", common+"from parts row "+device.Tables),
			report: r.memory.Kernel(r.places[i], "multistart_report", common+"from most patience sums"),
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
			if bits[a] = math.Float64bits(v); !d.Info().FP64 {
				bits[a] = uint64(math.Float32bits(float32(v)))
			}
		}
		return r.on[s].coefs.Write(0, bits)
	})
}

// upload stores the start points. Variables that no component reads stay as in the first one for the whole run.
func (r *run) upload() error {
	return r.places[0].Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		for j, x := range r.s.X0 {
			own := r.p.Domain().Stored(r.s.Precision, sh.ReadLo, x[sh.ReadLo:sh.ReadHi])
			if err := r.on[s].x.Write((2+j)*sh.Vars(), own); err != nil {
				return err
			}
		}
		if !r.idle() {
			return nil
		}
		for lo := sh.ReadLo; lo < sh.ReadHi; lo += piece {
			hi := min(lo+piece, sh.ReadHi)
			if err := r.on[s].x.Write(lo-sh.ReadLo, r.first(lo, hi)); err != nil {
				return err
			}
		}
		return nil
	})
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

// defines returns the defines of the kernels of a class.
func (e *engine) defines(c class) []kernels.Define {
	set := 0
	for _, s := range c.searches {
		set |= 1 << s
	}
	least, difference := 1e-15, math.Cbrt(0x1p-52)
	if e.s.Precision == problems.FP32 {
		least, difference = 1e-7, math.Cbrt(0x1p-23)
	}
	floor := 0.05
	return append(c.cmaDefines(), []kernels.Define{
		device.Flag("WIDE_PARTS", c.wide), device.Define("SPAN", c.span), device.Flag("LINEAR", c.linear),
		device.Define("PER_TILE", len(c.parts)), device.Define("PER_TILE_ALL", c.all),
		device.Define("PLACES", c.places()),
		device.Define("REALS", c.tileReals()), device.Define("OWN", c.own()), device.Define("PAIRS", pairs),
		device.Define("CHAIN_REALS", c.chainReals()), device.Define("SEARCH_KINDS", c.kinds()),
		device.Flag("DENSE", c.dense()),
		device.Define("SEARCHES", set), device.Define("SEARCH_COUNT", len(c.searches)),
		{Name: "FLOOR", Value: problems.Literal(floor)}, {Name: "MTS_WIDEST", Value: problems.Literal(0.4)},
		{Name: "MTS_LEAST", Value: problems.Literal(least)}, {Name: "DIFFERENCE", Value: problems.Literal(difference)},
	}...)
}

// partsIn returns the number of parts of so many tiles.
func (e *engine) partsIn(tiles int64) int64 { return tiles * int64(e.classes[0].all) }

// costOf returns the cost of an evaluation of all parts of so many tiles.
func (e *engine) costOf(tiles int64) int64 { return tiles * int64(e.classes[0].cost) }

// parts returns the number of all parts.
func (r *run) parts() int64 { return r.partsIn(r.tiles) }

// total returns the cost of an evaluation of all parts.
func (r *run) total() int64 { return r.costOf(r.tiles) }

// values returns the arguments of the kernels of class i in shard s.
func (r *run) values(i, s int, more device.Values) device.Values {
	on, sh := r.on[s].classes[i], r.places[i].Shards()[s]
	v := device.Values{"words": on.words, "reals": on.reals, "acc": on.acc, "table": on.table,
		"columns": sh.Tiles() * len(r.classes[i].parts), "patience": r.state.Patience, "most": r.most,
		"pass": r.round}
	for name, value := range more {
		v[name] = value
	}
	return v
}

// The size of a step. It depends on the problem and on the evaluations so far, never on the clock.
const (
	mostQuota   = 64      // evaluations of the first steps; later ones make a hundredth of those so far
	leastQuota  = 16      // where a whole point is large
	quotaBudget = 1 << 23 // cost of the components of a step: some tenths of a second on slow devices
)

// quota returns how many evaluations the parts make in a step.
func (r *run) quota() int64 {
	return min(max(mostQuota, r.state.Units/r.total()/100), max(leastQuota, quotaBudget/r.total()))
}

// Step lets every part that does not rest make some evaluations. If all rest, they first get more patience.
func (r *run) Step(ctx context.Context, limit int64) (solvers.Sample, bool, error) {
	st := &r.state
	if err := ctx.Err(); err != nil {
		return st.Sample, false, err
	}
	for st.Awake == 0 && st.Patience < mostPatience {
		sums, err := r.report(ctx, 2*st.Patience)
		if err != nil {
			return st.Sample, false, err
		}
		st.Patience, st.Awake, st.Cost = 2*st.Patience, sums.awake, sums.cost
	}
	if st.Awake == 0 {
		return st.Sample, false, nil
	}
	room := int64(math.MaxInt64)
	if total := r.total(); limit < math.MaxInt64/total-st.Sample.Evaluations {
		room = (st.Sample.Evaluations+limit)*total - st.Units
	}
	quota := min(r.quota(), room/st.Cost)
	if quota < 1 {
		return st.Sample, false, nil
	}
	if err := r.work(int(quota)); err != nil {
		return st.Sample, false, err
	}
	sums, err := r.report(context.WithoutCancel(ctx), st.Patience)
	if err != nil {
		return st.Sample, false, err
	}
	if err := r.steer(sums); err != nil {
		return st.Sample, false, err
	}
	total := r.total()
	st.Units, st.Awake, st.Cost = sums.units, sums.awake, sums.cost
	st.Sample.Add((sums.units+total-1)/total-st.Sample.Evaluations, sums.f, sums.nonFinite)
	st.Sample.Work = float64(sums.units) / float64(total)
	return st.Sample, true, nil
}

// work is advance, and the comparison with the host after the first evaluation of all.
func (r *run) work(quota int) error {
	if r.checked && r.state.Sample.Step == 0 {
		quota--
		if err := r.advance(1); err != nil {
			return err
		}
		if err := r.compare(); err != nil {
			return err
		}
	}
	return r.advance(quota)
}

// advance lets every part that does not rest make quota evaluations.
func (r *run) advance(quota int) error {
	for i := range r.classes {
		k := &r.kernels[i]
		if err := r.launch(k.run, i, &k.pace, quota, func(rounds int) device.Values {
			return device.Values{"quota": rounds, "given": len(r.s.X0)}
		}); err != nil {
			return err
		}
	}
	return nil
}

// launch launches a kernel over the parts of class i, for rounds of work. values returns the arguments for a number of
// rounds.
func (r *run) launch(k *device.Kernel, i int, pace *shard.Pace, rounds int,
	values func(rounds int) device.Values) error {
	c, pl := r.classes[i], r.places[i]
	per := len(c.parts)
	return pl.Rounds(pace, rounds, false, func(s, tile0, tiles, _, rounds int) error {
		size, parts := pl.GroupSize(s), tiles*per
		items := device.RoundUp(parts, size)
		if c.wide {
			items = parts * size
		}
		more := values(rounds)
		more["from"], more["parts"] = (tile0-pl.Shards()[s].TileLo)*per, parts
		return k.Launch(s, []int{items}, []int{size}, r.values(i, s, more))
	})
}

// sums are what parts together have reached and done.
type sums struct {
	acc         []float64 // accumulators of the best point
	f           float64   // its value
	units       int64     // cost of the components evaluated so far
	awake, cost int64     // parts that do not rest, and the cost of their components
	nonFinite   int64     // values that were not finite; a value of each part is a value of the whole
}

// report adds over the parts. patience determines which of them rest.
func (r *run) report(ctx context.Context, patience int) (sums, error) {
	width := r.p.Accumulators() + reported
	for i, pl := range r.places {
		var err error
		if r.rows[i], err = pl.ReduceRows(ctx, width, func(s int, part *shard.Sums, tile0, tiles int) error {
			size := pl.GroupSize(s)
			return r.kernels[i].report.Launch(s, []int{tiles * size}, []int{size}, r.values(i, s, device.Values{
				"from": tile0 - pl.Shards()[s].TileLo, "patience": patience, "sums": part.Arg()}))
		}); err != nil {
			return sums{}, err
		}
	}
	all := make([]float64, width)
	for _, rows := range r.rows {
		for a, v := range shard.Fold(rows, width) {
			all[a] += v
		}
	}
	return sumsOf(r.p, all, r.parts()), nil
}

// sumsOf returns the sums over so many parts from their numbers in the order of multistart_report.
func sumsOf(p problems.Problem, all []float64, parts int64) sums {
	accs := p.Accumulators()
	return sums{all[:accs], p.Objective(all[:accs]), int64(all[accs]), int64(all[accs+1]), int64(all[accs+2]),
		int64(math.Ceil(all[accs+3] / float64(parts)))}
}

// Ended reports whether all parts rest for good.
func (r *run) Ended() bool { return r.state.Awake == 0 && r.state.Patience >= mostPatience }

// Incumbent writes the best point to x.
func (r *run) Incumbent(x []float64) error { return r.read(x) }

// read copies the best point of the shards to x, which is of the whole problem.
func (r *run) read(x []float64) error {
	return r.places[0].Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		from := r.on[s].x
		if kept := r.on[s].kept; kept != nil {
			from = kept
		}
		return from.Read(0, x[sh.VarLo:sh.VarHi])
	})
}

// Info describes the layout of the run.
func (r *run) Info() solvers.Info { return r.layout }

// Close releases the memory and the kernels.
func (r *run) Close() {
	r.memory.Close()
	r.close()
}
