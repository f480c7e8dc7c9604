package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/clopt/clopt/solvers/runs"
)

// TableKey is what the rows of one table of results have in common.
type TableKey struct {
	Suite, Table    string // of the campaign, if they come from one
	Family, Variant string // "cec2013"; keys of the spec besides n
	Dim             int
	Data            string
}

// Record is a result, and where it stands among others.
type Record struct {
	Result *runs.Result
	Key    TableKey
	Row    string // of the problem in its table: "f1"
	Label  string // of the method
}

// Collect reads the results in folders and below, each once, and counts unfinished runs. Methods have the labels of
// their campaign; others are named by their solver, and by the settings in which runs of it differ.
func Collect(folders []string) (all []Record, unfinished int, err error) {
	results, unfinished, err := runs.Collect(folders)
	for _, r := range results {
		all = append(all, NewRecord(r))
	}
	label(all)
	return all, unfinished, err
}

// NewRecord places a result. Its label is the solver's name, or that of its campaign.
func NewRecord(r *runs.Result) Record {
	name, rest, _ := strings.Cut(r.Problem, ":")
	f := Record{Result: r, Row: name, Label: r.Algorithm.Name}
	if i := strings.LastIndexByte(name, '/'); i > 0 && !strings.HasSuffix(name, ".cl") {
		f.Key.Family, f.Row = name[:i], name[i+1:]
	} else {
		f.Row = filepath.Base(name)
	}
	var keys []string
	for _, k := range strings.Split(rest, ",") {
		if k != "" && !strings.HasPrefix(k, "n=") {
			keys = append(keys, k)
		}
	}
	f.Key.Variant, f.Key.Dim, f.Key.Data = strings.Join(keys, ","), r.Dim, r.Data
	if c := r.Cell; c != nil {
		f.Key.Suite, f.Key.Table, f.Label = c.Suite, c.Table, c.Label
		if c.Devices > 0 {
			f.Label += fmt.Sprintf(" x%d", c.Devices)
		}
	}
	return f
}

// label names methods by their solver, and where one was run with several
// settings by what differs.
func label(all []Record) {
	settings := map[string]map[string]map[string]bool{} // solver, key, values
	for _, f := range all {
		if f.Result.Cell != nil {
			continue
		}
		of := settings[f.Label]
		if of == nil {
			of = map[string]map[string]bool{}
			settings[f.Label] = of
		}
		for _, kv := range append(strings.Split(f.Result.Algorithm.Settings, ","), "precision="+f.Result.Precision) {
			k, v, _ := strings.Cut(kv, "=")
			if of[k] == nil {
				of[k] = map[string]bool{}
			}
			of[k][v] = true
		}
	}
	for i, f := range all {
		if f.Result.Cell != nil {
			continue
		}
		var differ []string
		for _, kv := range append(strings.Split(f.Result.Algorithm.Settings, ","), "precision="+f.Result.Precision) {
			if k, _, _ := strings.Cut(kv, "="); len(settings[f.Label][k]) > 1 {
				differ = append(differ, kv)
			}
		}
		if differ != nil {
			all[i].Label += " " + strings.Join(differ, " ")
		}
	}
}

var digits = regexp.MustCompile(`\d+`)

// Natural orders f2 before f10.
func Natural(a, b string) int {
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
