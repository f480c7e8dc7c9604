package report

import (
	"slices"
	"strings"
)

// column is a method: one of our own or one of a paper.
type column struct {
	label string
	paper string // "" for our own
	other string // the functions that it has, if they are others than those of the table
}

// table holds results by function and method.
type table struct {
	TableKey
	columns []column
	rows    []string // "f1", …
	cells   map[string]map[column]cellValues
}

// cellValues are the values of one method on one function: those of our runs, or a published mean and deviation.
type cellValues struct {
	values    []float64 // of our runs, times sign; nil: published
	sign      float64   // 1; -1 for a maximization
	mean, std float64   // as published
}

// tables returns the tables of results.
func tables(all []Record) (out []*table) {
	for _, g := range Groups(GraphsTogether(all)) {
		if out == nil || out[len(out)-1].TableKey != g.Key {
			out = append(out, &table{TableKey: g.Key, cells: map[string]map[column]cellValues{}})
		}
		t := out[len(out)-1]
		c := column{label: g.Label}
		v := t.cell(g.Row, c)
		v.values, v.sign = g.Values(), g.Sign()
		t.cells[g.Row][c] = v
	}
	return out
}

// GraphsTogether returns the records with the places of graphs in a table of all graphs: a graph is a row, and no table
// has its number of vertices.
func GraphsTogether(all []Record) []Record {
	short := shortNames(all)
	all = slices.Clone(all)
	for i := range all {
		if f := &all[i]; isGraph(*f) {
			f.Key.Family, _, _ = strings.Cut(f.Result.Problem, ":")
			f.Row = short[f.Result.Problem]
			f.Key.Variant, f.Key.Dim = "", 0
		}
	}
	return all
}

// isGraph reports whether a result is that of a graph, a QUBO or an Ising problem.
func isGraph(f Record) bool {
	family, _, _ := strings.Cut(f.Result.Problem, ":")
	return slices.Contains([]string{"maxcut", "qubo", "ising"}, family)
}

// shortNames returns the names of problems by their specs. Those of graphs have no family, and as few of the last
// folders of their files as make the names different.
func shortNames(all []Record) map[string]string {
	for folders := 0; ; folders++ {
		names, specs, more := map[string]string{}, map[string]string{}, false
		for _, f := range all {
			spec := f.Result.Problem
			name := spec
			if isGraph(f) {
				_, path, _ := strings.Cut(spec, ":")
				parts := strings.Split(path, "/")
				first := max(0, len(parts)-1-folders)
				name = strings.Join(parts[first:], "/")
				other, taken := specs[name]
				more = more || taken && other != spec && first > 0
			}
			names[spec], specs[name] = name, spec
		}
		if !more {
			return names
		}
	}
}

// cell returns a cell, and adds its row and its column to the table if they are new.
func (t *table) cell(row string, c column) cellValues {
	if t.cells[row] == nil {
		t.cells[row] = map[column]cellValues{}
		t.rows = append(t.rows, row)
	}
	if !slices.Contains(t.columns, c) {
		t.columns = append(t.columns, c)
	}
	return t.cells[row][c]
}

// tables returns the tables of a paper that gives means and deviations.
func (p *Paper) tables() (all []*table) {
	var t *table
	for _, r := range p.Rows {
		if t == nil || t.Table != r.Table {
			t = &table{TableKey: TableKey{Suite: p.name, Table: r.Table, Dim: r.Dim},
				cells: map[string]map[column]cellValues{}}
			all = append(all, t)
		}
		t.publish(column{label: r.Label, paper: p.name}, r)
	}
	return all
}

// publish adds a row of a paper to a column.
func (t *table) publish(c column, r PublishedRow) {
	v := t.cell(r.Problem, c)
	v.sign, v.mean, v.std = 1, r.Values["mean"], float64(r.At("std"))
	t.cells[r.Problem][c] = v
}
