package mixing

import (
	"context"
	"fmt"
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// parallelEngine makes the offspring of a generation together, on devices:
//
//	for each group of sets that do not touch, in random order (one order a generation):
//	   for all individuals i and all sets F of the group at once:
//	      donor, D, change as in the serial method; accepted if the cut gets larger,
//	      or stays and o was not the elitist when the group began
//	the elitist is updated; those that accepted nothing, or have idled too long,
//	are improved by it: of all sets that help, the first in random order
//
// Individuals are dealt to the devices, each of which has all parents; offspring cross between devices once
// a generation. There are two deviations from Bouter and Bosman. Forced improvement is on, since its steps
// are independent up to the first that is accepted. The elitist is that of the start of the generation, or
// the individual itself once it is better. An individual therefore depends only on its donors and fits a
// work-group, for any number of devices.
type parallelEngine struct {
	m   *GOMEA
	run *gomeaRun
	g   *shard.Devices
	layout
	on     []*mixDevice
	memory *device.Memory // of on

	programs *shard.Programs
	kernels  struct{ mix, mark, sets, large, force, start, evaluate, divide, copy []*cl.Kernel }
	gains    bool // those of the vertices of an offspring live in local memory as well
	live     map[*host.Population]*livePopulation
	anneal   annealer          // what new individuals go through, or nil
	mixing   *componentDevices // mixing by components, or nil
	checked  bool
}

// livePopulation is the rows of a population, on each device.
type livePopulation struct {
	on     []*mixRows
	memory *device.Memory
}

// devicePlan is a mixture as devices hold it.
type devicePlan struct {
	x      *host.Mixture
	groups *linkage.Groups
	sets   []uint32 // lo, hi, number, by groups
	larges []uint32 // places in sets of those above largeSet
	words  int      // uint32s of a row
}

// largeSet is how many vertices a work-item mixes alone, at most.
const largeSet = 512

func newDevicePlan(g *graph.Graph, m *linkage.Model, key rng.Key) *devicePlan {
	p := &devicePlan{x: host.NewMixture(g, m, key), words: 2 * host.Words(g.N())}
	p.groups = linkage.Color(p.x.Graph, m)
	for t, set := range p.groups.Sets {
		s := m.Sets[set]
		p.sets = append(p.sets, s.Lo, s.Hi, set)
		if s.Len() > largeSet {
			p.larges = append(p.larges, uint32(t))
		}
	}
	return p
}

// order is the groups of a generation: begin, end, end of the large sets.
func (p *devicePlan) order(key rng.Key, q *host.Population) []uint32 {
	perm := make([]uint32, p.groups.N())
	host.Permute(perm, key, q.Who(host.MaxIndividuals), q.Generation, rng.Shuffle)
	table := make([]uint32, 0, 3*len(perm))
	for _, k := range perm {
		begin, end := p.groups.Offsets[k], p.groups.Offsets[k+1]
		large := begin
		for large < end && p.sets[3*large+1]-p.sets[3*large] > largeSet {
			large++
		}
		table = append(table, uint32(begin), uint32(end), uint32(large))
	}
	return table
}

// room is the local memory of a work-group.
func (e *parallelEngine) room() cl.LocalBytes {
	if e.resident {
		bytes := 4 * (e.plan.words + stateSize + 12)
		if e.gains {
			bytes += 4 * e.plan.x.Graph.N()
		}
		return cl.LocalBytes(bytes)
	}
	return 48
}

// newParallelEngine plans the run of r on the devices of g, and makes room for it.
func newParallelEngine(ctx context.Context, m *GOMEA, r *gomeaRun, g *shard.Devices) (_ *parallelEngine, err error) {
	e := &parallelEngine{m: m, run: r, g: g, live: map[*host.Population]*livePopulation{}, checked: !g.Checked()}
	plan, a := newDevicePlan(r.p.Graph(), r.home, r.s.Key), (*host.Annealing)(nil)
	if sweeps, ok := m.polish(); ok {
		a = host.NewAnnealing(plan.x.Graph, sweeps, r.s.Key)
	}
	e.layout = m.layout(plan, a, r.mixes, g.Infos())
	planned := e.planned(m, g.Infos())
	if r.info.Plans, err = g.Fit(ctx, planned, r.p, r.s.Precision); err != nil {
		return nil, err
	}
	r.info.Units, r.info.UnitNames = planned.Units, "individuals"
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	if err = e.build(); err != nil {
		return nil, err
	}
	e.on = make([]*mixDevice, len(g.All()))
	e.memory, err = device.AllocateOn(g.Do, func(i int, d *cl.Device) device.Share {
		e.on[i] = &mixDevice{group: e.groupSize(d.Info())}
		return e.tables(e.on[i])
	})
	if err != nil {
		return nil, err
	}
	if a != nil {
		if e.anneal, err = e.newAnneal(); err != nil {
			return nil, err
		}
	}
	if e.components {
		e.mixing, err = e.newComponents()
	}
	return e, err
}

// groupSize is the work-items of a group. Processors run one item a group: then
// barriers cost nothing. Results do not depend on it.
func (e *parallelEngine) groupSize(info cl.Info) int {
	switch {
	case e.m.group > 0:
		return e.m.group
	case info.Type == cl.CPU:
		return 1
	}
	mean := len(e.plan.groups.Sets) / max(e.plan.groups.N(), 1)
	size := 32
	for size < mean && size < 1024 {
		size *= 2
	}
	return max(1, min(size, info.MaxGroup))
}

// fitsGains says whether gains fit 32 bits, also while they are updated.
func (e *parallelEngine) fitsGains() bool {
	g := e.plan.x.Graph
	for v := range g.N() {
		sum := 0.0
		for _, w := range g.Weights[g.Offsets[v]:g.Offsets[v+1]] {
			sum += math.Abs(float64(w))
		}
		if sum >= 1<<29 {
			return false
		}
	}
	return true
}

func (e *parallelEngine) build() (err error) {
	g := e.plan.x.Graph
	e.gains = e.resident && host.KeepsGains(g) && 4*(e.plan.words+g.N()) <= residentBytes && e.fitsGains()
	e.programs, err = e.g.Programs(func(info cl.Info) []kernels.Define {
		return e.defines(e.groupSize(info))
	}, kernels.Get("solvers/mixing/gomea.cl"), kernels.Get("solvers/mixing/mix.cl"))
	if err != nil {
		return err
	}
	u, w := cl.Mem[uint32](), e.weightArg()
	scene := []cl.Arg{u, u, w, u, u, u, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32}
	get := func(name string, args ...cl.Arg) (ks []*cl.Kernel) {
		if err == nil {
			ks, err = e.programs.Kernel(name, args...)
		}
		return ks
	}
	with := func(args ...cl.Arg) []cl.Arg { return append(scene[:len(scene):len(scene)], args...) }
	k := &e.kernels
	if e.resident {
		k.mix = get("mixing_mix", with(u, u, cl.U32, cl.U32, u, u, cl.U32, cl.U32, cl.I64, cl.U64, cl.U64, cl.Local)...)
	} else {
		k.mark = get("mixing_mark", u, cl.U32, cl.I64, cl.U64, cl.U64)
		k.sets = get("mixing_sets", with(u, cl.U32, cl.U32, u, u, cl.U32, cl.U32)...)
		k.large = get("mixing_sets_large", with(u, cl.U32, u, u, cl.U32, cl.U32, u)...)
		k.copy = get("mixing_copy", u, u, cl.U32, cl.U32)
	}
	k.force = get("mixing_force", with(u, cl.U32, u, cl.U32, u, u, cl.U32, u, u, cl.I64, cl.U64, cl.Local)...)
	k.start = get("mixing_start", u, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32)
	k.evaluate = get("mixing_evaluate", u, u, w, u, u, cl.U32, u, cl.Local)
	k.divide = get("mixing_divide", u, cl.U32, u)
	return err
}

// defines are those of mixing/gomea.cl for groups of a size.
func (e *parallelEngine) defines(group int) []kernels.Define {
	weight := "int"
	if e.wide {
		weight = "long"
	}
	return []kernels.Define{
		device.Define("GROUP", group), device.Define("WORDS", e.plan.words),
		device.Define("VERTICES", e.plan.x.Graph.N()),
		device.Define("LARGE", largeSet), device.Define("STATE", e.stateWords()), {Name: "WEIGHT", Value: weight},
		device.Flag("RESIDENT", e.resident), device.Flag("GAINS", e.gains),
		device.Flag("DONORS_SINGLE", e.m.rule() == host.Single),
	}
}

// weightArg declares the weights in kernels.
func (e *parallelEngine) weightArg() cl.Arg {
	if e.wide {
		return cl.Mem[int64]()
	}
	return cl.Mem[int32]()
}

func (e *parallelEngine) whole() uint64 { return e.plan.x.Whole }

func (e *parallelEngine) perIndividual(n int) int64 {
	m := int64(e.plan.x.Graph.M())
	if e.anneal == nil {
		return m
	}
	a := e.annealing
	return a.Most() + m*int64(len(a.Temps)/(looksEvery*e.sweepsOfStep(n))+2)
}

func (e *parallelEngine) drop(p *host.Population) {
	if live := e.live[p]; live != nil {
		live.memory.Close()
		delete(e.live, p)
	}
}

func (e *parallelEngine) close() {
	for p := range e.live {
		e.drop(p)
	}
	e.memory.Close()
	if e.anneal != nil {
		e.anneal.close()
	}
	e.mixing.close()
	e.programs.Close()
}

// scene is the arguments that all mixing kernels begin with.
func (e *parallelEngine) scene(i int, p *host.Population) []any {
	o, key := e.on[i], e.run.s.Key
	return []any{o.off, o.nbr, o.weights(), o.zobrist, e.live[p].on[i].parents, o.divided,
		uint32(p.N), p.Who(0), p.Generation, key.Seed, key.Run}
}

// disagrees returns the error for a device that computes another cut than the host.
func (e *parallelEngine) disagrees(d *cl.Device, i int, got, want int64) error {
	return fmt.Errorf("%s disagrees with the host reference on individual %d: a cut of %d, host %d; the device or "+
		"its driver is not usable for this problem", d, i, got, want)
}
