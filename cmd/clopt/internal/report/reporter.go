package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/solvers/runs/exact"
	"github.com/clopt/clopt/solvers/runs/record"
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
	var shown []MeasuredJSON
	for _, t := range views {
		if pub != nil && strings.TrimSuffix(t.Suite, "-laptop") == pub.name {
			t.paper = pub
		}
		m := t.compared()
		m.caption = r.captionOf(t.Suite, t.Table)
		shown = append(shown, m)
	}
	return r.show(all, across, shown, targets(results))
}

// ShowPaper writes the tables of a paper, without results of ours.
func (r *Reporter) ShowPaper(pub *Paper) error {
	if pub.fits != nil {
		all := pub.tables()
		var across []Across
		for _, t := range all {
			across = append(across, Across{TitleOf(t.TableKey), t.tests(), t.TableKey})
		}
		return r.show(all, across, nil, nil)
	}
	return r.show(nil, nil, pub.paperTables(r.Suite(pub.name)), nil)
}

// show writes tables of means with their statistical tests, tables of other metrics, the tests that belong to none of
// the tables of means, and times to targets.
func (r *Reporter) show(all []*table, across []Across, measured []MeasuredJSON, reached []TargetJSON) error {
	means := []TableJSON{}
	for _, t := range all {
		m := t.compared()
		m.caption = r.captionOf(t.Suite, t.Table)
		if i := slices.IndexFunc(across, func(a Across) bool { return a.key == t.TableKey }); i >= 0 {
			m.TestsJSON = across[i].TestsJSON
			across = slices.Delete(across, i, i+1)
		}
		means = append(means, m)
	}
	across = slices.DeleteFunc(across, func(a Across) bool { return a.Friedman == nil })
	switch r.Format {
	case "json":
		return record.WriteLine(r.Out, struct {
			Format        string         `json:"format"`
			FormatVersion int            `json:"format_version"`
			Tables        []TableJSON    `json:"tables"`
			Measured      []MeasuredJSON `json:"measured,omitempty"`
			Across        []Across       `json:"across,omitempty"`
			Targets       []TargetJSON   `json:"targets,omitempty"`
		}{"clopt-compare", 1, means, measured, across, reached})
	case "csv":
		return r.csv(means, measured, across, reached)
	}
	var grids []grid
	for _, t := range means {
		grids = append(grids, t.grid())
	}
	for _, t := range measured {
		grids = append(grids, t.grid())
	}
	for _, a := range across {
		grids = append(grids, a.grid())
	}
	if len(reached) > 0 {
		grids = append(grids, targetGrid(reached))
	}
	for i, g := range grids {
		if i > 0 {
			fmt.Fprintln(r.Out)
		}
		switch r.Format {
		case "text":
			g.text(r.Out)
		case "md":
			g.markdown(r.Out)
		case "latex":
			g.latex(r.Out)
		}
	}
	return nil
}

// csv writes a line for each value, with all digits.
func (r *Reporter) csv(means []TableJSON, measured []MeasuredJSON, across []Across, reached []TargetJSON) error {
	w := csv.NewWriter(r.Out)
	w.Write([]string{"table", "problem", "method", "metric", "ours", "paper"})
	to := func(title string) func(problem, method, metric string, ours, paper exact.Number) {
		return func(problem, method, metric string, ours, paper exact.Number) {
			line := []string{title, problem, method, metric, "", ""}
			for i, n := range []exact.Number{ours, paper} {
				if f := float64(n); !math.IsNaN(f) {
					line[4+i] = strconv.FormatFloat(f, 'g', -1, 64)
				}
			}
			if line[4]+line[5] != "" {
				w.Write(line)
			}
		}
	}
	for _, t := range means {
		t.values(to(t.Title))
	}
	for _, t := range measured {
		t.values(to(t.Title))
	}
	for _, a := range across {
		a.values(to(a.Title))
	}
	for _, t := range reached {
		add, none := to(Joined("target", limitTitle(t.Limit))), exact.Number(math.NaN())
		add(t.Problem, t.Method, "runs", exact.Number(t.Runs), none)
		add(t.Problem, t.Method, "hits", exact.Number(t.Hits), none)
		if t.Median != nil {
			add(t.Problem, t.Method, "median_seconds", *t.Median, none)
		}
		add(t.Problem, t.Method, "tts99_seconds", t.TTS99, none)
	}
	w.Flush()
	return w.Error()
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

// warn says why the columns of a paper, which may be nil, are not beside a table.
func (r *Reporter) warn(t *table, p *Paper) {
	official := t.TableKey
	official.Data = ""
	if t.Data == "generated" && p.Beside(official) != nil {
		fmt.Fprintf(r.Err, "! %s: these results are for a generated instance, so the columns of %s are left out. "+
			"Run with --data DIR to compare.\n", TitleOf(t.TableKey), p.name)
	}
}
