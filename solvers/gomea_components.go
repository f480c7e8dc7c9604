package solvers

import (
	"context"
	"math"
	"math/bits"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems/draw"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/shard"
)

// Mixing by components (Whitley, Hains and Howe 2009, doi:10.1145/1569901.1570026, whose partition
// crossover takes the better side of each; here individuals mate as in GOMEA):
//
//	for each individual o of P, a mate d in P that is another cut:
//	   D = where o and d differ, or o and the complement of d, whichever is smaller
//	   for each connected component C of D in the graph:
//	      if the cut gets larger by flipping C, or stays and o is not the elitist: flip C in o
//	   who has idled too long has the elitist for a mate, and takes gains alone; without any it becomes the elitist
//
// Components do not touch, so that all are decided at once; each is a set in which the two
// differ and around which they agree. Between annealed partitions of a sparse graph there are
// hundreds. The elitist is that of the generation's start. A value is that of a component,
// work the edges with an end in D.

// Mates that are no parents.
const (
	mateElite = 1<<32 - 2 // the elitist
	mateNone  = 1<<32 - 1 // nobody
)

// mates draws a mate for each individual: uniform among those that are other
// cuts, by four tries and then by rank.
func (p *population) mates(key draw.Key, el *elite, whole uint64, force bool) []uint32 {
	mates := make([]uint32, p.n)
	for i := range mates {
		mates[i] = p.mate(key, i, el, whole, force)
	}
	return mates
}

func (p *population) mate(key draw.Key, i int, el *elite, whole uint64, force bool) uint32 {
	if force && p.idle[i] > patience(p.n) && el.found && !el.is(p.f[i], p.hash[i], whole) {
		return mateElite
	}
	other := func(j int) bool {
		return j != i && (p.f[j] != p.f[i] || p.hash[j] != p.hash[i] && p.hash[j] != p.hash[i]^whole)
	}
	for _, w := range key.Words(0, p.who(i), p.generation, draw.Donor) {
		if j := int(draw.Int(w, uint32(p.n))); other(j) {
			return uint32(j)
		}
	}
	count := uint32(0)
	for j := range p.n {
		if other(j) {
			count++
		}
	}
	if count == 0 {
		return mateNone
	}
	r := draw.Int(key.Words(0, p.who(i), p.generation, draw.Scan)[0], count)
	for j := range p.n {
		if other(j) {
			if r == 0 {
				return uint32(j)
			}
			r--
		}
	}
	panic("solvers: a mate was lost")
}

// cross makes offspring i from its mate; best is the elitist of the generation's start.
func (m *mixer) cross(p *population, i int, mate uint32, best *elite) {
	own, next := p.row(i), p.next[i*p.words:(i+1)*p.words]
	copy(next, own)
	if mate == mateNone {
		return
	}
	forced := mate == mateElite
	other := best.row
	if !forced {
		other = p.row(int(mate))
	}
	leads := p.f[i] > best.f || best.is(p.f[i], p.hash[i], m.x.whole)
	g, d := m.x.graph, m.member[:p.words]
	size := 0
	for k := range d {
		d[k] = own[k] ^ other[k]
		size += bits.OnesCount64(d[k])
	}
	if 2*size > g.N() {
		for k := range d {
			d[k] = ^d[k]
		}
		if g.N()%64 != 0 {
			d[len(d)-1] &= 1<<(g.N()%64) - 1
		}
	}
	f, hash, taken := p.f[i], p.hash[i], false
	for k := range d {
		for d[k] != 0 {
			c, change := m.component(d, own, next, uint32(64*k+bits.TrailingZeros64(d[k])))
			m.values++
			if change < 0 || change == 0 && (forced || leads) {
				continue
			}
			for _, v := range c {
				next[v>>6] ^= 1 << (v & 63)
				hash ^= m.x.hash[v]
			}
			f, taken = f+change, true
		}
	}
	if forced && !taken {
		copy(next, best.row)
		f, hash = best.f, best.hash
	}
	p.f[i], p.hash[i] = f, hash
}

// component takes the component of v out of d, and returns it with what flipping
// it would change. What has been flipped in next is of other components.
func (m *mixer) component(d, own, next []uint64, v uint32) (c []uint32, change int64) {
	g := m.x.graph
	in := func(u uint32) bool { return d[u>>6]>>(u&63)&1 != 0 }
	c = append(m.d[:0], v)
	d[v>>6] &^= 1 << (v & 63)
	member := m.seen
	member[v>>6] |= 1 << (v & 63)
	for at := 0; at < len(c); at++ {
		v := c[at]
		m.edges += int64(g.Offsets[v+1] - g.Offsets[v])
		for _, u := range g.Neighbors[g.Offsets[v]:g.Offsets[v+1]] {
			if in(u) {
				d[u>>6] &^= 1 << (u & 63)
				member[u>>6] |= 1 << (u & 63)
				c = append(c, u)
			}
		}
	}
	inner := int64(0)
	for _, v := range c {
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			u := g.Neighbors[e]
			switch {
			case side(member, u) != 0:
				inner++
			case side(own, u) == side(own, v):
				change += g.Weights[e]
			default:
				change -= g.Weights[e]
			}
		}
	}
	m.edges -= inner / 2
	for _, v := range c {
		member[v>>6] &^= 1 << (v & 63)
	}
	m.d = c[:0]
	return c, change
}

// crossAll makes a generation by components, serially.
func (m *mixer) crossAll(ctx context.Context, p *population) error {
	before := *m.counts
	best := elite{row: append([]uint64(nil), m.elite.row...), f: m.elite.f, hash: m.elite.hash, found: m.elite.found}
	mates := p.mates(m.key, &best, m.x.whole, m.force)
	f, hash := append([]int64(nil), p.f...), append([]uint64(nil), p.hash...)
	for i := range p.n {
		if ctx.Err() != nil {
			*m.counts = before
			copy(p.f, f)
			copy(p.hash, hash)
			return ctx.Err()
		}
		m.cross(p, i, mates[i], &best)
	}
	for i := range p.n {
		p.age(i, f[i])
		m.note(p.f[i])
		m.elite.offer(p.next[i*p.words:(i+1)*p.words], p.f[i], p.hash[i])
	}
	m.sets += int64(p.n)
	return nil
}

// age counts a generation in which individual i has come from cut was to what it is.
func (p *population) age(i int, was int64) {
	if p.f[i] > was {
		p.idle[i] = 0
	} else {
		p.idle[i]++
	}
}

// fitsComponents says whether gains of components fit 32 bits.
func fitsComponents(g *graph.Graph) bool {
	sum := 0.0
	for _, w := range g.Weights {
		sum += math.Abs(float64(w)) / 2
	}
	return sum < 1<<30
}

// componentDevices is mixing by components on the devices of an engine.
type componentDevices struct {
	e        *parallelEngine
	programs *shard.Programs
	kernel   []*cl.Kernel
	on       []*componentTables
}

// componentTables is one device's share: a label and a gain for each vertex and
// each work-group of a launch.
type componentTables struct {
	mates, labels *cl.Buffer[uint32]
	gains         *cl.Buffer[int32]
	slots         int
	pace          float64
}

// componentBytes bounds labels and gains on a device, and mostSlots the
// work-groups of a launch.
const (
	componentBytes = 128 << 20
	mostSlots      = 1024
)

func (e *parallelEngine) newComponents() (_ *componentDevices, err error) {
	c := &componentDevices{e: e, on: make([]*componentTables, len(e.on))}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	c.programs, err = e.g.Programs(func(info cl.Info) []kernels.Define {
		return e.defines(c.group(info))
	}, kernels.Get("solvers/gomea.cl"), kernels.Get("solvers/gomea_components.cl"))
	if err != nil {
		return nil, err
	}
	u := cl.Mem[uint32]()
	c.kernel, err = c.programs.Kernel("gomea_components", u, u, e.weightArg(), u, u, u, u, u, u, cl.U32, cl.U32, u, cl.Mem[int32](), cl.U64, cl.U64, cl.U64, cl.Local)
	if err != nil {
		return nil, err
	}
	n := max(e.plan.x.graph.N(), 1)
	err = e.g.Do(func(i int, d *cl.Device) (err error) {
		t := &componentTables{slots: min(mostSlots, 4*max(d.Info().ComputeUnits, 1), max(componentBytes/(8*n), 1))}
		c.on[i] = t
		if t.labels, err = cl.Alloc[uint32](d, t.slots*n); err != nil {
			return err
		}
		t.gains, err = cl.Alloc[int32](d, t.slots*n)
		return err
	})
	return c, err
}

func (c *componentDevices) group(info cl.Info) int {
	if c.e.m.group > 0 {
		return c.e.m.group
	}
	if info.Type == cl.CPU {
		return 1
	}
	size := 64
	for size < c.e.plan.x.graph.N()/4 && size < 1024 {
		size *= 2
	}
	return max(1, min(size, info.MaxGroup))
}

func (c *componentDevices) close() {
	if c == nil {
		return
	}
	for _, t := range c.on {
		if t == nil {
			continue
		}
		closeAll(t.mates, t.labels)
		if t.gains != nil {
			t.gains.Close()
		}
	}
	if c.programs != nil {
		c.programs.Close()
	}
}

// mix makes all offspring, and reads their states.
func (c *componentDevices) mix(ctx context.Context, p *population, states []uint32) error {
	e, el := c.e, &c.e.run.state.Elite
	mates := p.mates(e.run.s.Key, el, e.whole(), e.m.Force != "off")
	size := e.stateWords()
	return e.g.Do(func(i int, d *cl.Device) error {
		o, r, t := e.on[i], e.live[p][i], c.on[i]
		if r.count == 0 {
			return nil
		}
		own := states[r.first*size : (r.first+r.count)*size]
		if err := r.states.Write(0, own); err != nil {
			return err
		}
		closeAll(t.mates)
		var err error
		if t.mates, err = buffer(d, mates[r.first:r.first+r.count]); err != nil {
			return err
		}
		group := c.group(d.Info())
		err = e.g.Slices(ctx, d, &t.pace, r.count, func(lo, hi, _ int) error {
			for ; lo < hi; lo += t.slots {
				if err := c.kernel[i].Launch([]int{min(hi-lo, t.slots) * group}, []int{group}, o.off, o.nbr, o.weights(), o.zobrist,
					r.parents, o.elite, t.mates, r.next, r.states, uint32(r.first), uint32(lo), t.labels, t.gains,
					uint64(el.f), el.hash, e.whole(), cl.LocalBytes(32)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return r.states.Read(0, own)
	})
}
