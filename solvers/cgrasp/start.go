package cgrasp

import (
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/solvers/internal/host"
)

// graspPhase says what a start does next.
type graspPhase uint32

const (
	graspBegin   graspPhase = iota // draw and evaluate the start point
	graspSearch                    // line searches of the variables that need one
	graspSelect                    // candidate list; fix variables
	graspRefresh                   // evaluate the constructed point in full
	graspBall                      // a batch of points of B_h
	graspExtend                    // steps in the direction of the iteration
	graspEnded                     // nothing
)

// The marks of variables in a construction.
const (
	graspClean uint8 = iota // unfixed, with a valid line search
	graspDirty              // unfixed, needs a line search
	graspFixed
)

// graspStart is one start of C-GRASP on the host, in float64. It is the reference for the work-groups of
// kernels/solvers/cgrasp/cgrasp.cl and has the same draws and units.
type graspStart struct {
	r   *graspRules
	p   problems.Referenced
	s   problems.Structure
	key rng.Key

	graspCounters
	x, z, gain []float64 // the point; result of each line search, and f there minus f(x)
	before     []float64 // the point at the end of the last iteration
	mark       []uint8
	picked     []bool    // variables that a selection of many fixes
	acc        []float64 // accumulators of x, unless f is a sum
	at         []float64 // the best point of all starts so far
	try, zero  []float64 // accumulators of a candidate; zeros
	base       []float64 // accumulators without the terms of one variable
	y          []float64 // a point of the local search
	touch      []int     // components that the variable of a line search touches
	offset     float64   // g(0)
}

// graspCounters are the numbers of a start's state.
type graspCounters struct {
	phase        graspPhase
	who          uint32 // number of the start
	construction uint32 // number of the construction in the start
	fixes        uint32 // selections so far in the construction
	balls        uint32 // points of B_h drawn so far
	origin       uint32 // value of balls at the beginning of this local search
	left         int    // number of unfixed variables
	cursor, end  int    // range of variables that may need a line search
	tried        int    // points of B_h since the last success
	moved        bool   // the construction changed x
	h, fx, f0    float64
	gained       float64 // the largest improvement of an iteration with this h
	alpha, best  float64
	evaluations  int64
	components   int64 // evaluated
	odd          int64 // number of values that were not finite
}

func newGraspStart(r *graspRules, p problems.Referenced, key rng.Key, who uint32) *graspStart {
	reals := func(n int) []float64 { return make([]float64, n) }
	a := p.Accumulators()
	s := &graspStart{
		r: r, p: p, s: p.Structure(), key: key, x: reals(r.n), z: reals(r.n), gain: reals(r.n), before: reals(r.n),
		mark: make([]uint8, r.n), picked: make([]bool, r.n), acc: reals(a), at: reals(r.n), try: reals(a),
		zero: reals(a), base: reals(a), y: reals(r.n),
	}
	s.who, s.best = who, math.Inf(1)
	s.offset = p.Objective(s.zero)
	return s
}

// unit makes the next unit of work, or returns false if its evaluations exceed limit or the start has ended. If x0 is
// not nil, it replaces the first point of a start that begins. stride is added to who for the next start.
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

// value evaluates a point in full. It stores the accumulators in acc.
func (s *graspStart) value(x, acc []float64) float64 {
	clear(acc)
	for k := range s.r.comps {
		s.p.HostComponent(k, 0, x, acc)
	}
	s.evaluations++
	s.components += int64(s.r.comps)
	return host.Infinite(s.p.Objective(acc), &s.odd)
}

// record stores the point if it is the best so far. Within a construction, fx is the value of x only if g is not
// affine. Otherwise it is the value at the beginning, which has been recorded already.
func (s *graspStart) record() {
	if s.fx < s.best {
		s.best = s.fx
		copy(s.at, s.x)
	}
}

// begin draws the start point, evaluates it and begins the first construction.
func (s *graspStart) begin(limit int64, x0 []float64, stride uint32) bool {
	if limit < 1 {
		return false
	}
	var w [4]uint32
	for i := range s.x {
		if i&3 == 0 {
			w = s.key.Words(uint32(i)>>2, s.who, 0, rng.Init)
		}
		s.x[i] = min(max(math.FMA(rng.Uniform(w[i&3]), s.r.hi[i]-s.r.lo[i], s.r.lo[i]), s.r.lo[i]), s.r.hi[i])
	}
	if x0 != nil {
		copy(s.x, x0)
	}
	if s.fx = s.value(s.x, s.acc); math.IsInf(s.fx, 1) {
		s.who += stride // no improvement can be measured from here
		return true
	}
	s.record()
	s.h, s.construction, s.balls, s.gained = s.r.hs, 0, 0, 0
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
	s.moved = false
	if s.alpha = s.r.alpha; s.alpha < 0 {
		s.alpha = rng.Uniform(s.key.Words(0, s.who, s.construction, rng.Grasp)[0])
	}
	s.phase = graspSearch
}

// refresh ends a construction with a full evaluation.
func (s *graspStart) refresh(limit int64) bool {
	if s.moved {
		if limit < 1 {
			return false
		}
		s.fx = s.value(s.x, s.acc)
		s.record()
	}
	s.origin = s.balls
	if s.tried = 0; s.fx <= s.r.until {
		s.tried = s.r.points // makes the local search end at once
	}
	s.phase = graspBall
	return true
}

// better reports whether the iteration has improved f.
func (s *graspStart) better() bool { return s.fx < s.f0 }

// next ends an iteration. The next construction follows, on a denser grid if this one did not help, or the next start.
func (s *graspStart) next(stride uint32) {
	s.construction++
	gain := s.f0 - s.fx
	if s.gained = max(s.gained, gain); !(gain > s.r.worth*s.gained) {
		s.h /= 2
		s.gained = 0
	}
	if s.h >= s.r.he && !(s.fx <= s.r.until) {
		s.construct()
		return
	}
	s.phase = graspEnded
	if s.r.restart {
		s.who += stride
		s.phase = graspBegin
	}
}
