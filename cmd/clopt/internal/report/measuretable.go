package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/clopt/clopt/solvers/runs"
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
		Ours  runs.Number `json:"ours"` // null: no value
		Paper runs.Number `json:"paper"`

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
	out := MeasuredJSON{Title: strings.TrimSpace(t.Suite + "  table " + t.Table), Suite: t.Suite, Table: t.Table,
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
			row.Cells = append(row.Cells, measuredCellJSON{runs.Number(m.Value), published.At(t.columnName(name)),
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
func publishedCell(v runs.Number) measuredCellJSON {
	return measuredCellJSON{Ours: runs.Number(math.NaN()), Paper: v}
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

// print writes a table as text. It leaves out columns without values.
func (t MeasuredJSON) print(w io.Writer) {
	fmt.Fprintln(w, t.Title)
	if t.caption != "" {
		fmt.Fprintf(w, "  %s\n", t.caption)
	}
	any := func(of func(c measuredCellJSON) runs.Number, i int) bool {
		return slices.ContainsFunc(t.Rows, func(r measuredRowJSON) bool { return !math.IsNaN(float64(of(r.Cells[i]))) })
	}
	ours := func(c measuredCellJSON) runs.Number { return c.Ours }
	theirs := func(c measuredCellJSON) runs.Number { return c.Paper }
	alone := !slices.ContainsFunc(t.Rows, func(r measuredRowJSON) bool { return r.Runs > 0 })

	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := "  problem\tmethod"
	if !alone {
		line += "\truns"
	}
	for i, name := range t.Columns {
		if q, ok := metricOf(name); ok {
			name = q.head
		}
		switch paper := any(theirs, i); {
		case paper && alone:
			line += "\t" + name
		case paper:
			line += "\t" + name + "\tpaper"
		case any(ours, i):
			line += "\t" + name
		}
	}
	fmt.Fprintln(tw, line)
	for i, r := range t.Rows {
		line := "  " + r.Problem + "\t" + r.Method
		if i > 0 && t.Rows[i-1].Problem == r.Problem {
			line = "  \t" + r.Method
		}
		switch {
		case r.Runs > 0:
			line += fmt.Sprintf("\t%d", r.Runs)
		case !alone:
			line += "\t-"
		}
		for i, c := range r.Cells {
			paper := any(theirs, i)
			if !alone && (paper || any(ours, i)) {
				line += "\t" + c.shown()
			}
			if paper {
				line += "\t" + published5(c.Paper)
			}
		}
		fmt.Fprintln(tw, line)
	}
	tw.Flush()
	for i, name := range t.Columns {
		if name == "error" || name == "location" {
			t.printWorse(w, i)
		}
	}
	for i := range t.Columns {
		if any(theirs, i) {
			fmt.Fprintf(w, "  paper: %s (%s)\n", t.paper, paperNotes[t.paper])
			break
		}
	}
}

// printWorse writes in how many rows our value in a column is at most that of the paper, and names the other rows.
func (t MeasuredJSON) printWorse(w io.Writer, column int) {
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
		return
	}
	fmt.Fprintf(w, "  %s: at most the paper's in %d of %d lines", t.Columns[column], n-len(worse), n)
	if len(worse) > 0 {
		fmt.Fprintf(w, "; not in %s", strings.Join(worse, ", "))
	}
	fmt.Fprintln(w)
}

// shown returns our value as text.
func (c measuredCellJSON) shown() string {
	if c.text == "" || math.IsNaN(float64(c.Ours)) {
		return Short(c.Ours)
	}
	return c.text
}

// published5 returns a value of a paper as text: whole numbers, such as cuts, in full, others with five digits.
func published5(n runs.Number) string {
	switch f := float64(n); {
	case math.IsNaN(f):
		return "-"
	case f == math.Trunc(f) && math.Abs(f) < 1e8:
		return fmt.Sprintf("%.0f", f)
	default:
		return fmt.Sprintf("%.5g", f)
	}
}
