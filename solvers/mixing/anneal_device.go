package mixing

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// annealer is annealing on the devices of an engine.
type annealer interface {
	// start compiles the programs and makes room for what does not change.
	start() error
	// anneal runs sweeps [from, to) on each device's individuals among the
	// parents of p. It returns the sweeps that were made, over all individuals,
	// and whether all have come to rest.
	anneal(ctx context.Context, p *host.Population, from, to int, when uint32) (made int64, rest bool, err error)
	// show copies the current parents of p to every device.
	show(p *host.Population) error
	// cooled copies the temperatures of the schedule to the devices.
	cooled() error
	close()
}

// newAnneal begins annealing on the devices.
func (e *parallelEngine) newAnneal() (annealer, error) {
	d := newAnnealDevices(e)
	var a annealer = &chainDevices{annealDevices: d, tables: make([]chainTables, len(e.on))}
	if e.annealing.Sliced != nil {
		a = &slicedDevices{annealDevices: d, tables: make([]slicedTables, len(e.on))}
	}
	err := a.start()
	if err == nil {
		err = a.cooled()
	}
	if err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// annealDevices is what annealing chain by chain and by words of 32 share. A unit
// is what a work-group anneals: a chain, or a word of them.
type annealDevices struct {
	*host.Annealing
	e        *parallelEngine
	programs *shard.Programs
	count    []*cl.Kernel // nil where groups make whole sweeps
	on       []*annealShare
	made     int64 // sweeps of the population in progress, over all individuals

	lists, cooling, growing *device.Memory // growing: of the population in progress
}

// annealShare is one device's.
type annealShare struct {
	temps *cl.Buffer[float32]
	done  *cl.Buffer[uint32] // of the population in progress: two numbers a unit
	pace  shard.Pacer        // of a unit
}

// schedule lists the vector of the temperatures, which is made anew where annealing gets slower.
func (t *annealShare) schedule(a *host.Annealing) device.Share {
	return device.Share{Vectors: []device.Vector{
		{To: &t.temps, Name: "temps", What: "temperatures", Rows: len(a.Temps), Data: a.Temps},
	}}
}

// growing lists the vectors of a population of n chains that are annealed one by one.
func (t *annealShare) growing(n int) device.Share {
	return device.Share{Vectors: []device.Vector{t.counts(n)}}
}

// counts of units that are annealed begin as 0.
func (t *annealShare) counts(units int) device.Vector {
	return device.Vector{To: &t.done, Name: "done", What: "counts of annealing", Rows: 2 * units}
}

func newAnnealDevices(e *parallelEngine) annealDevices {
	d := annealDevices{Annealing: e.annealing, e: e}
	for range e.on {
		d.on = append(d.on, &annealShare{})
	}
	return d
}

func (d *annealDevices) cooled() (err error) {
	d.cooling.Close()
	d.cooling, err = device.AllocateOn(d.e.g.Do,
		func(i int, _ *cl.Device) device.Share { return d.on[i].schedule(d.Annealing) })
	return err
}

func (d *annealDevices) close() {
	d.lists.Close()
	d.cooling.Close()
	d.growing.Close()
	d.programs.Close()
}

// atRest reports whether a sweep at T = 0 flipped nothing in any of n units.
func (t *annealShare) atRest(offset, n int) (bool, error) {
	done := make([]uint32, 2*n)
	if err := t.done.Read(2*offset, done); err != nil {
		return false, err
	}
	for j := range n {
		if done[2*j+1] != 1 {
			return false, nil
		}
	}
	return true, nil
}

// total adds up the sweeps of all units, where unit u stands for chains(u) chains, and returns those since
// the last call. The first call begins at sweep 0.
func (d *annealDevices) total(from int, done []uint32, chains func(u int) int) (made int64, rest bool) {
	rest = true
	for u := range len(done) / 2 {
		made += int64(done[2*u]) * int64(chains(u))
		rest = rest && done[2*u+1] == 1
	}
	if from == 0 {
		d.made = 0
	}
	made, d.made = made-d.made, made
	return made, rest
}

// sweepInPieces makes sweeps [from, to) in the given number of launches.
func sweepInPieces(ctx context.Context, dev *cl.Device, from, to, pieces int,
	launch func(from, to uint32) error) error {
	pieces = min(pieces, to-from)
	for k := range pieces {
		if err := launch(uint32(from+(to-from)*k/pieces), uint32(from+(to-from)*(k+1)/pieces)); err != nil {
			return err
		}
		if pieces > 1 {
			if err := finish(ctx, dev); err != nil {
				return err
			}
		}
	}
	return nil
}

// byClass makes sweeps [from, to) of n units from offset on, a launch a class, and
// waits after so many sweeps and after those at T = 0, until all units rest.
func (d *annealDevices) byClass(ctx context.Context, i int, dev *cl.Device, offset, n, from, to, wait int,
	sweep func(s int) error) error {
	t := d.on[i]
	for s := from; s < to; s++ {
		if err := sweep(s); err != nil {
			return err
		}
		if err := d.count[i].Launch([]int{n}, nil, d.Temps[s], t.done, uint32(offset)); err != nil {
			return err
		}
		if d.Temps[s] == 0 || s%wait == 0 {
			if err := finish(ctx, dev); err != nil {
				return err
			}
		}
		if d.Temps[s] == 0 {
			if rest, err := t.atRest(offset, n); err != nil || rest {
				return err
			}
		}
	}
	return nil
}

// finish waits for a device, and then says whether ctx is cancelled.
func finish(ctx context.Context, d *cl.Device) error {
	if err := d.Finish(); err != nil {
		return err
	}
	return ctx.Err()
}

// build compiles parts with those that all annealing has.
func (d *annealDevices) build(defines func(cl.Info) []kernels.Define, parts ...kernels.Part) (err error) {
	parts = append([]kernels.Part{kernels.Get("solvers/mixing/rest.cl")}, parts...)
	d.programs, err = d.e.g.Programs(defines, parts...)
	return err
}

// byClasses finds the kernels that sweep by classes.
func (d *annealDevices) byClasses(name string, args ...cl.Arg) (class []*cl.Kernel, err error) {
	if class, err = d.programs.Kernel(name, args...); err != nil {
		return nil, err
	}
	d.count, err = d.programs.Kernel("mixing_anneal_count", cl.F32, cl.Mem[uint32](), cl.U32)
	return class, err
}
