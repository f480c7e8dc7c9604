package anneal

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/deadline"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// saRun is V1 or V2 on devices, of one run or of several that are made together. Its state is runs, and on the
// devices the chains with their accumulators and values, the records of groups, and the widths of the adaptive
// neighbour. The points of an exchange follow from them.
type saRun struct {
	m     *SA
	p     problems.Problem
	s     solvers.Setup
	sch   saSchedule
	step  int // segments of a Step
	leaps deadline.Leaps
	cost  cost
	info  solvers.Info

	chains *device.Replicas
	anneal *device.Kernel
	on     []*saDevice
	alone  bool // groups exchange on their device, without the host: there is one device, or several runs
	check  bool // a stored point is compared with the host's value of it

	latest int       // segments of the latest Step
	groups int       // of a run
	runs   []saState // made together; all at the same segment
}

// saState is the host's share of a run's state.
type saState struct {
	Sample  solvers.Sample
	Segment int       // segments done by all chains
	Now     float64   // value of the best chain, or of the best record if Elitist, kept by differences
	Kept    float64   // value of the best record so far, kept by differences
	X       []float64 // the point that has Sample.Best
}

// The largest numbers of moves of a Step that touch one component each. A Step takes about a tenth of a second on a
// large GPU, or a quarter of a second on two cores, so that limits of time hold. It depends on the kind of device, as
// traces may, but on nothing that is measured.
const (
	stepsOfGPU = 1 << 32
	stepsOfCPU = 1 << 20
)

// movesOf returns the one of these numbers that holds for devices: the smaller one if one is a processor.
func movesOf(devices []cl.Info) int64 {
	if slices.ContainsFunc(devices, func(i cl.Info) bool { return i.Type == cl.CPU }) {
		return stepsOfCPU
	}
	return stepsOfGPU
}

// startDevices starts a run, or several that are made together.
func (m *SA) startDevices(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup,
	runs int) (*saRun, error) {
	r := &saRun{m: m, p: p, s: s, sch: m.schedule(), cost: m.costOf(p.Structure(), m.chains()),
		on: make([]*saDevice, len(g.Infos())), check: g.Checked()}
	for range runs {
		r.runs = append(r.runs, saState{Sample: solvers.Sample{Best: math.Inf(1)}, Kept: math.Inf(1)})
	}
	r.step = r.sch.stepOf(int64(float64(movesOf(g.Infos())) / m.touched(p.Structure())))
	if m.fitted {
		r.leaps.Left = s.Left
	}
	for _, i := range g.Infos() {
		if i.MaxGroup < chainGroup {
			return nil, solvers.Settingf("%v allows %d work-items in a group; solver sa needs %d", i, i.MaxGroup,
				chainGroup)
		}
	}
	plan := m.Plan(p, s.Precision)
	r.groups = plan.Units
	names, unit := "groups of chains", 1 // unit: groups of a unit
	if runs > 1 {
		names = "runs"
		unit = r.groups
		plan.Units = runs // a run stays on one device
		for i, item := range plan.Items {
			if !item.Fixed {
				plan.Items[i].Bytes *= int64(runs)
			}
		}
	}
	plans, err := g.Fit(ctx, plan, p, s.Precision)
	if err != nil {
		return nil, err
	}
	use := shard.Supers(plans)
	first := 0
	working := 0
	for i, n := range use {
		n *= unit
		r.on[i] = &saDevice{first: first, groups: n}
		first += n * chainGroup
		if n > 0 {
			working++
		}
	}
	r.alone = working == 1 || runs > 1
	r.chains, err = device.PlaceReplicas(g, p, s, use, nil, func(i int) device.Share {
		share := m.share(r.on[i], p, s.Precision)
		share.Values = device.Values{"seed": s.Key.Seed, "run": s.Key.Run, "of": chainsOf{
			Width: uint64(r.on[i].width()), First: uint32(r.on[i].first), Groups: uint32(r.groups),
			Chains: uint32(r.sch.chains), Steps: uint32(r.sch.n), SegmentSteps: uint32(r.sch.segment),
			Segments: uint32(r.sch.segments)}}
		return share
	}, r.defines(), kernels.Struct("anneal_chains", chainsOf{}), kernels.Struct("anneal_launch", chainsLaunch{}),
		kernels.Get("solvers/anneal/neighbour.cl"), kernels.Get("solvers/anneal/chains.cl"))
	if err != nil {
		return nil, err
	}
	r.anneal = r.chains.Kernel("anneal_advance",
		"x acc f log_at log_old now_best now_moves rec_f rec_x in_f in_x out_f out_x odd tried taken wide "+
			"temperature of now seed run tables")
	if err = r.starts(ctx); err != nil {
		r.Close()
		return nil, err
	}
	r.info = solvers.Info{Plans: plans, Units: plan.Units, UnitNames: names}
	return r, nil
}

func (r *saRun) defines() []kernels.Define {
	m := r.m
	start := map[string]string{"uniform": "0", "same": "1", "grid": "2"}[m.starts()]
	return []kernels.Define{
		{Name: "SA_GROUP", Value: strconv.Itoa(chainGroup)},
		kernels.Flag("SA_UNIFORM", m.neighbour() == "uniform"),
		kernels.Flag("SA_ADAPTIVE", m.neighbour() == "adaptive"), kernels.Flag("SA_HASTINGS", m.Hastings),
		kernels.Flag("SA_SHARED", m.Shared), kernels.Flag("SA_ELITIST", m.Elitist), kernels.Flag("SA_FULL", m.full()),
		{Name: "SA_START", Value: start},
	}
}

// starts writes the start points, given ones in place of the first drawn ones.
func (r *saRun) starts(ctx context.Context) error {
	kernel := r.chains.Kernel("anneal_start", "x from to group0 of root seed run tables")
	// The smallest base in which every chain has a number of its own.
	root := int(math.Ceil(math.Pow(float64(r.sch.chains), 1/float64(r.p.Domain().N)) - 1e-9))
	return r.chains.Each(func(i int, d *cl.Device) error {
		o, n := r.on[i], r.p.Domain().N
		const piece = 1 << 16 // variables
		var pace shard.Pacer
		if err := r.chains.Launches(ctx, i, &pace, (n+piece-1)/piece, o.groups, func(p0, p1, b0, b1 int) error {
			return kernel.Launch(i, []int{(b1 - b0) * chainGroup}, []int{chainGroup},
				device.Values{"group0": b0, "from": p0 * piece, "to": min(p1*piece, n), "root": root})
		}); err != nil {
			return err
		}
		if err := pace.Wait(ctx); err != nil {
			return err
		}
		for run := range r.runs {
			for k, x := range r.s.X0 {
				chain := run*r.groups*chainGroup + k
				if chain < o.first || chain >= o.first+o.width() {
					continue
				}
				for v, w := range r.p.Domain().Stored(r.s.Precision, 0, x) {
					if err := o.x.Write(v*o.width()+chain-o.first, []float64{w}); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// Info describes the layout of the chains. A run has ended when all temperatures are done.
func (r *saRun) Info() solvers.Info {
	info := r.info
	info.Ended = r.runs[0].Segment == r.sch.all()
	return info
}

// Close releases the chains.
func (r *saRun) Close() { r.chains.Close() }

// Incumbent writes the best point that any chain visited.
func (r *saRun) Incumbent(first int, x []float64) error { return r.IncumbentOf(0, first, x) }
