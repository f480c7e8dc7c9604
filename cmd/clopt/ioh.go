package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// Data for IOHanalyzer, which has two readers, in R and in Python:
//
//	DIR/ALGORITHM/IOHprofiler_f<ID>_<NAME>.json
//	DIR/ALGORITHM/data_f<ID>_<NAME>/IOHprofiler_f<ID>_DIM<D>.dat
//
// One reader splits the runs of a .dat at header lines, the other where
// evaluations are 1, so each run has both, and nothing else has. Rows stand at
// the points of the grid that all runs share, with the best value of the
// first sample at or after it; the last one at the run's end.

// iohVersion is the version of the format that is written.
const iohVersion = "0.3.22"

// The keys of the .json, in the order of the format's documentation.
type (
	iohJSON struct {
		Version              string              `json:"version"`
		Suite                string              `json:"suite"`
		FunctionID           int                 `json:"function_id"`
		FunctionName         string              `json:"function_name"`
		Maximization         bool                `json:"maximization"`
		Algorithm            iohAlgorithm        `json:"algorithm"`
		ExperimentAttributes []map[string]string `json:"experiment_attributes"`
		RunAttributes        []string            `json:"run_attributes"`
		Attributes           []string            `json:"attributes"`
		Scenarios            []iohScenario       `json:"scenarios"`
	}
	iohAlgorithm struct {
		Name string `json:"name"`
		Info string `json:"info"`
	}
	iohScenario struct {
		Dimension int      `json:"dimension"`
		Path      string   `json:"path"`
		Runs      []iohRun `json:"runs"`
	}
	iohRun struct {
		Instance int     `json:"instance"`
		Evals    int64   `json:"evals"`
		Best     iohBest `json:"best"`
		Wall     number  `json:"wall_s"`
	}
	iohBest struct {
		Evals int64   `json:"evals"`
		Y     float64 `json:"y"`
		X     []any   `json:"x"` // always empty
	}
)

// iohKey is what one .json is of.
type iohKey struct {
	folder, algorithm, suite string
	row                      string
	devices                  int
	precision                string
}

// writeIOH writes results as a tree for IOHanalyzer. It returns the number of
// runs, and those that are too short: the format needs two rows.
func writeIOH(dir string, results []found) (runs, short int, err error) {
	groups := map[iohKey][]found{}
	var keys []iohKey
	for _, f := range results {
		k := iohKeyOf(f)
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], f)
	}
	slices.SortFunc(keys, func(a, b iohKey) int { return cmp.Or(cmp.Compare(a.folder, b.folder), natural(a.row, b.row)) })
	ids := functionIDs(keys)
	for _, k := range keys {
		n, s, err := k.write(dir, ids[k.suite+" "+k.row], groups[k])
		runs, short = runs+n, short+s
		if err != nil {
			return runs, short, err
		}
	}
	return runs, short, nil
}

func iohKeyOf(f found) iohKey {
	k := iohKey{algorithm: "clopt-" + f.label, suite: strings.ToUpper(f.key.family), row: f.row, devices: max(1, workers(f.result)), precision: f.result.Precision}
	if k.suite == "CEC2013" {
		k.suite = "CEC2013LSGO"
	} else if k.suite == "" {
		k.suite = "clopt"
	}
	// Other functions of the same names are another suite.
	for _, what := range []string{f.key.variant, f.key.data} {
		if what != "" && what != "official" {
			k.suite += "-" + slug(what)
		}
	}
	k.folder = slug(k.algorithm, k.suite, k.precision)
	return k
}

// functionIDs are the numbers in the functions' names, and for those without
// one numbers behind all others.
func functionIDs(keys []iohKey) map[string]int {
	ids := map[string]int{}
	next := 1000
	for _, k := range keys {
		name := k.suite + " " + k.row
		if _, ok := ids[name]; ok {
			continue
		}
		if n, err := strconv.Atoi(strings.TrimPrefix(k.row, "f")); err == nil && n >= 0 && n < 1000 {
			ids[name] = n
			continue
		}
		ids[name] = next
		next++
	}
	return ids
}

func (k iohKey) write(dir string, id int, fs []found) (runs, short int, err error) {
	name := strings.Trim(unsafe.ReplaceAllString(strings.ToLower(strings.TrimSuffix(k.row, ".cl")), "_"), "_.")
	name = strings.ToUpper(name[:min(1, len(name))]) + name[min(1, len(name)):]
	stem := fmt.Sprintf("f%d_%s", id, name)
	top := filepath.Join(dir, k.folder)
	out := iohJSON{
		Version: iohVersion, Suite: k.suite, FunctionID: id, FunctionName: name, Maximization: strings.Contains(fs[0].key.variant, "maximize=true"),
		Algorithm:            iohAlgorithm{k.algorithm, fmt.Sprintf("clopt %s; %s; %d devices", toolVersion, k.precision, k.devices)},
		ExperimentAttributes: []map[string]string{{"devices": strconv.Itoa(k.devices)}},
		RunAttributes:        []string{"wall_s"}, Attributes: []string{"evaluations", "raw_y"},
	}
	slices.SortStableFunc(fs, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.key.dim, b.key.dim), cmp.Compare(a.result.Seed, b.result.Seed), cmp.Compare(a.result.Run, b.result.Run))
	})
	if err := os.MkdirAll(filepath.Join(top, "data_"+stem), 0o777); err != nil {
		return 0, 0, fail(exitOutput, "%w", err)
	}
	for len(fs) > 0 {
		n := 1
		for n < len(fs) && fs[n].key.dim == fs[0].key.dim {
			n++
		}
		s := iohScenario{Dimension: fs[0].key.dim, Path: fmt.Sprintf("data_%s/IOHprofiler_f%d_DIM%d.dat", stem, id, fs[0].key.dim)}
		var text bytes.Buffer
		for _, f := range fs[:n] {
			run, ok, err := iohRows(&text, f, out.Maximization)
			if err != nil {
				return runs, short, err
			}
			if !ok {
				short++
				continue
			}
			s.Runs = append(s.Runs, run)
			runs++
		}
		fs = fs[n:]
		if s.Runs == nil {
			continue
		}
		if _, err := writeWhole(filepath.Join(top, filepath.FromSlash(s.Path)), func(w io.Writer) error {
			_, err := text.WriteTo(w)
			return err
		}); err != nil {
			return runs, short, err
		}
		out.Scenarios = append(out.Scenarios, s)
	}
	if out.Scenarios == nil {
		return runs, short, nil
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return runs, short, err
	}
	// Last, and whole: half a file spoils the folder for the readers.
	_, err = writeWhole(filepath.Join(top, "IOHprofiler_"+stem+".json"), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
	return runs, short, err
}

// iohRows writes the rows of one run.
func iohRows(w *bytes.Buffer, f found, maximize bool) (run iohRun, ok bool, err error) {
	h, err := readHistory(f.dir, "evaluations")
	if err != nil {
		return run, false, err
	}
	last := f.result.Evaluations
	if len(h.x) == 0 || last < 2 {
		return run, false, nil
	}
	none := math.MaxFloat64 // where there was no finite value yet
	if maximize {
		none = -none
	}
	var official []int64
	if p, err := catalog.Parse(f.result.Problem, problems.Options{}); err == nil {
		official = p.Info().Milestones
	}
	run = iohRun{Instance: 1, Evals: last, Wall: f.result.Seconds, Best: iohBest{X: []any{}}}
	fmt.Fprintf(w, "evaluations raw_y\n")
	i := 0
	row := func(at int64) {
		for i < len(h.x)-1 && h.x[i] < float64(at) {
			i++
		}
		y := h.best[i]
		if math.IsNaN(y) || math.IsInf(y, 0) {
			y = none
		}
		if run.Best.Evals == 0 || y != run.Best.Y {
			run.Best.Evals, run.Best.Y = at, y
		}
		fmt.Fprintf(w, "%d %s\n", at, strconv.FormatFloat(y, 'g', -1, 64))
	}
	for _, at := range iohGrid(last, official) {
		row(at)
	}
	return run, true, nil
}

// iohGrid is the evaluations at which rows stand: 25 a decade, the official
// check-points, and the last one.
func iohGrid(last int64, official []int64) (grid []int64) {
	for k := 0; k < 18*25 && gridPoint(k) < last; k++ {
		grid = append(grid, gridPoint(k))
	}
	for _, at := range official {
		if at < last {
			grid = append(grid, at)
		}
	}
	grid = append(grid, last)
	slices.Sort(grid)
	return slices.Compact(grid)
}
