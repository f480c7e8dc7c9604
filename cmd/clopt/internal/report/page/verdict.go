package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/stats"
)

// problem identifies the problem of a group among all tables.
type problem struct {
	key report.TableKey
	row string
}

func problemOf(g *report.Group) problem { return problem{g.Key, g.Row} }

func (r *Report) verdict() (section, error) {
	s := section{ID: "verdict", Title: "Which method is better where",
		Read: "Median of the final values of all runs, with the quartiles in brackets."}
	several, targets := false, false
	for _, groups := range report.ByTable(report.Compared(r.Results)) {
		s.Tables = append(s.Tables, r.verdictTable(groups))
		for _, same := range report.ByProblem(groups) {
			several, targets = several || len(same) > 1, targets || report.Raced(same)
		}
	}
	if sums := labelled(r.Results); sums.Rows != nil {
		s.Tables = append(s.Tables, sums)
	}
	if several {
		s.Read += " The best median on a problem is marked. The other methods say how far theirs is from it, and p, " +
			"which is below 0.05 where so large a difference is hardly chance (see How sure)."
	}
	if targets {
		s.Read += " Hits are runs that met their target, and the expected evaluations are those of all runs divided " +
			"by the hits. A run stops at its target, so where there are hits, the methods are compared by the " +
			"expected evaluations, not by the median."
	}
	return s, nil
}

// verdictTable returns the verdicts of the groups of a table.
func (r *Report) verdictTable(groups []*report.Group) table {
	t := tableOf(report.TitleOf(groups[0].Key), report.Words("problem", "method"), report.Numbers("median",
		"beside the best", "p", "quartiles", "best", "runs", "hits", "expected evaluations"))
	for _, same := range report.ByProblem(groups) {
		race := report.Raced(same)
		first, write := bestOf(same, race), writer(same)
		for _, g := range same {
			t.add(verdict(g, first, race, len(same) > 1, write)...)
		}
	}
	if groups[0].Key.Data == "generated" {
		t.Notes = append(t.Notes, "These functions are made from generated data. They are not the official "+
			"functions, and their values cannot be compared with published ones.")
	}
	r.publish(&t, groups)
	t.dropEmpty("median")
	return t
}

// labelled returns the sums that objectives label, at the best point of each method.
func labelled(results []report.Record) table {
	t := tableOf("Labelled sums at the best point of each method", report.Words("problem", "method", "sum"),
		report.Numbers("value"))
	for _, g := range report.Groups(results) {
		best := slices.MinFunc(g.Runs, func(a, b report.Record) int {
			sign := g.Runs[0].Result.Sense.Sign()
			return cmp.Compare(sign*float64(a.Result.Best.F), sign*float64(b.Result.Best.F))
		})
		for _, sum := range best.Result.Best.Sums {
			t.add(words(g.Row), words(g.Label), words(sum.Sum+":", sum.Label), number(float64(sum.Value)))
		}
	}
	return t
}

// publish adds a column for each method of the paper to a table with a row for each group.
func (r *Report) publish(t *table, groups []*report.Group) {
	key := groups[0].Key
	beside := r.Paper.Beside(key)
	if beside == nil {
		return
	}
	var labels []string
	for _, p := range beside {
		if slices.Contains(labels, p.Label) {
			continue
		}
		labels = append(labels, p.Label)
		t.Columns = append(t.Columns, report.Numbers(r.Paper.Name+": "+p.Label)...)
		if other := r.Paper.Elsewhere(p, key.Variant); other != "" {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: %s has %s.", r.Paper.Name, p.Label, other))
		}
	}
	for i, g := range groups {
		for _, label := range labels {
			mean := words(none)
			at := slices.IndexFunc(beside, func(p report.PublishedRow) bool {
				return p.Label == label && p.Problem == g.Row
			})
			if at >= 0 {
				mean = number(float64(beside[at].At("mean")))
			}
			t.Rows[i] = append(t.Rows[i], mean)
		}
	}
	t.Notes = append(t.Notes, r.Paper.Note()+".")
}

// bestOf returns the group with the best score.
func bestOf(same []*report.Group, race bool) *report.Group {
	return slices.MinFunc(same, func(a, b *report.Group) int { return cmp.Compare(a.Score(race), b.Score(race)) })
}

// difference returns the p of the difference between two methods on a problem, NaN if one of them has a single run.
func difference(a, b *report.Group) float64 {
	if len(a.Runs) < 2 || len(b.Runs) < 2 {
		return math.NaN()
	}
	return compared(a, b).P
}

// method returns the label of a run, and the method that it stands for if the label does not name it.
func method(f report.Record) string {
	if name := f.Result.Algorithm.Name; !strings.Contains(f.Label, name) {
		return f.Label + " (" + name + ")"
	}
	return f.Label
}

// none is the text of a cell without a value.
const none = "–"

// dropEmpty removes columns without any value, except those of the kept heads.
func (t *table) dropEmpty(kept ...string) {
	for i := len(t.Columns) - 1; i >= 0; i-- {
		if slices.Contains(kept, t.Columns[i].Head) ||
			slices.ContainsFunc(t.Rows, func(row []cell) bool { return row[i].Text != none }) {
			continue
		}
		t.remove(i)
	}
}

// verdict returns the row of a group. first is the best one on its problem, which is marked if there are several. write
// writes values.
func verdict(g, first *report.Group, race, several bool, write func(float64) string) []cell {
	of := stats.Summarise(g.Values())
	low, high := g.Sign()*of.Q1, g.Sign()*of.Q3
	value := func(v float64) cell { return numberAs(write(v), v) }
	median := value(g.Sign() * of.Median)
	own, best := g.Score(race), first.Score(race)
	good := several && own == best
	median.Good = good && !race
	beside := words(none)
	if several && own != best && !math.IsInf(own, 1) {
		beside.Text = apart(own, best)
	}
	chance := words(none)
	if p := difference(first, g); own != best && !math.IsNaN(p) {
		chance = number(p)
	}
	row := []cell{words(g.Row), words(method(g.Runs[0])), median, beside, chance,
		words("[" + write(min(low, high)) + ", " + write(max(low, high)) + "]"), value(g.Sign() * of.Best),
		words(fmt.Sprint(of.N)), words(none), words(none)}
	if evaluations, hits := g.Expected(); hits > 0 {
		row[8].Text, row[9] = fmt.Sprintf("%d of %d", hits, of.N), number(evaluations)
		row[9].Good = good && race
	}
	return row
}

// apart says how far a score is from the best one: how many times as large, in percent where that is below a tenth, or
// the difference where the best is not above 0. Scores below 0 are those of a maximization, or of values below 0.
func apart(own, best float64) string {
	switch share := 100 * (own - best) / math.Abs(best); {
	case best == 0:
		return "+" + short(own)
	case best < 0:
		return short(share) + " % worse"
	case share < 10:
		return "+" + short(share) + " %"
	}
	return "× " + short(own/best)
}

// writer returns how values of a problem are written (report.Digits).
func writer(same []*report.Group) func(float64) string {
	var methods [][]float64
	for _, g := range same {
		methods = append(methods, g.Values())
	}
	digits := report.Digits(methods)
	return func(v float64) string {
		if math.IsNaN(v) {
			return none
		}
		return report.WithDigits(exact.Number(v), digits)
	}
}

// short writes a value with three digits.
func short(v float64) string {
	if math.IsNaN(v) {
		return none
	}
	return report.Short(exact.Number(v))
}
