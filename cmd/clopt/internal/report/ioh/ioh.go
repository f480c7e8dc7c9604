package ioh

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/grid"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers/runs"
)

// Data for IOHanalyzer, which has two readers, in R and in Python:
//
//	DIR/ALGORITHM/IOHprofiler_f<ID>_<NAME>.json
//	DIR/ALGORITHM/data_f<ID>_<NAME>/IOHprofiler_f<ID>_DIM<D>.dat
//
// One reader splits the runs of a .dat at header lines, the other one at rows with 1 evaluation. So each run has both,
// at its beginning only. Rows are at evaluations of a grid that all runs share, with the best value of the first sample
// at or after that; the last row is at the end of the run.

// iohVersion is the version of the format.
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
		Instance int          `json:"instance"`
		Evals    int64        `json:"evals"`
		Best     iohBest      `json:"best"`
		Wall     exact.Number `json:"wall_s"`
	}
	iohBest struct {
		Evals int64   `json:"evals"`
		Y     float64 `json:"y"`
		X     []any   `json:"x"` // always empty
	}
)

// iohKey identifies a .json: its runs agree in these fields.
type iohKey struct {
	folder, algorithm, suite string
	row                      string
	devices                  int
	precision                string
}

// write writes results as a tree for IOHanalyzer. It returns the number of runs that it wrote, and of those that are
// too short, since the format needs two rows.
func write(dir string, results []report.Record) (made, short int, err error) {
	groups := map[iohKey][]report.Record{}
	var keys []iohKey
	for _, f := range results {
		k := iohKeyOf(f)
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], f)
	}
	slices.SortFunc(keys, func(a, b iohKey) int {
		return cmp.Or(cmp.Compare(a.folder, b.folder), report.Natural(a.row, b.row))
	})
	ids := functionIDs(keys)
	for _, k := range keys {
		n, s, err := k.write(dir, ids[k.suite+" "+k.row], groups[k])
		made, short = made+n, short+s
		if err != nil {
			return made, short, err
		}
	}
	return made, short, nil
}

func iohKeyOf(f report.Record) iohKey {
	k := iohKey{algorithm: "clopt-" + f.Label, suite: strings.ToUpper(f.Key.Family), row: f.Row,
		devices: max(1, f.Result.Workers()), precision: f.Result.Precision}
	if k.suite == "CEC2013" {
		k.suite = "CEC2013LSGO"
	} else if k.suite == "" {
		k.suite = "clopt"
	}
	// Variants of the functions, which have the same names, are a suite of their own.
	for _, what := range []string{f.Key.Variant, f.Key.Data} {
		if what != "" && what != "official" {
			k.suite += "-" + runs.Slug(what)
		}
	}
	k.folder = runs.Slug(k.algorithm, k.suite, k.precision)
	return k
}

// functionIDs returns the ID of each function: the number in its name, or for names without one a number from 1000 on.
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

// notInNames finds the characters that are replaced in names of functions.
var notInNames = regexp.MustCompile(`[^a-z0-9._]+`)

// write writes the .json and .dat files of the function with the given ID.
func (k iohKey) write(dir string, id int, fs []report.Record) (made, short int, err error) {
	name := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(strings.TrimSuffix(k.row, ".cl")), "_"), "_.")
	name = strings.ToUpper(name[:min(1, len(name))]) + name[min(1, len(name)):]
	stem := fmt.Sprintf("f%d_%s", id, name)
	top := filepath.Join(dir, k.folder)
	out := iohJSON{
		Version: iohVersion, Suite: k.suite, FunctionID: id, FunctionName: name,
		Maximization: fs[0].Result.Sense == record.Maximize,
		Algorithm: iohAlgorithm{k.algorithm,
			fmt.Sprintf("clopt %s; %s; %d devices", runs.ToolVersion, k.precision, k.devices)},
		ExperimentAttributes: []map[string]string{{"devices": strconv.Itoa(k.devices)}},
		RunAttributes:        []string{"wall_s"}, Attributes: []string{"evaluations", "raw_y"},
	}
	slices.SortStableFunc(fs, func(a, b report.Record) int {
		return cmp.Or(cmp.Compare(a.Key.Dim, b.Key.Dim), cmp.Compare(a.Result.Seed, b.Result.Seed),
			cmp.Compare(a.Result.Run, b.Result.Run))
	})
	if err := os.MkdirAll(filepath.Join(top, "data_"+stem), 0o777); err != nil {
		return 0, 0, exit.Failf(exit.Output, "%w", err)
	}
	for len(fs) > 0 {
		n := 1
		for n < len(fs) && fs[n].Key.Dim == fs[0].Key.Dim {
			n++
		}
		s := iohScenario{Dimension: fs[0].Key.Dim,
			Path: fmt.Sprintf("data_%s/IOHprofiler_f%d_DIM%d.dat", stem, id, fs[0].Key.Dim)}
		var text bytes.Buffer
		for _, f := range fs[:n] {
			run, ok, err := iohRows(&text, f, out.Maximization)
			if err != nil {
				return made, short, err
			}
			if !ok {
				short++
				continue
			}
			s.Runs = append(s.Runs, run)
			made++
		}
		fs = fs[n:]
		if s.Runs == nil {
			continue
		}
		if _, err := runs.WriteWhole(filepath.Join(top, filepath.FromSlash(s.Path)), func(w io.Writer) error {
			_, err := text.WriteTo(w)
			return err
		}); err != nil {
			return made, short, err
		}
		out.Scenarios = append(out.Scenarios, s)
	}
	if out.Scenarios == nil {
		return made, short, nil
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return made, short, err
	}
	// The .json comes last and whole, since the readers cannot use the folder with half a file.
	_, err = runs.WriteWhole(filepath.Join(top, "IOHprofiler_"+stem+".json"), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
	return made, short, err
}

// iohRows writes the rows of one run.
func iohRows(w *bytes.Buffer, f report.Record, maximize bool) (run iohRun, ok bool, err error) {
	c, err := f.Course()
	if err != nil {
		return run, false, err
	}
	h := c.Over("evaluations")
	last := f.Result.Evaluations
	if len(h.X) == 0 || last < 2 {
		return run, false, nil
	}
	none := math.MaxFloat64 // in place of a value that is not finite
	if maximize {
		none = -none
	}
	var official []int64
	if p, err := catalog.Parse(f.Result.Problem, problems.Options{}); err == nil {
		official = p.Info().Milestones
	}
	run = iohRun{Instance: 1, Evals: last, Wall: f.Result.Seconds, Best: iohBest{X: []any{}}}
	fmt.Fprintf(w, "evaluations raw_y\n")
	i := 0
	row := func(at int64) {
		for i < len(h.X)-1 && h.X[i] < float64(at) {
			i++
		}
		y := h.Best[i]
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

// iohGrid returns the evaluations of the rows: 25 per decade, the official milestones, and the last one.
func iohGrid(last int64, official []int64) (points []int64) {
	for k := 0; k < 18*25 && grid.Point(k) < last; k++ {
		points = append(points, grid.Point(k))
	}
	for _, at := range official {
		if at < last {
			points = append(points, at)
		}
	}
	points = append(points, last)
	slices.Sort(points)
	return slices.Compact(points)
}
