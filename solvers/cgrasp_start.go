package solvers

import (
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/draw"
)

// graspPhase is what a start does next.
type graspPhase uint32

const (
	graspBegin   graspPhase = iota // draw and evaluate the start point
	graspSearch                    // line searches of the variables that need one
	graspSelect                    // candidate list; fix variables
	graspRefresh                   // evaluate the constructed point in full
	graspBall                      // a batch of points of B_h
	graspExtend                    // steps along the way of the iteration
	graspEnded                     // nothing
)

// graspGroup is the most line searches of a unit.
const graspGroup = 128

// What a variable is to the construction.
const (
	graspClean uint8 = iota // unfixed, with a line search that holds
	graspDirty              // unfixed, needs a line search
	graspFixed
)

// graspStart is one start of C-GRASP on the host, in float64: the twin of the
// work-groups of kernels/solvers/cgrasp.cl, with the same draws and units.
type graspStart struct {
	r   *graspRules
	p   problems.HostPartial
	s   problems.Structure
	key draw.Key

	graspCounters
	x, z, gain []float64 // the point; result of each line search, and f there less f(x)
	before     []float64 // the point at the end of the last iteration
	mark       []uint8
	picked     []bool
	acc        []float64 // accumulators of x, where they are needed
	at         []float64 // the best point of all starts made here
	try, zero  []float64 // accumulators of a candidate; zeros
	y, ball    []float64
	touch      []int
	offset     float64 // g(0)
}

// graspCounters are the numbers that a start must remember.
type graspCounters struct {
	phase        graspPhase
	who          uint32 // number of the start
	construction uint32 // and of the construction in it
	fixes        uint32 // selections so far in the construction
	balls        uint32 // points of B_h drawn so far
	left         int    // unfixed variables
	cursor, end  int    // variables whose marks are to be looked at
	tried        int    // points of B_h since the last success
	moved        bool   // the construction changed x
	better       bool   // the iteration improved f
	h, fx, f0    float64
	alpha, best  float64
	evaluations  int64
	components   int64 // evaluated
	odd          int64 // values that were not finite
}

func newGraspStart(r *graspRules, p problems.HostPartial, key draw.Key, who uint32) *graspStart {
	reals := func(n int) []float64 { return make([]float64, n) }
	a := p.Accumulators()
	s := &graspStart{
		r: r, p: p, s: p.Structure(), key: key, x: reals(r.n), z: reals(r.n), gain: reals(r.n), before: reals(r.n),
		mark: make([]uint8, r.n), picked: make([]bool, r.n), acc: reals(a), at: reals(r.n), try: reals(a), zero: reals(a),
		y: reals(r.n), ball: reals(r.n),
	}
	s.who, s.best = who, math.Inf(1)
	s.offset = p.Objective(s.zero)
	return s
}

// unit does the next unit if its evaluations are within limit. x0 replaces the
// point of a start that begins, if it is not nil; stride is the distance to the next start.
func (s *graspStart) unit(limit int64, x0 []float64, stride uint32) bool {
	switch s.phase {
	case graspBegin:
		return s.begin(limit, x0, stride)
	case graspSearch:
		return s.search(limit)
	case graspSelect:
		s.choose()
		return true
	case graspRefresh:
		return s.refresh(limit)
	case graspBall:
		return s.local(limit, stride)
	case graspExtend:
		return s.extend(limit, stride)
	}
	return false
}

// value is f of a point in full, and its accumulators.
func (s *graspStart) value(x, acc []float64) float64 {
	clear(acc)
	for k := range s.r.comps {
		s.p.HostComponent(k, x, acc)
	}
	s.evaluations++
	s.components += int64(s.r.comps)
	return s.finite(s.p.Objective(acc))
}

// finite counts values that are NaN or infinite, which come last.
func (s *graspStart) finite(f float64) float64 {
	if !finite(f) {
		s.odd++
		return math.Inf(1)
	}
	return f
}

// record keeps the best point.
func (s *graspStart) record() {
	if s.fx < s.best {
		s.best = s.fx
		copy(s.at, s.x)
	}
}

func (s *graspStart) begin(limit int64, x0 []float64, stride uint32) bool {
	if limit < 1 {
		return false
	}
	var w [4]uint32
	for i := range s.x {
		if i&3 == 0 {
			w = s.key.Words(uint32(i)>>2, s.who, 0, draw.Init)
		}
		s.x[i] = min(max(math.FMA(draw.Uniform(w[i&3]), s.r.hi[i]-s.r.lo[i], s.r.lo[i]), s.r.lo[i]), s.r.hi[i])
	}
	if x0 != nil {
		copy(s.x, x0)
	}
	if s.fx = s.value(s.x, s.acc); math.IsInf(s.fx, 1) {
		s.who += stride // there is nothing to improve from
		return true
	}
	s.record()
	s.h, s.construction, s.balls = s.r.hs, 0, 0
	copy(s.before, s.x)
	s.construct()
	return true
}

// construct begins a construction.
func (s *graspStart) construct() {
	for i := range s.mark {
		s.mark[i] = graspDirty
	}
	s.f0, s.left, s.cursor, s.end, s.fixes = s.fx, s.r.n, 0, s.r.n, 0
	s.moved, s.better = false, false
	if s.alpha = s.r.alpha; s.alpha < 0 {
		s.alpha = draw.Uniform(s.key.Words(0, s.who, s.construction, draw.Grasp)[0])
	}
	s.phase = graspSearch
}

// largest is the most evaluations of a unit.
func (s *graspStart) largest() int64 {
	return max(int64(min(s.r.n, graspGroup))*int64(2*s.r.half+1), int64(s.r.batch), int64(s.r.extend))
}

// search makes the line searches that are needed, of graspGroup variables at most.
func (s *graspStart) search(limit int64) bool {
	cost, count, end := int64(0), 0, s.cursor
	for ; end < s.end && count < graspGroup; end++ {
		if s.mark[end] == graspDirty {
			from, to := s.r.nodes(end, s.x[end], s.h)
			cost += int64(to - from + 1)
			count++
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

// line is the line search of variable i: z and gain.
func (s *graspStart) line(i int) {
	v := s.x[i]
	from, to := s.r.nodes(i, v, s.h)
	s.z[i], s.gain[i] = v, 0
	s.touch = s.s.Touch(i, s.touch[:0])
	count := int64(to - from + 1)
	if s.r.full {
		s.components += count * int64(s.r.comps)
	} else {
		s.components += count * int64(len(s.touch))
		s.base(i)
	}
	least := math.Inf(1)
	for k := from; k <= to; k++ {
		w := s.r.node(i, k, v, s.h)
		f := 0.0 // of the point itself
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

// base is what a candidate of variable i adds its terms to, in ball.
func (s *graspStart) base(i int) {
	b := s.base0()
	for _, k := range s.touch {
		clear(s.try)
		s.p.HostComponent(k, s.x, s.try)
		for j, v := range s.try {
			b[j] -= v
		}
	}
}

// base0 is where the terms of a variable are taken from.
func (s *graspStart) base0() []float64 {
	b := s.ball[:0]
	if s.r.additive {
		b = append(b, s.zero...)
	} else {
		b = append(b, s.acc...)
	}
	s.ball = b
	return b
}

// difference is f of x, of which one variable was just replaced, less fx.
func (s *graspStart) difference() float64 {
	if s.r.full {
		clear(s.try)
		for k := range s.r.comps {
			s.p.HostComponent(k, s.x, s.try)
		}
		return s.finite(s.p.Objective(s.try) - s.fx)
	}
	copy(s.try, s.ball)
	for _, k := range s.touch {
		s.p.HostComponent(k, s.x, s.try)
	}
	if s.r.additive {
		return s.finite(s.p.Objective(s.try) - s.offset)
	}
	return s.finite(s.p.Objective(s.try) - s.fx)
}

// choose makes the restricted candidate list and fixes one of it, or an
// independent set.
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
		nth := draw.Int(s.key.Words(1+s.fixes, s.who, s.construction, draw.Grasp)[0], count)
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

// fix fixes variable j at its best node, and marks those whose line search no
// longer holds.
func (s *graspStart) fix(j int) {
	s.mark[j] = graspFixed
	s.left--
	if s.x[j] == s.z[j] {
		return // reuse
	}
	s.moved = true
	switch {
	case s.r.full:
		s.x[j] = s.z[j]
		s.fx += s.gain[j]
	case s.r.additive:
		s.x[j] = s.z[j]
	default:
		s.touch = s.s.Touch(j, s.touch[:0])
		s.base(j)
		s.x[j] = s.z[j]
		copy(s.acc, s.ball)
		for _, k := range s.touch {
			s.p.HostComponent(k, s.x, s.acc)
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

// chooseMany fixes every listed variable that comes before all listed ones that
// it interacts with, in a random order of the variables: an independent set (Luby 1986,
// doi:10.1137/0215074).
func (s *graspStart) chooseMany(listed func(int) bool) {
	order := func(i int) uint32 { return s.key.Word(uint32(i), s.who, s.construction, draw.Order) }
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

// refresh ends a construction.
func (s *graspStart) refresh(limit int64) bool {
	if s.moved {
		if limit < 1 {
			return false
		}
		s.fx = s.value(s.x, s.acc)
		s.better = s.fx < s.f0
		s.record()
	}
	s.tried = 0
	s.phase = graspBall
	return true
}

// local evaluates a batch of points of B_h and takes the best if it is better.
func (s *graspStart) local(limit int64, stride uint32) bool {
	most := s.r.most(s.h)
	count := min(s.r.batch, most-s.tried)
	if int64(count) > limit {
		return false
	}
	best, at := math.Inf(1), 0
	for b := range count {
		s.draw(s.balls + uint32(b))
		if f := s.value(s.y, s.try); f < best {
			best, at = f, b
		}
	}
	if best < s.fx {
		s.draw(s.balls + uint32(at))
		s.take()
		s.tried = 0
	} else {
		s.tried += count
	}
	s.balls += uint32(count)
	if s.tried >= most {
		s.phase = graspExtend
		if s.r.extend == 0 || !s.better {
			s.next(stride)
		}
	}
	return true
}

// draw makes point number of B_h(x): y = x + h r/|r|, r of integers for which
// x + h r lies in the box.
func (s *graspStart) draw(number uint32) {
	var w [4]uint32
	square := 0.0
	for i, v := range s.x {
		if i&3 == 0 {
			w = s.key.Words(uint32(i)>>2, s.who, number, draw.Ball)
		}
		h := s.r.step(i, s.h)
		down, up := count((v-s.r.lo[i])/h, graspMost), count((s.r.hi[i]-v)/h, graspMost)
		s.y[i] = float64(int(draw.Int(w[i&3], uint32(down+up+1))) - down)
		square += float64(s.y[i] * s.y[i])
	}
	length := 0.0
	if square > 0 {
		length = s.h / math.Sqrt(square)
	}
	for i, v := range s.x {
		by := length
		if s.r.scale != nil {
			by *= s.r.scale[i]
		}
		s.y[i] = min(max(v+float64(by*s.y[i]), s.r.lo[i]), s.r.hi[i])
	}
}

// extend goes on along the way that the iteration went: 1, 2, 4, … times as far.
func (s *graspStart) extend(limit int64, stride uint32) bool {
	if int64(s.r.extend) > limit {
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
	if best < s.fx {
		s.along(at)
		copy(s.before, s.x)
		s.take()
	} else {
		copy(s.before, s.x)
	}
	s.next(stride)
	return true
}

// take makes y, which was evaluated, the point.
func (s *graspStart) take() {
	copy(s.x, s.y)
	s.fx = s.value(s.x, s.acc)
	s.evaluations--
	s.components -= int64(s.r.comps)
	s.better = true
	s.record()
}

func (s *graspStart) along(t float64) {
	for i, v := range s.x {
		s.y[i] = min(max(v+float64(t*(v-s.before[i])), s.r.lo[i]), s.r.hi[i])
	}
}

// next ends an iteration: the next construction, on a denser grid where this
// one did not help, or the next start.
func (s *graspStart) next(stride uint32) {
	s.construction++
	if !s.better {
		s.h /= 2
	}
	if s.h >= s.r.he && !(s.best <= s.r.until) {
		s.construct()
		return
	}
	s.phase = graspEnded
	if s.r.restart {
		s.who += stride
		s.phase = graspBegin
	}
}
