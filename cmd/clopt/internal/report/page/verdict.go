package page

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/solvers/runs/exact"
	"github.com/clopt/clopt/solvers/stats"
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
		key := groups[0].Key
		t := table{Caption: report.TitleOf(key),
			Head: []string{"problem", "method", "median", "beside the best", "p", "quartiles", "best", "runs", "hits",
				"expected evaluations"}}
		beside := r.Paper.Beside(key)
		var labels []string // of the methods of the paper
		for _, p := range beside {
			if !slices.Contains(labels, p.Label) {
				labels = append(labels, p.Label)
				t.Head = append(t.Head, r.Paper.Name()+": "+p.Label)
				if other := r.Paper.Elsewhere(p, key.Variant); other != "" {
					t.Notes = append(t.Notes, fmt.Sprintf("%s: %s has %s.", r.Paper.Name(), p.Label, other))
				}
			}
		}
		if key.Data == "generated" {
			t.Notes = append(t.Notes, "These functions are made from generated data. They are not the official "+
				"functions, and their values cannot be compared with published ones.")
		}
		for _, same := range report.ByProblem(groups) {
			race := report.Raced(same)
			first := bestOf(same, race)
			several, targets = several || len(same) > 1, targets || race
			write := writer(same)
			for _, g := range same {
				row := verdict(g, first, race, len(same) > 1, write)
				for _, label := range labels {
					at := slices.IndexFunc(beside, func(p report.PublishedRow) bool {
						return p.Label == label && p.Problem == g.Row
					})
					mean := cell{Text: none, Number: true}
					if at >= 0 {
						mean = number(float64(beside[at].At("mean")))
					}
					row = append(row, mean)
				}
				t.Rows = append(t.Rows, row)
			}
		}
		t.dropEmpty("median")
		if beside != nil {
			t.Notes = append(t.Notes, r.Paper.Note()+".")
		}
		s.Tables = append(s.Tables, t)
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

// tally counts the problems with results of all methods: on how many each method is the best, on how many all are
// equal, and on how many the lead of the best one is sure.
type tally struct {
	wins                  map[string]int
	problems, equal, sure int
}

// count counts the problems of a pool.
func count(pool report.Pool) tally {
	t := tally{wins: map[string]int{}}
	groups := slices.Concat(pool.Tables...)
	methods := countLabels(groups)
	for _, same := range report.ByProblem(groups) {
		if methods < 2 || len(same) < methods {
			continue
		}
		t.problems++
		race := report.Raced(same)
		first := bestOf(same, race)
		best := slices.DeleteFunc(slices.Clone(same), func(g *report.Group) bool {
			return g.Score(race) != first.Score(race)
		})
		if len(best) == methods {
			t.equal++
			continue
		}
		for _, g := range best {
			t.wins[g.Label]++
		}
		if !slices.ContainsFunc(same, func(g *report.Group) bool {
			return g != first && !(difference(first, g) < 0.05)
		}) {
			t.sure++
		}
	}
	return t
}

// verdicts says of each pool of tables with several methods which one is the best on how many problems.
func (r *Report) verdicts() (lines []string) {
	for _, pool := range report.Pools(r.Results) {
		if t := count(pool); t.problems > 0 {
			lines = append(lines, pool.Title+": "+t.String())
		}
	}
	if len(lines) == 0 && len(r.Results) > 0 {
		lines = []string{"No method is compared with another: no two ran on one problem with the same limit. " +
			"clopt report RUN... takes the runs of several."}
	}
	return lines
}

// String says on how many problems each method is the best, and on how many of them that is sure.
func (t tally) String() string {
	all := report.Counted(t.problems, "problem")
	if t.equal == t.problems {
		return "all methods are equal on " + all + "."
	}
	labels := slices.SortedFunc(maps.Keys(t.wins), func(a, b string) int {
		return cmp.Or(t.wins[b]-t.wins[a], strings.Compare(a, b))
	})
	parts := []string{fmt.Sprintf("%s is best on %d of %s", labels[0], t.wins[labels[0]], all)}
	for _, label := range labels[1:] {
		parts = append(parts, fmt.Sprintf("%s on %d", label, t.wins[label]))
	}
	if t.equal > 0 {
		parts = append(parts, fmt.Sprintf("and all are equal on %d", t.equal))
	}
	lead := "No lead over all other methods is sure (p < 0.05)."
	if t.sure > 0 {
		lead = fmt.Sprintf("The lead over every other method is sure (p < 0.05) on %d.", t.sure)
	}
	return strings.Join(parts, ", ") + ". " + lead
}

// bestOf returns the group with the best score.
func bestOf(same []*report.Group, race bool) *report.Group {
	return slices.MinFunc(same, func(a, b *report.Group) int { return cmp.Compare(a.Score(race), b.Score(race)) })
}

// countLabels returns the number of methods of groups.
func countLabels(groups []*report.Group) int {
	labels := map[string]bool{}
	for _, g := range groups {
		labels[g.Label] = true
	}
	return len(labels)
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
	for i := len(t.Head) - 1; i >= 0; i-- {
		if slices.Contains(kept, t.Head[i]) ||
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
	beside := cell{Text: none, Number: true}
	if several && own != best && !math.IsInf(own, 1) {
		beside.Text = apart(own, best)
	}
	chance := cell{Text: none, Number: true}
	if p := difference(first, g); own != best && !math.IsNaN(p) {
		chance = number(p)
	}
	row := []cell{words(g.Row), words(method(g.Runs[0])), median, beside, chance,
		{Text: "[" + write(min(low, high)) + ", " + write(max(low, high)) + "]", Number: true},
		value(g.Sign() * of.Best),
		{Text: fmt.Sprint(of.N), Number: true}, {Text: none, Number: true}, {Text: none, Number: true}}
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
