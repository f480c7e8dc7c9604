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
	runs      *Group  // ours; nil: published
	mean, std float64 // as published
}

// tables returns the tables of results.
func tables(all []Record) (out []*table) {
	for _, groups := range ByTable(Groups(all)) {
		out = append(out, tableOf(groups))
	}
	return out
}

// tableOf returns the table of its groups.
func tableOf(groups []*Group) *table {
	t := &table{TableKey: groups[0].Key, cells: map[string]map[column]cellValues{}}
	for _, g := range groups {
		t.set(g.Row, column{label: g.Label}, cellValues{runs: g})
	}
	return t
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
		names := map[string]string{}
		specs := map[string]string{}
		more := false
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

// set sets a cell, and adds its row and its column to the table if they are new.
func (t *table) set(row string, c column, v cellValues) {
	if t.cells[row] == nil {
		t.cells[row] = map[column]cellValues{}
		t.rows = append(t.rows, row)
	}
	if !slices.Contains(t.columns, c) {
		t.columns = append(t.columns, c)
	}
	t.cells[row][c] = v
}

// tables returns the tables of a paper that gives means and deviations.
func (p *Paper) tables() (all []*table) {
	var t *table
	for _, r := range p.Rows {
		if t == nil || t.Table != r.Table {
			t = &table{TableKey: TableKey{Suite: p.Name, Table: r.Table, Dim: r.Dim},
				cells: map[string]map[column]cellValues{}}
			all = append(all, t)
		}
		t.publish(column{label: r.Label, paper: p.Name}, r)
	}
	return all
}

// publish adds a row of a paper to a column.
func (t *table) publish(c column, r PublishedRow) {
	t.set(r.Problem, c, cellValues{mean: r.Values["mean"], std: float64(r.At("std"))})
}

// beside adds the columns of a paper, which may be nil, to a table of the same functions.
func (t *table) beside(p *Paper) {
	for _, row := range p.Beside(t.TableKey) {
		if _, ours := t.cells[row.Problem]; ours {
			t.publish(column{row.Label, p.Name, p.Elsewhere(row, t.Variant)}, row)
		}
	}
}
