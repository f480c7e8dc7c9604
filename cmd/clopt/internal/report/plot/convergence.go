package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/internal/solvers/runs/inspect"
	"github.com/clopt/clopt/internal/solvers/stats"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// convergence draws the median of the best values of the runs, and a band between the quartiles. The published means of
// a paper are dashed lines.
func convergence(results []report.Record, c Choice) ([]Panel, error) {
	return perPanel(results, panelOf, func(k panelKey, runs methods) (Panel, error) {
		runs = folderNames(runs)
		what := measured(runs)
		p := Panel{Title: k.title(), X: c.unit(), Y: cmp.Or(what, "best value"), LogX: true, LogY: true, OwnY: true,
			Steps: true}
		optimum, sign, known := optimumOf(runs)
		switch {
		case !known || c.Raw:
			optimum, sign = 0, 1
		case sign > 0 && optimum == 0:
		case what != "":
			p.Y = what + ", above the best known"
		default:
			p.Y = "distance to the best known"
		}
		for _, name := range labelsOf(runs) {
			var histories []inspect.History
			for _, f := range runs[name] {
				course, err := f.Course()
				if err != nil {
					return p, err
				}
				if h := course.Over(c.By); len(h.X) > 0 {
					histories = append(histories, h)
				}
			}
			p.Series = append(p.Series, lines(name, histories, optimum, sign)...)
		}
		p.publish(c.Paper, k, optimum, sign)
		if known && !c.Raw && clampZeros(p.Series) {
			p.Y += " (0 at the bottom)"
		}
		return p, nil
	})
}

// publish adds the published means of the problem of a panel, and its goal, over the range of its lines.
func (p *Panel) publish(paper *report.Paper, k panelKey, optimum, sign float64) {
	if len(p.Series) == 0 {
		return
	}
	from, to := math.Inf(1), math.Inf(-1)
	for _, s := range p.Series {
		from, to = min(from, s.X[0]), max(to, s.X[len(s.X)-1])
	}
	for _, r := range paper.Beside(k.TableKey) {
		if y := sign * (float64(r.At("mean")) - optimum); r.Problem == k.row && !math.IsNaN(y) {
			name := r.Label
			if name != report.Goal {
				name += ", published"
			}
			p.Series = append(p.Series, series{Name: name, Reference: true,
				X: []float64{from, to}, Y: []float64{y, y}})
		}
	}
}

// clampZeros replaces values of 0 by half of the smallest value above 0, so that an axis can be logarithmic. It reports
// whether there were any.
func clampZeros(all []series) (any bool) {
	least := math.Inf(1)
	for _, s := range all {
		for _, v := range slices.Concat(s.Low, s.Y) {
			if v > 0 {
				least = min(least, v)
			}
		}
	}
	if math.IsInf(least, 1) {
		return false
	}
	for _, s := range all {
		for _, values := range [][]float64{s.Low, s.Y, s.High} {
			for i, v := range values {
				if v == 0 {
					values[i], any = least/2, true
				}
			}
		}
	}
	return any
}

// runsOf returns what a line says of several runs.
func runsOf(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf("%d runs", n)
}

// lines returns the series of the runs of a method: the distance of their values from the optimum. Few runs are thin
// lines of their own, more are their median and quartiles. With sign -1 the optimum is a largest value.
func lines(name string, histories []inspect.History, optimum, sign float64) (all []series) {
	n := len(histories)
	runs := runsOf(n)
	if n >= fewestQuartiles {
		all, runs = []series{quartiles(histories, optimum, sign)}, "median and quartiles of "+runs
	} else {
		for _, h := range histories {
			s := series{Single: n > 1}
			for i, x := range h.X {
				if y := sign * (h.Best[i] - optimum); !math.IsNaN(y) && !math.IsInf(y, 0) {
					s.X, s.Y = append(s.X, x), append(s.Y, y)
				}
			}
			all = append(all, s)
		}
	}
	all = slices.DeleteFunc(all, func(s series) bool { return len(s.X) == 0 })
	for i := range all {
		all[i].Name, all[i].Runs = name, runs
	}
	return all
}

// quartiles returns the median and the quartiles of the distances of several runs, from the first x at which three
// quarters of the runs have a value.
func quartiles(histories []inspect.History, optimum, sign float64) (s series) {
	var grid []float64
	for _, h := range histories {
		grid = append(grid, h.X...)
	}
	slices.Sort(grid)
	for _, x := range slices.Compact(grid) {
		var values []float64
		for _, h := range histories {
			v := sign * (h.At(x) - optimum)
			if math.IsNaN(v) {
				v = math.Inf(1)
			}
			values = append(values, v)
		}
		of := stats.Summarise(values)
		if math.IsInf(of.Q1, 0) || math.IsInf(of.Q3, 0) {
			continue
		}
		s.X = append(s.X, x)
		s.Y = append(s.Y, of.Median)
		s.Low = append(s.Low, of.Q1)
		s.High = append(s.High, of.Q3)
	}
	return s
}

// optimumOf returns the best known value of the problem of some results: that of the problem itself, the value to which
// their errors refer, or that of a paper. sign is -1 if it is a largest value.
func optimumOf(m methods) (f, sign float64, known bool) {
	for _, fs := range m {
		r := fs[0].Result
		if !strings.Contains(r.Problem, ".cl") && r.Sense.Sign() > 0 {
			p, err := catalog.Parse(r.Problem, problems.Options{})
			if err != nil {
				return 0, 1, false
			}
			if f, known = p.Info().BestKnown(); known {
				return f, 1, true
			}
		}
		if v, known := report.BestKnown(fs[0]); known {
			return v, r.Sense.Sign(), true
		}
	}
	return 0, 1, false
}
