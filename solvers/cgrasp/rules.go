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
	full     bool      // every value by a full evaluation
	additive bool      // g is affine, so that a difference depends on its own terms alone
	many     bool      // independent sets are fixed together
	// Variables interact within a window: i touches the components that read
	// it, and those read stride*k+from … stride*k+to. stride 0: all interact.
	stride, from, to int
	rho              float64
	points           int     // of a local search without success, at most
	tries            int     // of a local search in all, about
	batch            int     // of them evaluated together
	worth            float64 // improvements below this share of the largest with h count as none
	extend           int     // steps along the way of an iteration; 0: none
	restart          bool
	until            float64 // a start ends at or below it
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

// step is h for variable i.
func (r *graspRules) step(i int, h float64) float64 {
	if r.scale == nil {
		return h
	}
	return h * r.scale[i]
}

// graspMost is more nodes than are counted on either side.
const graspMost = 1 << 29

// count is v rounded down, at most most.
func count(v float64, most int) int {
	if v >= float64(most) {
		return most
	}
	return int(v)
}

// nodes is the range of k for which the candidates of variable i lie in its
// interval, at most half of them on each side of v.
func (r *graspRules) nodes(i int, v, h float64) (from, to int) {
	lo, hi := r.lo[i], r.hi[i]
	h = r.step(i, h)
	if r.lower {
		at := count(math.RoundToEven((v-lo)/h), graspMost)
		return max(0, at-r.half), min(count((hi-lo)/h, graspMost), at+r.half)
	}
	return -count((v-lo)/h, r.half), count((hi-v)/h, r.half)
}

// node is candidate k of variable i.
func (r *graspRules) node(i, k int, v, h float64) float64 {
	if r.lower {
		v = r.lo[i]
	}
	return min(max(v+float64(float64(k)*r.step(i, h)), r.lo[i]), r.hi[i])
}

// most is how many points a local search tries without success.
func (r *graspRules) most(h float64) int {
	count := r.rho
	for i := range r.n {
		if count *= math.Ceil((r.hi[i] - r.lo[i]) / r.step(i, h)); count >= float64(r.points) {
			return r.points
		}
	}
	return int(math.Ceil(count))
}

// meet is the range of variables that share a component with variable i.
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

// quota is the evaluations of a start in a Step: as many as the largest unit may
// take, or 8,192.
func (r *graspRules) quota() int64 { return max(1<<13, r.largest()) }

// largest is the most evaluations of a unit.
func (r *graspRules) largest() int64 {
	return max(int64(min(r.n, graspLines))*int64(2*r.half+1), int64(r.batch), int64(r.extend))
}

// marks is the bytes that a device keeps for the variables of a start.
func (r *graspRules) marks() int {
	if r.many {
		return 2 * r.n
	}
	return r.n
}
