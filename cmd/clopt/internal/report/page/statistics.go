package page

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/stats"
)

func (r *Report) statistics() (section, error) {
	s := section{ID: "statistics", Title: "How sure", Read: "A12 is the probability that a run of the first method " +
		"is better than one of the second: 0.5 is a tie. p is that of a difference at least as large if both were " +
		"equal (Mann and Whitney, two-sided, exact up to 100 runs); it is not corrected for the number of " +
		"comparisons. Of two runs the one that met its target is better, of two that did the one with fewer " +
		"evaluations, and otherwise the one with the better value. Of two methods with three runs each p is at " +
		"least 0.1: take four or more, better ten."}
	for _, groups := range report.ByTable(report.Compared(r.Results)) {
		pairs := tableOf(report.TitleOf(groups[0].Key), report.Words("problem", "first", "second", "better"),
			report.Numbers("A12", "p"))
		for _, same := range report.ByProblem(groups) {
			for i, a := range same {
				for _, b := range same[i+1:] {
					if len(a.Runs) > 1 && len(b.Runs) > 1 {
						pairs.add(pair(a.Row, a, b)...)
					}
				}
			}
		}
		if pairs.Rows != nil {
			s.Tables = append(s.Tables, pairs)
		}
	}
	all := report.AcrossProblems(r.Results, r.Paper)
	for _, a := range all {
		s.Tables = append(s.Tables, across(a)...)
	}
	if slices.ContainsFunc(all, func(a report.Across) bool { return a.Friedman != nil }) {
		s.Read += " Across the problems a method has the mean rank 1 if it is the best on each of them. The p of " +
			"Holm is corrected for the number of methods, that of Wilcoxon for two of them is not."
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
	if !report.Raced([]*report.Group{a, b}) {
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

// across returns the tests over the problems of a table or of several: the mean ranks of the methods, and the rank sums
// of each two of them.
func across(a report.Across) []table {
	ranks := tableOf("Across the problems: " + a.Title)
	f := a.Friedman
	if f == nil {
		ranks.Notes = []string{a.Heading()}
		return []table{ranks}
	}
	ranks.Columns = append(report.Words("method"), report.Numbers("mean rank", "p against the best (Holm)")...)
	adjusted := map[string]exact.Number{}
	for _, h := range f.Holm {
		adjusted[h.Method] = h.Adjusted
	}
	for i, m := range f.Methods {
		row := []cell{words(m), number(float64(f.Ranks[i])), words("best")}
		if p, ok := adjusted[m]; ok {
			row[2] = number(float64(p))
		}
		row[1].Good = f.Ranks[i] == slices.Min(f.Ranks)
		ranks.add(row...)
	}
	ranks.Notes = []string{fmt.Sprintf("%s Friedman: χ² = %s (p = %s); Iman and Davenport: %s.", a.Heading(),
		report.Short(f.Chi2), report.Short(f.P), f.ImanDavenport(report.Short))}
	pairs := tableOf("Wilcoxon's signed ranks: "+a.Title, report.Words("first", "second"),
		report.Numbers("ranks for the first", "for the second", "p"))
	for _, p := range a.Wilcoxon {
		pairs.add(words(p.A), words(p.B), number(float64(p.Plus)), number(float64(p.Minus)), number(float64(p.P)))
	}
	if pairs.Rows == nil {
		return []table{ranks}
	}
	return []table{ranks, pairs}
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
	t := tableOf("", report.Words("problem", "method"), report.Numbers("before", "now"), report.Words("change"),
		report.Numbers("A12", "p"))
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
		t.add(words(report.ProblemRow(g.Runs[0])), words(g.Label), number(g.Sign()*old.Median()),
			number(g.Sign()*g.Median()), verdict, number(w.A12), number(w.P))
	}
	if t.Rows == nil {
		t.Notes = []string{"The two campaigns have no problem and method in common."}
	}
	s.Tables = []table{t}
	return s, nil
}
