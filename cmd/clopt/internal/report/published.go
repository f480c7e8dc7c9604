package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/clopt/clopt/solvers/runs/exact"
)

// PublishedRow holds the values that a paper gives for a problem and a method.
type PublishedRow struct {
	Table, Problem, Label string
	Values                map[string]float64 // by the names of metricOf, or "mean", "std" and "speedup"
	Dim                   int                // 0: the problem has one size
}

// At returns a value of r by name, NaN if there is none or r is nil.
func (r *PublishedRow) At(name string) exact.Number {
	if r != nil {
		if v, ok := r.Values[name]; ok {
			return exact.Number(v)
		}
	}
	return exact.Number(math.NaN())
}

// last returns the value "at T s" with the largest T, and that T. Without one the value is NaN.
func (r *PublishedRow) last() (seconds, value float64) {
	value = math.NaN()
	for name, v := range r.Values {
		if t, ok := secondsIn(name); ok && t > seconds {
			seconds, value = t, v
		}
	}
	return seconds, value
}

// Beside returns the rows of means that can be shown beside results of a table. There are none for generated data.
func (p *Paper) Beside(key TableKey) (rows []PublishedRow) {
	if p == nil || p.fits == nil || key.Data == "generated" {
		return nil
	}
	for _, r := range p.Rows {
		if r.Dim == key.Dim && p.fits(r.Table, key.Family, key.Variant) {
			rows = append(rows, r)
		}
	}
	return rows
}

// Find returns the row of a problem and a method in a table, or one for all tables ("*"); nil if there is none.
func (p *Paper) Find(table, problem, label string) *PublishedRow {
	for i := range p.Rows {
		if r := &p.Rows[i]; (r.Table == table || r.Table == "*") && r.Label == label &&
			strings.EqualFold(r.Problem, problem) {
			return r
		}
	}
	return nil
}

// add appends r with the values in the fields of l that are not empty. names maps fields to names of values.
func (p *Paper) add(r PublishedRow, l map[string]string, names map[string]string) error {
	r.Values = map[string]float64{}
	for field, name := range names {
		if l[field] == "" {
			continue
		}
		v, err := strconv.ParseFloat(l[field], 64)
		if err != nil {
			return fmt.Errorf("%s: %w", field, err)
		}
		r.Values[name] = v
	}
	p.Rows = append(p.Rows, r)
	return nil
}

// readFerreiro reads the tables of Ferreiro et al. If a table varies a parameter, the label names it. For the hybrid of
// Table 10 the paper prints the time of the local minimizer; the annealing before it is added, as in our own times.
func readFerreiro(p *Paper, l map[string]string) error {
	r := PublishedRow{Table: l["table"], Problem: l["problem"], Label: l["version"]}
	switch r.Table {
	case "3", "4":
		r.Label += " w=" + l["chains"]
	case "5":
		r.Label += " N=" + l["N"]
	case "6":
		r.Label += " " + l["evaluations"]
	case "7":
		r.Label += " " + l["precision"]
	}
	err := p.add(r, l, map[string]string{
		"evaluations": "moves", "time_s": "seconds", "speedup": "speedup", "abs_error_f": "error",
		"location_error": "location",
	})
	if before := p.Find("10", r.Problem, "V2"); err == nil && r.Table == "10" && r.Label == "hybrid" && before != nil {
		p.Rows[len(p.Rows)-1].Values["seconds"] += before.Values["seconds"]
	}
	return err
}

// readAndrade reads Table I of Andrade et al.: C-GRASP, sequential and with parallel construction.
func readAndrade(p *Paper, l map[string]string) error {
	r := PublishedRow{Table: "I", Problem: l["problem"], Label: "sequential"}
	if err := p.add(r, l, map[string]string{"cgrasp_time_s": "seconds"}); err != nil {
		return err
	}
	r.Label = "parallel"
	return p.add(r, l, map[string]string{"cgrasp_pc_time_s": "seconds", "speedup": "speedup"})
}

// readBouter reads cuts by instance, method and seconds. A cut without seconds is the best known one. The figures of
// the paper have no numbers, so these are measurements of the methods to which it is compared, on one core of a server.
func readBouter(p *Paper, l map[string]string) error {
	v, err := strconv.ParseFloat(l["cut"], 64)
	if err != nil {
		return fmt.Errorf("cut: %w", err)
	}
	name := "best"
	if l["seconds"] != "" {
		name = "at " + l["seconds"] + "s"
	}
	r := p.Find(l["table"], l["problem"], l["method"])
	if r == nil {
		p.Rows = append(p.Rows, PublishedRow{Table: l["table"], Problem: l["problem"], Label: l["method"],
			Values: map[string]float64{}})
		r = &p.Rows[len(p.Rows)-1]
	}
	r.Values[name] = v
	return nil
}

// paperTables returns the rows of a paper in the tables of its campaign.
func (p *Paper) paperTables(suite []SuiteTable) (tables []MeasuredJSON) {
	for i := range suite {
		t := &Measured{Suite: p.name, Table: suite[i].Name, View: &suite[i].View, paper: p}
		out := MeasuredJSON{Title: Joined(t.Suite, TableTitle(t.Table)), Suite: t.Suite, Table: t.Table,
			Columns: t.ColumnsOf(), paper: p.name, caption: suite[i].Caption}
		for k := range p.Rows {
			r := &p.Rows[k]
			if r.Table != t.Table {
				continue
			}
			line := measuredRowJSON{Problem: r.Problem, Method: r.Label}
			for _, name := range out.Columns {
				line.Cells = append(line.Cells, publishedCell(r.At(t.columnName(name))))
			}
			out.Rows = append(out.Rows, line)
		}
		if out.Rows != nil {
			tables = append(tables, out)
		}
	}
	return tables
}
