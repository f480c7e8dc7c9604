package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/stats"
)

// FewestProblems is the smallest number of problems for tests of methods across problems.
const FewestProblems = 5

// Across holds the tests over the problems of a table, or of several tables.
type Across struct {
	Title string `json:"title"`
	TestsJSON

	key TableKey // of the table; that of a table without rows if there are several
}

// The tests of methods across problems, as clopt compare --json prints them.
type (
	// TestsJSON has no tests if there are fewer than FewestProblems problems.
	TestsJSON struct {
		Compared string        `json:"compared,omitempty"` // by what the methods are compared: "medians", ...
		Problems int           `json:"problems,omitempty"` // with results of all methods
		Wilcoxon []pairJSON    `json:"wilcoxon,omitempty"` // of each two methods; not by expected evaluations
		Friedman *friedmanJSON `json:"friedman,omitempty"`

		methods []string
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

// AcrossProblems returns the tests of each table of results that has several methods, with the columns of a paper,
// which may be nil, and then those of each pool of several tables. Tables of a pool that have too few problems for
// tests of their own are left out.
func AcrossProblems(results []Record, paper *Paper) (all []Across) {
	for _, pool := range Pools(results) {
		several := len(pool.Tables) > 1
		add := func(title string, t *table) {
			if tests := t.tests(); len(tests.methods) > 1 {
				all = append(all, Across{title, tests, t.TableKey})
			}
		}
		for _, groups := range pool.Tables {
			t := tableOf(groups)
			t.beside(paper)
			if !several || len(t.rows) >= FewestProblems {
				add(TitleOf(t.TableKey), t)
			}
		}
		if several {
			add(pool.Title, pool.table())
		}
	}
	return all
}

// tested reports whether tests compare the column: goals are no method, and values of other functions say nothing.
func (c column) tested() bool { return c.label != Goal && c.other == "" }

// nameOf returns the name of a column in lines about tests. If all columns are from one paper, its name is in the title
// only.
func (t *table) nameOf(c column) string {
	if c.paper == "" || !slices.ContainsFunc(t.columns, func(c column) bool { return c.paper != t.Suite }) {
		return c.label
	}
	return c.paper + ": " + c.label
}

// tests compares the methods of a table over the problems for which all have results, by their scores. Published
// columns have means only, so beside one all methods are compared by means.
func (t *table) tests() TestsJSON {
	var methods []column
	for _, c := range t.columns {
		if c.tested() {
			methods = append(methods, c)
		}
	}
	means := slices.ContainsFunc(methods, func(c column) bool { return c.paper != "" })
	races := false
	var full [][]float64 // the scores of the methods on a problem
	for _, row := range t.rows {
		var same []*Group
		for _, c := range methods {
			if v := t.cells[row][c]; v.runs != nil {
				same = append(same, v.runs)
			}
		}
		race := !means && Raced(same)
		var scores []float64
		for _, c := range methods {
			if v, ok := t.cells[row][c]; ok && means {
				scores = append(scores, v.signedMean())
			} else if ok {
				scores = append(scores, v.runs.Score(race))
			}
		}
		if len(scores) == len(methods) {
			full, races = append(full, scores), races || race
		}
	}
	out := TestsJSON{Compared: "medians", Problems: len(full)}
	switch {
	case means:
		out.Compared = "means"
	case races:
		out.Compared = "medians, or expected evaluations where there are hits,"
	}
	for _, c := range methods {
		out.methods = append(out.methods, t.nameOf(c))
	}
	out.test(full, races)
	return out
}

// signedMean returns the mean of the values of a cell as a minimization.
func (v cellValues) signedMean() float64 {
	if v.runs == nil {
		return v.mean
	}
	return stats.Summarise(v.runs.Values()).Mean
}

// test compares methods by their scores, of which full has those on a problem in each row. Differences of evaluations
// and of values have no common order, so there is no test of Wilcoxon where there are races.
func (t *TestsJSON) test(full [][]float64, races bool) {
	if len(t.methods) < 2 || len(full) < FewestProblems {
		return
	}
	for i := range t.methods {
		for k := i + 1; k < len(t.methods) && !races; k++ {
			var a, b []float64
			for _, row := range full {
				a, b = append(a, row[i]), append(b, row[k])
			}
			t.Wilcoxon = append(t.Wilcoxon, pair(t.methods[i], t.methods[k], stats.Wilcoxon(a, b)))
		}
	}
	f, err := stats.Friedman(full)
	if err != nil {
		return
	}
	j := &friedmanJSON{N: f.N, Methods: t.methods, Chi2: exact.Number(f.Chi2), P: exact.Number(f.P),
		F: exact.Number(f.F), PF: exact.Number(f.PF)}
	for _, r := range f.Ranks {
		j.Ranks = append(j.Ranks, exact.Number(r))
	}
	control := slices.Index(f.Ranks, slices.Min(f.Ranks))
	for _, s := range f.Holm {
		j.Holm = append(j.Holm, holmJSON{t.methods[s.Method], t.methods[control], exact.Number(s.Z), exact.Number(s.P),
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

// Heading says what the tests compare, or why there are none.
func (t TestsJSON) Heading() string {
	if t.Friedman == nil {
		return fmt.Sprintf("%s with results of all methods; tests across problems need %d or more.",
			Counted(t.Problems, "problem"), FewestProblems)
	}
	return fmt.Sprintf("Tests over the %s of %d problems:", t.Compared, t.Problems)
}

// ImanDavenport returns the correction of Friedman's test in words. write writes a number.
func (f *friedmanJSON) ImanDavenport(write func(exact.Number) string) string {
	if math.IsInf(float64(f.F), 0) {
		return "F is infinite, since the ranks are the same on every problem"
	}
	return fmt.Sprintf("F = %s (p = %s)", write(f.F), write(f.PF))
}

// lines returns the tests as lines of text, none if there are no several methods.
func (t TestsJSON) lines() (lines []string) {
	if len(t.methods) < 2 {
		return nil
	}
	note := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	note("%s", t.Heading())
	for _, p := range t.Wilcoxon {
		note("Wilcoxon: %s %g, %s %g: p = %.4g, %s", p.A, float64(p.Plus), p.B, float64(p.Minus), float64(p.P),
			p.signif)
	}
	f := t.Friedman
	if f == nil {
		return lines
	}
	ranks := make([]string, len(f.Ranks))
	for i, r := range f.Ranks {
		ranks[i] = fmt.Sprintf("%s %.4f", f.Methods[i], float64(r))
	}
	note("Friedman: mean ranks %s", strings.Join(ranks, ", "))
	note("  chi2 = %.4f (p = %.4g); Iman-Davenport %s", float64(f.Chi2), float64(f.P),
		f.ImanDavenport(func(n exact.Number) string { return fmt.Sprintf("%.4g", float64(n)) }))
	for _, h := range f.Holm {
		note("  Holm against %s: %s z = %.5f, p = %.4g, adjusted %.5g", h.Control, h.Method, float64(h.Z),
			float64(h.P), float64(h.Adjusted))
	}
	return lines
}

// values writes the results of the tests over a table.
func (t TestsJSON) values(table string, to *valueWriter) {
	for _, p := range t.Wilcoxon {
		to.ours(table, "", p.A, "wilcoxon_plus against "+p.B, p.Plus)
		to.ours(table, "", p.A, "wilcoxon_minus against "+p.B, p.Minus)
		to.ours(table, "", p.A, "wilcoxon_p against "+p.B, p.P)
	}
	f := t.Friedman
	if f == nil {
		return
	}
	to.ours(table, "", "", "tested_problems", exact.Number(f.N))
	for i, r := range f.Ranks {
		to.ours(table, "", f.Methods[i], "mean_rank", r)
	}
	to.ours(table, "", "", "friedman_chi2", f.Chi2)
	to.ours(table, "", "", "friedman_p", f.P)
	to.ours(table, "", "", "iman_davenport_f", f.F)
	to.ours(table, "", "", "iman_davenport_p", f.PF)
	for _, h := range f.Holm {
		to.ours(table, "", h.Method, "holm_p against "+h.Control, h.Adjusted)
	}
}

// shown returns the tests as a table without columns.
func (a Across) shown() Table { return Table{Title: a.Title, Notes: a.lines()} }

func (a Across) values(to *valueWriter) { a.TestsJSON.values(a.Title, to) }
