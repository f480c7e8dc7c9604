package plot

import (
	"math"
	"slices"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/internal/solvers/stats"
)

// fitPoints is the number of points of a fitted distribution.
const fitPoints = 100

// timeToTarget draws the share of runs that have met their target over the seconds, with a panel for each problem, and
// the fit of a shifted exponential distribution where three quarters of the runs have met it.
func timeToTarget(results []report.Record, _ Choice) ([]Panel, error) {
	return perPanel(results, panelOf, func(k panelKey, runs methods) (Panel, error) {
		p := Panel{Title: k.title(), X: "seconds to the target", Y: "share of the runs", Share: true, LogX: true,
			Steps: true}
		for _, label := range labelsOf(runs) {
			if seconds, hits, ok := report.ToTarget(runs[label]); ok {
				p.Series = append(p.Series, reached(label, seconds, hits)...)
			}
		}
		return p, nil
	})
}

// reached returns the share of the runs that have met a target by each of their times, and its fit.
func reached(label string, seconds []float64, hits []bool) []series {
	times := make([]float64, len(seconds)) // infinite where a run has missed the target
	for i, t := range seconds {
		times[i] = math.Inf(1)
		if hits[i] {
			times[i] = t
		}
	}
	slices.Sort(times)
	s := series{Name: label, X: times[:1:1], Y: []float64{0}} // the first step begins at 0
	for i, t := range times {
		if !math.IsInf(t, 1) {
			s.X, s.Y = append(s.X, t), append(s.Y, float64(i+1)/float64(len(times)))
		}
	}
	start, mean := stats.ShiftedExponential(stats.Quantile(times, 0.25), stats.Quantile(times, 0.75))
	if !(mean > 0) || math.IsInf(mean, 1) {
		return []series{s}
	}
	fit := series{Name: label + ", exponential", Reference: true}
	from, to := max(start, s.X[0]/2), max(s.X[len(s.X)-1], start+mean)
	for i := range fitPoints {
		t := from + (to-from)*float64(i)/(fitPoints-1)
		fit.X, fit.Y = append(fit.X, t), append(fit.Y, -math.Expm1(-(t-start)/mean))
	}
	return []series{s, fit}
}
