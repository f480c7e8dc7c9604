package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/solvers/runs/exact"
)

// The tables of a campaign with a view, as --json prints them.
type (
	MeasuredJSON struct {
		Title   string            `json:"title"`
		Suite   string            `json:"suite"`
		Table   string            `json:"table"`
		Columns []string          `json:"columns"` // metrics, then "x BASELINE"
		Rows    []measuredRowJSON `json:"rows"`

		paper   string
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

// compared computes a table.
func (t *Measured) compared() MeasuredJSON {
	out := MeasuredJSON{Title: Joined(t.Suite, TableTitle(t.Table)), Suite: t.Suite, Table: t.Table,
		Columns: t.ColumnsOf()}
	used := map[*PublishedRow]bool{}
	if t.paper != nil {
		out.paper = t.paper.name
	}
	for _, k := range t.Lines {
		published := t.publishedRow(k.row, k.Label)
		used[published] = true
		row := measuredRowJSON{Problem: k.row, Method: k.Label, Runs: len(t.Runs[k])}
		for _, name := range out.Columns {
			m := t.Measure(name, k)
			row.Cells = append(row.Cells, measuredCellJSON{exact.Number(m.Value), published.At(t.columnName(name)),
				m.text})
		}
		out.Rows = append(out.Rows, row)
	}
	t.addOthers(&out, used)
	return out
}

// addOthers adds the rows of the paper for problems in the table and for methods that we have no runs of.
func (t *Measured) addOthers(out *MeasuredJSON, used map[*PublishedRow]bool) {
	if t.paper == nil {
		return
	}
	rows := out.Rows
	out.Rows = nil
	for i, r := range rows {
		out.Rows = append(out.Rows, r)
		if i+1 < len(rows) && rows[i+1].Problem == r.Problem {
			continue
		}
		for k := range t.paper.Rows {
			p := &t.paper.Rows[k]
			if used[p] || p.Table != t.Table || !strings.EqualFold(p.Problem, r.Problem) || p.Label == "known" {
				continue
			}
			line := measuredRowJSON{Problem: p.Problem, Method: p.Label}
			some := false
			for _, name := range out.Columns {
				v := p.At(t.columnName(name))
				some = some || !math.IsNaN(float64(v))
				line.Cells = append(line.Cells, publishedCell(v))
			}
			if some {
				out.Rows = append(out.Rows, line)
			}
		}
	}
}

// publishedCell returns a cell with a value of a paper alone.
func publishedCell(v exact.Number) measuredCellJSON {
	return measuredCellJSON{Ours: exact.Number(math.NaN()), Paper: v}
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
		if p := t.publishedRow(k.row, base); t.View.Ratio == "value" && p != nil && others == nil {
			at, v := p.last()
			return sooner(runs, nil, v, at)
		}
		return faster(t.View.Ratio, runs, others)
	}
	if name == "known" || name == "error" {
		// A value that the results do not have may be in the paper.
		if p := t.publishedRow(k.row, "known"); p != nil && runs[0].Result.Best.Error == nil {
			best := float64(p.At("best"))
			if name == "known" {
				return measurement{best, fmt.Sprintf("%.8g", best)}
			}
			q, _ := metricOf("best")
			return measurement{Value: runs[0].Result.Sense.Sign() * (q.of(runs).Value - best)}
		}
	}
	q, _ := metricOf(name)
	return q.of(runs)
}

// publishedRow returns the values of the paper for a problem and a method; nil if there are none.
func (t *Measured) publishedRow(row, label string) *PublishedRow {
	if t.paper == nil {
		return nil
	}
	return t.paper.Find(t.Table, row, label)
}

// grid returns the table as texts. It leaves out columns without values.
func (t MeasuredJSON) grid() grid {
	g := grid{title: t.Title, caption: t.caption, head: []string{"problem", "method"}, names: 2}
	any := func(of func(c measuredCellJSON) exact.Number, i int) bool {
		return slices.ContainsFunc(t.Rows, func(r measuredRowJSON) bool { return !math.IsNaN(float64(of(r.Cells[i]))) })
	}
	ours := func(c measuredCellJSON) exact.Number { return c.Ours }
	theirs := func(c measuredCellJSON) exact.Number { return c.Paper }
	alone := !slices.ContainsFunc(t.Rows, func(r measuredRowJSON) bool { return r.Runs > 0 })
	if !alone {
		g.head = append(g.head, "runs")
	}
	for i, name := range t.Columns {
		if q, ok := metricOf(name); ok {
			name = q.head
		}
		switch paper := any(theirs, i); {
		case paper && alone:
			g.head = append(g.head, name)
		case paper:
			g.head = append(g.head, name, "paper")
		case any(ours, i):
			g.head = append(g.head, name)
		}
	}
	for i, r := range t.Rows {
		line := []string{r.Problem, r.Method}
		if i > 0 && t.Rows[i-1].Problem == r.Problem {
			line[0] = ""
		}
		switch {
		case r.Runs > 0:
			line = append(line, strconv.Itoa(r.Runs))
		case !alone:
			line = append(line, "-")
		}
		for i, c := range r.Cells {
			paper := any(theirs, i)
			if !alone && (paper || any(ours, i)) {
				line = append(line, c.shown())
			}
			if paper {
				line = append(line, published5(c.Paper))
			}
		}
		g.rows = append(g.rows, line)
	}
	for i, name := range t.Columns {
		if worse := t.worse(i); (name == "error" || name == "location") && worse != "" {
			g.notes = append(g.notes, worse)
		}
	}
	for i := range t.Columns {
		if any(theirs, i) {
			g.notes = append(g.notes, fmt.Sprintf("paper: %s (%s)", t.paper, paperNotes[t.paper]))
			break
		}
	}
	return g
}

// values adds the values of the table to lines of CSV.
func (t MeasuredJSON) values(add func(problem, method, metric string, ours, paper exact.Number)) {
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			add(r.Problem, r.Method, t.Columns[i], c.Ours, c.Paper)
		}
	}
}

// worse says in how many rows our value in a column is at most that of the paper, and names the other rows.
func (t MeasuredJSON) worse(column int) string {
	n, worse := 0, []string{}
	for _, r := range t.Rows {
		c := r.Cells[column]
		if math.IsNaN(float64(c.Ours)) || math.IsNaN(float64(c.Paper)) {
			continue
		}
		if n++; c.Ours > c.Paper {
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
	if c.text == "" || math.IsNaN(float64(c.Ours)) {
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
