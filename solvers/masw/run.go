package masw

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// maswRun is a started MASW, of one run or of several that are made together. Its state is states on the host, and on
// the devices the vectors of maswShard that are kept.
type maswRun struct {
	p problems.Problem
	g *shard.Devices
	s solvers.Setup
	layout
	iters int
	mates int
	check bool
	info  solvers.Info

	children, moves *shard.Placement
	kernels         struct {
		distance, columns, mate, draw, piece, join, write *device.Kernel
		init, gap, apply                                  *device.Kernel
		breed, survive, begin, climb                      *device.Kernel // where the device decides
	}
	columns   []bool // by device: masw_columns computes the distances
	writeVars int
	on        []*maswShard
	memory    *device.Memory

	states []maswState // of each run; all at the same step
	lead   lead
	first  []float64 // values of the first individuals, of a first step that was cancelled; nil: it was not

	// Memory of a step, kept for the next one.
	proposals []proposal
	when      []uint32
	move      []float64
	chosen    []uint32
	selection selection
}

// maswState is the part of a run's state on the host.
type maswState struct {
	Sample     solvers.Sample
	F          []float64 // value of each individual
	Generation uint32    // generations so far; the counter of their draws
	LocalStep  uint32    // local search steps so far; the counter of their draws
	Phase      int       // steps done in the current cycle, 0 to 2·iterations-1
	Chains     []chain
}

// start compiles and allocates runs on shards.
func (m *MASW) start(p problems.Problem, g *shard.Devices, s solvers.Setup, shards []shard.Shard,
	runs int) (_ *maswRun, err error) {
	r := &maswRun{p: p, g: g, s: s, layout: m.layout(p, s.Precision, shards, runs), iters: m.iterations(),
		mates: m.mates(), check: g.Checked(), on: make([]*maswShard, len(shards)), states: make([]maswState, runs)}
	for k := range r.states {
		r.states[k].Sample.Best = math.Inf(1)
	}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	if err = r.programs(m, g, shards); err != nil {
		return nil, err
	}
	r.key, r.joins = s.Key, len(r.border) > 0 && r.children.Alone()
	if !r.children.Alone() {
		r.ahead = 0
	}
	r.memory, err = device.Allocate(r.moves, func(i int, sh shard.Shard) device.Share {
		r.on[i] = &maswShard{}
		return r.share(r.on[i], sh)
	})
	if err != nil {
		return nil, err
	}
	r.describe()
	return r, nil
}

func (r *maswRun) Info() solvers.Info {
	info := r.info
	info.Ahead = r.leading()
	return info
}

func (r *maswRun) Close() {
	r.memory.Close()
	r.children.Close()
	r.moves.Close()
}

func (r *maswRun) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	st, limit := &r.states[0], room.Evaluations
	if limit < int64(r.n) {
		return st.Sample, false, nil
	}
	var f []float64
	var err error
	switch {
	case st.F == nil:
		f, err = r.populate(ctx)
	case r.leads():
		f, err = r.next(ctx, limit)
	case st.Phase < r.iters:
		f, err = r.generation(ctx)
	default:
		f, err = r.localStep(ctx)
	}
	r.first = nil
	if err != nil && st.F == nil && len(f) > 0 { // it begins anew, and has some values
		r.first = f[:min(len(f), r.n)]
		s := st.Sample
		count(&s, r.first)
		s.Step--
		return s, false, err
	}
	if err != nil {
		return st.Sample, false, err
	}
	for k := range r.states {
		lo, hi := r.of(k)
		count(&r.states[k].Sample, f[lo:hi])
	}
	return st.Sample, true, nil
}

// count counts a step with the values f.
func count(s *solvers.Sample, f []float64) {
	best, nonFinite := math.Inf(1), s.NonFinite
	for _, v := range f {
		best = min(best, host.Infinite(v, &nonFinite))
	}
	s.Add(int64(len(f)), best, nonFinite)
}

// populate draws, stores and evaluates the first populations. If ctx is cancelled, it returns the values of the first
// individuals.
func (r *maswRun) populate(ctx context.Context) ([]float64, error) {
	err := r.moves.Each(func(i int, sh shard.Shard, d *cl.Device) error {
		o := r.on[i]
		size := r.moves.GroupSize(i)
		if err := r.moves.Slices(i, r.all(), r.all(), func(p, n int) error {
			return r.kernels.init.Launch(i, []int{device.RoundUp(device.Quads(sh), size), n}, []int{size, 1},
				device.Values{"p0": p})
		}); err != nil {
			return err
		}
		for j, x := range r.s.X0 {
			own := r.p.Domain().Stored(r.s.Precision, sh.ReadLo, x[sh.ReadLo:sh.ReadHi])
			for k := range r.runs {
				lo, _ := r.of(k)
				if err := o.x.Write((lo+j)*sh.Vars(), own); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f, err := r.evaluateMoves(ctx, make([]proposal, r.all()))
	if err != nil {
		return f, err
	}
	if r.check {
		if err := r.moves.Check(r.s.Key, r.all(), func(j, lo, hi int) ([]float64, error) {
			if j < len(r.s.X0) { // the points that are compared are of the first run
				return r.p.Domain().Stored(r.s.Precision, lo, r.s.X0[j][lo:hi]), nil
			}
			return host.Drawn(r.p, r.s.Precision, r.s.Key, uint32(j), 0, rng.Init, lo, hi), nil
		}); err != nil {
			return nil, err
		}
	}
	for k := range r.states {
		lo, hi := r.of(k)
		r.states[k].F, r.states[k].Chains = slices.Clone(f[lo:hi]), make([]chain, r.n)
	}
	return f, nil
}

// Incumbent reads the best individual.
func (r *maswRun) Incumbent(first int, x []float64) error { return r.IncumbentOf(0, first, x) }
