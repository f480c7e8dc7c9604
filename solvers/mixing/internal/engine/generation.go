package engine

import (
	"context"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// Places in a state, as in mixing/gomea.cl.
const (
	stateCut      = 0
	stateHash     = 2
	stateAccepted = 4
	stateValues   = 6
	stateEdges    = 8
)

// deal returns which of n individuals device i makes, according to its share in the plan.
func (e *parallel) deal(n, i int) (first, end int) {
	before := 0
	own := 0
	all := 0
	for k, d := range e.plans {
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
func (e *parallel) check(p *host.Population) error {
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
			if f := host.CutOf(e.plan.X.Graph, row); f != p.F[j] {
				return e.disagrees(d, j, p.F[j], f)
			}
		}
		return nil
	})
}

// read copies row number at of a device to row.
func (e *parallel) read(b *cl.Buffer[uint32], at int, row []uint64) error {
	h := make([]uint32, e.plan.Words)
	if err := b.Read(at*e.plan.Words, h); err != nil {
		return err
	}
	for k := range row {
		row[k] = host.Pair(h, 2*k)
	}
	return nil
}

// promote makes the best individual of p, the first of equals, the elitist if it is better. where returns the rows of a
// device that have the individuals, and the number of the individual in row 0.
func (e *parallel) promote(p *host.Population, f []int64, where func(r *mixRows) (rows *cl.Buffer[uint32],
	from int)) error {
	best, el := 0, e.Elite
	for i, v := range f {
		if v > f[best] {
			best = i
		}
	}
	if el.Found && f[best] <= el.F {
		return nil
	}
	holds := func(r *mixRows) bool { return best >= r.first && best < r.first+r.count }
	if err := e.g.Do(func(i int, d *cl.Device) error {
		r := e.live[p].on[i]
		if !holds(r) {
			return nil
		}
		rows, from := where(r)
		return e.read(rows, best-from, el.Row)
	}); err != nil {
		return err
	}
	if err := shard.Broadcast(e.g, slices.IndexFunc(e.live[p].on, holds), el.Row); err != nil {
		return err
	}
	el.F, el.Hash, el.Found = f[best], e.plan.X.HashOf(el.Row), true
	return e.crown()
}

// crown copies the elitist to the devices.
func (e *parallel) crown() error {
	words := host.Halves(e.Elite.Row)
	return e.g.Do(func(i int, d *cl.Device) error { return e.on[i].elite.Write(0, words) })
}

// Advance makes a whole generation, if it fits in limit.
func (e *parallel) Advance(ctx context.Context, p *host.Population, limit int64) (done, none bool, err error) {
	worst := 2 * e.plan.X.Worst // a pass over the sets, and one of forced improvement
	if e.components {
		worst = host.Cost(e.plan.X.Graph)
	}
	if int64(p.N) > limit/max(worst, 1) {
		return false, true, nil
	}
	el := e.Elite
	before := *el
	before.Row = slices.Clone(el.Row)
	defer func() {
		if err != nil { // a cancelled step leaves the run as it was
			copy(el.Row, before.Row)
			el.F = before.F
			el.Hash = before.Hash
			el.Found = before.Found
			e.crown()
		}
	}()
	states := e.begin(p)
	if e.components {
		err = e.mixByComponents(ctx, p, states)
	} else {
		err = e.mixBySets(ctx, p, states)
	}
	if err == nil {
		err = e.gather(p, states)
	}
	if err != nil {
		return false, false, err
	}
	f := make([]int64, p.N)
	hash := make([]uint64, p.N)
	c := e.Counts
	size := e.stateWords()
	take := func() {
		for i := range p.N {
			f[i], hash[i] = int64(host.Pair(states, i*size+stateCut)), host.Pair(states, i*size+stateHash)
		}
	}
	take()
	local := func(r *mixRows) (*cl.Buffer[uint32], int) { return r.next, r.first }
	if err := e.promote(p, f, local); err != nil {
		return false, false, err
	}
	if !e.components && e.Force {
		forced := make([][]uint32, len(e.on))
		for k, r := range e.live[p].on {
			for j := range r.count {
				i := r.first + j
				// Forced improvement cannot improve the elitist by itself.
				if (states[i*size+stateAccepted] == 0 || p.Idle[i] > host.Patience(p.N)) &&
					!e.Elite.Is(f[i], hash[i], e.Whole()) {
					forced[k] = append(forced[k], uint32(j))
				}
			}
		}
		if err := e.force(ctx, p, forced, states); err != nil {
			return false, false, err
		}
		if err := e.gather(p, states); err != nil {
			return false, false, err
		}
		take()
		if err := e.promote(p, f, local); err != nil {
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
		c.Values += int64(host.Pair(states, i*size+stateValues))
		c.Edges += int64(host.Pair(states, i*size+stateEdges))
		c.Note(f[i])
	}
	if e.components {
		c.Sets += int64(p.N)
	} else {
		c.Sets += int64(p.N) * int64(len(e.plan.X.Model.Sets))
	}
	p.Generation++
	return true, false, nil
}

// begin returns the states of all offspring before anything is mixed.
func (e *parallel) begin(p *host.Population) []uint32 {
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
func (e *parallel) own(r *mixRows, states []uint32) []uint32 {
	size := e.stateWords()
	return states[r.first*size : (r.first+r.count)*size]
}

// gather completes the states of all offspring, of which each device has those that it makes.
func (e *parallel) gather(p *host.Population, states []uint32) error {
	return shard.Gather(e.g, states, e.end(p, e.stateWords()))
}

// end returns where the numbers of the offspring of a device end, width for each.
func (e *parallel) end(p *host.Population, width int) func(i int) int {
	on := e.live[p].on
	return func(i int) int { return (on[i].first + on[i].count) * width }
}

// succeed makes the offspring the parents, on every device.
func (e *parallel) succeed(p *host.Population) error {
	all := e.live[p].on
	if len(all) == 1 {
		all[0].parents, all[0].next = all[0].next, all[0].parents
		return nil
	}
	return e.exchange(p, func(r *mixRows) (*cl.Buffer[uint32], int) { return r.next, 0 })
}

// spread copies the parents that each device has changed to all devices.
func (e *parallel) spread(p *host.Population) error {
	if len(e.on) == 1 {
		return nil
	}
	return e.exchange(p, func(r *mixRows) (*cl.Buffer[uint32], int) { return r.parents, r.first })
}

// exchange collects the rows of the individuals that each device makes and makes them the parents on every device. from
// returns the rows of a device, and the row of its first individual.
func (e *parallel) exchange(p *host.Population,
	from func(r *mixRows) (rows *cl.Buffer[uint32], first int)) error {
	words := e.plan.Words
	rows := make([]uint32, p.N*words)
	err := e.g.Do(func(i int, _ *cl.Device) error {
		r := e.live[p].on[i]
		b, first := from(r)
		return b.Read(first*words, rows[r.first*words:(r.first+r.count)*words])
	})
	if err == nil {
		err = shard.Gather(e.g, rows, e.end(p, words))
	}
	if err != nil {
		return err
	}
	return e.g.Do(func(i int, _ *cl.Device) error { return e.live[p].on[i].parents.Write(0, rows) })
}
