package host

import (
	"slices"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
)

// LargeSet is the largest number of vertices of a set that one work-item mixes.
const LargeSet = 512

// Order returns the groups of a generation of p in random order, three numbers for each: the first set, the end, and
// the end of the sets with more than LargeSet vertices, which come first. sets has three numbers for each set, the
// first vertex, the end and the number of the set in the model.
func Order(groups *linkage.Classes, sets []uint32, key rng.Key, p *Population) []uint32 {
	perm := make([]uint32, groups.N())
	Permute(perm, key, p.Who(MaxIndividuals), p.Generation, rng.Shuffle)
	table := make([]uint32, 0, 3*len(perm))
	for _, k := range perm {
		begin, end := groups.Offsets[k], groups.Offsets[k+1]
		large := begin
		for large < end && sets[3*large+1]-sets[3*large] > LargeSet {
			large++
		}
		table = append(table, uint32(begin), uint32(end), uint32(large))
	}
	return table
}

// ByGroups makes the offspring of a generation as the parallel method does. Tests compare devices with it. order
// and sets are those of Order. If backwards is set, the sets of a group are taken in the opposite order, which must not
// matter.
func (m *Mixer) ByGroups(p *Population, order, sets []uint32, backwards bool) {
	p.Agree()
	best := *m.Elite // that of the start
	best.Row = slices.Clone(best.Row)
	changed := make([]bool, p.N)
	was := slices.Clone(p.F)
	copy(p.Next, p.Rows)
	for i := range p.N {
		m.Elite = &best
		m.o = p.NextRow(i)
		m.f, m.hash = p.F[i], p.Hash[i]
		m.X.field.start(m.o)
		for g := 0; g < len(order); g += 3 {
			leads := m.f > best.F || best.Is(m.f, m.hash, m.X.Whole)
			for k := range order[g+1] - order[g] {
				t := order[g] + k
				if backwards {
					t = order[g+1] - 1 - k
				}
				set := sets[3*t+2]
				s := m.X.Model.Sets[set]
				j := p.donor(m.key, m.rule, m.o, i, set, s)
				if j < 0 {
					continue
				}
				change := m.change(p.Row(j), s)
				if change < 0 || change == 0 && leads {
					continue
				}
				m.accept(change)
				changed[i] = true
			}
		}
		p.F[i], p.Hash[i] = m.f, m.hash
	}
	promote := func() {
		for i := range p.N {
			best.Offer(p.NextRow(i), p.F[i], p.Hash[i])
		}
	}
	promote()
	now := best
	now.Row = slices.Clone(best.Row)
	for i := range p.N {
		if m.force && (!changed[i] || p.Idle[i] > Patience(p.N)) && !now.Is(p.F[i], p.Hash[i], m.X.Whole) {
			m.Elite = &now
			m.o = p.NextRow(i)
			m.f, m.hash = p.F[i], p.Hash[i]
			m.X.field.start(m.o)
			m.improveFirst(p, i)
			p.F[i], p.Hash[i] = m.f, m.hash
		}
		p.Age(i, was[i])
	}
	promote()
	m.Elite = &best
	p.Rows, p.Next = p.Next, p.Rows
	p.Generation++
}

// improveFirst forces an improvement of individual i. Of all sets that improve it, it takes the one with the smallest
// priority.
func (m *Mixer) improveFirst(p *Population, i int) {
	at, least := -1, uint32(0)
	for set := range m.X.Model.Sets {
		s := m.X.Model.Sets[set]
		if !differ(m.o, m.Elite.Row, s.Lo, s.Hi) {
			continue
		}
		priority := m.key.Word(uint32(set), p.Who(i), p.Generation, rng.Force)
		if m.change(m.Elite.Row, s) > 0 && (at < 0 || priority < least) {
			at, least = set, priority
		}
	}
	if at < 0 {
		copy(m.o, m.Elite.Row)
		m.f, m.hash = m.Elite.F, m.Elite.Hash
		return
	}
	before := *m.Counts
	m.accept(m.change(m.Elite.Row, m.X.Model.Sets[at]))
	*m.Counts = before
}
