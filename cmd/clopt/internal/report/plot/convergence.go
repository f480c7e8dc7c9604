package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers/runs/inspect"
	"github.com/clopt/clopt/solvers/stats"
)

// Convergence draws the median of the best values of the runs, and a band between the quartiles. by is the axis:
// evaluations, work or time. With raw the values are drawn, not their distance from a known optimum. The published
// means of a paper, which may be nil, are dashed lines.
func Convergence(results []report.Record, by string, raw bool, paper *report.Paper) (panels []Panel, err error) {
	keys, groups := byPanel(results, panelOf)
	for _, k := range keys {
		groups[k] = folderNames(groups[k])
		p := Panel{Title: k.title(), X: by, Y: cmp.Or(measured(groups[k]), "best value"), LogX: true, LogY: true,
			OwnY: true, Steps: true}
		if by == "time" {
			p.X = "seconds"
		}
		optimum, sign, known := optimumOf(groups[k])
		switch {
		case !known || raw:
			optimum, sign = 0, 1
		case sign < 0 || optimum != 0:
			p.Y = "distance to the best known"
			if what := measured(groups[k]); what != "" {
				p.Y = what + ", above the best known"
			}
		}
		for _, name := range labelsOf(groups[k]) {
			var histories []inspect.History
			for _, f := range groups[k][name] {
				c, err := f.Course()
				if err != nil {
					return nil, err
				}
				if h := c.Over(by); len(h.X) > 0 {
					histories = append(histories, h)
				}
			}
			if len(histories) == 0 {
				continue
			}
			p.Series = append(p.Series, lines(name, histories, optimum, sign)...)
		}
		p.publish(paper, k, optimum, sign)
		if known && !raw && clampZeros(p.Series) {
			p.Y += " (0 at the bottom)"
		}
		for _, s := range p.Series {
			// A logarithmic axis shows only values above 0.
			p.LogY = p.LogY && s.least() > 0
			p.LogX = p.LogX && s.X[0] > 0
		}
		if len(p.Series) > 0 {
			panels = append(panels, p)
		}
	}
	return panels, nil
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

// runsOf returns what a name says of several runs.
func runsOf(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" (%d runs)", n)
}

// lines returns the series of the runs of a method: the distance of their values from the optimum. Few runs are thin
// lines of their own, more are their median and quartiles. With sign -1 the optimum is a largest value.
func lines(name string, histories []inspect.History, optimum, sign float64) (all []series) {
	switch n := len(histories); {
	case n >= fewestQuartiles:
		name += fmt.Sprintf(" (median and quartiles of %d runs)", n)
	default:
		name += runsOf(n)
	}
	if len(histories) >= fewestQuartiles {
		if s := quartiles(name, histories, optimum, sign); len(s.X) > 0 {
			all = append(all, s)
		}
		return all
	}
	for _, h := range histories {
		s := series{Name: name, Single: len(histories) > 1}
		for i, x := range h.X {
			if y := sign * (h.Best[i] - optimum); !math.IsNaN(y) && !math.IsInf(y, 0) {
				s.X, s.Y = append(s.X, x), append(s.Y, y)
			}
		}
		if len(s.X) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// quartiles returns the median and the quartiles of the distances of several runs, from the first x at which three
// quarters of the runs have a value.
func quartiles(name string, histories []inspect.History, optimum, sign float64) series {
	var grid []float64
	for _, h := range histories {
		grid = append(grid, h.X...)
	}
	slices.Sort(grid)
	s := series{Name: name}
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
		s.X, s.Y, s.Low, s.High = append(s.X, x), append(s.Y, of.Median), append(s.Low, of.Q1), append(s.High, of.Q3)
	}
	return s
}

// optimumOf returns the best known value of the problem of some results: that of the problem itself, the value to which
// their errors refer, or that of a paper. sign is -1 if it is a largest value.
func optimumOf(m map[string][]report.Record) (f, sign float64, known bool) {
	for _, fs := range m {
		r := fs[0].Result
		if !strings.Contains(r.Problem, ".cl") && fs[0].Result.Sense.Sign() > 0 {
			p, err := catalog.Parse(r.Problem, problems.Options{})
			if err != nil {
				return 0, 1, false
			}
			if f, known = p.Info().BestKnown(); known {
				return f, 1, true
			}
		}
		if v := report.KnownOf(fs[0]).Value; !math.IsNaN(v) {
			return v, fs[0].Result.Sense.Sign(), true
		}
		suite, _ := strings.CutSuffix(fs[0].Key.Suite, "-laptop")
		if paper, err := report.ReadPaper(suite); err == nil {
			if r := paper.Find(fs[0].Key.Table, report.ProblemRow(fs[0]), "known"); r != nil {
				return float64(r.At("best")), fs[0].Result.Sense.Sign(), true
			}
		}
	}
	return 0, 1, false
}
