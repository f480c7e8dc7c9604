// Package iohtest reads data for IOHanalyzer as strictly as its two readers
// together: both accept data that pass Validate, and read them in the same way.
//
// The reader in R splits the runs of a .dat at header lines; the reader in Python
// splits them where the evaluations are 1. Validate does both and compares.
package iohtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Meta is the content of a .json file.
type Meta struct {
	Version              string              `json:"version"`
	Suite                string              `json:"suite"`
	FunctionID           int                 `json:"function_id"`
	FunctionName         string              `json:"function_name"`
	Maximization         *bool               `json:"maximization"`
	Algorithm            map[string]string   `json:"algorithm"`
	ExperimentAttributes []map[string]string `json:"experiment_attributes"`
	RunAttributes        []string            `json:"run_attributes"`
	Attributes           []string            `json:"attributes"`
	Scenarios            []Scenario          `json:"scenarios"`
}

// Scenario has the runs of one dimension.
type Scenario struct {
	Dimension int                          `json:"dimension"`
	Path      string                       `json:"path"`
	Runs      []map[string]json.RawMessage `json:"runs"`
	Rows      [][]Row                      `json:"-"` // rows of each run, from the .dat
}

// Row is one line of a .dat.
type Row struct {
	Evaluations int64
	Y           float64
}

// Validate reads all data below dir and returns the .json files with their rows. It returns an error for anything that
// one of the readers would refuse or skip, or that the two would read differently.
func Validate(dir string) (all []Meta, err error) {
	seen := map[string]string{}
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".json" {
			return err
		}
		m, err := readMeta(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		key := fmt.Sprint(m.Algorithm["name"], " ", m.Suite, " ", m.FunctionID)
		if other, twice := seen[filepath.Dir(p)+key]; twice {
			return fmt.Errorf("%s and %s have the same algorithm and function", other, p)
		}
		seen[filepath.Dir(p)+key] = p
		all = append(all, *m)
		return nil
	})
	if err == nil && len(all) == 0 {
		err = errors.New("no .json below " + dir)
	}
	return all, err
}

var (
	versionForm = regexp.MustCompile(`^\d+(\.\d+)*$`)
	numberForm  = regexp.MustCompile(`^-?\d+(\.\d+)?([eE][-+]?\d+)?$`)
	wordForm    = regexp.MustCompile(`^[A-Za-z_]\w*$`)
)

// pythonNames are words that have a meaning in Python.
var pythonNames = strings.Fields(`True False None abs all any ascii bin bool bytes chr dict dir eval exec exit filter
	float format hash help hex id input int iter len list map max min next object oct open ord pow print quit range
	repr round set slice sorted str sum super tuple type vars zip np pl os sys json re pd
	and as assert async await break class continue def del elif else except finally for from global if import in is
	lambda nonlocal not or pass raise return try while with yield`)

func readMeta(p string) (*Meta, error) {
	text, err := os.ReadFile(p)
	if err != nil {
		return nil, err
	}
	if err := repeatedKeys(json.NewDecoder(bytes.NewReader(text))); err != nil {
		return nil, err
	}
	var m Meta
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	switch {
	case !versionForm.MatchString(m.Version) || !atLeast(m.Version, 0, 3, 3):
		return nil, fmt.Errorf("version %q is not digits and dots from 0.3.3 on", m.Version)
	case m.Maximization == nil:
		return nil, errors.New("maximization is missing")
	case m.FunctionID < 0 || m.FunctionID > 65535:
		return nil, fmt.Errorf("function_id %d is not from 0 to 65535", m.FunctionID)
	case m.Suite == "" || m.FunctionName == "" || m.Algorithm["name"] == "" || m.Algorithm["info"] == "":
		return nil, errors.New("suite, function_name or algorithm is missing")
	case len(m.Attributes) < 2 || m.Attributes[0] != "evaluations" || m.Attributes[1] != "raw_y":
		return nil, fmt.Errorf("attributes %v do not begin with evaluations and raw_y", m.Attributes)
	case len(m.Scenarios) == 0:
		return nil, errors.New("no scenarios")
	}
	if want := fmt.Sprintf("IOHprofiler_f%d_%s.json", m.FunctionID, m.FunctionName); filepath.Base(p) != want {
		return nil, fmt.Errorf("the name of the file should be %s", want)
	}
	for _, a := range m.ExperimentAttributes {
		for k, v := range a {
			if !numberForm.MatchString(v) && (!wordForm.MatchString(v) || slices.Contains(pythonNames, v)) {
				return nil, fmt.Errorf("experiment attribute %s = %q is not a number, and not a word without a "+
					"meaning in Python",
					k, v)
			}
		}
	}
	dims := map[int]bool{}
	for i := range m.Scenarios {
		s := &m.Scenarios[i]
		if dims[s.Dimension] || s.Dimension < 1 {
			return nil, fmt.Errorf("dimension %d is not positive, or is there twice", s.Dimension)
		}
		dims[s.Dimension] = true
		if err := s.read(filepath.Dir(p), &m); err != nil {
			return nil, fmt.Errorf("dimension %d: %w", s.Dimension, err)
		}
	}
	return &m, nil
}

// repeatedKeys reads one value and returns an error if an object has a key twice.
func repeatedKeys(d *json.Decoder) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	keys := map[string]bool{}
	for d.More() {
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			if keys[key.(string)] {
				return fmt.Errorf("key %q is there twice", key)
			}
			keys[key.(string)] = true
		}
		if err := repeatedKeys(d); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

func atLeast(version string, want ...int) bool {
	parts := strings.Split(version, ".")
	for i, w := range want {
		if i >= len(parts) {
			return false
		}
		if n, _ := strconv.Atoi(parts[i]); n != w {
			return n > w
		}
	}
	return true
}

func (s *Scenario) read(dir string, m *Meta) error {
	if s.Path == "" || path.IsAbs(s.Path) || strings.Contains(s.Path, `\`) || path.Clean(s.Path) != s.Path ||
		strings.HasPrefix(s.Path, "..") {
		return fmt.Errorf("path %q is not a clean relative path", s.Path)
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(s.Path)))
	if err != nil {
		return err
	}
	if s.Rows, err = Rows(string(text), m.Attributes); err != nil {
		return fmt.Errorf("%s:%w", s.Path, err)
	}
	if len(s.Rows) != len(s.Runs) {
		return fmt.Errorf("%d runs in the .json and %d in %s", len(s.Runs), len(s.Rows), s.Path)
	}
	for i, run := range s.Runs {
		if err := checkRun(run, s.Rows[i], m); err != nil {
			return fmt.Errorf("run %d: %w", i, err)
		}
	}
	return nil
}

// checkRun compares the entry of a run in the .json with its rows.
func checkRun(run map[string]json.RawMessage, rows []Row, m *Meta) error {
	var instance, evals int64
	var best map[string]json.RawMessage
	for key, to := range map[string]any{"instance": &instance, "evals": &evals, "best": &best} {
		if err := json.Unmarshal(run[key], to); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	for key := range run {
		if !slices.Contains(append([]string{"instance", "evals", "best"}, m.RunAttributes...), key) {
			return fmt.Errorf("unknown key %q", key)
		}
	}
	for _, key := range m.RunAttributes {
		var v float64
		if err := json.Unmarshal(run[key], &v); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	var at int64
	var y float64
	if len(best) != 3 || string(best["x"]) != "[]" || json.Unmarshal(best["evals"], &at) != nil ||
		json.Unmarshal(best["y"], &y) != nil {
		return fmt.Errorf("best %s is not exactly evals, y and an empty x", run["best"])
	}
	last := rows[len(rows)-1]
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Y == y })
	switch {
	case instance < 0 || instance > 65535:
		return fmt.Errorf("instance %d is not from 0 to 65535", instance)
	case last.Evaluations != evals:
		return fmt.Errorf("evals is %d, but the rows end at %d", evals, last.Evaluations)
	case last.Y != y || i < 0 || rows[i].Evaluations != at:
		return fmt.Errorf("best is %v at %d, but the rows end with %v", y, at, last.Y)
	}
	for k := 1; k < len(rows); k++ {
		if rows[k].Y > rows[k-1].Y != *m.Maximization && rows[k].Y != rows[k-1].Y {
			return fmt.Errorf("the best becomes worse at evaluation %d", rows[k].Evaluations)
		}
	}
	return nil
}

// Rows splits a .dat into runs, in the ways of both readers. Lines must end in LF;
// there must be no blank lines, comments or other bytes.
func Rows(text string, attributes []string) (runs [][]Row, err error) {
	if !strings.HasSuffix(text, "\n") {
		return nil, errors.New("1: the last line is cut off")
	}
	header := strings.Join(attributes, " ")
	if strings.ContainsAny(header, "0123456789") {
		return nil, fmt.Errorf("1: digits in the names %q", header)
	}
	ones := 0
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		bad := func(what string) ([][]Row, error) { return nil, fmt.Errorf("%d: %s: %.80q", n+1, what, line) }
		if line == header {
			if len(runs) > 0 && len(runs[len(runs)-1]) < 2 {
				return bad("a header after a run of fewer than two rows")
			}
			runs = append(runs, nil)
			continue
		}
		if len(runs) == 0 {
			return bad("a row before the first header")
		}
		fields := strings.Split(line, " ")
		if len(fields) != len(attributes) {
			return bad("not one blank between the values")
		}
		e, err := strconv.ParseInt(fields[0], 10, 64)
		if err != nil || strconv.FormatInt(e, 10) != fields[0] {
			return bad("the evaluations are not a whole number")
		}
		y, err := strconv.ParseFloat(fields[1], 64)
		if err != nil || math.IsNaN(y) || math.IsInf(y, 0) || !numberForm.MatchString(fields[1]) {
			return bad("the value is not a finite decimal number")
		}
		rows := &runs[len(runs)-1]
		if e == 1 {
			ones++
		}
		switch first := len(*rows) == 0; {
		case first != (e == 1):
			return bad("the evaluations must be 1 in the first row of a run and in no other")
		case !first && e <= (*rows)[len(*rows)-1].Evaluations:
			return bad("the evaluations do not increase")
		}
		*rows = append(*rows, Row{e, y})
	}
	if len(runs) == 0 || len(runs[len(runs)-1]) < 2 {
		return nil, errors.New("1: the last run has fewer than two rows")
	}
	if ones != len(runs) {
		return nil, fmt.Errorf("1: %d headers, but %d first evaluations", len(runs), ones)
	}
	return runs, nil
}
