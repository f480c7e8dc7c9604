package cgrasp

import (
	"math"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
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

// constructs reports whether a start in this phase builds a point that is not evaluated yet.
func (p graspPhase) constructs() bool { return p >= graspSearch && p <= graspRefresh }

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
	graspVectors
	picked    []bool    // variables that a selection of many fixes
	try, zero []float64 // accumulators of a candidate; zeros
	base      []float64 // accumulators without the terms of one variable
	y         []float64 // a point of the local search
	touch     []int     // components that the variable of a line search touches
	offset    float64   // g(0)
}

// graspCounters are the numbers of a start's state.
type graspCounters struct {
	Phase        graspPhase
	Who          uint32 // number of the start
	Construction uint32 // number of the construction in the start
	Fixes        uint32 // selections so far in the construction
	Balls        uint32 // points of B_h drawn so far
	Origin       uint32 // value of Balls at the beginning of this local search
	Left         int    // number of unfixed variables
	Cursor, End  int    // range of variables that may need a line search
	Tried        int    // points of B_h since the last success
	Moved        bool   // the construction changed X
	H, FX, F0    float64
	Gained       float64 // the largest improvement of an iteration with this H
	Alpha, Best  float64
	Values       int64 // of points and candidates
	Components   int64 // evaluated
	Odd          int64 // number of values that were not finite
}

// graspVectors are the vectors of a start's state.
type graspVectors struct {
	X, Z, Gain []float64 // the point; result of each line search, and f there minus f(X)
	Before     []float64 // the point at the end of the last iteration
	Mark       []uint8
	Acc        []float64 // accumulators of X, unless f is a sum
	At         []float64 // the best point of all starts so far
}

func newGraspStart(r *graspRules, p problems.Referenced, key rng.Key, who uint32) *graspStart {
	reals := func(n int) []float64 { return make([]float64, n) }
	a := p.Accumulators()
	s := &graspStart{r: r, p: p, s: p.Structure(), key: key, picked: make([]bool, r.n), try: reals(a), zero: reals(a),
		base: reals(a), y: reals(r.n)}
	s.graspVectors = graspVectors{X: reals(r.n), Z: reals(r.n), Gain: reals(r.n), Before: reals(r.n),
		Mark: make([]uint8, r.n), Acc: reals(a), At: reals(r.n)}
	s.Who, s.Best = who, math.Inf(1)
	s.offset = p.Objective(s.zero)
	return s
}

// unit makes the next unit of work, or returns false if left does not hold it or the start has ended. If x0 is
// not nil, it replaces the first point of a start that begins. stride is added to who for the next start.
func (s *graspStart) unit(left purse, x0 []float64, stride uint32) bool {
	switch s.Phase {
	case graspBegin:
		return s.begin(left, x0, stride)
	case graspSearch:
		return s.search(left)
	case graspSelect:
		if left.components < s.r.fixing {
			return false
		}
		s.choose()
		return true
	case graspRefresh:
		return s.refresh(left)
	case graspBall:
		return s.local(left, stride)
	case graspExtend:
		return s.extend(left, stride)
	}
	return false
}

// value evaluates a point in full. It stores the accumulators in acc.
func (s *graspStart) value(x, acc []float64) float64 {
	clear(acc)
	for k := range s.r.comps {
		s.p.HostComponent(k, 0, x, acc)
	}
	s.Values++
	s.Components += int64(s.r.comps)
	return host.Infinite(s.p.Objective(acc), &s.Odd)
}

// record stores the point if it is the best so far. Within a construction, fx is the value of x only if g is not
// affine. Otherwise it is the value at the beginning, which has been recorded already.
func (s *graspStart) record() {
	if s.FX < s.Best {
		s.Best = s.FX
		copy(s.At, s.X)
	}
}

// look evaluates the point if it is within a construction. Where f is a sum, it has no value before its construction
// has ended.
func (s *graspStart) look(left purse) bool {
	if !s.r.additive || !s.Moved || !s.Phase.constructs() || !left.holds(1, int64(s.r.comps)) {
		return false
	}
	if f := s.value(s.X, s.try); f < s.Best {
		s.Best = f
		copy(s.At, s.X)
	}
	return true
}

// begin draws the start point, evaluates it and begins the first construction.
func (s *graspStart) begin(left purse, x0 []float64, stride uint32) bool {
	if !left.holds(1, int64(s.r.comps)) {
		return false
	}
	var w [4]uint32
	for i := range s.X {
		if i&3 == 0 {
			w = s.key.Words(uint32(i)>>2, s.Who, 0, rng.Init)
		}
		s.X[i] = min(max(math.FMA(rng.Uniform(w[i&3]), s.r.hi[i]-s.r.lo[i], s.r.lo[i]), s.r.lo[i]), s.r.hi[i])
	}
	if x0 != nil {
		copy(s.X, x0)
	}
	s.FX = s.value(s.X, s.Acc)
	if math.IsInf(s.FX, 1) {
		s.Who += stride // no improvement can be measured from here
		return true
	}
	s.record()
	s.H = s.r.hs
	s.Construction = 0
	s.Balls = 0
	s.Gained = 0
	copy(s.Before, s.X)
	s.construct()
	return true
}

// construct begins a construction.
func (s *graspStart) construct() {
	for i := range s.Mark {
		s.Mark[i] = graspDirty
	}
	s.F0 = s.FX
	s.Left = s.r.n
	s.Cursor = 0
	s.End = s.r.n
	s.Fixes = 0
	s.Moved = false
	s.Alpha = s.r.alpha
	if s.Alpha < 0 {
		s.Alpha = rng.Uniform(s.key.Words(0, s.Who, s.Construction, rng.Grasp)[0])
	}
	s.Phase = graspSearch
}

// refresh ends a construction with a full evaluation.
func (s *graspStart) refresh(left purse) bool {
	if s.Moved {
		if !left.holds(1, int64(s.r.comps)) {
			return false
		}
		s.FX = s.value(s.X, s.Acc)
		s.record()
	}
	s.Origin = s.Balls
	s.Tried = 0
	if s.FX <= s.r.until {
		s.Tried = s.r.points // makes the local search end at once
	}
	s.Phase = graspBall
	return true
}

// better reports whether the iteration has improved f.
func (s *graspStart) better() bool { return s.FX < s.F0 }

// next ends an iteration. The next construction follows, on a denser grid if this one did not help, or the next start.
func (s *graspStart) next(stride uint32) {
	s.Construction++
	gain := s.F0 - s.FX
	s.Gained = max(s.Gained, gain)
	if !(gain > s.r.worth*s.Gained) {
		s.H /= 2
		s.Gained = 0
	}
	if s.H >= s.r.he && !(s.FX <= s.r.until) {
		s.construct()
		return
	}
	s.Phase = graspEnded
	if s.r.restart {
		s.Who += stride
		s.Phase = graspBegin
	}
}
