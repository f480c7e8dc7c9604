package mixing

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// maxRows is the largest number of rows in dimension 1 of a launch.
const maxRows = 1 << 15

// Places in a state, as in mixing/gomea.cl.
const (
	stateCut      = 0
	stateHash     = 2
	stateAccepted = 4
	stateValues   = 6
	stateEdges    = 8
)

func pair(v []uint32, at int) uint64 { return uint64(v[at]) | uint64(v[at+1])<<32 }

// halves returns a row in the words of devices.
func halves(row []uint64) []uint32 {
	h := make([]uint32, 0, 2*len(row))
	for _, w := range row {
		h = append(h, uint32(w), uint32(w>>32))
	}
	return h
}

// deal returns which of n individuals device i makes, according to its share in the plan.
func (e *parallelEngine) deal(n, i int) (first, end int) {
	before, own, all := 0, 0, 0
	for k, d := range e.run.info.Plans {
		if k < i {
			before += d.Supers
		}
		if k == i {
			own = d.Supers
		}
		all += d.Supers
	}
	return n * before / all, n * (before + own) / all
}

// check compares the cuts of a few individuals of the first population with those that the host computes.
func (e *parallelEngine) check(p *host.Population) error {
	if e.checked {
		return nil
	}
	e.checked = true
	return e.g.Do(func(i int, d *cl.Device) error {
		r := e.live[p].on[i]
		for j := r.first; j < r.first+min(r.count, 3); j++ {
			row := make([]uint64, p.Words)
			if err := e.read(r.parents, j, row); err != nil {
				return err
			}
			if f := host.CutOf(e.plan.x.Graph, row); f != p.F[j] {
				return e.disagrees(d, j, p.F[j], f)
			}
		}
		return nil
	})
}

// read copies row number at of a device to row.
func (e *parallelEngine) read(b *cl.Buffer[uint32], at int, row []uint64) error {
	h := make([]uint32, e.plan.words)
	if err := b.Read(at*e.plan.words, h); err != nil {
		return err
	}
	for k := range row {
		row[k] = pair(h, 2*k)
	}
	return nil
}

// promote makes the best individual of p, the first of equals, the elitist if it is better. where returns the rows of a
// device that have the individuals, and the number of the individual in row 0.
func (e *parallelEngine) promote(p *host.Population, f []int64, hash []uint64,
	where func(r *mixRows) (rows *cl.Buffer[uint32], from int)) error {
	best, el := 0, &e.run.state.Elite
	for i, v := range f {
		if v > f[best] {
			best = i
		}
	}
	if el.Found && f[best] <= el.F {
		return nil
	}
	err := e.g.Do(func(i int, d *cl.Device) error {
		r := e.live[p].on[i]
		if best < r.first || best >= r.first+r.count {
			return nil
		}
		rows, from := where(r)
		return e.read(rows, best-from, el.Row)
	})
	if err != nil {
		return err
	}
	el.F, el.Hash, el.Found = f[best], hash[best], true
	words := halves(el.Row)
	return e.g.Do(func(i int, d *cl.Device) error { return e.on[i].elite.Write(0, words) })
}

// advance makes a whole generation, if it fits in limit.
func (e *parallelEngine) advance(ctx context.Context, p *host.Population, limit int64) (done, none bool, err error) {
	worst := 2 * e.plan.x.Worst // a pass over the sets, and one of forced improvement
	if e.components {
		worst = int64(e.plan.x.Graph.M())
	}
	if int64(p.N) > limit/max(worst, 1) {
		return false, true, nil
	}
	states := e.begin(p)
	if e.components {
		err = e.mixByComponents(ctx, p, states)
	} else {
		err = e.mixBySets(ctx, p, states)
	}
	if err != nil {
		return false, false, err
	}
	f, hash, c := make([]int64, p.N), make([]uint64, p.N), &e.run.state.Counts
	forced := make([][]uint32, len(e.on))
	size := e.stateWords()
	take := func() {
		for i := range p.N {
			f[i], hash[i] = int64(pair(states, i*size+stateCut)), pair(states, i*size+stateHash)
		}
	}
	take()
	local := func(r *mixRows) (*cl.Buffer[uint32], int) { return r.next, r.first }
	if err := e.promote(p, f, hash, local); err != nil {
		return false, false, err
	}
	for k, r := range e.live[p].on {
		for j := range r.count {
			i := r.first + j
			changed := states[i*size+stateAccepted] != 0
			// Forced improvement cannot improve the elitist by itself.
			if !e.components && e.m.Force != "off" && (!changed || p.Idle[i] > host.Patience(p.N)) &&
				!e.run.state.Elite.Is(f[i], hash[i], e.whole()) {
				forced[k] = append(forced[k], uint32(j))
			}
		}
	}
	if !e.components {
		if err := e.force(ctx, p, forced, states); err != nil {
			return false, false, err
		}
		take()
		if err := e.promote(p, f, hash, local); err != nil {
			return false, false, err
		}
	}
	if err := e.succeed(p); err != nil {
		return false, false, err
	}
	for i := range p.N {
		was := p.F[i]
		p.F[i], p.Hash[i] = f[i], hash[i]
		p.Age(i, was)
		c.Values += int64(pair(states, i*size+stateValues))
		c.Edges += int64(pair(states, i*size+stateEdges))
		c.Note(f[i])
	}
	if e.components {
		c.Sets += int64(p.N)
	} else {
		c.Sets += int64(p.N) * int64(len(e.plan.x.Model.Sets))
	}
	p.Generation++
	return true, false, nil
}

// begin returns the states of all offspring before anything is mixed.
func (e *parallelEngine) begin(p *host.Population) []uint32 {
	size := e.stateWords()
	states := make([]uint32, p.N*size)
	for i := range p.N {
		s := states[i*size:]
		s[stateCut], s[stateCut+1] = uint32(p.F[i]), uint32(uint64(p.F[i])>>32)
		s[stateHash], s[stateHash+1] = uint32(p.Hash[i]), uint32(p.Hash[i]>>32)
	}
	return states
}

// own returns the states of the offspring that a device makes.
func (e *parallelEngine) own(r *mixRows, states []uint32) []uint32 {
	size := e.stateWords()
	return states[r.first*size : (r.first+r.count)*size]
}

// mixBySets mixes all individuals by all groups of sets, and reads the states.
func (e *parallelEngine) mixBySets(ctx context.Context, p *host.Population, states []uint32) error {
	order := e.plan.order(e.run.s.Key, p)
	return e.g.Do(func(i int, d *cl.Device) error {
		o, r, v := e.on[i], e.live[p].on[i], e.values(i, p)
		if r.count == 0 {
			return nil
		}
		if err := r.states.Write(0, e.own(r, states)); err != nil {
			return err
		}
		if err := o.groups.Write(0, order); err != nil {
			return err
		}
		if err := e.kernels.divide.Launch(i, []int{e.plan.words}, nil, v); err != nil {
			return err
		}
		err := e.g.Slices(ctx, d, &o.pace, r.count, func(lo, hi, pieces int) error {
			if !e.resident {
				return e.spilled(ctx, d, i, v, order, lo, hi, pieces)
			}
			v["offset"] = lo
			groups := len(order) / 3
			pieces = min(pieces, groups)
			for k := range pieces {
				v["from"], v["to"] = groups*k/pieces, groups*(k+1)/pieces
				if err := e.kernels.mix.Launch(i, []int{(hi - lo) * o.group}, []int{o.group}, v); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return r.states.Read(0, e.own(r, states))
	})
}

// spilled mixes individuals [lo, hi) of device i if an offspring does not fit into local memory: it makes a few
// launches for each group, over the individuals and the sets of the group.
func (e *parallelEngine) spilled(ctx context.Context, d *cl.Device, i int, v device.Values, order []uint32, lo, hi,
	pieces int) error {
	group, k := e.on[i].group, &e.kernels
	for ; lo < hi; lo += maxRows {
		n := min(hi-lo, maxRows)
		v["offset"] = lo
		if err := k.copy.Launch(i, []int{e.plan.words, n}, nil, v); err != nil {
			return err
		}
		for g := 0; g < len(order); g += 3 {
			begin, end, large := int(order[g]), int(order[g+1]), int(order[g+2])
			if err := k.mark.Launch(i, []int{n}, nil, v); err != nil {
				return err
			}
			v["begin"] = begin
			if err := k.large.Launch(i, []int{(large - begin) * group, n}, []int{group, 1}, v); err != nil {
				return err
			}
			v["begin"], v["end"] = large, end
			global := []int{device.RoundUp(end-large, group), n}
			if err := k.sets.Launch(i, global, []int{group, 1}, v); err != nil {
				return err
			}
			if pieces > 1 && g%(3*max(len(order)/3/pieces, 1)) == 0 {
				if err := finish(ctx, d); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// force improves the listed offspring of each device, and reads all states.
func (e *parallelEngine) force(ctx context.Context, p *host.Population, lists [][]uint32, states []uint32) error {
	return e.g.Do(func(i int, d *cl.Device) error {
		list, o, r, v := lists[i], e.on[i], e.live[p].on[i], e.values(i, p)
		if len(list) == 0 {
			return nil
		}
		err := e.g.Slices(ctx, d, &o.slow, len(list), func(lo, hi, _ int) error {
			if err := r.list.Write(0, list[lo:hi]); err != nil {
				return err
			}
			return e.kernels.force.Launch(i, []int{(hi - lo) * o.group}, []int{o.group}, v)
		})
		if err != nil {
			return err
		}
		return r.states.Read(0, e.own(r, states))
	})
}

// componentGroup returns the number of work-items of a group that mixes by components.
func (e *parallelEngine) componentGroup(info cl.Info) int {
	switch {
	case e.m.group > 0:
		return e.m.group
	case info.Type == cl.CPU:
		return 1
	}
	return powerOfTwo(64, e.plan.x.Graph.N()/4, min(1024, info.MaxGroup))
}

// mixByComponents makes all offspring by components, and reads their states.
func (e *parallelEngine) mixByComponents(ctx context.Context, p *host.Population, states []uint32) error {
	mates := p.Mates(e.run.s.Key, &e.run.state.Elite, e.whole(), e.m.Force != "off")
	return e.g.Do(func(i int, d *cl.Device) error {
		o, r, v := e.on[i], e.live[p].on[i], e.values(i, p)
		if r.count == 0 {
			return nil
		}
		if err := r.states.Write(0, e.own(r, states)); err != nil {
			return err
		}
		if err := r.mates.Write(0, mates[r.first:r.first+r.count]); err != nil {
			return err
		}
		group := e.componentGroup(d.Info())
		v["room"] = cl.LocalBytes(32)
		err := e.g.Slices(ctx, d, &o.pace, r.count, func(lo, hi, _ int) error {
			for ; lo < hi; lo += o.slots {
				v["offset"] = lo
				global := []int{min(hi-lo, o.slots) * group}
				if err := e.component.Launch(i, global, []int{group}, v); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return r.states.Read(0, e.own(r, states))
	})
}

// succeed makes the offspring the parents, on every device.
func (e *parallelEngine) succeed(p *host.Population) error {
	all := e.live[p].on
	if len(all) == 1 {
		all[0].parents, all[0].next = all[0].next, all[0].parents
		return nil
	}
	return e.exchange(p, func(r *mixRows) (*cl.Buffer[uint32], int) { return r.next, 0 })
}

// spread copies the parents that each device has changed to all devices.
func (e *parallelEngine) spread(p *host.Population) error {
	if len(e.on) == 1 {
		return nil
	}
	return e.exchange(p, func(r *mixRows) (*cl.Buffer[uint32], int) { return r.parents, r.first })
}

// exchange collects the rows of the individuals that each device makes and makes them the parents on every device. from
// returns the rows of a device, and the row of its first individual.
func (e *parallelEngine) exchange(p *host.Population,
	from func(r *mixRows) (rows *cl.Buffer[uint32], first int)) error {
	words := e.plan.words
	rows := make([]uint32, p.N*words)
	err := e.g.Do(func(i int, _ *cl.Device) error {
		r := e.live[p].on[i]
		b, first := from(r)
		return b.Read(first*words, rows[r.first*words:(r.first+r.count)*words])
	})
	if err != nil {
		return err
	}
	return e.g.Do(func(i int, _ *cl.Device) error { return e.live[p].on[i].parents.Write(0, rows) })
}
