package mixing

import (
	"slices"

	"github.com/clopt/clopt/problems/rng"
)

// groups makes the offspring of a generation in the order of the parallel method, which devices are compared with: groups of
// sets outside, individuals inside. order has three numbers of a group, of which the first two are the places of its sets
// in sets, where a set has three numbers as well, the last of them its own. Whether the sets of a group are taken backwards must
// not matter.
func (m *mixer) groups(p *population, order, sets []uint32, backwards bool) {
	p.agree()
	best := *m.elite // that of the start
	best.row = slices.Clone(best.row)
	changed := make([]bool, p.n)
	was := slices.Clone(p.f)
	copy(p.next, p.rows)
	for i := range p.n {
		m.elite = &best
		m.o = p.next[i*p.words : (i+1)*p.words]
		m.f, m.hash = p.f[i], p.hash[i]
		m.x.field.start(m.o)
		for g := 0; g < len(order); g += 3 {
			leads := m.f > best.f || best.is(m.f, m.hash, m.x.whole)
			for k := range order[g+1] - order[g] {
				t := order[g] + k
				if backwards {
					t = order[g+1] - 1 - k
				}
				set := sets[3*t+2]
				s := m.x.model.Sets[set]
				j := p.donor(m.key, m.rule, m.o, i, set, s)
				if j < 0 {
					continue
				}
				change := m.change(p.row(j), s)
				if change < 0 || change == 0 && leads {
					continue
				}
				m.accept(change)
				changed[i] = true
			}
		}
		p.f[i], p.hash[i] = m.f, m.hash
	}
	promote := func() {
		for i := range p.n {
			best.offer(p.next[i*p.words:(i+1)*p.words], p.f[i], p.hash[i])
		}
	}
	promote()
	now := best
	now.row = slices.Clone(best.row)
	for i := range p.n {
		if m.force && (!changed[i] || p.idle[i] > patience(p.n)) && !now.is(p.f[i], p.hash[i], m.x.whole) {
			m.elite = &now
			m.o = p.next[i*p.words : (i+1)*p.words]
			m.f, m.hash = p.f[i], p.hash[i]
			m.x.field.start(m.o)
			m.improveFirst(p, i)
			p.f[i], p.hash[i] = m.f, m.hash
		}
		p.age(i, was[i])
	}
	promote()
	m.elite = &best
	p.rows, p.next = p.next, p.rows
	p.generation++
}

// improveFirst is forced improvement with priorities: all sets are looked at.
func (m *mixer) improveFirst(p *population, i int) {
	at, least := -1, uint32(0)
	for set := range m.x.model.Sets {
		s := m.x.model.Sets[set]
		if !differ(m.o, m.elite.row, s.Lo, s.Hi) {
			continue
		}
		priority := m.key.Word(uint32(set), p.who(i), p.generation, rng.Force)
		if m.change(m.elite.row, s) > 0 && (at < 0 || priority < least) {
			at, least = set, priority
		}
	}
	if at < 0 {
		copy(m.o, m.elite.row)
		m.f, m.hash = m.elite.f, m.elite.hash
		return
	}
	before := *m.counts
	m.accept(m.change(m.elite.row, m.x.model.Sets[at]))
	*m.counts = before
}
