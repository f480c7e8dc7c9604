package cgrasp

import (
	"math"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/solvers/internal/host"
)

// search makes up to lines of the line searches that are needed, from as many ranges of so many variables as
// that allows.
func (s *graspStart) search(limit int64) bool {
	cost, count, end := int64(0), 0, s.cursor
	for end < s.end {
		next, dirty := min(end+s.r.lines, s.end), 0
		for _, m := range s.mark[end:next] {
			if m == graspDirty {
				dirty++
			}
		}
		if count += dirty; count > s.r.lines {
			break
		}
		end = next
	}
	for i := s.cursor; i < end; i++ {
		if s.mark[i] == graspDirty {
			from, to := s.r.nodes(i, s.x[i], s.h)
			cost += int64(to - from + 1)
		}
	}
	if cost > limit {
		return false
	}
	for i := s.cursor; i < end; i++ {
		if s.mark[i] == graspDirty {
			s.line(i)
			s.mark[i] = graspClean
		}
	}
	s.evaluations += cost
	if s.cursor = end; end == s.end {
		s.phase = graspSelect
	}
	return true
}

// line makes the line search of variable i. It sets z and gain.
func (s *graspStart) line(i int) {
	v := s.x[i]
	from, to := s.r.nodes(i, v, s.h)
	s.z[i], s.gain[i] = v, 0
	s.touch = s.s.ComponentsOf(i, s.touch[:0])
	count := int64(to - from + 1)
	if s.r.full {
		s.components += count * int64(s.r.comps)
	} else {
		s.components += count * int64(len(s.touch))
		s.without()
	}
	least := math.Inf(1)
	for k := from; k <= to; k++ {
		w := s.r.node(i, k, v, s.h)
		f := 0.0 // the change of f at x itself
		if k != 0 || s.r.lower {
			s.x[i] = w
			f = s.difference()
		}
		if f < least {
			least, s.z[i], s.gain[i] = f, w, f
		}
	}
	s.x[i] = v
}

// without sets base to the accumulators of x without the terms of the components in touch. If f is a sum, the other
// terms cancel, and base has only the negative terms of these components.
func (s *graspStart) without() {
	clear(s.base)
	if !s.r.additive {
		copy(s.base, s.acc)
	}
	for _, k := range s.touch {
		clear(s.try)
		s.p.HostComponent(k, 0, s.x, s.try)
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
			s.p.HostComponent(k, 0, s.x, s.try)
		}
		return host.Infinite(s.p.Objective(s.try)-s.fx, &s.odd)
	}
	copy(s.try, s.base)
	for _, k := range s.touch {
		s.p.HostComponent(k, 0, s.x, s.try)
	}
	if s.r.additive {
		return host.Infinite(s.p.Objective(s.try)-s.offset, &s.odd)
	}
	return host.Infinite(s.p.Objective(s.try)-s.fx, &s.odd)
}

// choose makes the restricted candidate list and fixes one of its variables, or an independent set of them.
func (s *graspStart) choose() {
	low, high := math.Inf(1), math.Inf(-1)
	for i, m := range s.mark {
		if m != graspFixed {
			low, high = min(low, s.gain[i]), max(high, s.gain[i])
		}
	}
	limit := low + float64(s.alpha*(high-low))
	listed := func(i int) bool { return s.mark[i] != graspFixed && s.gain[i] <= limit }
	s.cursor, s.end = 0, 0
	if s.r.many {
		s.chooseMany(listed)
	} else {
		count := uint32(0)
		for i := range s.mark {
			if listed(i) {
				count++
			}
		}
		nth := rng.Int(s.key.Words(1+s.fixes, s.who, s.construction, rng.Grasp)[0], count)
		for i := range s.mark {
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
	s.fixes++
	switch {
	case s.left > 0 && s.cursor < s.end:
		s.phase = graspSearch
	case s.left == 0:
		s.phase = graspRefresh
	}
}

// fix fixes variable j at its best node, and marks the variables whose line search is no longer valid.
func (s *graspStart) fix(j int) {
	s.mark[j] = graspFixed
	s.left--
	if s.x[j] == s.z[j] {
		return // all line searches stay valid
	}
	s.moved = true
	switch {
	case s.r.full:
		s.x[j] = s.z[j]
		s.fx += s.gain[j]
	case s.r.additive:
		s.x[j] = s.z[j]
	default:
		s.touch = s.s.ComponentsOf(j, s.touch[:0])
		s.without()
		s.x[j] = s.z[j]
		copy(s.acc, s.base)
		for _, k := range s.touch {
			s.p.HostComponent(k, 0, s.x, s.acc)
		}
		s.fx = s.p.Objective(s.acc)
		s.components += 2 * int64(len(s.touch))
	}
	s.cursor, s.end = s.r.meet(j)
	for i := s.cursor; i < s.end; i++ {
		if s.mark[i] == graspClean {
			s.mark[i] = graspDirty
		}
	}
}

// chooseMany fixes an independent set of the listed variables (Luby 1986, doi:10.1137/0215074): each one that comes, in
// a random order, before all listed variables with which it interacts.
func (s *graspStart) chooseMany(listed func(int) bool) {
	order := func(i int) uint32 { return s.key.Word(uint32(i), s.who, s.construction, rng.Order) }
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
	s.cursor, s.end = 0, s.r.n
}
