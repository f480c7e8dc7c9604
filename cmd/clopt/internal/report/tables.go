package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// column is a method, of ours or of a paper.
type column struct {
	label string
	paper string // where it was published; "" for ours
}

// table is results by function and method.
type table struct {
	TableKey
	columns []column
	rows    []string // "f1", …
	cells   map[string]map[column]cellValues
}

// cellValues are the runs of one method on one function, or what was
// published of them.
type cellValues struct {
	values    []float64 // of our runs, in the sense of minimization
	sign      float64
	mean, std float64 // as published
}

// tables groups results, in a natural order.
func tables(all []Record) []*table {
	by := map[TableKey]*table{}
	var out []*table
	for _, f := range all {
		t := by[f.Key]
		if t == nil {
			t = &table{TableKey: f.Key, cells: map[string]map[column]cellValues{}}
			by[f.Key] = t
			out = append(out, t)
		}
		c := t.cell(f.Row, column{label: f.Label})
		sign := f.Result.Sense.Sign()
		c.values, c.sign = append(c.values, sign*float64(f.Result.Best.F)), sign
		t.cells[f.Row][column{label: f.Label}] = c
	}
	for _, t := range out {
		slices.SortFunc(t.rows, Natural)
	}
	slices.SortStableFunc(out, func(a, b *table) int {
		return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Family, b.Family), cmp.Compare(a.Variant, b.Variant),
			cmp.Compare(a.Dim, b.Dim), Natural(a.Table, b.Table))
	})
	return out
}

// cell makes room for a cell, its row and its column.
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

// tables are those of a paper alone.
func (p *Paper) tables() (all []*table) {
	var t *table
	for _, l := range p.lines {
		if t == nil || t.Table != l.table {
			t = &table{TableKey: TableKey{Suite: p.name, Table: l.table, Dim: l.dim}, cells: map[string]map[column]cellValues{}}
			all = append(all, t)
		}
		t.publish(p.name, l)
	}
	return all
}

func (t *table) publish(paper string, l published) {
	row, c := strings.ToLower(l.function), column{l.algorithm, paper}
	v := t.cell(row, c)
	v.sign, v.mean, v.std = 1, l.mean, l.std
	t.cells[row][c] = v
}

// TitleOf says what a table is of.
func TitleOf(t TableKey) string {
	var parts []string
	if t.Suite != "" {
		parts = append(parts, t.Suite)
	}
	if t.Table != "" {
		parts = append(parts, "table "+t.Table)
	}
	if t.Family != "" {
		parts = append(parts, t.Family)
	}
	parts = append(parts, fmt.Sprintf("n=%d", t.Dim))
	if t.Variant != "" {
		parts = append(parts, t.Variant)
	}
	if t.Data != "" {
		parts = append(parts, t.Data+" data")
	}
	return strings.Join(parts, "  ")
}
