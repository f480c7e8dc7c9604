package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers/runs/exact"
	"github.com/clopt/clopt/solvers/stats"
)

// FewestProblems is the smallest number of problems for tests of all methods across problems.
const FewestProblems = 5

// The tables of clopt compare --json.
type (
	TableJSON struct {
		Title    string        `json:"title"`
		Suite    string        `json:"suite,omitempty"`
		Table    string        `json:"table,omitempty"`
		Dim      int           `json:"dim"`
		Variant  string        `json:"variant,omitempty"`
		Data     string        `json:"data,omitempty"`
		Limit    string        `json:"limit,omitempty"` // of evaluations and time, in words
		Columns  []columnJSON  `json:"columns"`
		Rows     []rowJSON     `json:"rows"`
		Wilcoxon []pairJSON    `json:"wilcoxon,omitempty"`
		Friedman *friedmanJSON `json:"friedman,omitempty"`

		names   []string // of the columns, as the lines about tests call them
		caption string
	}
	columnJSON struct {
		Label string `json:"label"`
		Paper string `json:"paper,omitempty"`
		Other string `json:"other_functions,omitempty"` // in words, if they are others than ours
	}
	rowJSON struct {
		Function string        `json:"function"`
		Centre   *exact.Number `json:"centre,omitempty"` // value at the middle of the box, for mode=paper
		Cells    []*cellJSON   `json:"cells"`            // null: no result

		digits int // of means and medians
	}
	cellJSON struct {
		Runs   int           `json:"runs,omitempty"`
		Mean   exact.Number  `json:"mean"`
		Std    exact.Number  `json:"std"`
		Median *exact.Number `json:"median,omitempty"`
		Q1     *exact.Number `json:"q1,omitempty"`
		Q3     *exact.Number `json:"q3,omitempty"`
		Best   *exact.Number `json:"best,omitempty"`
		Worst  *exact.Number `json:"worst,omitempty"`
	}
	pairJSON struct {
		A      string       `json:"a"`
		B      string       `json:"b"`
		N      int          `json:"n"`
		Plus   exact.Number `json:"r_plus"` // for A
		Minus  exact.Number `json:"r_minus"`
		P      exact.Number `json:"p"`
		At01   int          `json:"critical_01"` // -1: no sum is significant
		At05   int          `json:"critical_05"`
		signif string
	}
	friedmanJSON struct {
		N       int            `json:"n"`
		Methods []string       `json:"methods"`
		Ranks   []exact.Number `json:"ranks"` // of the methods
		Chi2    exact.Number   `json:"chi2"`
		P       exact.Number   `json:"p"`
		F       exact.Number   `json:"f"`   // Iman and Davenport; null if infinite
		PF      exact.Number   `json:"p_f"` // null with F
		Holm    []holmJSON     `json:"holm"`
	}
	holmJSON struct {
		Method   string       `json:"method"`
		Control  string       `json:"control"`
		Z        exact.Number `json:"z"`
		P        exact.Number `json:"p"`
		Adjusted exact.Number `json:"adjusted"`
	}
)

func (c column) String() string {
	if c.paper != "" {
		return c.paper + ": " + c.label
	}
	return c.label
}

// tested reports whether tests compare the column: goals are no method, and values of other functions say nothing.
func (c column) tested() bool { return c.label != Goal && c.other == "" }

// compared computes the cells of a table and its statistical tests.
func (t *table) compared() TableJSON {
	out := TableJSON{Title: TitleOf(t.TableKey), Suite: t.Suite, Table: t.Table, Dim: t.Dim, Variant: t.Variant,
		Data: t.Data, Limit: t.Limit}
	// If all columns are from one paper, its name is in the title only.
	title := !slices.ContainsFunc(t.columns, func(c column) bool { return c.paper != t.Suite })
	var methods []string // those that tests compare
	for _, c := range t.columns {
		out.Columns = append(out.Columns, columnJSON{c.label, c.paper, c.other})
		name := c.String()
		if title {
			name = c.label
		}
		if out.names = append(out.names, name); c.tested() {
			methods = append(methods, name)
		}
	}
	var full [][]float64 // means of the functions for which all methods have results
	for _, row := range t.rows {
		r := rowJSON{Function: row, Centre: t.centre(row)}
		means := make([]float64, 0, len(methods))
		var values [][]float64 // of our methods
		for _, c := range t.columns {
			v, ok := t.cells[row][c]
			if !ok {
				r.Cells = append(r.Cells, nil)
				continue
			}
			cell, mean := v.summary()
			r.Cells = append(r.Cells, cell)
			if v.values != nil {
				values = append(values, v.values)
			}
			if c.tested() {
				means = append(means, mean)
			}
		}
		if r.digits = Digits(values); t.Dim == 0 { // cuts differ in their last digits
			r.digits = max(r.digits, 8)
		}
		if len(means) == len(methods) {
			full = append(full, means)
		}
		out.Rows = append(out.Rows, r)
	}
	out.test(methods, full)
	return out
}

// test compares methods by their means, of which full has those of a function in each row.
func (t *TableJSON) test(methods []string, full [][]float64) {
	if len(methods) < 2 || len(full) < 2 {
		return
	}
	for i := range methods {
		for k := i + 1; k < len(methods); k++ {
			var a, b []float64
			for _, row := range full {
				a, b = append(a, row[i]), append(b, row[k])
			}
			t.Wilcoxon = append(t.Wilcoxon, pair(methods[i], methods[k], stats.Wilcoxon(a, b)))
		}
	}
	f, err := stats.Friedman(full)
	if err != nil || len(methods) < 3 || len(full) < FewestProblems {
		return
	}
	j := &friedmanJSON{N: f.N, Methods: methods, Chi2: exact.Number(f.Chi2), P: exact.Number(f.P), F: exact.Number(f.F),
		PF: exact.Number(f.PF)}
	control := 0
	for i, r := range f.Ranks {
		j.Ranks = append(j.Ranks, exact.Number(r))
		if r < f.Ranks[control] {
			control = i
		}
	}
	for _, s := range f.Holm {
		j.Holm = append(j.Holm, holmJSON{methods[s.Method], methods[control], exact.Number(s.Z), exact.Number(s.P),
			exact.Number(s.Adjusted)})
	}
	t.Friedman = j
}

// pair returns the result of Wilcoxon's test for the methods a and b.
func pair(a, b string, w stats.SignedRanks) pairJSON {
	p := pairJSON{A: a, B: b, N: w.N, Plus: exact.Number(w.Plus), Minus: exact.Number(w.Minus), P: exact.Number(w.P),
		At01: w.T01, At05: w.T05, signif: "not significant"}
	switch t := min(w.Plus, w.Minus); {
	case t <= float64(w.T01):
		p.signif = "significant at 0.01"
	case t <= float64(w.T05):
		p.signif = "significant at 0.05"
	}
	return p
}

// summary returns the cell of some values, and their mean as a minimization.
func (v cellValues) summary() (*cellJSON, float64) {
	if v.values == nil {
		return &cellJSON{Mean: exact.Number(v.mean), Std: exact.Number(v.std)}, v.mean
	}
	s := stats.Summarise(v.values)
	of := func(f float64) *exact.Number {
		n := exact.Number(v.sign * f)
		return &n
	}
	c := &cellJSON{Runs: s.N, Mean: exact.Number(v.sign * s.Mean), Std: exact.Number(s.Std), Median: of(s.Median),
		Q1: of(s.Q1), Q3: of(s.Q3), Best: of(s.Best), Worst: of(s.Worst)}
	if v.sign < 0 {
		c.Q1, c.Q3 = c.Q3, c.Q1
	}
	return c, s.Mean
}

// maxCentre is the largest number of variables for which the host computes the value at the centre.
const maxCentre = 1e6

// centre returns the value at the middle of the box for mode=paper, otherwise nil. There the optimum is at the middle
// or near it, so a method that averages points finds it without effort.
func (t *table) centre(row string) *exact.Number {
	if t.Family == "" || t.Variant != "mode=paper" || t.Dim > maxCentre {
		return nil
	}
	p, err := catalog.Parse(fmt.Sprintf("%s/%s:%s", t.Family, row, t.Variant), problems.Options{Dim: t.Dim})
	if err != nil {
		return nil
	}
	h, ok := p.(problems.Referenced)
	if !ok {
		return nil
	}
	lo, hi := p.Domain().Box()
	x := make([]float64, p.Domain().N)
	for i := range x {
		x[i] = (lo + hi) / 2
	}
	f, err := problems.Eval(h, x)
	if err != nil {
		return nil
	}
	n := exact.Number(f)
	return &n
}

// SameRanks says why the F of Iman and Davenport is infinite.
const SameRanks = "F is infinite, since the ranks are the same on every problem"

// grid returns the table as texts.
func (t TableJSON) grid() grid {
	g := grid{title: t.Title, caption: t.caption, groups: []string{""}, head: []string{"function"}, names: 1}
	for i, c := range t.Columns {
		heads := []string{"mean", "std", "median", "runs"}
		if c.Paper != "" {
			heads = heads[:2]
		}
		g.groups = append(g.groups, slices.Repeat([]string{t.names[i]}, len(heads))...)
		g.head = append(g.head, heads...)
	}
	centre := slices.ContainsFunc(t.Rows, func(r rowJSON) bool { return r.Centre != nil })
	if centre {
		g.groups, g.head = append(g.groups, ""), append(g.head, "centre")
	}
	for _, r := range t.Rows {
		line := []string{r.Function}
		for i, c := range r.Cells {
			ours := t.Columns[i].Paper == ""
			switch {
			case c == nil && ours:
				line = append(line, "-", "-", "-", "0")
			case c == nil:
				line = append(line, "-", "-")
			case ours:
				line = append(line, WithDigits(c.Mean, r.digits), Short(c.Std),
					WithDigits(*c.Median, r.digits), strconv.Itoa(c.Runs))
			default:
				line = append(line, Short(c.Mean), Short(c.Std))
			}
		}
		if r.Centre != nil {
			line = append(line, Short(*r.Centre))
		} else if centre {
			line = append(line, "-")
		}
		g.rows = append(g.rows, line)
	}
	note := func(format string, args ...any) { g.notes = append(g.notes, fmt.Sprintf(format, args...)) }
	for i, c := range t.Columns {
		if c.Other != "" {
			note("%s has %s, so no test compares it", t.names[i], c.Other)
		}
	}
	for _, p := range t.Wilcoxon {
		note("Wilcoxon, n = %d: %s %g, %s %g: p = %.4g, %s", p.N, p.A, float64(p.Plus), p.B, float64(p.Minus),
			float64(p.P), p.signif)
	}
	if f := t.Friedman; f != nil {
		ranks := make([]string, len(f.Ranks))
		for i, r := range f.Ranks {
			ranks[i] = fmt.Sprintf("%s %.4f", f.Methods[i], float64(r))
		}
		note("Friedman, n = %d: mean ranks %s", f.N, strings.Join(ranks, ", "))
		iman := fmt.Sprintf("F = %.4f (p = %.4g)", float64(f.F), float64(f.PF))
		if math.IsInf(float64(f.F), 0) {
			iman = SameRanks
		}
		note("  chi2 = %.4f (p = %.4g); Iman-Davenport %s", float64(f.Chi2), float64(f.P), iman)
		for _, h := range f.Holm {
			note("  Holm against %s: %s z = %.5f, p = %.4g, adjusted %.5g", h.Control, h.Method, float64(h.Z),
				float64(h.P), float64(h.Adjusted))
		}
	}
	return g
}

// values adds the values of the table to lines of CSV.
func (t TableJSON) values(add func(problem, method, metric string, ours, paper exact.Number)) {
	none := exact.Number(math.NaN())
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			switch {
			case c == nil:
			case t.Columns[i].Paper != "":
				add(r.Function, t.Columns[i].Label, "mean", none, c.Mean)
				add(r.Function, t.Columns[i].Label, "std", none, c.Std)
			default:
				for _, v := range []struct {
					metric string
					value  exact.Number
				}{{"runs", exact.Number(c.Runs)}, {"mean", c.Mean}, {"std", c.Std}, {"median", *c.Median}, {"q1",
					*c.Q1},
					{"q3", *c.Q3}, {"best", *c.Best}, {"worst", *c.Worst}} {
					add(r.Function, t.Columns[i].Label, v.metric, v.value, none)
				}
			}
		}
	}
}
