package runs

import (
	"math"
)

// gridState is what a grid must remember, but for the official check-points
// to come.
type gridState struct {
	K     int  // next point of the evaluations
	Level int  // the error was below 10^(level+1) so far
	Begun bool // Level holds
}

// grid chooses the samples that every run and format shares: evaluation 1,
// then 25 a decade, the problem's official check-points, and each power of ten
// above a known optimum. The last evaluation is added when the run ends.
type grid struct {
	gridState
	official []int64 // check-points to come
	known    bool    // optimum holds
	optimum  float64
}

// minLevel and maxLevel bound the powers of ten of the error: below 10^-8 optima are
// not known well enough.
const minLevel, maxLevel = -8, 308

// GridPoint is the k-th point of the evaluations: 1, 2, …, rounded up.
func GridPoint(k int) int64 {
	p := int64(1)
	for range k / 25 {
		p *= 10
	}
	if k%25 == 0 {
		return p
	}
	// Only the fraction goes through a power, so that decades are exact.
	return int64(math.Ceil(float64(p) * math.Pow(10, float64(k%25)/25)))
}

// due says whether the first sample with so many evaluations and this best
// value belongs to the grid, and moves on to the next point.
func (g *grid) due(evals int64, best float64) bool {
	due := false
	for g.K < 18*25 && GridPoint(g.K) <= evals {
		g.K++
		due = true
	}
	for len(g.official) > 0 && g.official[0] <= evals {
		g.official = g.official[1:]
		due = true
	}
	if g.known && !math.IsInf(best, 0) && !math.IsNaN(best) {
		if !g.Begun {
			g.Begun, g.Level = true, maxLevel
		}
		if l := errorLevel(best - g.optimum); l < g.Level {
			// The start is no crossing; it is on the grid as evaluation 1.
			due = due || g.Level < maxLevel
			g.Level = l
		}
	}
	return due
}

// errorLevel is the largest l, at least minLevel, with 10^l <= e.
func errorLevel(e float64) int {
	if !(e > math.Pow(10, minLevel)) {
		return minLevel
	}
	l := int(math.Floor(math.Log10(e)))
	// Log10 may be an ulp off next to a power.
	if math.Pow10(l+1) <= e {
		l++
	} else if math.Pow10(l) > e {
		l--
	}
	return max(l, minLevel)
}
