package host

import (
	"context"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
)

// Mixer is serial gene-pool optimal mixing on the host: one offspring at a time, one linkage set after the other.
type Mixer struct {
	*Counts
	X     *Mixture
	Elite *Elite // the best partition so far, which the mixer updates

	key   rng.Key
	rule  DonorRule
	force bool // forced improvement

	o      []uint64 // the offspring in the making
	f      int64
	hash   uint64
	ahead  bool     // o is better than the elitist
	order  []uint32 // of the sets
	member []uint64 // the vertices of a set in which o differs from a donor, as bits
	d      []uint32 // the same as a list
	seen   []uint64 // the vertices of a component; no bit is set between two of them
}

// NewMixer returns a mixer of partitions of x with the draws of key. It counts in c and updates e; both stay with the
// caller.
func NewMixer(x *Mixture, key rng.Key, rule DonorRule, force bool, e *Elite, c *Counts) *Mixer {
	words := Words(x.Graph.N())
	return &Mixer{
		X: x, key: key, rule: rule, force: force, Elite: e, Counts: c,
		o: make([]uint64, words), member: make([]uint64, words+1),
		order: make([]uint32, len(x.Model.Sets)), d: make([]uint32, 0, x.Graph.N()), seen: make([]uint64, words),
	}
}

// setsBetweenChecks is the number of sets after which Offspring checks whether it is cancelled.
const setsBetweenChecks = 1 << 12

// Offspring makes offspring i of p:
//
//	o = copy of parent i
//	for F in random order: d = a parent that differs from o in F; none: next
//	   D = {v in F : d_v != o_v}
//	   if delta(D) > 0, or delta(D) = 0 and o is not the elitist: flip D in o
//	      if o is better than the elitist: it is the elitist
//	if nothing was accepted, or the parent has idled too long: force improvement
//
// If ctx is cancelled, p and the elitist stay as they were.
func (m *Mixer) Offspring(ctx context.Context, p *Population, i int) error {
	before := *m.Counts
	copy(m.o, p.Row(i))
	m.f = p.F[i]
	m.hash = p.Hash[i]
	m.ahead = false
	m.X.field.start(m.o)
	Permute(m.order, m.key, p.Who(i), p.Generation, rng.Shuffle)
	changed := false
	for k, set := range m.order {
		if k%setsBetweenChecks == 0 && ctx.Err() != nil {
			*m.Counts = before
			return ctx.Err()
		}
		s := m.X.Model.Sets[set]
		j := p.donor(m.key, m.rule, m.o, i, set, s)
		if j < 0 {
			continue
		}
		if m.mix(p.Row(j), s) {
			changed = true
		}
	}
	m.Sets += int64(len(m.order))
	if m.force && (!changed || p.Idle[i] > Patience(p.N)) && !m.ahead && m.Elite.Found {
		Permute(m.order, m.key, p.Who(i), p.Generation, rng.Force)
		m.improve()
	}
	copy(p.NextRow(i), m.o)
	was := p.F[i]
	p.F[i], p.Hash[i] = m.f, m.hash
	p.Age(i, was)
	m.Elite.Offer(m.o, m.f, m.hash)
	m.Note(m.f)
	return nil
}

// mix copies the bits of donor in a set if the cut gets better, or if it does not get worse and o is not the elitist.
func (m *Mixer) mix(donor []uint64, s linkage.Set) bool {
	change := m.change(donor, s)
	if change < 0 || change == 0 && (m.ahead || m.Elite.Is(m.f, m.hash, m.X.Whole)) {
		return false
	}
	m.accept(change)
	return true
}

// change sets d to the vertices of a set in which donor and o differ, and returns the change of the cut if d flips.
func (m *Mixer) change(donor []uint64, s linkage.Set) int64 {
	first, last := masks(s.Lo, s.Hi)
	i, j := s.Lo>>6, (s.Hi-1)>>6
	member := m.member[:j-i+1]
	for k := range member {
		member[k] = m.o[int(i)+k] ^ donor[int(i)+k]
	}
	member[0] &= first
	member[len(member)-1] &= last
	m.d = members(m.d[:0], member, s.Lo&^63)
	if len(m.d) == 0 {
		return 0
	}
	change, edges := m.X.field.delta(m.d, s.Lo, s.Hi, member)
	m.Values++
	m.Edges += edges
	return change
}

// accept flips d.
func (m *Mixer) accept(change int64) {
	m.X.field.flip(m.d)
	for _, v := range m.d {
		m.hash ^= m.X.Hash[v]
	}
	m.f += change
	m.ahead = m.ahead || m.f > m.Elite.F // o is the elitist from here on
}

// improve forces an improvement of o (Bosman and Thierens 2013, doi:10.1145/2463372.2463420): it copies the bits of the
// elitist in the first set, in order, in which they are better. If there is none, o becomes the elitist.
func (m *Mixer) improve() {
	for _, set := range m.order {
		s := m.X.Model.Sets[set]
		if !differ(m.o, m.Elite.Row, s.Lo, s.Hi) {
			continue
		}
		if change := m.change(m.Elite.Row, s); change > 0 {
			m.accept(change)
			return
		}
	}
	copy(m.o, m.Elite.Row)
	m.f, m.hash = m.Elite.F, m.Elite.Hash
}

// Permute makes order a random permutation of 0, 1, … (Fisher and Yates).
func Permute(order []uint32, key rng.Key, who, when uint32, purpose rng.Purpose) {
	for k := range order {
		order[k] = uint32(k)
	}
	var w [4]uint32
	for k := len(order) - 1; k > 0; k-- {
		if k&3 == 3 || k == len(order)-1 {
			w = key.Words(uint32(k)>>2, who, when, purpose)
		}
		j := rng.Int(w[k&3], uint32(k+1))
		order[k], order[j] = order[j], order[k]
	}
}

// Evaluate computes the cut and the hash of individual i of p from scratch.
func (m *Mixer) Evaluate(p *Population, i int) {
	row := p.Row(i)
	p.F[i], p.Hash[i] = CutOf(m.X.Graph, row), m.X.HashOf(row)
	m.Values++
	m.Edges += Cost(m.X.Graph)
	m.Elite.Offer(row, p.F[i], p.Hash[i])
	m.Note(p.F[i])
}

// Counts counts evaluations.
type Counts struct {
	Sets   int64 // mixing steps: visits of an individual to a set
	Values int64 // values of whole points that were computed
	Edges  int64 // edges that were evaluated for them
	Best   int64 // best cut of the current step of the run
	Noted  bool  // there is a cut in the current step
}

// Note adds a cut to the current step.
func (c *Counts) Note(f int64) {
	if !c.Noted || f > c.Best {
		c.Best, c.Noted = f, true
	}
}
