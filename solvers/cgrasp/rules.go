package cgrasp

import (
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// graspRules are the rules of every start. They depend on the settings and the problem alone, so host and
// devices follow the same rules.
type graspRules struct {
	n, comps int
	hs, he   float64   // first and last h, for a variable of the widest interval
	scale    []float64 // of h for each variable; nil: 1
	lo, hi   []float64 // the interval of each variable
	span     float64   // of the widest
	alpha    float64   // of the candidate list; negative: drawn for each construction
	half     int       // nodes on each side of x in a line search
	lower    bool      // nodes are counted from the lower bound
	full     bool      // each value comes from a full evaluation
	additive bool      // g is affine, so that the change of f depends only on the terms that change
	many     bool      // a selection fixes an independent set of variables
	// Two variables interact if a component reads both. Component k reads the variables stride*k+from …
	// stride*k+to. stride 0: all variables interact.
	stride, from, to int
	rho              float64 // share of the grid that a local search may try
	points           int     // a local search ends after this many points without success
	tries            int     // a local search ends after this many points and the rest of a batch
	lines            int     // the most line searches of a round
	quota            int64   // evaluations of a start in a Step
	reads            float64 // number of variables that the components of an evaluation read
	batch            int     // points of a local search that are evaluated together
	worth            float64 // share of the largest improvement with the same h that an iteration must exceed
	extend           int     // steps in the direction of an iteration
	restart          bool    // another start follows one that has ended
	until            float64 // a start ends at or below this value
}

// affine reports whether g is an affine function of the accumulators. It probes many sizes and both signs.
// If it took a kinked g for an affine one, only the line searches would suffer, since values are computed
// in full after each construction.
func affine(p problems.Problem) bool {
	m := p.Accumulators()
	zero := p.Objective(make([]float64, m))
	slope := make([]float64, m)
	for j := range slope {
		unit := make([]float64, m)
		unit[j] = 1
		slope[j] = p.Objective(unit) - zero
	}
	for k := range uint32(64) {
		a, want, size := make([]float64, m), zero, math.Abs(zero)
		for j := range a {
			w := rng.Key{}.Words(k, uint32(j), 0, rng.Check)
			a[j] = math.Pow(10, 16*rng.Uniform(w[0])-8) * float64(int(w[1]&2)-1)
			want += slope[j] * a[j]
			size += math.Abs(slope[j] * a[j])
		}
		if !(math.Abs(p.Objective(a)-want) <= 1e-12*size) {
			return false
		}
	}
	return true
}

// step returns h for variable i.
func (r *graspRules) step(i int, h float64) float64 {
	if r.scale == nil {
		return h
	}
	return h * r.scale[i]
}

// graspMost is the largest number of nodes that is counted on either side.
const graspMost = 1 << 29

// count returns v, rounded down, or most if v is larger.
func count(v float64, most int) int {
	if v >= float64(most) {
		return most
	}
	return int(v)
}

// nodes returns the range of k for which the candidates of variable i lie in its interval. There are at most
// half candidates on each side of v.
func (r *graspRules) nodes(i int, v, h float64) (from, to int) {
	lo, hi := r.lo[i], r.hi[i]
	h = r.step(i, h)
	if r.lower {
		at := count(math.RoundToEven((v-lo)/h), graspMost)
		return max(0, at-r.half), min(count((hi-lo)/h, graspMost), at+r.half)
	}
	return -count((v-lo)/h, r.half), count((hi-v)/h, r.half)
}

// node returns candidate k of variable i.
func (r *graspRules) node(i, k int, v, h float64) float64 {
	if r.lower {
		v = r.lo[i]
	}
	return min(max(v+float64(float64(k)*r.step(i, h)), r.lo[i]), r.hi[i])
}

// most returns the number of points without success after which a local search ends.
func (r *graspRules) most(h float64) int {
	count := r.rho
	for i := range r.n {
		if count *= math.Ceil((r.hi[i] - r.lo[i]) / r.step(i, h)); count >= float64(r.points) {
			return r.points
		}
	}
	return int(math.Ceil(count))
}

// meet returns the range of variables that share a component with variable i.
func (r *graspRules) meet(i int) (from, to int) {
	if r.stride == 0 {
		return 0, r.n
	}
	first := 0
	if i >= r.to {
		first = (i - r.to + r.stride - 1) / r.stride
	}
	last := -1
	if i >= r.from {
		last = min((i-r.from)/r.stride, r.comps-1)
	}
	if last < first {
		return i, i + 1 // no component reads it
	}
	return min(i, r.stride*first+r.from), max(i+1, min(r.stride*last+r.to+1, r.n))
}

// The most line searches of a round, the default evaluations of a start in a Step, and the number of variables that the
// components of a round, of a batch, or of a start in a Step, may read. The last one matters where components read many
// variables: a processor needs a hundredth of a second for it, and launches and Steps have to be short.
const (
	mostLines    = 128
	defaultQuota = 1 << 13
	mostReads    = 1 << 22
)

// size sets reads, lines, batch and quota. fixed says that the user has chosen batch.
func (r *graspRules) size(s problems.Structure, fixed bool) {
	touched, comps := s.MeanTouched(), float64(r.comps)
	perComponent := touched * float64(r.n) / comps
	r.reads = max(1, touched*perComponent)
	if r.full {
		r.reads = comps * perComponent
	}
	fit := func(reads float64, most int) int { return int(max(1, min(float64(most), mostReads/reads))) }
	r.lines = fit(r.reads*float64(2*r.half+1), mostLines)
	if !fixed {
		r.batch = fit(comps*perComponent, r.batch)
	}
	r.quota = max(int64(fit(r.reads, defaultQuota)), r.largest())
}

// largest returns the largest number of evaluations that are counted together.
func (r *graspRules) largest() int64 {
	return max(int64(min(r.n, r.lines))*int64(2*r.half+1), int64(r.batch), int64(r.extend))
}

// marks returns the number of bytes that a device stores for the variables of a start.
func (r *graspRules) marks() int {
	if r.many {
		return 2 * r.n
	}
	return r.n
}
