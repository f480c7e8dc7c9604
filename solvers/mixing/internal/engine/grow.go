package engine

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// Allocate allocates all parents on every device, and the offspring that each makes.
func (e *parallel) Allocate(p *host.Population) (err error) {
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

// Create draws all individuals on every device.
func (e *parallel) Create(ctx context.Context, p *host.Population, x0 [][]uint64) error {
	if err := e.g.Do(func(i int, d *cl.Device) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.rowByRow(e.kernels.start, i, (e.plan.Words+3)/4, 0, p.N, e.values(i, p)); err != nil {
			return err
		}
		for k, row := range x0 {
			if err := e.live[p].on[i].parents.Write(k*e.plan.Words, host.Halves(row)); err != nil {
				return err
			}
		}
		return nil
	}); err != nil || len(x0) == 0 {
		return err
	}
	e.enter(e.plan.X, x0)
	return e.crown()
}

// Grow runs some sweeps of annealing, if individuals are annealed, and evaluates the population at times. Steps end at
// multiples of sweepsOfStep, and where the population is selected. Annealing moves individuals in place, so that the
// next step goes on where a cancelled one has ended; the counts include the sweeps of both.
func (e *parallel) Grow(ctx context.Context, p *host.Population) (done bool, err error) {
	if e.anneal == nil {
		return true, e.evaluate(ctx, p, true)
	}
	a := e.annealing
	c := e.Counts
	step := e.Form.sweepsOfStep(e.annealing, p.N)
	number := p.Swept / step
	made, rest, over, err := e.anneal.anneal(ctx, p, min((number+1)*step, a.Leg(p)))
	c.Values += made * a.Vertex
	c.Edges += made * a.Edges
	if err != nil {
		return false, err
	}
	done = rest || p.Swept == len(a.Temps)
	selects := !done && a.Selects(p)
	if !done && !over && !selects && number%looksEvery != 0 {
		return false, nil
	}
	ctx = context.WithoutCancel(ctx) // the sweeps are made
	if err := e.anneal.show(p); err != nil {
		return false, err
	}
	if err := e.evaluate(ctx, p, done); err != nil {
		return false, err
	}
	if selects {
		return false, e.anneal.choose(ctx, p)
	}
	if done && p.Children() {
		if err := e.anneal.settle(ctx, p); err != nil {
			return false, err
		}
	}
	if done {
		p.Swept, p.Annealed = 0, nil
		p.Generation += uint32(len(a.Temps))
	}
	return done, nil
}

func (e *parallel) Slower() error {
	e.annealing.Slower()
	return e.anneal.cooled()
}

// evaluate computes the cuts of all parents from scratch, and their hashes if p is complete.
func (e *parallel) evaluate(ctx context.Context, p *host.Population, complete bool) error {
	states, err := e.evaluated(ctx, p, complete)
	if err != nil {
		return err
	}
	c := e.Counts
	for i := range p.N {
		at := i * e.stateWords()
		p.F[i], p.Hash[i] = int64(host.Pair(states, at+stateCut)), host.Pair(states, at+stateHash)
		c.Note(p.F[i])
	}
	c.Values += int64(p.N)
	c.Edges += int64(p.N) * host.Cost(e.plan.X.Graph)
	if err := e.check(p); err != nil {
		return err
	}
	return e.promote(p, p.F, func(r *mixRows) (*cl.Buffer[uint32], int) { return r.parents, 0 })
}

// evaluated returns the states of all parents, with their cuts and, if p is complete, their hashes.
func (e *parallel) evaluated(ctx context.Context, p *host.Population, complete bool) ([]uint32, error) {
	states := make([]uint32, p.N*e.stateWords())
	var err error
	switch {
	case e.anneal != nil && e.anneal.Dense != nil:
		err = e.anneal.evaluateFields(ctx, p, states)
	case e.anneal != nil && e.anneal.Sliced.Counters != nil && !complete:
		err = e.anneal.evaluateWords(ctx, p, states)
	default:
		err = e.evaluateParents(ctx, p, states)
	}
	if err != nil {
		return nil, err
	}
	return states, e.gather(p, states)
}

// evaluateParents computes the cuts and hashes of p from the parents, and reads the states of all individuals.
func (e *parallel) evaluateParents(ctx context.Context, p *host.Population, states []uint32) error {
	return e.g.Do(func(i int, d *cl.Device) error {
		r := e.live[p].on[i]
		o := e.on[i]
		v := e.values(i, p)
		if err := e.g.Slices(ctx, d, &o.evaluating, r.count, func(lo, hi, _ int) error {
			v["offset"] = lo
			return e.kernels.evaluate.Launch(i, []int{(hi - lo) * o.group}, []int{o.group}, v)
		}); err != nil {
			return err
		}
		return r.states.Read(0, e.own(r, states))
	})
}

// choose selects the chains of p that go on. Their rows and cuts are up to date on every device.
func (d *annealDevices) choose(ctx context.Context, p *host.Population) error {
	from := d.Select(p)
	if err := d.e.g.Do(func(i int, _ *cl.Device) error {
		if err := d.e.live[p].on[i].mates.Write(0, from); err != nil {
			return err
		}
		return d.e.rowByRow(d.e.kernels.take, i, d.e.plan.Words, 0, p.N, d.e.values(i, p))
	}); err != nil {
		return err
	}
	return d.load(ctx, p, from)
}
