package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/clopt/clopt/solvers/runs"
)

// Reporter shows results in tables.
type Reporter struct {
	Out, Err io.Writer
	JSON     bool                           // one JSON object instead of text
	Suite    func(name string) []SuiteTable // returns the tables of a built-in campaign, or nil
}

// SuiteTable is a table of a campaign as it is shown.
type SuiteTable struct {
	Name, Caption string
	View          runs.View
}

// Show prints results in tables, beside those of a paper unless it is nil.
func (r *Reporter) Show(results []Record, pub *Paper) error {
	views, rest := MeasuredTables(results)
	all := tables(rest)
	if pub != nil {
		for _, t := range all {
			r.beside(t, pub)
		}
	}
	var shown []MeasuredJSON
	for _, t := range views {
		if pub != nil && strings.TrimSuffix(t.Suite, "-laptop") == pub.name {
			t.paper = pub
		}
		m := t.compared()
		m.caption = r.captionOf(t.Suite, t.Table)
		shown = append(shown, m)
	}
	return r.show(all, shown, targets(results))
}

// ShowPaper prints the tables of a paper, without results of ours.
func (r *Reporter) ShowPaper(pub *Paper) error {
	if pub.fits != nil {
		return r.show(pub.tables(), nil, nil)
	}
	return r.show(nil, pub.paperTables(r.Suite(pub.name)), nil)
}

// show prints tables of means with their statistical tests, tables of other metrics, and times to targets.
func (r *Reporter) show(all []*table, measured []MeasuredJSON, reached []TargetJSON) error {
	if r.JSON {
		out := []TableJSON{}
		for _, t := range all {
			out = append(out, t.compared())
		}
		return runs.WriteLine(r.Out, struct {
			Format        string         `json:"format"`
			FormatVersion int            `json:"format_version"`
			Tables        []TableJSON    `json:"tables"`
			Measured      []MeasuredJSON `json:"measured,omitempty"`
			Targets       []TargetJSON   `json:"targets,omitempty"`
		}{"clopt-compare", 1, out, measured, reached})
	}
	for i, t := range all {
		if i > 0 {
			fmt.Fprintln(r.Out)
		}
		t.compared().print(r.Out)
	}
	for i, t := range measured {
		if i+len(all) > 0 {
			fmt.Fprintln(r.Out)
		}
		t.print(r.Out)
	}
	if len(reached) > 0 {
		fmt.Fprintln(r.Out)
		printTargets(r.Out, reached)
	}
	return nil
}

// captionOf returns the caption of a table of a built-in campaign, "" for other campaigns.
func (r *Reporter) captionOf(suite, table string) string {
	suite, small := strings.CutSuffix(suite, "-laptop")
	for _, t := range r.Suite(suite) {
		if t.Name == table && small {
			return t.Caption + "; scaled down by --scale laptop"
		} else if t.Name == table {
			return t.Caption
		}
	}
	return ""
}

// beside adds the columns of a paper to a table of the same functions.
func (r *Reporter) beside(t *table, p *Paper) {
	if p.fits == nil {
		return
	}
	for _, row := range p.Rows {
		if row.Dim != t.Dim || !p.fits(row.Table, t.Family, t.Variant) {
			continue
		}
		if t.Data == "generated" {
			fmt.Fprintf(r.Err, "! %s: these results are for a generated instance, so the columns of %s are left out. "+
				"Run with --data DIR to compare.\n", TitleOf(t.TableKey), p.name)
			return
		}
		if _, ours := t.cells[row.Problem]; ours {
			t.publish(p.name, row)
		}
	}
}
