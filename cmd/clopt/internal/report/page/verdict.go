package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/solvers/stats"
)

// group holds the runs of one method on one problem.
type group struct {
	key    report.TableKey
	row    string
	label  string
	all    []report.Record
	values []float64 // of all, as a minimization
	sign   float64   // of shown values
}

// groupsOf groups results by table, problem and method, in a natural order.
func groupsOf(results []report.Record) (all []*group) {
	type id struct {
		key        report.TableKey
		row, label string
	}
	by := map[id]*group{}
	for _, f := range results {
		k := id{f.Key, f.Row, f.Label}
		g := by[k]
		if g == nil {
			g = &group{key: f.Key, row: f.Row, label: f.Label, sign: f.Result.Sense.Sign()}
			by[k] = g
			all = append(all, g)
		}
		g.all = append(g.all, f)
		g.values = append(g.values, g.sign*float64(f.Result.Best.F))
	}
	slices.SortStableFunc(all, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.key.Suite, b.key.Suite), report.Natural(a.key.Table, b.key.Table),
			cmp.Compare(a.key.Family, b.key.Family), cmp.Compare(a.key.Variant, b.key.Variant),
			cmp.Compare(a.key.Dim, b.key.Dim), cmp.Compare(a.key.Data, b.key.Data), report.Natural(a.row, b.row),
			report.Natural(a.label, b.label))
	})
	return all
}

// chunks cuts groups into those that agree in what same returns.
func chunks[K comparable](all []*group, same func(g *group) K) (cut [][]*group) {
	for i, g := range all {
		if i == 0 || same(all[i-1]) != same(g) {
			cut = append(cut, nil)
		}
		cut[len(cut)-1] = append(cut[len(cut)-1], g)
	}
	return cut
}

func (g *group) table() report.TableKey { return g.key }

// problem identifies the problem of a group among all tables.
type problem struct {
	key report.TableKey
	row string
}

func (g *group) problem() problem { return problem{g.key, g.row} }

// median returns the median of the values, as a minimization.
func (g *group) median() float64 { return stats.Summarise(g.values).Median }

// expected returns the expected evaluations to the target, and how many runs have met it. ok is false if no run had a
// target.
func (g *group) expected() (evaluations float64, hits int, ok bool) {
	var times []float64
	var hit []bool
	for _, f := range g.all {
		times, hit = append(times, float64(f.Result.Evaluations)), append(hit, f.Hit())
		if f.Hit() {
			hits++
		}
	}
	return stats.ExpectedTime(times, hit), hits, hits > 0
}

func (r *Report) verdict() (section, error) {
	s := section{ID: "verdict", Title: "Which method is better where",
		Read: "Median of the final values of all runs, with the quartiles in brackets; the best median of a problem " +
			"is marked. Hits are runs that met their target, and the expected evaluations are those of all runs " +
			"divided by the hits."}
	for _, groups := range chunks(groupsOf(r.Results), (*group).table) {
		key := groups[0].key
		t := table{Caption: report.TitleOf(key),
			Head: []string{"problem", "method", "median", "quartiles", "best", "runs", "hits", "expected evaluations"}}
		if r.Paper != nil {
			t.Head = append(t.Head, "published mean")
			t.Notes = append(t.Notes, "Published means are of the papers' own functions, budgets and machines.")
		}
		if key.Data == "generated" {
			t.Notes = append(t.Notes, "These functions are made from generated data. They are not the official "+
				"functions, and their values cannot be compared with published ones.")
		}
		for _, same := range chunks(groups, (*group).problem) {
			best := slices.MinFunc(same, func(a, b *group) int { return cmp.Compare(a.median(), b.median()) }).median()
			for _, g := range same {
				t.Rows = append(t.Rows, g.verdict(best, r.Paper))
			}
		}
		s.Tables = append(s.Tables, t)
	}
	return s, nil
}

// verdict returns the row of a group. best is the best median of its problem.
func (g *group) verdict(best float64, paper *report.Paper) []cell {
	of := stats.Summarise(g.values)
	low, high := g.sign*of.Q1, g.sign*of.Q3
	median := number(g.sign * of.Median)
	median.Good = of.Median == best
	row := []cell{words(g.row), words(g.label), median,
		{Text: "[" + short(min(low, high)) + ", " + short(max(low, high)) + "]", Number: true},
		number(g.sign * of.Best),
		{Text: fmt.Sprint(of.N), Number: true}, {Text: "–", Number: true}, {Text: "–", Number: true}}
	if evaluations, hits, ok := g.expected(); ok {
		row[6].Text, row[7] = fmt.Sprintf("%d of %d", hits, of.N), number(evaluations)
	}
	if paper != nil {
		published := paper.Find(g.key.Table, report.ProblemRow(g.all[0]), g.label)
		row = append(row, number(float64(published.At("mean"))))
	}
	return row
}

// short writes a value with three digits.
func short(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return report.Short(runs.Number(v))
}
