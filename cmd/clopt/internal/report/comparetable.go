package report

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/stats"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// The tables of clopt compare --json.
type (
	TableJSON struct {
		Title   string       `json:"title"`
		Suite   string       `json:"suite,omitempty"`
		Table   string       `json:"table,omitempty"`
		Dim     int          `json:"dim"`
		Variant string       `json:"variant,omitempty"`
		Data    string       `json:"data,omitempty"`
		Limit   string       `json:"limit,omitempty"` // of evaluations and time, in words
		Columns []columnJSON `json:"columns"`
		Rows    []rowJSON    `json:"rows"`
		TestsJSON

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
)

// compared computes the cells of a table.
func (t *table) compared() TableJSON {
	out := TableJSON{Title: TitleOf(t.TableKey), Suite: t.Suite, Table: t.Table, Dim: t.Dim, Variant: t.Variant,
		Data: t.Data, Limit: t.Limit}
	for _, c := range t.columns {
		out.Columns = append(out.Columns, columnJSON{c.label, c.paper, c.other})
		out.names = append(out.names, t.nameOf(c))
	}
	for _, row := range t.rows {
		r := rowJSON{Function: row, Centre: t.centre(row)}
		var values [][]float64 // of our methods
		for _, c := range t.columns {
			v, ok := t.cells[row][c]
			if !ok {
				r.Cells = append(r.Cells, nil)
				continue
			}
			r.Cells = append(r.Cells, v.summary())
			if v.runs != nil {
				values = append(values, v.runs.Values())
			}
		}
		r.digits = Digits(values)
		if t.Dim == 0 { // cuts differ in their last digits
			r.digits = max(r.digits, 8)
		}
		out.Rows = append(out.Rows, r)
	}
	return out
}

// summary returns the cell of some values.
func (v cellValues) summary() *cellJSON {
	if v.runs == nil {
		return &cellJSON{Mean: exact.Number(v.mean), Std: exact.Number(v.std)}
	}
	s, sign := stats.Summarise(v.runs.Values()), v.runs.Sign()
	of := func(f float64) *exact.Number {
		n := exact.Number(sign * f)
		return &n
	}
	c := &cellJSON{Runs: s.N, Mean: *of(s.Mean), Std: exact.Number(s.Std), Median: of(s.Median),
		Q1: of(s.Q1), Q3: of(s.Q3), Best: of(s.Best), Worst: of(s.Worst)}
	if sign < 0 {
		c.Q1, c.Q3 = c.Q3, c.Q1
	}
	return c
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
	n := exact.Number(problems.Reported(p, x, f))
	return &n
}

// shown returns the table as it is shown.
func (t TableJSON) shown() Table {
	out := Table{Title: t.Title, Caption: t.caption, Columns: Words("function")}
	for i, c := range t.Columns {
		if c.Paper == "" {
			out.Columns = append(out.Columns, group(t.names[i], "mean", "std", "median", "runs")...)
		} else {
			out.Columns = append(out.Columns, group(t.names[i], "mean", "std")...)
		}
		if c.Other != "" {
			out.Notes = append(out.Notes, fmt.Sprintf("%s has %s, so no test compares it", t.names[i], c.Other))
		}
	}
	centre := slices.ContainsFunc(t.Rows, func(r rowJSON) bool { return r.Centre != nil })
	if centre {
		out.Columns = append(out.Columns, Numbers("centre")...)
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
				line = append(line, WithDigits(c.Mean, r.digits), Short(c.Std), WithDigits(*c.Median, r.digits),
					strconv.Itoa(c.Runs))
			default:
				line = append(line, Short(c.Mean), Short(c.Std))
			}
		}
		if r.Centre != nil {
			line = append(line, Short(*r.Centre))
		} else if centre {
			line = append(line, "-")
		}
		out.Rows = append(out.Rows, Texts(line...))
	}
	out.Notes = append(out.Notes, t.TestsJSON.lines()...)
	return out
}

// values writes the values of the table, and the results of its tests.
func (t TableJSON) values(to *valueWriter) {
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			method := t.Columns[i].Label
			switch {
			case c == nil:
			case t.Columns[i].Paper != "":
				to.paper(t.Title, r.Function, method, "mean", c.Mean)
				to.paper(t.Title, r.Function, method, "std", c.Std)
			default:
				to.ours(t.Title, r.Function, method, "runs", exact.Number(c.Runs))
				to.ours(t.Title, r.Function, method, "mean", c.Mean)
				to.ours(t.Title, r.Function, method, "std", c.Std)
				to.ours(t.Title, r.Function, method, "median", *c.Median)
				to.ours(t.Title, r.Function, method, "q1", *c.Q1)
				to.ours(t.Title, r.Function, method, "q3", *c.Q3)
				to.ours(t.Title, r.Function, method, "best", *c.Best)
				to.ours(t.Title, r.Function, method, "worst", *c.Worst)
			}
		}
	}
	t.TestsJSON.values(t.Title, to)
}
