package cgrasp

import (
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
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
	quota    int64   // evaluations of a start in a Step
	reads    float64 // number of variables that the components of an evaluation read
	worth    float64 // share of the largest improvement with the same h that an iteration must exceed
	extend   int     // steps in the direction of an iteration
	restart  bool    // another start follows one that has ended
	until    float64 // a start ends at or below this value
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
