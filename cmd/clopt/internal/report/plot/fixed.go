package plot

import (
	"math"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/internal/solvers/stats"
)

// targetsPerDecade is the number of targets for a power of ten.
const targetsPerDecade = 10

// fixedTargets draws the expected running time (stats.ExpectedTime) of each method over the targets of a problem, with
// a panel for each problem. Harder targets are further right, unless with Raw the axis shows values that are maximized.
// A line ends where no run met a target, and has a mark at the first target that not all runs met. With Raw the targets
// are values, not distances from the best known one.
func fixedTargets(results []report.Record, c Choice) ([]Panel, error) {
	return perPanel(results, panelOf, func(k panelKey, runs methods) (Panel, error) {
		r, err := raceOf(runs, c.By, c.Raw)
		if err != nil {
			return Panel{}, err
		}
		p := Panel{Title: k.title(), X: "distance to the best run", LogX: r.logarithmic(), LogY: true, OwnX: true,
			FallingX: !c.Raw || r.sign > 0, Steps: true,
			Y: report.Joined("expected "+c.unit()+" to the target", "marked where runs begin to miss it")}
		switch {
		case c.Raw:
			p.X = "target value"
		case r.known:
			p.X = "distance to the best known"
		}
		if !c.Raw && r.best <= 0 {
			p.X = report.Joined(p.X, "0 at the right")
		}
		targets := r.targets(targetsPerDecade)
		places := r.places(targets)
		for _, label := range labelsOf(runs) {
			if s := r.expected(label, targets, places); len(s.X) > 0 {
				p.Series = append(p.Series, s)
			}
		}
		return p, nil
	})
}

// places returns where targets are on an axis. The distance 0, which has no logarithm, is at half of the smallest
// distance above 0.
func (r *race) places(targets []float64) (at []float64) {
	for _, t := range targets {
		switch {
		case r.values:
			t *= r.sign
		case t == 0:
			t = r.nearest / 2
		}
		at = append(at, t)
	}
	return at
}

// expected returns the expected running times of a method. Targets that all runs met after nothing are left out, since
// that has no logarithm.
func (r *race) expected(label string, targets, places []float64) series {
	s := series{Name: label}
	for i, target := range targets {
		var times []float64
		var hits []bool
		missed := false
		for _, c := range r.courses {
			if c.label != label {
				continue
			}
			t, ok := c.met(target)
			if !ok {
				t, missed = c.end, true
			}
			times, hits = append(times, t), append(hits, ok)
		}
		if i == 0 {
			s.Runs = runsOf(len(times))
		}
		expected := stats.ExpectedTime(times, hits)
		if math.IsInf(expected, 1) {
			break
		}
		if expected <= 0 {
			continue
		}
		if missed && s.Marks == nil {
			s.Marks = []int{len(s.X)}
		}
		s.X, s.Y = append(s.X, places[i]), append(s.Y, expected)
	}
	return s
}
