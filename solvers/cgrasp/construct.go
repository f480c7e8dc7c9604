package cgrasp

import (
	"math"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// search makes up to lines of the line searches that are needed, from as many ranges of so many variables as
// that allows.
func (s *graspStart) search(left purse) bool {
	cost := int64(0)
	comps := int64(0)
	count := 0
	end := s.Cursor
	for end < s.End {
		next, dirty := min(end+s.r.lines, s.End), 0
		for _, m := range s.Mark[end:next] {
			if m == graspDirty {
				dirty++
			}
		}
		if count += dirty; count > s.r.lines {
			break
		}
		end = next
	}
	for i := s.Cursor; i < end; i++ {
		if s.Mark[i] == graspDirty {
			from, to := s.r.nodes(i, s.X[i], s.H)
			nodes := int64(to - from + 1)
			cost += nodes
			comps += nodes * int64(s.r.touched(s.s, i))
		}
	}
	point := int64(s.r.comps * problems.Flag(s.r.additive)) // the point can still be evaluated, see look
	if !left.holds(cost, comps+point) {
		return false
	}
	for i := s.Cursor; i < end; i++ {
		if s.Mark[i] == graspDirty {
			s.line(i)
			s.Mark[i] = graspClean
		}
	}
	s.Values += cost
	s.Cursor = end
	if end == s.End {
		s.Phase = graspSelect
	}
	return true
}

// line makes the line search of variable i. It sets z and gain.
func (s *graspStart) line(i int) {
	v := s.X[i]
	from, to := s.r.nodes(i, v, s.H)
	s.Z[i], s.Gain[i] = v, 0
	s.touch = s.s.ComponentsOf(i, s.touch[:0])
	count := int64(to - from + 1)
	if s.r.full {
		s.Components += count * int64(s.r.comps)
	} else {
		s.Components += count * int64(len(s.touch))
		s.without()
	}
	least := math.Inf(1)
	for k := from; k <= to; k++ {
		w := s.r.node(i, k, v, s.H)
		f := 0.0 // the change of f at x itself
		if k != 0 || s.r.lower {
			s.X[i] = w
			f = s.difference()
		}
		if f < least {
			least = f
			s.Z[i] = w
			s.Gain[i] = f
		}
	}
	s.X[i] = v
}

// without sets base to the accumulators of x without the terms of the components in touch. If f is a sum, the other
// terms cancel, and base has only the negative terms of these components.
func (s *graspStart) without() {
	clear(s.base)
	if !s.r.additive {
		copy(s.base, s.Acc)
	}
	for _, k := range s.touch {
		clear(s.try)
		s.p.HostComponent(k, 0, s.X, s.try)
		for j, v := range s.try {
			s.base[j] -= v
		}
	}
}

// difference returns the change of f from fx to x, in which one variable has been replaced.
func (s *graspStart) difference() float64 {
	if s.r.full {
		clear(s.try)
		for k := range s.r.comps {
			s.p.HostComponent(k, 0, s.X, s.try)
		}
		return host.Infinite(s.p.Objective(s.try)-s.FX, &s.Odd)
	}
	copy(s.try, s.base)
	for _, k := range s.touch {
		s.p.HostComponent(k, 0, s.X, s.try)
	}
	if s.r.additive {
		return host.Infinite(s.p.Objective(s.try)-s.offset, &s.Odd)
	}
	return host.Infinite(s.p.Objective(s.try)-s.FX, &s.Odd)
}

// choose makes the restricted candidate list and fixes one of its variables, or an independent set of them.
func (s *graspStart) choose() {
	low, high := math.Inf(1), math.Inf(-1)
	for i, m := range s.Mark {
		if m != graspFixed {
			low, high = min(low, s.Gain[i]), max(high, s.Gain[i])
		}
	}
	limit := low + float64(s.Alpha*(high-low))
	listed := func(i int) bool { return s.Mark[i] != graspFixed && s.Gain[i] <= limit }
	s.Cursor, s.End = 0, 0
	if s.r.many {
		s.chooseMany(listed)
	} else {
		count := uint32(0)
		for i := range s.Mark {
			if listed(i) {
				count++
			}
		}
		nth := rng.Int(s.key.Words(1+s.Fixes, s.Who, s.Construction, rng.Grasp)[0], count)
		for i := range s.Mark {
			if !listed(i) {
				continue
			}
			if nth == 0 {
				s.fix(i)
				break
			}
			nth--
		}
	}
	s.Fixes++
	switch {
	case s.Left > 0 && s.Cursor < s.End:
		s.Phase = graspSearch
	case s.Left == 0:
		s.Phase = graspRefresh
	}
}

// fix fixes variable j at its best node, and marks the variables whose line search is no longer valid.
func (s *graspStart) fix(j int) {
	s.Mark[j] = graspFixed
	s.Left--
	if s.X[j] == s.Z[j] {
		return // all line searches stay valid
	}
	s.Moved = true
	switch {
	case s.r.full:
		s.X[j] = s.Z[j]
		s.FX += s.Gain[j]
	case s.r.additive:
		s.X[j] = s.Z[j]
	default:
		s.touch = s.s.ComponentsOf(j, s.touch[:0])
		s.without()
		s.X[j] = s.Z[j]
		copy(s.Acc, s.base)
		for _, k := range s.touch {
			s.p.HostComponent(k, 0, s.X, s.Acc)
		}
		s.FX = s.p.Objective(s.Acc)
		s.Components += 2 * int64(len(s.touch))
	}
	s.Cursor, s.End = s.r.meet(j)
	for i := s.Cursor; i < s.End; i++ {
		if s.Mark[i] == graspClean {
			s.Mark[i] = graspDirty
		}
	}
}

// chooseMany fixes an independent set of the listed variables (Luby 1986, doi:10.1137/0215074): each one that comes, in
// a random order, before all listed variables with which it interacts.
func (s *graspStart) chooseMany(listed func(int) bool) {
	order := func(i int) uint32 { return s.key.Word(uint32(i), s.Who, s.Construction, rng.Order) }
	for i := range s.picked {
		s.picked[i] = false
		if !listed(i) {
			continue
		}
		first, mine := true, order(i)
		from, to := s.r.meet(i)
		for j := from; j < to && first; j++ {
			if j != i && listed(j) {
				if w := order(j); w < mine || w == mine && j < i {
					first = false
				}
			}
		}
		s.picked[i] = first
	}
	for i, p := range s.picked {
		if p {
			s.fix(i)
		}
	}
	s.Cursor, s.End = 0, s.r.n
}
