package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/inspect"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// TableKey identifies a table of results: its rows agree in these fields.
type TableKey struct {
	Suite, Table    string // of the campaign; "" without one
	Family, Variant string // "cec2013"; the keys of the spec other than n
	Dim             int    // 0: the rows differ
	Data            string
	Limit           string // of evaluations and time, in words; "" if the runs of a campaign's table differ
}

// fullSuite returns the name of a campaign without the mark of one that was scaled down.
func fullSuite(name string) string { return strings.TrimSuffix(name, "-laptop") }

// Record is a result with its place in a table.
type Record struct {
	Result *record.Result
	Key    TableKey
	Row    string // the problem: "f1", "own.cl", or "own.cl (NAME)" if the objective has another name
	Label  string // the method

	files  string // hash of the files of the problem; "" without files
	x0     bool   // it has start points
	course func() (*inspect.Course, error)
}

// Course returns the course of the run. Its trace is read at the first call.
func (f Record) Course() (*inspect.Course, error) { return f.course() }

// Collect reads the results in folders and below, each once. Runs that go on, that have failed or were cancelled, and
// those with a value that is not confirmed, are left out, with a line on w. Methods of a campaign have the labels of
// the campaign; others are named by their solver and by the settings in which their runs differ. Problems from files
// that have changed between runs are different problems. A run that repeats another one bit for bit is left out, too.
func Collect(w io.Writer, folders []string) (all []Record, err error) {
	found, err := collect(folders)
	if err != nil {
		return nil, err
	}
	errors := 0
	unconfirmed := 0
	repeats := 0
	known := map[identity]bool{}
	for _, r := range found.results {
		switch {
		case failed(r):
			errors++
		case !r.Best.Confirmed:
			unconfirmed++
		default:
			f := NewRecord(r)
			f.files, err = inspect.InputsHash(r.Folder)
			if err != nil {
				return nil, exit.With(exit.Usage, err)
			}
			f.x0 = runs.Exists(filepath.Join(r.Folder, "x0.txt"))
			same := f.identity()
			if r.Determinism.Repeat && known[same] {
				repeats++
				continue
			}
			known[same] = true
			all = append(all, f)
		}
	}
	var out []string
	for _, c := range []struct {
		n    int
		what string
	}{
		{found.running, "%d still going on"}, {found.cancelled, "%d not finished (see clopt resume)"},
		{errors, "%d failed"}, {unconfirmed, "%d with a value that is not confirmed"},
		{repeats, "%d with the seed and the bits of another one"},
	} {
		if c.n > 0 {
			out = append(out, fmt.Sprintf(c.what, c.n))
		}
	}
	if out != nil {
		fmt.Fprintf(w, "! Runs that are left out: %s.\n", strings.Join(out, ", "))
	}
	label(all)
	for _, row := range distinguish(all) {
		fmt.Fprintf(w, "! The files of %s have changed between runs. Each version has the first digits of its hash.\n",
			row)
	}
	return all, nil
}

// failed reports whether a run ended with an error.
func failed(r *record.Result) bool { return r.Stop.Reason == solvers.Failed.String() }

// Failed returns the runs in folders and below that Collect leaves out because they failed, or because their value is
// not confirmed.
func Failed(folders []string) (all []Record, err error) {
	found, err := collect(folders)
	if err != nil {
		return nil, err
	}
	for _, r := range found.results {
		if failed(r) || !r.Best.Confirmed {
			all = append(all, NewRecord(r))
		}
	}
	return all, nil
}

// identity is equal for runs that are equal bit for bit, and were made in the same way.
type identity struct {
	key                             TableKey
	row, files, commit, kinds, tool string
	algorithm                       record.Algorithm
	precision, limits, x            string
	seed, run                       uint32
	devices                         int
	f                               exact.Number
	evaluations                     int64
}

// identity returns the identity of a run.
func (f Record) identity() identity {
	r := f.Result
	limits, _ := json.Marshal(r.Limits) // with the target
	x := ""
	if r.Best.XSHA256 != nil {
		x = *r.Best.XSHA256
	}
	return identity{f.Key, f.Row, f.files, r.Commit, strings.Join(r.Determinism.Kinds, "\n"), r.ToolVersion,
		r.Algorithm, r.Precision, string(limits), x, r.Seed, r.Run, r.Workers(), r.Best.F, r.Evaluations}
}

// distinguish adds to the row of each problem whose files differ between runs the first digits of their hash. It
// returns the names of these problems.
func distinguish(all []Record) (rows []string) {
	type problem struct{ family, variant, row string }
	of := func(f Record) problem { return problem{f.Key.Family, f.Key.Variant, f.Row} }
	versions := map[problem][]string{}
	for _, f := range all {
		if p := of(f); !slices.Contains(versions[p], f.files) {
			versions[p] = append(versions[p], f.files)
		}
	}
	for i, f := range all {
		if p := of(f); len(versions[p]) > 1 {
			if f.files != "" {
				all[i].Row += " " + f.files[:8]
			}
			if !slices.Contains(rows, p.row) {
				rows = append(rows, p.row)
			}
		}
	}
	return rows
}

// NewRecord returns the record of a result. Its label is that of its campaign, or the name of the solver.
func NewRecord(r *record.Result) Record {
	name, rest, _ := strings.Cut(r.Problem, ":")
	f := Record{Result: r, Row: name, Label: r.Algorithm.Name,
		course: sync.OnceValues(func() (*inspect.Course, error) { return inspect.ReadCourse(r) })}
	if i := strings.LastIndexByte(name, '/'); i > 0 && !strings.HasSuffix(name, ".cl") {
		f.Key.Family, f.Row = name[:i], name[i+1:]
	} else {
		f.Row = filepath.Base(name)
		if r.Name != "" && r.Name+".cl" != f.Row {
			f.Row += " (" + r.Name + ")"
		}
	}
	var keys []string
	for _, k := range strings.Split(rest, ",") {
		if k != "" && !strings.HasPrefix(k, "n=") {
			keys = append(keys, k)
		}
	}
	f.Key.Variant = strings.Join(keys, ",")
	f.Key.Dim = r.Dim
	f.Key.Data = r.Data
	f.Key.Limit = r.Limits.String()
	if c := r.Cell; c != nil {
		f.Key.Limit = ""
		f.Key.Suite = c.Suite
		f.Key.Table = c.Table
		f.Label = c.Label
		if c.Devices > 0 {
			f.Label += fmt.Sprintf(" x%d", c.Devices)
		}
	}
	return f
}

// oneOfSeveral matches the folder of a run in the folder of several.
var oneOfSeveral = regexp.MustCompile(`^run-\d+$`)

// FolderName returns the name of the folder of a run, or "" if clopt has made the name.
func (f Record) FolderName() string {
	v := f.Result
	dir := v.Folder
	if v.Cell != nil || dir == "" {
		return ""
	}
	if oneOfSeveral.MatchString(filepath.Base(dir)) {
		dir = filepath.Dir(dir)
	}
	name := filepath.Base(dir)
	if made := runs.Slug(v.Algorithm.Name, fmt.Sprint("s", v.Seed)); strings.Contains(name, "-"+made) {
		return ""
	}
	return name
}

// label adds to the label of each method outside a campaign the settings in which its runs differ, also whether they
// have start points, and the targets in which its runs on one problem differ.
func label(all []Record) {
	type setting struct{ label, key string }
	values := map[setting]map[string]bool{}
	each := func(do func(i int, s setting, pair string)) {
		for i, f := range all {
			if f.Result.Cell != nil {
				continue
			}
			pairs := strings.Split(f.Result.Algorithm.Settings, ",")
			start := "x0=none"
			if f.x0 {
				start = "x0=given"
			}
			for _, pair := range append(pairs, "precision="+f.Result.Precision, start) {
				key, _, _ := strings.Cut(pair, "=")
				do(i, setting{f.Label, key}, pair)
			}
			target := "target=none"
			if t := f.Result.Limits.Target; t != nil {
				target = fmt.Sprintf("target=%g", float64(*t))
			}
			do(i, setting{f.Label, "target of " + f.Result.Problem}, target)
		}
	}
	each(func(_ int, s setting, pair string) {
		if values[s] == nil {
			values[s] = map[string]bool{}
		}
		values[s][pair] = true
	})
	each(func(i int, s setting, pair string) {
		if len(values[s]) > 1 {
			all[i].Label += " " + pair
		}
	})
}

var digits = regexp.MustCompile(`\d+`)

// Natural compares names so that f2 comes before f10.
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
