package cgrasp

import (
	"math"

	"github.com/clopt/clopt/problems/rng"
)

// local evaluates a batch of points of B_h(x). The best of them becomes x if it is better.
func (s *graspStart) local(left purse, stride uint32) bool {
	most := s.r.most(s.H)
	count := min(s.r.batch, max(0, most-s.Tried))
	if !left.holds(int64(count), int64(count)*int64(s.r.comps)) {
		return false
	}
	best, at := math.Inf(1), 0
	for b := range count {
		s.draw(s.Balls + uint32(b))
		if f := s.value(s.y, s.try); f < best {
			best, at = f, b
		}
	}
	if best < s.FX {
		s.draw(s.Balls + uint32(at))
		s.take()
		s.Tried = 0
	} else {
		s.Tried += count
	}
	s.Balls += uint32(count)
	if done := s.FX <= s.r.until; done || s.Tried >= most || s.Balls-s.Origin >= uint32(s.r.tries) {
		s.Phase = graspExtend
		if s.r.extend == 0 || !s.better() || done {
			s.next(stride)
		}
	}
	return true
}

// draw sets y to a point of B_h(x): x + h r/|r|, where r is a vector of integers with x + h r in the box.
func (s *graspStart) draw(number uint32) {
	var w [4]uint32
	square := 0.0
	for i, v := range s.X {
		if i&3 == 0 {
			w = s.key.Words(uint32(i)>>2, s.Who, number, rng.Ball)
		}
		h := s.r.step(i, s.H)
		down, up := count((v-s.r.lo[i])/h, graspMost), count((s.r.hi[i]-v)/h, graspMost)
		s.y[i] = float64(int(rng.Int(w[i&3], uint32(down+up+1))) - down)
		square += float64(s.y[i] * s.y[i])
	}
	length := 0.0
	if square > 0 {
		length = s.H / math.Sqrt(square)
	}
	for i, v := range s.X {
		by := length
		if s.r.scale != nil {
			by *= s.r.scale[i]
		}
		s.y[i] = min(max(v+float64(by*s.y[i]), s.r.lo[i]), s.r.hi[i])
	}
}

// extend continues in the direction of the iteration: 1, 2, 4, … times as far.
func (s *graspStart) extend(left purse, stride uint32) bool {
	if !left.holds(int64(s.r.extend), int64(s.r.extend)*int64(s.r.comps)) {
		return false
	}
	best, at := math.Inf(1), 0.0
	for k := range s.r.extend {
		t := math.Ldexp(1, k)
		s.along(t)
		if f := s.value(s.y, s.try); f < best {
			best, at = f, t
		}
	}
	if best < s.FX {
		s.along(at)
		copy(s.Before, s.X)
		s.take()
	} else {
		copy(s.Before, s.X)
	}
	s.next(stride)
	return true
}

// take replaces x by y, whose evaluation has been counted.
func (s *graspStart) take() {
	copy(s.X, s.y)
	s.FX = s.value(s.X, s.Acc)
	s.Values--
	s.Components -= int64(s.r.comps)
	s.record()
}

// along sets y to the point that is t times as far from x as x is from the point before the iteration.
func (s *graspStart) along(t float64) {
	for i, v := range s.X {
		s.y[i] = min(max(v+float64(t*(v-s.Before[i])), s.r.lo[i]), s.r.hi[i])
	}
}
