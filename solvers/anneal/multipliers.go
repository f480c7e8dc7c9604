package anneal

import (
	"math"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
)

// multipliers are the weights of the accumulators for sweeps of a function whose g bends up, as with a penalty for a
// limit. The slope of such a penalty is 0 on one side of the limit and huge on the other. Variables that move at the
// same time and decide by it all leave the limit, and then all come back.
//
// A weight is constant during a sweep, and follows the slope between sweeps. It moves towards the slope, by a step
// that becomes shorter when the slope has come to the other side of the weight, and longer when it stays on one side.
// Of the slopes only the side counts, however steep the penalty is. So a weight comes to the Lagrange multiplier of the
// limit, with which the best point of f = Σ_a Weight[a]·acc_a is near to the limit. If the slope does not jump, the
// weight is the slope.
type multipliers struct {
	Weight []float64
	Step   []float64 // largest move of a weight; 0: its slope has not changed yet
	Above  []bool    // the slope was above the weight
	Same   []int     // updates in a row with the slope on the same side
}

const (
	// ahead is how many changes of the latest sweep are added to the accumulators before the slopes are taken. A
	// weight turns back before it has driven the sums far beyond the limit.
	ahead = 2
	// A step becomes longer from the patience-th update in a row with the slope on the same side.
	longer, shorter, patience = 1.2, 0.5, 4
	// leastStep is the shortest step, as a share of the weight.
	leastStep = 1e-6
)

// bent reports whether sweeps of p need multipliers: g may bend up.
func bent(p problems.Problem) bool {
	return p.Linear() == nil && p.Accumulators() > 1 && problems.BendsUp(p)
}

// newMultipliers begins with the slopes at the start point.
func newMultipliers(slopes []float64) multipliers {
	n := len(slopes)
	return multipliers{Weight: slopes, Step: make([]float64, n), Above: make([]bool, n), Same: make([]int, n)}
}

// follow moves the weights towards the slopes at the accumulators acc, which a sweep has changed by change.
func (m *multipliers) follow(p problems.Problem, acc, change []float64) {
	at := make([]float64, len(acc))
	for a, v := range acc {
		at[a] = v + ahead*change[a]
	}
	for a, slope := range host.Slopes(p, at) {
		gap := slope - m.Weight[a]
		if gap == 0 {
			continue
		}
		above := gap > 0
		switch {
		case m.Step[a] == 0:
			m.Step[a] = math.Abs(gap) / 2
		case above != m.Above[a]:
			m.Step[a], m.Same[a] = m.Step[a]*shorter, 0
		default:
			if m.Same[a]++; m.Same[a] >= patience {
				m.Step[a] *= longer
			}
		}
		m.Above[a] = above
		m.Step[a] = max(m.Step[a], leastStep*math.Abs(m.Weight[a]))
		m.Weight[a] += math.Copysign(min(m.Step[a], math.Abs(gap)), gap)
	}
}
