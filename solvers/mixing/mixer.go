package mixing

import (
	"context"

	"github.com/clopt/clopt/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
)

// mixer is serial gene-pool optimal mixing on the host: one offspring at a time,
// one linkage set after the other.
type mixer struct {
	x     *mixture
	key   rng.Key
	rule  donorRule
	force bool // forced improvement
	elite *elite

	o      []uint64 // the offspring in the making
	f      int64
	hash   uint64
	ahead  bool // o is better than the elitist
	order  []uint32
	member []uint64 // members of the difference to a donor, as bits
	d      []uint32 // and as a list
	seen   []uint64 // of a component, empty between two

	*counts
}

func newMixer(x *mixture, key rng.Key, rule donorRule, force bool, e *elite, c *counts) *mixer {
	words := wordsOf(x.graph.N())
	return &mixer{
		x: x, key: key, rule: rule, force: force, elite: e, counts: c,
		o: make([]uint64, words), member: make([]uint64, words+1),
		order: make([]uint32, len(x.model.Sets)), d: make([]uint32, 0, x.graph.N()), seen: make([]uint64, words),
	}
}

// setsBetweenChecks is how often cancelling is noticed.
const setsBetweenChecks = 1 << 12

// offspring makes offspring i of p:
//
//	o = copy of parent i
//	for F in random order: d = a parent that differs from o in F; none: next
//	   D = {v in F : d_v != o_v}
//	   if delta(D) > 0, or delta(D) = 0 and o is not the elitist: flip D in o
//	      if o is better than the elitist: it is the elitist
//	if nothing was accepted, or the parent has idled too long: force improvement
//
// Cancelled, it leaves p and the elitist as they were.
func (m *mixer) offspring(ctx context.Context, p *population, i int) error {
	before := *m.counts
	copy(m.o, p.row(i))
	m.f, m.hash, m.ahead = p.f[i], p.hash[i], false
	m.x.field.start(m.o)
	m.shuffle(p, i, rng.Shuffle)
	changed := false
	for k, set := range m.order {
		if k%setsBetweenChecks == 0 && ctx.Err() != nil {
			*m.counts = before
			return ctx.Err()
		}
		s := m.x.model.Sets[set]
		j := p.donor(m.key, m.rule, m.o, i, set, s)
		if j < 0 {
			continue
		}
		if m.mix(p.row(j), s) {
			changed = true
		}
	}
	m.sets += int64(len(m.order))
	if m.force && (!changed || p.idle[i] > patience(p.n)) && !m.ahead && m.elite.found {
		m.improve(p, i)
	}
	copy(p.next[i*p.words:(i+1)*p.words], m.o)
	was := p.f[i]
	p.f[i], p.hash[i] = m.f, m.hash
	p.age(i, was)
	m.elite.offer(m.o, m.f, m.hash)
	m.note(m.f)
	return nil
}

// mix takes the bits of donor in a set, if the cut gets no worse by it and o is
// not the elitist, or if it gets better.
func (m *mixer) mix(donor []uint64, s linkage.Set) bool {
	change := m.change(donor, s)
	if change < 0 || change == 0 && (m.ahead || m.elite.is(m.f, m.hash, m.x.whole)) {
		return false
	}
	m.accept(change)
	return true
}

// change sets d to where donor and o differ in a set, and returns what
// flipping d would change.
func (m *mixer) change(donor []uint64, s linkage.Set) int64 {
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
	change, edges := m.x.field.delta(m.d, s.Lo, s.Hi, member)
	m.values++
	m.edges += edges
	return change
}

func (m *mixer) accept(change int64) {
	m.x.field.flip(m.d)
	for _, v := range m.d {
		m.hash ^= m.x.hash[v]
	}
	m.f += change
	m.ahead = m.ahead || m.f > m.elite.f // o is the elitist from here on
}

// improve is forced improvement (Bosman and Thierens 2013,
// doi:10.1145/2463372.2463420): the first set in random order in which the
// elitist's bits make o better; where there is none, o becomes the elitist.
func (m *mixer) improve(p *population, i int) {
	m.shuffle(p, i, rng.Force)
	m.improveInOrder()
}

func (m *mixer) improveInOrder() {
	for _, set := range m.order {
		s := m.x.model.Sets[set]
		if !differ(m.o, m.elite.row, s.Lo, s.Hi) {
			continue
		}
		if change := m.change(m.elite.row, s); change > 0 {
			m.accept(change)
			return
		}
	}
	copy(m.o, m.elite.row)
	m.f, m.hash = m.elite.f, m.elite.hash
}

// shuffle puts the sets in a random order (Fisher and Yates).
func (m *mixer) shuffle(p *population, i int, purpose rng.Purpose) {
	permute(m.order, m.key, p.who(i), p.generation, purpose)
}

// permute makes order a random permutation of 0, 1, …
func permute(order []uint32, key rng.Key, who, when uint32, purpose rng.Purpose) {
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

// evaluate gives row i of p its cut and hash, from scratch.
func (m *mixer) evaluate(p *population, i int) {
	row := p.row(i)
	p.f[i], p.hash[i], p.idle[i] = cutOf(m.x.graph, row), m.x.hashOf(row), 0
	m.values++
	m.edges += int64(m.x.graph.M())
	m.elite.offer(row, p.f[i], p.hash[i])
	m.note(p.f[i])
}
