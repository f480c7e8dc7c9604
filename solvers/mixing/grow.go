package mixing

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// allocate allocates all parents on every device, and the offspring that each makes.
func (e *parallelEngine) allocate(p *host.Population) (err error) {
	live := &livePopulation{on: make([]*mixRows, len(e.on))}
	live.memory, err = device.AllocateOn(e.g.Do, e.g.Away(nil), func(i int, _ *cl.Device) device.Share {
		first, end := e.deal(p.N, i)
		live.on[i] = &mixRows{first: first, count: end - first}
		return e.rows(live.on[i], p.N)
	})
	if err == nil {
		e.live[p] = live
	}
	return err
}

// create draws all individuals on every device.
func (e *parallelEngine) create(ctx context.Context, p *host.Population, x0 [][]uint64) error {
	return e.g.Do(func(i int, d *cl.Device) error {
		parents, v := e.live[p].on[i].parents, e.values(i, p)
		for lo := 0; lo < p.N; lo += maxRows {
			if err := ctx.Err(); err != nil {
				return err
			}
			v["offset"] = lo
			global := []int{(e.plan.words + 3) / 4, min(maxRows, p.N-lo)}
			if err := e.kernels.start.Launch(i, global, nil, v); err != nil {
				return err
			}
		}
		for k, row := range x0 {
			if err := parents.Write(k*e.plan.words, halves(row)); err != nil {
				return err
			}
		}
		return nil
	})
}

// One step of annealing tries about trialsOnDevices flips over all individuals, or, where a flip changes the fields of
// all vertices, fieldsOnDevices divided by the number of vertices. With words of 32 chains it makes a sixteenth of all
// sweeps, but tries at least trialsPerSlice flips and at most 32 times as many.
const (
	trialsOnDevices = 1 << 26
	fieldsOnDevices = 1 << 34
	trialsPerSlice  = 1 << 28
)

// looksEvery is the number of steps of annealing between two evaluations of the individuals. They are also evaluated
// after the first and the last step.
const looksEvery = 16

// sweepsOfStep returns the number of sweeps of one step for a population of n.
func (e *parallelEngine) sweepsOfStep(n int) int {
	if e.m.block > 0 {
		return e.m.block
	}
	a, sweep := e.annealing, n*max(e.plan.x.Graph.N(), 1)
	switch {
	case a.Dense != nil:
		return max(1, fieldsOnDevices/sweep/e.plan.x.Graph.N())
	case a.Sliced == nil:
		return max(1, trialsOnDevices/sweep)
	}
	return max(1, min(max(len(a.Temps)/16, trialsPerSlice/sweep), 32*trialsPerSlice/sweep))
}

// grow runs some sweeps of annealing, if individuals are annealed, and evaluates the population at times. Steps end at
// multiples of sweepsOfStep, and where the population is selected. Annealing moves individuals in place, so that the
// next step goes on where a cancelled one has ended; the counts include the sweeps of both.
func (e *parallelEngine) grow(ctx context.Context, p *host.Population) (done bool, err error) {
	if e.anneal == nil {
		return true, e.evaluate(ctx, p)
	}
	a, c, step := e.annealing, &e.run.state.Counts, e.sweepsOfStep(p.N)
	number := p.Swept / step
	made, rest, over, err := e.anneal.anneal(ctx, p, min((number+1)*step, a.Leg(p.Swept)))
	c.Values += made * a.Vertex
	c.Edges += made * a.Edges
	if err != nil {
		return false, err
	}
	done = rest || p.Swept == len(a.Temps)
	selects := !done && a.Selects(p.Swept)
	if !done && !over && !selects && number%looksEvery != 0 {
		return false, nil
	}
	ctx = context.WithoutCancel(ctx) // the sweeps are made
	if err := e.anneal.show(p); err != nil {
		return false, err
	}
	if err := e.evaluate(ctx, p); err != nil {
		return false, err
	}
	if selects {
		return false, e.anneal.choose(ctx, p)
	}
	if done {
		p.Swept, p.Annealed = 0, nil
		p.Generation += uint32(len(a.Temps))
	}
	return done, nil
}

func (e *parallelEngine) slower() error {
	e.annealing.Slower()
	return e.anneal.cooled()
}

// evaluate computes the cuts and hashes of all parents from scratch.
func (e *parallelEngine) evaluate(ctx context.Context, p *host.Population) error {
	states, err := e.evaluated(ctx, p)
	if err != nil {
		return err
	}
	c := &e.run.state.Counts
	for i := range p.N {
		p.F[i], p.Hash[i] = int64(pair(states, i*e.stateWords()+stateCut)), pair(states, i*e.stateWords()+stateHash)
		c.Note(p.F[i])
	}
	c.Values += int64(p.N)
	c.Edges += int64(p.N) * int64(e.plan.x.Graph.M())
	if err := e.check(p); err != nil {
		return err
	}
	return e.promote(p, p.F, p.Hash, func(r *mixRows) (*cl.Buffer[uint32], int) { return r.parents, 0 })
}

// evaluated returns the states of all parents, with their cuts and hashes.
func (e *parallelEngine) evaluated(ctx context.Context, p *host.Population) ([]uint32, error) {
	states := make([]uint32, p.N*e.stateWords())
	if e.anneal != nil && e.anneal.Dense != nil {
		if err := e.anneal.evaluateFields(ctx, p, states); err != nil {
			return nil, err
		}
		return states, e.gather(p, states)
	}
	if err := e.g.Do(func(i int, d *cl.Device) error {
		r, o, v := e.live[p].on[i], e.on[i], e.values(i, p)
		if err := e.g.Slices(ctx, d, &o.evaluating, r.count, func(lo, hi, _ int) error {
			v["offset"] = lo
			return e.kernels.evaluate.Launch(i, []int{(hi - lo) * o.group}, []int{o.group}, v)
		}); err != nil {
			return err
		}
		return r.states.Read(0, e.own(r, states))
	}); err != nil {
		return nil, err
	}
	return states, e.gather(p, states)
}
