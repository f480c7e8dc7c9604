// Package page writes results as one HTML file that can be read without a network, a script or this program.
package page

import (
	"bytes"
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
	Failed  []report.Record // runs without a result, which are in no table and no picture
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
	Galleries       []gallery
	Notes           []string
}

// table is a table of the page. On a narrow window a table of Cards has a line for each cell.
type table struct {
	report.Table
	Cards bool
}

// cell is a cell of a table.
type cell = report.Cell

// CardStyle returns the style that writes the head of its column before each cell of a table of Cards.
func (t table) CardStyle() template.CSS {
	style := ""
	for i, c := range t.Columns {
		style += fmt.Sprintf(".cards td:nth-child(%d)::before{content:%q}", i+1, c.Head+" ")
	}
	return template.CSS(style)
}

// Class returns the classes of a cell of a column in the style of the page.
func (t table) Class(column int, c cell) string {
	var all []string
	if t.Columns[column].Number {
		all = append(all, "number")
	}
	if c.Good {
		all = append(all, "good")
	}
	if c.Bad {
		all = append(all, "bad")
	}
	return strings.Join(all, " ")
}

// tableOf returns a table without rows.
func tableOf(title string, columns ...[]report.Column) (t table) {
	t.Title, t.Columns = title, slices.Concat(columns...)
	return t
}

// add adds a row.
func (t *table) add(row ...cell) { t.Rows = append(t.Rows, row) }

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
		if len(s.Tables)+len(s.Galleries)+len(s.Notes) > 0 {
			all = append(all, s)
		}
	}
	content := struct {
		Title    string
		Glance   []string
		Verdicts []string
		Sections []section
		Style    template.CSS
	}{r.Title, r.glance(), r.verdicts(), all, template.CSS(plot.Style)}
	var text bytes.Buffer
	if err := page.Execute(&text, content); err != nil {
		return err
	}
	if over := text.Len() - mostBytes; over > 0 {
		leaveOut(all, over)
		text.Reset()
		if err := page.Execute(&text, content); err != nil {
			return err
		}
	}
	_, err := text.WriteTo(w)
	return err
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
	both, err := r.overBoth(plot.Choice{Kind: "convergence", Paper: r.Paper})
	s.Galleries = galleries(both)
	return s, err
}

func (r *Report) targets() (s section, err error) {
	s = section{ID: "targets", Title: "Targets met", Read: "How many of 51 targets the runs of a method have met " +
		"after so many evaluations and so many seconds, over all problems of a table. The targets lie between the " +
		"worst first value and the best of all runs. Higher and further left is better."}
	both, err := r.overBoth(plot.Choice{Kind: "ecdf"})
	if err != nil {
		return s, err
	}
	seconds, err := plot.Panels(r.Results, plot.Choice{Kind: "ttt"})
	s.Galleries = galleries(both, r.draw(seconds))
	return s, err
}

func (r *Report) scaling() (s section, err error) {
	s = section{ID: "scaling", Title: "Scaling", Read: "Time and speed over the number of variables, and speed over " +
		"the number of devices beside the ideal one (dashed). Only methods with runs of several sizes have a line."}
	var panels []plot.Panel
	for _, kind := range []string{"scaling", "throughput", "speedup"} {
		all, err := plot.Panels(r.Results, plot.Choice{Kind: kind})
		if err != nil {
			return s, err
		}
		panels = append(panels, slices.DeleteFunc(all, func(p plot.Panel) bool { return !p.Spans() })...)
	}
	s.Galleries = galleries(r.draw(panels))
	return s, nil
}

// number returns a cell with a value, three digits of it.
func number(v float64) cell { return numberAs(short(v), v) }

// numberAs returns a cell with a value as text. If that is not the whole value, a pointer shows it.
func numberAs(text string, v float64) cell {
	c := cell{Text: text}
	if all := fmt.Sprint(v); all != text {
		c.Title = all
	}
	return c
}

// words returns a cell with a text.
func words(parts ...string) cell { return cell{Text: strings.Join(parts, " ")} }
