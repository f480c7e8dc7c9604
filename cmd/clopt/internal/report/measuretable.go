package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/solvers/runs/exact"
)

// The tables of a campaign with a view, as --json prints them.
type (
	MeasuredJSON struct {
		Title   string            `json:"title"`
		Suite   string            `json:"suite"`
		Table   string            `json:"table"`
		Columns []string          `json:"columns"` // metrics, then "x BASELINE"
		Rows    []measuredRowJSON `json:"rows"`

		note    string // on the paper
		caption string
	}
	measuredRowJSON struct {
		Problem string             `json:"problem"`
		Method  string             `json:"method"`
		Runs    int                `json:"runs"` // 0: only the paper has it
		Cells   []measuredCellJSON `json:"cells"`
	}
	measuredCellJSON struct {
		Ours  exact.Number `json:"ours"` // null: no value
		Paper exact.Number `json:"paper"`

		text string
	}
)

// ColumnsOf returns the names of the columns: metrics, then "x BASELINE" for speed-ups.
func (t *Measured) ColumnsOf() (names []string) {
	names = slices.Clone(t.View.Show)
	for _, b := range t.View.Baselines {
		names = append(names, "x "+b)
	}
	return names
}

// outline returns a table without rows.
func (t *Measured) outline() MeasuredJSON {
	out := MeasuredJSON{Title: Joined(t.Suite, TableTitle(t.Table)), Suite: t.Suite, Table: t.Table,
		Columns: t.ColumnsOf()}
	if t.paper != nil {
		out.note = fmt.Sprintf("paper: %s (%s)", t.paper.Name, t.paper.note)
	}
	return out
}

// compared computes a table. After our rows of a problem stand those of the paper for methods that we have no runs of.
func (t *Measured) compared() MeasuredJSON {
	out := t.outline()
	used := map[*PublishedRow]bool{}
	for _, k := range t.Lines {
		used[t.paper.Find(t.Table, k.row, k.Label)] = true
	}
	for i, k := range t.Lines {
		published := t.paper.Find(t.Table, k.row, k.Label)
		row := measuredRowJSON{Problem: k.row, Method: k.Label, Runs: len(t.Runs[k])}
		for _, name := range out.Columns {
			m := t.Measure(name, k)
			row.Cells = append(row.Cells, measuredCellJSON{exact.Number(m.Value), published.At(t.columnName(name)),
				m.text})
		}
		out.Rows = append(out.Rows, row)
		if t.paper == nil || i+1 < len(t.Lines) && t.Lines[i+1].row == k.row {
			continue
		}
		for n := range t.paper.Rows {
			p := &t.paper.Rows[n]
			if used[p] || p.Table != t.Table || !strings.EqualFold(p.Problem, k.row) || p.Label == known {
				continue
			}
			if row := t.published(p); slices.ContainsFunc(row.Cells, measuredCellJSON.printed) {
				out.Rows = append(out.Rows, row)
			}
		}
	}
	return out
}

// published returns the row of a paper.
func (t *Measured) published(p *PublishedRow) measuredRowJSON {
	row := measuredRowJSON{Problem: p.Problem, Method: p.Label}
	for _, name := range t.ColumnsOf() {
		row.Cells = append(row.Cells, measuredCellJSON{Ours: exact.Number(math.NaN()), Paper: p.At(t.columnName(name))})
	}
	return row
}

// measured reports whether there is a value of ours, and printed whether the paper has one.
func (c measuredCellJSON) measured() bool { return !math.IsNaN(float64(c.Ours)) }
func (c measuredCellJSON) printed() bool  { return !math.IsNaN(float64(c.Paper)) }

// tablesOf returns the rows of a paper in the tables of its campaign.
func tablesOf(p *Paper, suite []SuiteTable) (tables []MeasuredJSON) {
	for i := range suite {
		t := &Measured{Suite: p.Name, Table: suite[i].Name, View: &suite[i].View, paper: p}
		out := t.outline()
		out.caption = suite[i].Caption
		for k := range p.Rows {
			if p.Rows[k].Table == t.Table {
				out.Rows = append(out.Rows, t.published(&p.Rows[k]))
			}
		}
		if out.Rows != nil {
			tables = append(tables, out)
		}
	}
	return tables
}

// columnName returns the name of a column among the values of a paper, whose speed-up is over the first baseline.
func (t *Measured) columnName(name string) string {
	if b := t.View.Baselines; len(b) > 0 && name == "x "+b[0] {
		return "speedup"
	}
	return name
}

// Measure computes a column for the runs of a method on a problem.
func (t *Measured) Measure(name string, k measureKey) measurement {
	runs := t.Runs[k]
	if base, ok := strings.CutPrefix(name, "x "); ok {
		if base == k.Label {
			return none
		}
		others := t.Runs[measureKey{k.row, base}]
		if p := t.paper.Find(t.Table, k.row, base); t.View.Ratio == "value" && p != nil && others == nil {
			at, v := p.last()
			return sooner(runs, at, v)
		}
		return faster(t.View.Ratio, runs, others)
	}
	if name == known || name == "error" {
		// A value that the results do not have may be in the paper.
		if p := t.paper.Find(t.Table, k.row, known); p != nil && runs[0].Result.Best.Error == nil {
			best := float64(p.At("best"))
			if name == known {
				return measurement{best, fmt.Sprintf("%.8g", best)}
			}
			q, _ := metricOf("best")
			return measurement{Value: runs[0].Result.Sense.Sign() * (q.measure(runs).Value - best)}
		}
	}
	q, _ := metricOf(name)
	return q.measure(runs)
}

// shown returns the table as it is shown, without columns that have no values.
func (t MeasuredJSON) shown() Table {
	out := Table{Title: t.Title, Caption: t.caption, Columns: Words("problem", "method")}
	any := func(column int, of func(measuredCellJSON) bool) bool {
		return slices.ContainsFunc(t.Rows, func(r measuredRowJSON) bool { return of(r.Cells[column]) })
	}
	alone := !slices.ContainsFunc(t.Rows, func(r measuredRowJSON) bool { return r.Runs > 0 }) // the paper
	if !alone {
		out.Columns = append(out.Columns, Numbers("runs")...)
	}
	for i, r := range t.Rows {
		problem, runs := r.Problem, "-"
		if i > 0 && t.Rows[i-1].Problem == r.Problem {
			problem = ""
		}
		if r.Runs > 0 {
			runs = strconv.Itoa(r.Runs)
		}
		out.Rows = append(out.Rows, Texts(problem, r.Method, runs)[:len(out.Columns)])
	}
	note := ""
	for i, name := range t.Columns {
		head := name
		if q, ok := metricOf(name); ok {
			head = q.head
		}
		paper := any(i, measuredCellJSON.printed)
		if !alone && (paper || any(i, measuredCellJSON.measured)) {
			out.Columns = append(out.Columns, Numbers(head)...)
			for k, r := range t.Rows {
				out.Rows[k] = append(out.Rows[k], Texts(r.Cells[i].shown())...)
			}
			head = "paper"
		}
		if paper {
			note = t.note
			out.Columns = append(out.Columns, Numbers(head)...)
			for k, r := range t.Rows {
				out.Rows[k] = append(out.Rows[k], Texts(published5(r.Cells[i].Paper))...)
			}
		}
		if worse := t.worse(i); (name == "error" || name == "location") && worse != "" {
			out.Notes = append(out.Notes, worse)
		}
	}
	if note != "" {
		out.Notes = append(out.Notes, note)
	}
	return out
}

// values writes the values of the table.
func (t MeasuredJSON) values(to *valueWriter) {
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			to.both(t.Title, r.Problem, r.Method, t.Columns[i], c.Ours, c.Paper)
		}
	}
}

// worse says in how many rows our value in a column is at most that of the paper, and names the other rows.
func (t MeasuredJSON) worse(column int) string {
	n, worse := 0, []string{}
	for _, r := range t.Rows {
		c := r.Cells[column]
		if !c.measured() || !c.printed() {
			continue
		}
		n++
		if c.Ours > c.Paper {
			worse = append(worse, r.Problem+" "+r.Method)
		}
	}
	if n == 0 {
		return ""
	}
	text := fmt.Sprintf("%s: at most the paper's in %d of %d lines", t.Columns[column], n-len(worse), n)
	if len(worse) > 0 {
		text += "; not in " + strings.Join(worse, ", ")
	}
	return text
}

// shown returns our value as text.
func (c measuredCellJSON) shown() string {
	if c.text == "" || !c.measured() {
		return Short(c.Ours)
	}
	return c.text
}

// published5 returns a value of a paper as text: whole numbers, such as cuts, in full, others with five digits.
func published5(n exact.Number) string {
	switch f := float64(n); {
	case math.IsNaN(f):
		return "-"
	case f == math.Trunc(f) && math.Abs(f) < 1e8:
		return fmt.Sprintf("%.0f", f)
	default:
		return fmt.Sprintf("%.5g", f)
	}
}
