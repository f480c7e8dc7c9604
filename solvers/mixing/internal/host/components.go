package host

import (
	"context"
	"math/bits"
	"slices"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
)

// Mixing by components (Whitley, Hains and Howe 2009, doi:10.1145/1569901.1570026, whose partition
// crossover takes the better side of each; here individuals mate as in GOMEA):
//
//	for each individual o of P, a mate d in P that is another cut:
//	   D = where o and d differ, or o and the complement of d, whichever is smaller
//	   for each connected component C of D in the graph:
//	      if the cut gets larger by flipping C, or stays and o is not the elitist: flip C in o
//	   if o has idled too long: d = the elitist, and only gains are accepted; without any, o = the elitist
//
// Components do not touch, so that all are decided at once; each is a set in which the two differ and around which they
// agree. Between annealed partitions of a sparse graph there are hundreds. The elitist is that of the start of the
// generation. Each component counts as a value, and each edge with an end in D counts as work.

// Mates that are not parents.
const (
	mateElite = 1<<32 - 2 // the elitist
	mateNone  = 1<<32 - 1 // nobody
)

// Mates draws a mate for each individual, uniform among those that are other cuts: it tries four times and then draws a
// rank. With force, an individual that has idled too long mates with the elitist. A mate is the number of an
// individual, 2^32-2 for the elitist, or 2^32-1 for nobody. whole is Mixture.Whole.
func (p *Population) Mates(key rng.Key, el *Elite, whole uint64, force bool) []uint32 {
	of := p.cuts(whole)
	by := linkage.Divide(nil, of)
	mates := make([]uint32, p.N)
	for i := range mates {
		mates[i] = p.mate(key, of, by, i)
		if force && p.Idle[i] > Patience(p.N) && el.Found &&
			!el.Is(p.F[i], p.Hash[i], whole) {
			mates[i] = mateElite
		}
	}
	return mates
}

// cuts numbers the cuts of the individuals, in the order in which these first appear, and returns the number of the cut
// of each. A partition and its complement are one cut.
func (p *Population) cuts(whole uint64) []int32 {
	type cut struct {
		f    int64
		hash uint64
	}
	of := make([]int32, p.N)
	seen := map[cut]int32{}
	for i := range of {
		at := cut{p.F[i], min(p.Hash[i], p.Hash[i]^whole)}
		k, ok := seen[at]
		if !ok {
			k = int32(len(seen))
			seen[at] = k
		}
		of[i] = k
	}
	return of
}

// mate draws a parent of another cut than individual i, where of has the number of each individual's cut and by the
// individuals of each cut.
func (p *Population) mate(key rng.Key, of []int32, by *linkage.Classes, i int) uint32 {
	begin, end := by.Offsets[of[i]], by.Offsets[of[i]+1]
	others := p.N - (end - begin)
	if others == 0 {
		return mateNone
	}
	for _, w := range key.Words(0, p.Who(i), p.Generation, rng.Donor) {
		if j := rng.Int(w, uint32(p.N)); of[j] != of[i] {
			return j
		}
	}
	r := int(rng.Int(key.Words(0, p.Who(i), p.Generation, rng.Scan)[0], uint32(others)))
	if r >= begin {
		r += end - begin
	}
	return by.Members[r]
}

// cross makes offspring i from parent i and its mate. best is the elitist of the start of the generation.
func (m *Mixer) cross(p *Population, i int, mate uint32, best *Elite) {
	own, next := p.Row(i), p.NextRow(i)
	copy(next, own)
	if mate == mateNone {
		return
	}
	forced := mate == mateElite
	other := best.Row
	if !forced {
		other = p.Row(int(mate))
	}
	leads := p.F[i] > best.F || best.Is(p.F[i], p.Hash[i], m.X.Whole)
	g, d := m.X.Graph, m.member[:p.Words]
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
	f := p.F[i]
	hash := p.Hash[i]
	taken := false
	for k := range d {
		for d[k] != 0 {
			c, change := m.component(d, own, uint32(64*k+bits.TrailingZeros64(d[k])))
			m.Values++
			if change < 0 || change == 0 && (forced || leads) {
				continue
			}
			for _, v := range c {
				next[v>>6] ^= 1 << (v & 63)
				hash ^= m.X.Hash[v]
			}
			f, taken = f+change, true
		}
	}
	if forced && !taken {
		copy(next, best.Row)
		f, hash = best.F, best.Hash
	}
	p.F[i], p.Hash[i] = f, hash
}

// component takes the component of v out of d. It returns its vertices, and the change of the cut if they flip.
func (m *Mixer) component(d, own []uint64, v uint32) (c []uint32, change int64) {
	g := m.X.Graph
	in := func(u uint32) bool { return d[u>>6]>>(u&63)&1 != 0 }
	c = append(m.d[:0], v)
	d[v>>6] &^= 1 << (v & 63)
	member := m.seen
	member[v>>6] |= 1 << (v & 63)
	for at := 0; at < len(c); at++ {
		v := c[at]
		m.Edges += int64(g.Offsets[v+1] - g.Offsets[v])
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
			case Side(member, u) != 0:
				inner++
			case Side(own, u) == Side(own, v):
				change += g.Weights[e]
			default:
				change -= g.Weights[e]
			}
		}
	}
	m.Edges -= inner / 2
	for _, v := range c {
		member[v>>6] &^= 1 << (v & 63)
	}
	m.d = c[:0]
	return c, change
}

// ByComponents makes the offspring of a generation by components. If ctx is cancelled, p and the elitist stay as they
// were.
func (m *Mixer) ByComponents(ctx context.Context, p *Population) error {
	before := *m.Counts
	best := *m.Elite
	best.Row = slices.Clone(best.Row)
	mates := p.Mates(m.key, &best, m.X.Whole, m.force)
	f, hash := slices.Clone(p.F), slices.Clone(p.Hash)
	for i := range p.N {
		if ctx.Err() != nil {
			*m.Counts = before
			copy(p.F, f)
			copy(p.Hash, hash)
			return ctx.Err()
		}
		m.cross(p, i, mates[i], &best)
	}
	for i := range p.N {
		p.Age(i, f[i])
		m.Note(p.F[i])
		m.Elite.Offer(p.NextRow(i), p.F[i], p.Hash[i])
	}
	m.Sets += int64(p.N)
	return nil
}

// Age counts a generation for individual i, whose cut was before when it began.
func (p *Population) Age(i int, before int64) {
	if p.F[i] > before {
		p.Idle[i] = 0
	} else {
		p.Idle[i]++
	}
}
