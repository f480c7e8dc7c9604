// Package page writes results as one HTML file that can be read without a network, a script or this program.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/plot"
)

// Report is what a page shows.
type Report struct {
	Title   string
	Results []report.Record
	Before  []report.Record // of another campaign, to compare with; nil: none
	Paper   *report.Paper   // published values; nil: none
	Notes   []string        // of what was left out
}

//go:embed page.html
var text string

var page = template.Must(template.New("page").Parse(text))

// section is a chapter of a page.
type section struct {
	ID, Title, Read string // Read says how to read it
	Tables          []table
	Figures         []figure
	Notes           []string
}

// table is a table of texts. Each row has as many cells as the head. On a narrow window a table of Cards has a line for
// each cell.
type table struct {
	Caption string
	Head    []string
	Rows    [][]cell
	Notes   []string
	Cards   bool
}

// cell is a text in a table. Good cells are the best of their row or group; Title is shown when a pointer rests on it.
type cell struct {
	Text, Title string
	Number      bool
	Good, Bad   bool
}

// Class returns the classes of a cell in the style of the page.
func (c cell) Class() string {
	var all []string
	for _, class := range []struct {
		name string
		is   bool
	}{{"number", c.Number}, {"good", c.Good}, {"bad", c.Bad}} {
		if class.is {
			all = append(all, class.name)
		}
	}
	return strings.Join(all, " ")
}

// figure is a picture.
type figure struct{ SVG template.HTML }

// Write writes the page.
func Write(w io.Writer, r *Report) error {
	own := *r
	r = &own
	r.Results = report.GraphsTogether(r.Results)
	if r.Before != nil {
		r.Before = report.GraphsTogether(r.Before)
	}
	parts := []func() (section, error){r.verdict, r.convergence, r.targets, r.scaling, r.statistics, r.timeline,
		r.provenance, r.failures, r.change}
	if len(r.Results) == 0 {
		parts = []func() (section, error){r.failures}
	}
	var all []section
	for _, of := range parts {
		s, err := of()
		if err != nil {
			return err
		}
		if len(s.Tables)+len(s.Figures)+len(s.Notes) > 0 {
			all = append(all, s)
		}
	}
	return page.Execute(w, struct {
		Title    string
		Glance   []string
		Verdicts []string
		Sections []section
	}{r.Title, r.glance(), r.verdicts(), all})
}

// figures draws each panel. A method has one colour on the whole page.
func (r *Report) figures(panels []plot.Panel) (all []figure, err error) {
	var methods []string
	for _, f := range r.Results {
		methods = append(methods, f.Label)
	}
	slices.SortFunc(methods, report.Natural)
	texts, err := plot.Figure{Panels: panels, Methods: slices.Compact(methods)}.SVGs()
	for _, svg := range texts {
		all = append(all, figure{template.HTML(svg)}) //nolint:gosec // every text in it is escaped
	}
	return all, err
}

func (r *Report) convergence() (s section, err error) {
	s = section{ID: "convergence", Title: "Convergence", Read: "The best value so far over evaluations and over " +
		"seconds. Lower is better. The line is the median of five or more runs, and half of the runs lie in the " +
		"band; fewer runs are lines of their own. Where an optimum is known, the distance to it is shown."}
	if slices.ContainsFunc(r.Results, func(f report.Record) bool { return f.Result.Sense.Sign() < 0 }) {
		s.Read = strings.Replace(s.Read, "Lower is better.",
			"Lower is better, or higher where a problem is maximized.", 1)
	}
	if r.Paper != nil {
		s.Read += " Lines across a picture are published means, and goals."
	}
	s.Figures, err = r.overBoth(func(by string) ([]plot.Panel, error) {
		return plot.Convergence(r.Results, by, false, r.Paper)
	})
	return s, err
}

func (r *Report) targets() (s section, err error) {
	s = section{ID: "targets", Title: "Targets met", Read: "How many of 51 targets the runs of a method have met " +
		"after so many evaluations and so many seconds, over all problems of a table. The targets lie between the " +
		"worst first value and the best of all runs. Higher and further left is better."}
	s.Figures, err = r.overBoth(func(by string) ([]plot.Panel, error) { return plot.Targets(r.Results, by) })
	if err != nil {
		return s, err
	}
	more, err := r.figures(plot.TimeToTarget(r.Results))
	s.Figures = append(s.Figures, more...)
	return s, err
}

// overBoth draws panels over evaluations, each beside that over seconds.
func (r *Report) overBoth(panels func(by string) ([]plot.Panel, error)) (all []figure, err error) {
	var both [2][]figure
	for i, by := range []string{"evaluations", "time"} {
		p, err := panels(by)
		if err != nil {
			return nil, err
		}
		if both[i], err = r.figures(p); err != nil {
			return nil, err
		}
	}
	for i := range max(len(both[0]), len(both[1])) {
		for _, f := range both {
			if i < len(f) {
				all = append(all, f[i])
			}
		}
	}
	return all, nil
}

func (r *Report) scaling() (s section, err error) {
	s = section{ID: "scaling", Title: "Scaling", Read: "Time and speed over the number of variables, and speed over " +
		"the number of devices beside the ideal one (dashed). Only methods with runs of several sizes have a line."}
	panels := plot.Scaling(r.Results)
	throughput, err := plot.Throughput(r.Results, nil)
	if err != nil {
		return s, err
	}
	for _, p := range throughput {
		if p.Spans() {
			panels = append(panels, p)
		}
	}
	if speedup, err := plot.Speedup(r.Results); err == nil { // otherwise there is one number of devices
		panels = append(panels, speedup...)
	}
	s.Figures, err = r.figures(panels)
	return s, err
}

// number returns a cell with a value, three digits of it.
func number(v float64) cell { return cell{Text: short(v), Title: fmt.Sprint(v), Number: true} }

// words returns a cell with a text.
func words(parts ...string) cell { return cell{Text: strings.Join(parts, " ")} }
