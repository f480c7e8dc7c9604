package multistart

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// run is a started method.
type run struct {
	p       problems.Problem
	s       solvers.Setup
	classes []class
	layout  solvers.Info
	on      []*partShard
	places  []*shard.Placement // of each class
	memory  *device.Memory
	kernels []classKernels
	state   state
}

type classKernels struct {
	run, report *device.Kernel
	pace        shard.Pace
}

// state is what a run must remember besides its vectors.
type state struct {
	Sample   solvers.Sample
	Units    int64 // cost of the components evaluated so far
	Patience int   // episodes that find nothing better after which a part rests
	Awake    int64 // parts that do not rest
	Cost     int64 // of their components
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
	var r *run
	shards, err := device.SplitUntilFits(p.Tiling(), plans, func(shards []shard.Shard) (err error) {
		r, err = m.place(p, g, s, classes, shards)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.layout = solvers.Info{Plans: plans, Shards: shards}
	for _, pl := range r.places {
		r.layout.BuildTime += pl.BuildTime
	}
	return r, nil
}

// place compiles the kernels of each class and allocates the memory of the shards.
func (m *Multistart) place(p problems.Problem, g *shard.Devices, s solvers.Setup, classes []class,
	shards []shard.Shard) (_ *run, err error) {
	r := &run{p: p, s: s, classes: classes, on: make([]*partShard, len(shards))}
	r.state = state{Sample: solvers.Sample{Best: math.Inf(1)}, Patience: 1}
	r.awake()
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	for _, c := range classes {
		view := shard.View{Group: c.group(), Serial: c.serial, Single: true, Form: problems.Item,
			Parts: []kernels.Part{kernels.Get("solvers/multistart/view.cl")}}
		pl, err := shard.Place(g, p, s.Precision, shards, view, p.Accumulators()+reported, r.defines(g, c),
			kernels.Get("solvers/multistart/part.cl"), kernels.Get("solvers/multistart/searches.cl"),
			kernels.Get("solvers/multistart/lbfgs.cl"), kernels.Get("solvers/multistart/cma.cl"),
			kernels.Get("solvers/multistart/multistart.cl"))
		if err != nil {
			return nil, err
		}
		r.places = append(r.places, pl)
	}
	if r.memory, err = device.Allocate(r.places[0], func(i int, sh shard.Shard) device.Share {
		r.on[i] = &partShard{}
		share := share(r.on[i], p, s.Precision, sh, classes, len(s.X0))
		share.Values = device.Values{"stride": uint64(sh.Vars()), "lo": sh.ReadLo, "tile_lo": sh.TileLo, "seed": s.Key.Seed,
			"run": s.Key.Run}
		return share
	}); err != nil {
		return nil, err
	}
	const common = "x stride lo words reals acc table tile_lo columns seed run "
	for i := range classes {
		r.kernels = append(r.kernels, classKernels{
			run:    r.memory.Kernel(r.places[i], "multistart_run", common+"from parts quota patience given "+device.Tables),
			report: r.memory.Kernel(r.places[i], "multistart_report", common+"from patience sums"),
		})
	}
	return r, r.places[0].Each(func(i int, sh shard.Shard, d *cl.Device) error {
		for j, x := range s.X0 {
			if err := r.on[i].x.Write((2+j)*sh.Vars(), p.Domain().Stored(s.Precision, sh.ReadLo, x[sh.ReadLo:sh.ReadHi])); err != nil {
				return err
			}
		}
		return nil
	})
}

// defines returns the defines of the kernels of a class.
func (r *run) defines(g *shard.Devices, c class) []kernels.Define {
	double := !slices.ContainsFunc(g.Infos(), func(i cl.Info) bool { return !i.FP64 })
	var coefs []string
	for _, v := range c.coef {
		bits := math.Float64bits(v)
		if !double {
			bits = uint64(math.Float32bits(float32(v)))
		}
		coefs = append(coefs, fmt.Sprintf("%#xul", bits))
	}
	set := 0
	for _, s := range c.searches {
		set |= 1 << s
	}
	least, difference := 1e-15, math.Cbrt(0x1p-52)
	if r.s.Precision == problems.FP32 {
		least, difference = 1e-7, math.Cbrt(0x1p-23)
	}
	floor := 0.05
	return append(c.cmaDefines(), []kernels.Define{
		device.Flag("WIDE_PARTS", c.wide), device.Define("SPAN", c.span), device.Flag("LINEAR", c.linear),
		device.Define("PER_TILE", len(c.parts)), device.Define("PER_TILE_ALL", c.all), device.Define("PLACES", c.places()),
		device.Define("REALS", c.tileReals()), device.Define("OWN", c.own()), device.Define("PAIRS", pairs),
		device.Define("CHAIN_REALS", c.chainReals()), device.Define("SEARCH_KINDS", c.kinds()),
		device.Flag("DENSE", c.dense()),
		{Name: "COEFS", Value: strings.Join(coefs, ", ")},
		device.Define("SEARCHES", set), device.Define("SEARCH_COUNT", len(c.searches)),
		{Name: "FLOOR", Value: problems.Literal(floor)}, {Name: "MTS_WIDEST", Value: problems.Literal(0.4)},
		{Name: "MTS_LEAST", Value: problems.Literal(least)}, {Name: "DIFFERENCE", Value: problems.Literal(difference)},
	}...)
}

// awake sets the number of parts that do not rest to all of them.
func (r *run) awake() {
	tiles := int64(r.p.Tiling().Tiles())
	r.state.Awake, r.state.Cost = 0, r.total()
	for _, c := range r.classes {
		r.state.Awake += tiles * int64(len(c.parts))
	}
}

// total returns the cost of an evaluation of all parts.
func (r *run) total() int64 { return int64(r.p.Tiling().Tiles()) * int64(r.classes[0].cost) }

// values returns the arguments of the kernels of class i in shard s.
func (r *run) values(i, s int, more device.Values) device.Values {
	on, sh := r.on[s].classes[i], r.places[i].Shards()[s]
	v := device.Values{"words": on.words, "reals": on.reals, "acc": on.acc, "table": on.table,
		"columns": sh.Tiles() * len(r.classes[i].parts), "patience": r.state.Patience}
	for name, value := range more {
		v[name] = value
	}
	return v
}

// quota returns how many evaluations the parts make in a step: 64, or a hundredth of those so far.
func (r *run) quota() int64 { return max(64, r.state.Sample.Evaluations/100) }

// Step lets every part that does not rest make some evaluations.
func (r *run) Step(ctx context.Context, limit int64) (solvers.Sample, bool, error) {
	if err := ctx.Err(); err != nil {
		return r.state.Sample, false, err
	}
	for r.state.Awake == 0 {
		if r.state.Patience >= mostPatience {
			return r.state.Sample, false, nil
		}
		r.state.Patience *= 2
		if err := r.look(ctx); err != nil {
			return r.state.Sample, false, err
		}
	}
	room := int64(math.MaxInt64)
	if total := r.total(); limit < math.MaxInt64/total-r.state.Sample.Evaluations {
		room = (r.state.Sample.Evaluations+limit)*total - r.state.Units
	}
	quota := min(r.quota(), room/r.state.Cost)
	if quota < 1 {
		return r.state.Sample, false, nil
	}
	for i := range r.classes {
		if err := r.advance(i, int(quota)); err != nil {
			return r.state.Sample, false, err
		}
	}
	return r.state.Sample, true, r.look(context.WithoutCancel(ctx))
}

// advance lets the parts of class i make quota evaluations each.
func (r *run) advance(i, quota int) error {
	c, pl, k := r.classes[i], r.places[i], &r.kernels[i]
	per := len(c.parts)
	return pl.Rounds(&k.pace, quota, false, func(s, tile0, tiles, _, rounds int) error {
		size, parts := pl.GroupSize(s), tiles*per
		items := device.RoundUp(parts, size)
		if c.wide {
			items = parts * size
		}
		return k.run.Launch(s, []int{items}, []int{size}, r.values(i, s, device.Values{
			"from": (tile0 - pl.Shards()[s].TileLo) * per, "parts": parts, "quota": rounds, "given": len(r.s.X0)}))
	})
}

// look reads the value of the best point and the work that was done.
func (r *run) look(ctx context.Context) error {
	accs := r.p.Accumulators()
	all := make([]float64, accs+reported)
	for i, pl := range r.places {
		sums, err := pl.Reduce(ctx, accs+reported, func(s int, part *shard.Sums, tile0, tiles int) error {
			size := pl.GroupSize(s)
			return r.kernels[i].report.Launch(s, []int{tiles * size}, []int{size}, r.values(i, s, device.Values{
				"from": tile0 - pl.Shards()[s].TileLo, "sums": part.Arg()}))
		})
		if err != nil {
			return err
		}
		for a, v := range sums {
			all[a] += v
		}
	}
	st, total := &r.state, r.total()
	st.Units, st.Awake, st.Cost = int64(all[accs]), int64(all[accs+1]), int64(all[accs+2])
	parts := 0
	for _, c := range r.classes {
		parts += len(c.parts)
	}
	evaluations := (st.Units + total - 1) / total
	f := r.p.Objective(all[:accs])
	st.Sample.Add(evaluations-st.Sample.Evaluations, f, int64(math.Ceil(all[accs+3]/float64(parts*r.p.Tiling().Tiles()))))
	st.Sample.Work = float64(st.Units) / float64(total)
	return nil
}

// Ended reports whether all parts rest for good.
func (r *run) Ended() bool { return r.state.Awake == 0 && r.state.Patience >= mostPatience }

// Incumbent writes the best point to x.
func (r *run) Incumbent(x []float64) error {
	if len(x) != r.p.Domain().N {
		return fmt.Errorf("multistart: a point of %d variables for a problem of %d", len(x), r.p.Domain().N)
	}
	return r.places[0].Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		return r.on[s].x.Read(0, x[sh.VarLo:sh.VarHi])
	})
}

// Info describes the layout of the run.
func (r *run) Info() solvers.Info { return r.layout }

// State returns the state of the host and the vectors that are kept.
func (r *run) State() *solvers.State { return r.memory.State(&r.state) }

// Close releases the memory and the kernels.
func (r *run) Close() {
	r.memory.Close()
	for _, pl := range r.places {
		pl.Close()
	}
}
