package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/solvers/stats"
)

func (r *Report) statistics() (section, error) {
	s := section{ID: "statistics", Title: "How sure", Read: "A12 is the probability that a run of the first method " +
		"is better than one of the second: 0.5 is a tie. p is that of a difference at least as large if both were " +
		"equal (Mann and Whitney, two-sided, exact up to 100 runs); it is not corrected for the number of " +
		"comparisons. Of two runs the one that met its target is better, of two that did the one with fewer " +
		"evaluations, and otherwise the one with the better value. Of two methods with three runs each p is at " +
		"least 0.1: take four or more, better ten."}
	for _, groups := range chunks(r.compared(), tableOf) {
		pairs := table{Caption: report.TitleOf(groups[0].Key),
			Head: []string{"problem", "first", "second", "better", "A12", "p"}}
		for _, same := range chunks(groups, problemOf) {
			for i, a := range same {
				for _, b := range same[i+1:] {
					if len(a.Runs) > 1 && len(b.Runs) > 1 {
						pairs.Rows = append(pairs.Rows, pair(a.Row, a, b))
					}
				}
			}
		}
		if pairs.Rows != nil {
			s.Tables = append(s.Tables, pairs)
		}
	}
	for _, groups := range pools(r.compared()) {
		if t, ok := across(groups); ok {
			s.Tables = append(s.Tables, t)
		}
	}
	return s, nil
}

// pair returns the row of a comparison of two methods.
func pair(name string, a, b *report.Group) []cell {
	w := compared(a, b)
	better := "no difference at 0.05"
	switch {
	case w.P < 0.05 && w.A12 > 0.5:
		better = a.Label
	case w.P < 0.05:
		better = b.Label
	}
	return []cell{words(name), words(a.Label), words(b.Label), words(better), number(w.A12), number(w.P)}
}

// compared tests whether the runs of a or those of b are better. Runs that met their targets come first.
func compared(a, b *report.Group) stats.RankSum {
	if !raced([]*report.Group{a, b}) {
		return stats.MannWhitney(a.Values(), b.Values())
	}
	order := func(x, y report.Record) int {
		switch {
		case x.Hit() && y.Hit():
			return cmp.Compare(x.Result.Evaluations, y.Result.Evaluations)
		case x.Hit():
			return -1
		case y.Hit():
			return 1
		}
		return cmp.Compare(a.Sign()*float64(x.Result.Best.F), a.Sign()*float64(y.Result.Best.F))
	}
	all := slices.SortedFunc(slices.Values(slices.Concat(a.Runs, b.Runs)), order)
	places := func(g *report.Group) (at []float64) { // equal runs have one place
		for _, f := range g.Runs {
			i, _ := slices.BinarySearchFunc(all, f, order)
			at = append(at, float64(i))
		}
		return at
	}
	return stats.MannWhitney(places(a), places(b))
}

// across compares the scores of methods over all problems of a table. ok is false if there is one method.
func across(groups []*report.Group) (t table, ok bool) {
	scores, races := map[string]map[string]float64{}, false // by problem and method
	var rows, labels []string
	for _, g := range groups {
		if scores[g.Row] == nil {
			scores[g.Row] = map[string]float64{}
			rows = append(rows, g.Row)
		}
		race := raced(slices.DeleteFunc(slices.Clone(groups), func(o *report.Group) bool { return o.Row != g.Row }))
		scores[g.Row][g.Label], races = score(g, race), races || race
		if !slices.Contains(labels, g.Label) {
			labels = append(labels, g.Label)
		}
	}
	if len(labels) < 2 {
		return t, false
	}
	slices.SortFunc(labels, report.Natural)
	var full [][]float64
	for _, row := range rows {
		values := make([]float64, len(labels))
		for i, l := range labels {
			values[i] = scores[row][l]
		}
		if len(scores[row]) == len(labels) {
			full = append(full, values)
		}
	}
	t = table{Caption: "Across the problems: " + report.TitleOf(groups[0].Key)}
	if len(full) < report.FewestProblems {
		t.Notes = []string{fmt.Sprintf("%s with results of all methods; tests across problems need %d or more.",
			report.Counted(len(full), "problem"), report.FewestProblems)}
		return t, true
	}
	f, err := stats.Friedman(full)
	if err != nil {
		return t, false
	}
	t.Head = []string{"method", "mean rank", "p against the best (Holm)"}
	adjusted := map[int]float64{}
	for _, h := range f.Holm {
		adjusted[h.Method] = h.Adjusted
	}
	for i, l := range labels {
		row := []cell{words(l), number(f.Ranks[i]), {Text: "best", Number: true}}
		if p, ok := adjusted[i]; ok {
			row[2] = number(p)
		}
		row[1].Good = f.Ranks[i] == slices.Min(f.Ranks)
		t.Rows = append(t.Rows, row)
	}
	what := "medians"
	if races {
		what = "medians, or expected evaluations where there are hits,"
	}
	iman := fmt.Sprintf("F = %s, p = %s", short(f.F), short(f.PF))
	if math.IsInf(f.F, 0) {
		iman = report.SameRanks
	}
	t.Notes = []string{fmt.Sprintf("Friedman's test over the %s of %d problems: χ² = %s, p = %s; Iman and "+
		"Davenport: %s.", what, f.N, short(f.Chi2), short(f.P), iman)}
	if len(labels) == 2 && !races {
		a, b := make([]float64, len(full)), make([]float64, len(full))
		for i, v := range full {
			a[i], b[i] = v[0], v[1]
		}
		w := stats.Wilcoxon(a, b)
		t.Notes = append(t.Notes, fmt.Sprintf("Wilcoxon's signed ranks: %s %s, %s %s, p = %s.", labels[0],
			short(w.Plus),
			labels[1], short(w.Minus), short(w.P)))
	}
	return t, true
}

func (r *Report) change() (section, error) {
	s := section{ID: "change", Title: "Change", Read: "The medians of the other campaign and of this one for the " +
		"same problems and methods. A12 is the probability that a run of this campaign is better."}
	if r.Before == nil {
		return s, nil
	}
	type id struct {
		problem
		label string
	}
	before := map[id]*report.Group{}
	for _, g := range report.Groups(r.Before) {
		before[id{problemOf(g), g.Label}] = g
	}
	t := table{Head: []string{"problem", "method", "before", "now", "change", "A12", "p"}}
	for _, g := range report.Groups(r.Results) {
		old := before[id{problemOf(g), g.Label}]
		if old == nil {
			continue
		}
		w := compared(g, old)
		verdict := cell{Text: "same"}
		switch {
		case w.P < 0.05 && w.A12 > 0.5:
			verdict = cell{Text: "better", Good: true}
		case w.P < 0.05:
			verdict = cell{Text: "worse", Bad: true}
		case slices.Equal(slices.Sorted(slices.Values(g.Values())), slices.Sorted(slices.Values(old.Values()))):
			verdict.Text = "equal values"
		}
		t.Rows = append(t.Rows, []cell{words(report.ProblemRow(g.Runs[0])), words(g.Label),
			number(g.Sign() * old.Median()),
			number(g.Sign() * g.Median()), verdict, number(w.A12), number(w.P)})
	}
	if t.Rows == nil {
		t.Notes = []string{"The two campaigns have no problem and method in common."}
	}
	s.Tables = []table{t}
	return s, nil
}
