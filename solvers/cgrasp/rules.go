package cgrasp

import (
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/solvers"
)

// graspRules are the rules of every start. They depend on the settings and the problem alone, so host and
// devices follow the same rules.
type graspRules struct {
	grid
	windows
	localSearch
	alpha    float64 // of the candidate list; negative: drawn for each construction
	full     bool    // each value comes from a full evaluation
	additive bool    // g is affine, so that the change of f depends only on the terms that change
	many     bool    // a selection fixes an independent set of variables
	lines    int     // the most line searches of a round
	quota    int64   // values of a start in a Step
	reads    float64 // number of variables that the components of an evaluation read
	worth    float64 // share of the largest improvement with the same h that an iteration must exceed
	extend   int     // steps in the direction of an iteration
	restart  bool    // another start follows one that has ended
	until    float64 // a start ends at or below this value
	fixing   int64   // the most components that a selection evaluates
	together int64   // the most components that are counted together
}

// localSearch says how points around a point are tried.
type localSearch struct {
	rho    float64 // share of the grid that it may try
	points int     // it ends after this many points without success
	tries  int     // it ends after this many points and the rest of a batch
	batch  int     // points that are evaluated together
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
		a := make([]float64, m)
		want := zero
		size := math.Abs(zero)
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

// The most line searches of a round, the default number of values of a start in a Step, and the number of variables
// that the components of a round, of a batch, or of a start in a Step, may read. The last one matters where components
// read many variables: a processor needs a hundredth of a second for it, and launches and Steps have to be short.
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

// largest returns the largest number of values that are counted together.
func (r *graspRules) largest() int64 {
	return max(int64(min(r.n, r.lines))*int64(2*r.half+1), int64(r.batch), int64(r.extend))
}

// touches sets the numbers of components that a line search, and a selection that fixes one variable, may evaluate.
func (r *graspRules) touches(s problems.Structure) {
	most := 0
	for i := range r.n {
		most = max(most, r.touched(s, i))
	}
	if !r.full && !r.additive {
		r.fixing = 2 * int64(most)
	}
	line := int64(2*r.half+1) * int64(most)
	r.together = max(int64(min(r.n, r.lines))*line, int64(r.comps)*int64(max(r.batch, r.extend, 1)), r.fixing)
}

// touched returns the number of components that a candidate for variable i evaluates.
func (r *graspRules) touched(s problems.Structure, i int) int {
	if r.full {
		return r.comps
	}
	return s.Touched(i)
}

// first returns the most values and components of a start until its first selection, and of the point to which that
// leads.
func (r *graspRules) first(s problems.Structure) purse {
	points := int64(1 + problems.Flag(r.additive)) // elsewhere the value of that point is known
	need := purse{points, points*int64(r.comps) + r.fixing}
	for i := range r.n {
		nodes := int64(min(2*r.half, count((r.hi[i]-r.lo[i])/r.step(i, r.hs), graspMost)) + 1)
		need.values += nodes
		need.components += nodes * int64(r.touched(s, i))
	}
	return need
}

// purse is what a start, or a run, may use: values of points and candidates, and components evaluated for them.
type purse struct{ values, components int64 }

// holds reports whether some values and components can be paid from p.
func (p purse) holds(values, components int64) bool {
	return p.values >= values && p.components >= components
}

// left returns what is left of a room after a sample, with so many components.
func (r *graspRules) left(room solvers.Room, s solvers.Sample, components int64) purse {
	left := purse{room.Moves, math.MaxInt64 / 2}
	if all := float64(s.Evaluations) + float64(room.Evaluations); all*float64(r.comps) < math.MaxInt64/2 {
		left.components = (s.Evaluations+room.Evaluations)*int64(r.comps) - components
	}
	return left
}

// marks returns the number of bytes that a device stores for the variables of a start.
func (r *graspRules) marks() int {
	if r.many {
		return 2 * r.n
	}
	return r.n
}
