package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/record"
)

// Reporter shows results in tables.
type Reporter struct {
	Out    *status.Output
	Err    io.Writer
	Format string                         // one of Formats
	Suite  func(name string) []SuiteTable // returns the tables of a built-in campaign, or nil
}

// Formats are the forms of tables.
var Formats = []string{"text", "md", "latex", "csv", "json"}

// SuiteTable is a table of a campaign as it is shown.
type SuiteTable struct {
	Name, Caption string
	View          record.View
}

// Show writes results in tables, beside those of a paper unless it is nil.
func (r *Reporter) Show(results []Record, pub *Paper) error {
	views, rest := MeasuredTables(results)
	all := tables(GraphsTogether(rest))
	for _, t := range all {
		r.warn(t, pub)
		t.beside(pub)
	}
	across := AcrossProblems(GraphsTogether(results), pub)
	var measured []MeasuredJSON
	for _, t := range views {
		if pub != nil && fullSuite(t.Suite) == pub.Name {
			t.paper = pub
		}
		m := t.compared()
		m.caption = r.captionOf(t.Suite, t.Table)
		measured = append(measured, m)
	}
	return r.show(all, across, measured, targets(results))
}

// ShowPaper writes the tables of a paper, without results of ours.
func (r *Reporter) ShowPaper(pub *Paper) error {
	if pub.family == "" {
		return r.show(nil, nil, tablesOf(pub, r.Suite(pub.Name)), nil)
	}
	all := pub.tables()
	var across []Across
	for _, t := range all {
		across = append(across, Across{TitleOf(t.TableKey), t.tests(), t.TableKey})
	}
	return r.show(all, across, nil, nil)
}

// show writes tables of means with their statistical tests, tables of other metrics, the tests that belong to none of
// the tables of means, and times to targets.
func (r *Reporter) show(all []*table, across []Across, measured []MeasuredJSON, times reached) error {
	out := struct {
		Format        string         `json:"format"`
		FormatVersion int            `json:"format_version"`
		Tables        []TableJSON    `json:"tables"`
		Measured      []MeasuredJSON `json:"measured,omitempty"`
		Across        []Across       `json:"across,omitempty"`
		Targets       reached        `json:"targets,omitempty"`
	}{"clopt-compare", 1, []TableJSON{}, measured, nil, times}
	for _, t := range all {
		m := t.compared()
		m.caption = r.captionOf(t.Suite, t.Table)
		if i := slices.IndexFunc(across, func(a Across) bool { return a.key == t.TableKey }); i >= 0 {
			m.TestsJSON = across[i].TestsJSON
			across = slices.Delete(across, i, i+1)
		}
		out.Tables = append(out.Tables, m)
	}
	out.Across = slices.DeleteFunc(across, func(a Across) bool { return a.Friedman == nil })
	if r.Format == "json" {
		return record.WriteLine(r.Out, out)
	}
	var parts []part
	for _, t := range out.Tables {
		parts = append(parts, t)
	}
	for _, t := range out.Measured {
		parts = append(parts, t)
	}
	for _, a := range out.Across {
		parts = append(parts, a)
	}
	if len(times) > 0 {
		parts = append(parts, times)
	}
	return r.write(parts)
}

// part is a part of a comparison.
type part interface {
	shown() Table
	values(to *valueWriter)
}

// write writes parts in a form other than JSON.
func (r *Reporter) write(parts []part) error {
	if r.Format == "csv" {
		w := valueWriter{csv.NewWriter(r.Out)}
		w.Write([]string{"table", "problem", "method", "metric", "ours", "paper"})
		for _, p := range parts {
			p.values(&w)
		}
		w.Flush()
		return w.Error()
	}
	for i, p := range parts {
		if i > 0 {
			fmt.Fprintln(r.Out)
		}
		switch t := p.shown(); r.Format {
		case "text":
			t.text(r.Out)
		case "md":
			t.markdown(r.Out)
		case "latex":
			t.latex(r.Out)
		}
	}
	return nil
}

// valueWriter writes a line of CSV for each value, with all digits.
type valueWriter struct{ *csv.Writer }

// ours writes a value of ours. NaN is none.
func (w *valueWriter) ours(table, problem, method, metric string, v exact.Number) {
	w.both(table, problem, method, metric, v, exact.Number(math.NaN()))
}

// paper writes a value of a paper.
func (w *valueWriter) paper(table, problem, method, metric string, v exact.Number) {
	w.both(table, problem, method, metric, exact.Number(math.NaN()), v)
}

// both writes a value of ours and that of a paper.
func (w *valueWriter) both(table, problem, method, metric string, ours, paper exact.Number) {
	digits := func(n exact.Number) string {
		if math.IsNaN(float64(n)) {
			return ""
		}
		return strconv.FormatFloat(float64(n), 'g', -1, 64)
	}
	if line := []string{table, problem, method, metric, digits(ours), digits(paper)}; line[4]+line[5] != "" {
		w.Write(line)
	}
}

// captionOf returns the caption of a table of a built-in campaign, "" for other campaigns.
func (r *Reporter) captionOf(suite, table string) string {
	for _, t := range r.Suite(fullSuite(suite)) {
		if t.Name == table && suite != fullSuite(suite) {
			return t.Caption + "; scaled down by --scale laptop"
		} else if t.Name == table {
			return t.Caption
		}
	}
	return ""
}

// warn says why the columns of a paper, which may be nil, are not beside a table.
func (r *Reporter) warn(t *table, p *Paper) {
	official := t.TableKey
	official.Data = ""
	if t.Data == "generated" && p.Beside(official) != nil {
		fmt.Fprintf(r.Err, "! %s: these results are for a generated instance, so the columns of %s are left out. "+
			"Run with --data DIR to compare.\n", TitleOf(t.TableKey), p.Name)
	}
}
