package masw

import (
	"context"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// A step of a small problem takes a device less time than the host needs to decide about it. So the device decides
// about many steps, as the host would, and the host reads the values of all candidates and the state after them. Step
// then returns one of them after the other. For the state of a step in the middle, the device begins again with the
// state before all of them, and makes the steps up to that one.

// lead is how far the device is ahead of the samples.
type lead struct {
	values     []float64   // of the candidates of each step that the device has made, all individuals of a step
	made, used int         // steps that the device has made, and how many of them Step has returned
	before     []maswState // the state before them

	generations, steps shard.Pacer // how many steps the device makes before the host reads them
	breed, climb       shard.Pace  // launches
}

const (
	// mostRanked is the largest population that a work-group of masw_survive ranks. It compares each individual with
	// each other one.
	mostRanked = 512
	// mostValues is about how many values of candidates the device keeps for the host at most.
	mostValues = 1 << 20
	// chainNumbers is how many integers a chain has on a device.
	chainNumbers = 5
)

// small reports whether the device can decide about the individuals of a problem. A point is one tile, which one
// work-group evaluates without writing it first, and its value is its only sum.
func small(p problems.Problem, population int) bool {
	linear, t := p.Linear(), p.Tiling()
	return t.Tiles() == 1 && !t.Whole && population <= mostRanked && len(linear) == 1 && linear[0] == 1 &&
		p.Objective([]float64{0}) == 0
}

// leads reports whether the device decides about the next step. It does not if a step takes longer than a launch may.
func (r *maswRun) leads() bool {
	return r.leading() || r.ahead > 0 && r.moves.Short(r.all())
}

// leading reports whether the device has made steps that Step has not returned.
func (r *maswRun) leading() bool { return r.lead.used < r.lead.made }

// next returns the values of the candidates of the next step. limit is the number of evaluations that are left.
func (r *maswRun) next(ctx context.Context, limit int64) ([]float64, error) {
	l, st := &r.lead, r.states[0]
	if !r.leading() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pace, left := &l.generations, r.iters-st.Phase
		if left <= 0 {
			pace, left = &l.steps, left+r.iters
		}
		most := min(int64(r.ahead), int64(left), limit/int64(r.n))
		if err := r.g.Together(pace, int(most), r.advance); err != nil {
			return nil, err
		}
	}
	all := r.all()
	l.used++
	return l.values[(l.used-1)*all : l.used*all], nil
}

// settle brings the device back to the step that Step has returned last.
func (r *maswRun) settle() error {
	if !r.leading() {
		return nil
	}
	l := &r.lead
	if err := r.moves.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		return r.on[s].restore(r.all() * sh.Vars())
	}); err != nil {
		return err
	}
	for k, st := range l.before {
		st.Sample = r.states[k].Sample
		r.states[k] = st
	}
	err := r.advance(l.used)
	l.used = l.made
	return err
}

// keep stores the points and biases, n variables of each, for restore.
func (o *maswShard) keep(n int) error {
	if err := o.x0.Copy(0, o.x, 0, n); err != nil {
		return err
	}
	return o.bias0.Copy(0, o.bias, 0, n)
}

// restore sets the points and biases to those that keep has stored.
func (o *maswShard) restore(n int) error {
	if err := o.x.Copy(0, o.x0, 0, n); err != nil {
		return err
	}
	return o.bias.Copy(0, o.bias0, 0, n)
}

// advance lets the device make steps of one phase.
func (r *maswRun) advance(steps int) error {
	l, first := &r.lead, r.states[0]
	l.before = l.before[:0]
	for _, st := range r.states {
		st.F, st.Chains = slices.Clone(st.F), slices.Clone(st.Chains)
		l.before = append(l.before, st)
	}
	l.made, l.used = steps, 0
	l.values = slices.Grow(l.values[:0], steps*r.all())[:steps*r.all()]
	return r.moves.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		o := r.on[s]
		if err := o.keep(r.all() * sh.Vars()); err != nil {
			return err
		}
		if err := r.send(o); err != nil {
			return err
		}
		var err error
		if first.Phase < r.iters {
			err = r.evolve(s, first.Generation, steps)
		} else {
			err = r.climb(s, first, steps)
		}
		if err != nil {
			return err
		}
		if err := o.history.Read(0, l.values); err != nil {
			return err
		}
		return r.receive(o, steps)
	})
}

// evolve makes generations.
func (r *maswRun) evolve(s int, first uint32, generations int) error {
	size, sh := r.children.GroupSize(s), r.children.Shards()[s]
	// On a processor the groups of a run are few, since each of them selects the survivors.
	groups := (r.p.Domain().N + r.writeVars - 1) / r.writeVars
	if info := r.g.Infos()[sh.Device]; info.Type == cl.CPU {
		groups = min(groups, info.ComputeUnits)
	}
	return r.children.Passes(context.Background(), &r.lead.breed, generations, func(s, _, _, pass int) error {
		if err := r.kernels.breed.Launch(s, []int{r.children.Groups(s, r.all()) * size}, []int{size},
			device.Values{"when": first + uint32(pass)}); err != nil {
			return err
		}
		return r.kernels.survive.Launch(s, []int{groups * size, r.runs}, []int{size, 1},
			device.Values{"when": first + uint32(pass), "row": pass})
	})
}

// climb makes local search steps.
func (r *maswRun) climb(s int, first maswState, steps int) error {
	size := r.moves.GroupSize(s)
	if first.Phase == r.iters {
		lo, hi := r.p.Domain().Box()
		if err := r.kernels.begin.Launch(s, []int{r.all() * size}, []int{size},
			device.Values{"most": 1e-3 * (hi - lo)}); err != nil {
			return err
		}
	}
	groups := r.moves.Groups(s, r.all())
	var made []shard.Stretch
	return r.moves.Rounds(context.Background(), &r.lead.climb, steps, true, &made,
		func(s, _, _, from, rounds int) error {
			return r.kernels.climb.Launch(s, []int{groups * size}, []int{size}, device.Values{
				"row": from, "when": first.LocalStep + uint32(from), "count": rounds})
		})
}

// send copies values and chains to the device.
func (r *maswRun) send(o *maswShard) error {
	var values, pace []float64
	var chains []uint32
	for _, st := range r.states {
		values = append(values, st.F...)
		for _, c := range st.Chains {
			pace = append(pace, c.Rho, c.Scale)
			chains = append(chains, uint32(problems.Flag(c.Started)), uint32(c.Ok), uint32(c.Bad),
				uint32(problems.Flag(c.Pending)), c.When)
		}
	}
	if err := o.values.Send(0, values); err != nil {
		return err
	}
	if err := o.pace.Send(0, pace); err != nil {
		return err
	}
	return o.chain.Send(0, chains)
}

// receive reads values and chains after steps of one phase.
func (r *maswRun) receive(o *maswShard, steps int) error {
	all := r.all()
	values := make([]float64, all)
	pace := make([]float64, 2*all)
	chains := make([]uint32, chainNumbers*all)
	from := 0
	if r.states[0].Phase < r.iters {
		from = steps % 2 * all // generations write the values to two places in turn
	}
	if err := o.values.Read(from, values); err != nil {
		return err
	}
	if err := o.pace.Read(0, pace); err != nil {
		return err
	}
	if err := o.chain.Read(0, chains); err != nil {
		return err
	}
	for k := range r.states {
		st := &r.states[k]
		lo, _ := r.of(k)
		copy(st.F, values[lo:])
		for j := range st.Chains {
			p := lo + j
			c := chains[chainNumbers*p:]
			st.Chains[j] = chain{Started: c[0] > 0, Rho: pace[2*p], Scale: pace[2*p+1], Ok: int(c[1]), Bad: int(c[2]),
				Pending: c[3] > 0, When: c[4]}
		}
		if st.Phase < r.iters {
			st.Generation += uint32(steps)
		} else {
			st.LocalStep += uint32(steps)
		}
		st.Phase += steps
		if st.Phase == 2*r.iters {
			st.Phase = 0
		}
	}
	return nil
}
