package lbfgs

import (
	"math"

	"github.com/clopt/clopt/internal/solvers/host"
)

// stage says how gradients are made, and for how long.
type stage struct {
	exact   bool
	rounded bool // kinks are rounded, see rounds
	// The step of a difference is the larger one of these shares of the variable and of its interval.
	ofValue, ofRange float64
	least            float64 // the next stage follows when f falls by less than this part of itself
}

// The stages of a descent, one after the other. A descent begins with the first or with the usual one.
var (
	byDifferences = []stage{
		{ofRange: 0x1p-5, least: 1e-4}, {ofRange: 0x1p-8, least: 1e-4}, {ofRange: 0x1p-11, least: 1e-4},
		{ofValue: math.Cbrt(0x1p-52), least: 1e-13}, {ofValue: 0x1p-26, least: 1e-13},
	}
	exactly  = []stage{byDifferences[0], byDifferences[1], byDifferences[2], {exact: true, least: 1e-13}}
	inRounds = []stage{byDifferences[0], byDifferences[1], byDifferences[2], {exact: true, rounded: true, least: 1e-13},
		{exact: true, least: 1e-13}}
)

const usual = 3 // index of the first stage after the coarse ones

// stages are those of a descent.
func (r *run) stages() []stage {
	switch {
	case r.engine.rounded != nil:
		return inRounds
	case r.engine.exact != nil:
		return exactly
	}
	return byDifferences
}

// stage is that of the descent.
func (r *run) stage() stage { return r.stages()[r.state.Descent.Fine] }

// work returns that of a gradient of the stage of the descent.
func (r *run) work() float64 {
	if at := r.state.Descent; r.engine.exact != nil && (!at.On || r.stage().exact) {
		return exactWork
	}
	return r.p.Structure().DifferencesWork()
}

// first returns the index of the first stage of a descent from a uniform point. Where gradients are exact and the
// function has no steps, the first one and most others begin with these, and the second one, of a chain of its own, and
// some later ones with coarse differences.
func (r *run) first(descent int) int {
	h := r.state.Hops
	second := h.Over && host.Finite(h.F)
	if e := r.engine; e.exact == nil || e.adjoint.steps || second || descent%4 == 3 && r.cheap() {
		return 0
	}
	return usual
}

// cheap reports whether coarse gradients are worth their work for a function without steps.
func (r *run) cheap() bool { return r.p.Structure().DifferencesWork() <= mostCoarse }

// mostCoarse is the largest work of a coarse gradient of a function without steps.
const mostCoarse = 256
