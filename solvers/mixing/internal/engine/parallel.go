package engine

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// parallel makes the offspring of a generation together, on devices:
//
//	for each group of sets that do not touch, in random order (one order a generation):
//	   for all individuals i and all sets F of the group at once:
//	      donor, D, change as in the serial method; accepted if the cut gets larger,
//	      or stays and o was not the elitist when the group began
//	the elitist is updated; those that accepted nothing, or have idled too long,
//	are improved by it: of all sets that help, the first in random order
//
// Individuals are dealt to the devices, each of which has all parents; offspring cross between devices once a
// generation. There are two deviations from Bouter and Bosman. Forced improvement is on, since its steps are
// independent up to the first that is accepted. The elitist is that of the start of the generation, or the individual
// itself once it is better. An individual therefore depends only on its donors and fits a work-group, for any number
// of devices.
type parallel struct {
	Task
	g     *shard.Devices
	plans []shard.DevicePlan
	layout
	on     []*mixDevice
	memory *device.Memory // the tables of on

	programs *shard.Programs
	kernels  struct{ mix, mark, sets, large, force, start, evaluate, divide, copy, take, cross, trade *device.Kernel }
	gains    bool // the gains of an offspring's vertices live in local memory as well
	live     map[*host.Population]*livePopulation
	anneal   *annealDevices // nil if new individuals are not annealed

	// For mixing by components:
	byComponents *shard.Programs
	component    *device.Kernel

	checked bool // the first individuals are compared with the host
}

// livePopulation is the rows of a population, on each device.
type livePopulation struct {
	on     []*mixRows
	memory *device.Memory
}

// room returns the local memory of a work-group.
func (e *parallel) room() cl.LocalBytes {
	if !e.resident {
		return 48
	}
	bytes := 4 * (e.plan.Words + stateSize + 12)
	if e.gains {
		bytes += 4 * e.plan.X.Graph.N()
	}
	return cl.LocalBytes(bytes)
}

// Parallel plans t on the devices of g, and allocates its memory. It returns the engine and the plan.
func Parallel(ctx context.Context, t Task, g *shard.Devices) (Engine, []shard.DevicePlan, error) {
	e, err := newParallel(ctx, t, g)
	if err != nil {
		return nil, nil, err
	}
	return e, e.plans, nil
}

func newParallel(ctx context.Context, t Task, g *shard.Devices) (_ *parallel, err error) {
	e := &parallel{Task: t, g: g, live: map[*host.Population]*livePopulation{}, checked: !g.Checked()}
	key := t.Setup.Key
	plan := host.NewPlan(t.Problem.Graph(), t.Home, key)
	a := t.newAnnealing(t.Shape.Of(plan.X.Graph), key)
	e.layout = t.newLayout(plan, a, g.Infos())
	e.plans, err = g.Fit(ctx, e.planned(&t.Method, g.Infos()), t.Problem, t.Setup.Precision)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			e.Close()
		}
	}()
	if err = e.build(); err != nil {
		return nil, err
	}
	e.on = make([]*mixDevice, len(g.Infos()))
	e.memory, err = device.AllocateOn(g.Do, g.Away(nil), func(i int, _ *cl.Device) device.Share {
		e.on[i] = newMixDevice(&e.layout, g.Infos()[i])
		e.on[i].group = e.groupSize(g.Infos()[i])
		share := e.tables(e.on[i])
		share.Values = device.Values{"seed": key.Seed, "run": key.Run, "whole": e.Whole(), "room": e.room(),
			"count_sets": len(plan.Sets) / 3, "count_large": len(plan.Larges)}
		return share
	})
	if err != nil {
		return nil, err
	}
	e.find()
	if a != nil {
		e.anneal, err = e.newAnneal()
	}
	return e, err
}

// powerOfTwo returns a power of two times least that is at least wanted, or else most.
func powerOfTwo(least, wanted, most int) int {
	size := least
	for size < wanted && size < most {
		size *= 2
	}
	return max(1, min(size, most))
}

// groupSize returns the number of work-items of a group that mixes by groups of variables.
func (e *parallel) groupSize(info cl.Info) int {
	return e.items(info, 32, len(e.plan.Groups.Members)/max(e.plan.Groups.N(), 1))
}

// items returns a number of work-items of a group: at least least, and about as many as there is work for. Processors
// run one item a group, so that barriers cost nothing. Results do not depend on it.
func (e *parallel) items(info cl.Info, least, work int) int {
	switch {
	case e.Form.Group > 0:
		return e.Form.Group
	case info.Type == cl.CPU:
		return 1
	}
	return powerOfTwo(least, work, min(1024, info.MaxGroup))
}

// componentGroup returns the number of work-items of a group that mixes by components.
func (e *parallel) componentGroup(info cl.Info) int {
	return e.items(info, 64, e.plan.X.Graph.N()/4)
}

// build compiles the programs that mix.
func (e *parallel) build() (err error) {
	g := e.plan.X.Graph
	e.gains = e.resident && host.KeepsGains(g) && 4*(e.plan.Words+g.N()) <= residentBytes && e.Shape.FitsGains()
	e.programs, err = e.g.Programs(func(info cl.Info) []kernels.Define { return e.defines(e.groupSize(info)) },
		kernels.Struct("mixing_now", generationNow{}), kernels.Get("solvers/mixing/gomea.cl"),
		kernels.Get("solvers/mixing/mix.cl"))
	if err != nil || !e.components {
		return err
	}
	e.byComponents, err = e.g.Programs(func(info cl.Info) []kernels.Define { return e.defines(e.componentGroup(info)) },
		kernels.Struct("mixing_now", generationNow{}), kernels.Get("solvers/mixing/gomea.cl"),
		kernels.Get("solvers/mixing/components.cl"))
	return err
}

// find lists the parameters of the kernels. Some of them exist only where an offspring lives in local memory, some only
// elsewhere.
func (e *parallel) find() {
	const scene = "off nbr w zobrist parents divided now "
	get := func(name, params string) *device.Kernel { return e.memory.Kernel(e.programs, name, params) }
	k := &e.kernels
	k.mix = get("mixing_mix", scene+"sets groups from to next states first offset best hash whole room")
	k.mark = get("mixing_mark", "states offset best hash whole")
	k.sets = get("mixing_sets", scene+"sets begin end next states first offset")
	k.large = get("mixing_sets_large", scene+"sets begin next states first offset sums")
	k.copy = get("mixing_copy", "parents next first offset")
	k.take = get("mixing_take", "parents mates offset")
	k.cross = get("mixing_cross", "parents mates next states anchor first offset who generation seed run")
	k.trade = get("mixing_trade", "parents mates next first offset")
	k.force = get("mixing_force",
		scene+"sets count_sets larges count_large next states first list elite best hash room")
	k.start = get("mixing_start", "parents offset who generation seed run")
	k.evaluate = get("mixing_evaluate", "off nbr w zobrist parents first offset states room")
	k.divide = get("mixing_divide", "parents n divided")
	if e.components {
		e.component = e.memory.Kernel(e.byComponents, "mixing_components",
			"off nbr w zobrist parents elite mates next states first offset labels gains best hash whole room")
	}
}

// generationNow is the generation that is mixed: the struct mixing_now of the kernels.
type generationNow struct {
	N          uint32 // individuals
	Who        uint32 // of individual 0, in draws
	Generation uint32
	Seed, Run  uint32
}

// values returns the arguments of kernels on device i that follow from a population and the elitist.
func (e *parallel) values(i int, p *host.Population) device.Values {
	r := e.live[p].on[i]
	el := e.Elite
	key := e.Setup.Key
	return device.Values{
		"parents": r.parents, "next": r.next, "states": r.states, "sums": r.sums, "list": r.list, "mates": r.mates,
		"first": r.first, "n": p.N, "who": p.Who(0), "generation": p.Generation, "best": el.F, "hash": el.Hash,
		"now": generationNow{N: uint32(p.N), Who: p.Who(0), Generation: p.Generation, Seed: key.Seed, Run: key.Run},
	}
}

// maxRows is the largest number of rows in dimension 1 of a launch.
const maxRows = 1 << 15

// rowByRow launches k on device i for the rows [lo, hi), which are its dimension 1, with `width` items each.
func (e *parallel) rowByRow(k *device.Kernel, i, width, lo, hi int, v device.Values) error {
	for ; lo < hi; lo += maxRows {
		v["offset"] = lo
		if err := k.Launch(i, []int{width, min(maxRows, hi-lo)}, nil, v); err != nil {
			return err
		}
	}
	return nil
}

// defines returns those of mixing/gomea.cl for groups of a size.
func (e *parallel) defines(group int) []kernels.Define {
	weight := "int"
	if e.wide {
		weight = "long"
	}
	return []kernels.Define{
		kernels.Number("GROUP", group), kernels.Number("WORDS", e.plan.Words),
		kernels.Number("VERTICES", e.plan.X.Graph.N()),
		kernels.Number("LARGE", host.LargeSet), kernels.Number("STATE", e.stateWords()),
		{Name: "WEIGHT", Value: weight},
		kernels.Flag("RESIDENT", e.resident), kernels.Flag("GAINS", e.gains),
		kernels.Flag("DONORS_SINGLE", e.Donors == host.Single),
	}
}

func (e *parallel) Whole() uint64 { return e.plan.X.Whole }

func (e *parallel) PerIndividual(n int) int64 {
	c := effort{cost: host.Cost(e.plan.X.Graph), form: e.Form}
	if e.anneal != nil {
		c.annealing = e.annealing
	}
	return c.perIndividual(n)
}

func (e *parallel) PerChild(n int) int64 {
	return e.PerIndividual(n) - int64(e.annealing.Reheat())*e.annealing.Edges
}

func (e *parallel) Drop(p *host.Population) {
	if live := e.live[p]; live != nil {
		live.memory.Close()
		delete(e.live, p)
	}
}

func (e *parallel) Close() {
	for p := range e.live {
		e.Drop(p)
	}
	e.memory.Close()
	e.anneal.close()
	e.byComponents.Close()
	e.programs.Close()
}

// disagrees returns the error for a device that computes another cut than the host.
func (e *parallel) disagrees(d *cl.Device, i int, got, want int64) error {
	return fmt.Errorf("%s disagrees with the host reference on individual %d: a cut of %d, host %d; the device or "+
		"its driver is not usable for this problem", d, i, got, want)
}
