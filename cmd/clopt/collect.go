package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/solvers"
)

// tableKey is what the rows of one table of results have in common.
type tableKey struct {
	suite, table    string // of the campaign, if they come from one
	family, variant string // "cec2013"; keys of the spec besides n
	dim             int
	data            string
}

// column is a method, of ours or of a paper.
type column struct {
	label string
	paper string // where it was published; "" for ours
}

// table is results by function and method.
type table struct {
	tableKey
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

// found is one result that compare or plot reads.
type found struct {
	dir    string
	result *resultJSON
	key    tableKey
	row    string
	label  string
}

// collect reads the results in folders and below. Unfinished runs are counted.
func collect(folders []string) (all []found, unfinished int, err error) {
	seen := map[string]bool{}
	for _, top := range folders {
		n := len(all)
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			switch d.Name() {
			case "checkpoint":
				return fs.SkipDir
			case "result.json":
				real, err := filepath.EvalSymlinks(path)
				if err != nil || seen[real] {
					return err
				}
				seen[real] = true
				r, err := readResultJSON(path)
				if err != nil {
					return coded(exitUsage, err)
				}
				if r.Stop.Reason == solvers.Cancelled.String() {
					unfinished++
					return nil
				}
				all = append(all, newFound(filepath.Dir(path), r))
			case "trace.jsonl":
				if r := filepath.Join(filepath.Dir(path), "result.json"); !exists(r) {
					unfinished++
				}
			}
			return nil
		})
		if err != nil {
			return nil, 0, coded(exitUsage, err)
		}
		if len(all) == n && unfinished == 0 {
			return nil, 0, usagef("%s holds no result.json, nor does a folder in it", top)
		}
	}
	label(all)
	return all, unfinished, nil
}

func newFound(dir string, r *resultJSON) found {
	name, rest, _ := strings.Cut(r.Problem, ":")
	f := found{dir: dir, result: r, row: name, label: r.Algorithm.Name}
	if i := strings.LastIndexByte(name, '/'); i > 0 && !strings.HasSuffix(name, ".cl") {
		f.key.family, f.row = name[:i], name[i+1:]
	} else {
		f.row = filepath.Base(name)
	}
	var keys []string
	for _, k := range strings.Split(rest, ",") {
		if k != "" && !strings.HasPrefix(k, "n=") {
			keys = append(keys, k)
		}
	}
	f.key.variant, f.key.dim, f.key.data = strings.Join(keys, ","), r.Dim, r.Data
	if c := r.Cell; c != nil {
		f.key.suite, f.key.table, f.label = c.Suite, c.Table, c.Label
		if c.Devices > 0 {
			f.label += fmt.Sprintf(" x%d", c.Devices)
		}
	}
	return f
}

// label names methods by their solver, and where one was run with several
// settings by what differs.
func label(all []found) {
	settings := map[string]map[string]map[string]bool{} // solver, key, values
	for _, f := range all {
		if f.result.Cell != nil {
			continue
		}
		of := settings[f.label]
		if of == nil {
			of = map[string]map[string]bool{}
			settings[f.label] = of
		}
		for _, kv := range append(strings.Split(f.result.Algorithm.Settings, ","), "precision="+f.result.Precision) {
			k, v, _ := strings.Cut(kv, "=")
			if of[k] == nil {
				of[k] = map[string]bool{}
			}
			of[k][v] = true
		}
	}
	for i, f := range all {
		if f.result.Cell != nil {
			continue
		}
		var differ []string
		for _, kv := range append(strings.Split(f.result.Algorithm.Settings, ","), "precision="+f.result.Precision) {
			if k, _, _ := strings.Cut(kv, "="); len(settings[f.label][k]) > 1 {
				differ = append(differ, kv)
			}
		}
		if differ != nil {
			all[i].label += " " + strings.Join(differ, " ")
		}
	}
}

// tables groups results, in a natural order.
func tables(all []found) []*table {
	by := map[tableKey]*table{}
	var out []*table
	for _, f := range all {
		t := by[f.key]
		if t == nil {
			t = &table{tableKey: f.key, cells: map[string]map[column]cellValues{}}
			by[f.key] = t
			out = append(out, t)
		}
		c := t.cell(f.row, column{label: f.label})
		sign := 1.0
		if strings.Contains(f.key.variant, "maximize=true") {
			sign = -1
		}
		c.values, c.sign = append(c.values, sign*float64(f.result.Best.F)), sign
		t.cells[f.row][column{label: f.label}] = c
	}
	for _, t := range out {
		slices.SortFunc(t.rows, natural)
	}
	slices.SortStableFunc(out, func(a, b *table) int {
		return cmp.Or(cmp.Compare(a.suite, b.suite), cmp.Compare(a.family, b.family), cmp.Compare(a.variant, b.variant), cmp.Compare(a.dim, b.dim), natural(a.table, b.table))
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

var digits = regexp.MustCompile(`\d+`)

// natural orders f2 before f10.
func natural(a, b string) int {
	for a != "" && b != "" {
		x, y := digits.FindStringIndex(a), digits.FindStringIndex(b)
		if x == nil || y == nil || a[:x[0]] != b[:y[0]] {
			break
		}
		m, _ := strconv.Atoi(a[x[0]:x[1]])
		n, _ := strconv.Atoi(b[y[0]:y[1]])
		if m != n {
			return cmp.Compare(m, n)
		}
		a, b = a[x[1]:], b[y[1]:]
	}
	return cmp.Compare(a, b)
}
