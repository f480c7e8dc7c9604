// Package grid chooses the samples of a trace that are comparable between runs.
package grid

import (
	"math"
)

// State is the state of a Grid in checkpoints, without its milestones.
type State struct {
	K     int  // index of the next Point
	Level int  // the smallest error so far was below 10^(Level+1)
	Begun bool // Level is set
}

// Grid chooses the samples of the trace that are comparable between runs: evaluation 1, then 25 a decade, the
// milestones of the problem, and each power of ten of the error if the optimum is known. The last sample is added when
// the run ends.
type Grid struct {
	State
	Left    []int64 // milestones that are not reached yet
	Known   bool    // Optimum is set
	Optimum float64
}

// minLevel and maxLevel are the smallest and largest power of ten of the error. Optima are not known to more than
// about 1e-8.
const minLevel, maxLevel = -8, 308

// Point returns the k-th number of evaluations of the grid, which is 10^(k/25) rounded up.
func Point(k int) int64 {
	p := int64(1)
	for range k / 25 {
		p *= 10
	}
	if k%25 == 0 {
		return p
	}
	// Only the fraction of the exponent is computed with Pow, so that powers of ten are exact.
	return int64(math.Ceil(float64(p) * math.Pow(10, float64(k%25)/25)))
}

// Due reports whether the next sample belongs to the grid. evals is its number of evaluations, best its best value.
// The grid then moves on to its next point.
func (g *Grid) Due(evals int64, best float64) bool {
	due := false
	for g.K < 18*25 && Point(g.K) <= evals {
		g.K++
		due = true
	}
	for len(g.Left) > 0 && g.Left[0] <= evals {
		g.Left = g.Left[1:]
		due = true
	}
	if g.Known && !math.IsInf(best, 0) && !math.IsNaN(best) {
		if !g.Begun {
			g.Begun, g.Level = true, maxLevel
		}
		if l := errorLevel(best - g.Optimum); l < g.Level {
			// The first value crosses no power of ten. Its sample is due as evaluation 1.
			due = due || g.Level < maxLevel
			g.Level = l
		}
	}
	return due
}

// errorLevel returns the largest l with 10^l <= e, or minLevel if that is larger.
func errorLevel(e float64) int {
	if !(e > math.Pow(10, minLevel)) {
		return minLevel
	}
	l := int(math.Floor(math.Log10(e)))
	// Log10 may be off by an ulp near a power of ten.
	if math.Pow10(l+1) <= e {
		l++
	} else if math.Pow10(l) > e {
		l--
	}
	return max(l, minLevel)
}
