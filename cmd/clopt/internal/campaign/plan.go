package campaign

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/solvers/runs/recipe"
)

// maxCells is the largest number of cells of a campaign.
const maxCells = 20000

// plan makes the list of cells, and reads everything that they need.
func (sr *execution) plan(own *flags.Config) error {
	c := sr.campaign
	wanted := map[string][]string{}
	for _, key := range []string{"tables", "problems", "labels"} {
		for _, w := range strings.Split(own.Text(key), ",") {
			if w = strings.ToLower(strings.TrimSpace(w)); w != "" {
				wanted[key] = append(wanted[key], w)
			}
		}
	}
	used := map[string]bool{}
	want := func(key string, names ...string) bool {
		hit := len(wanted[key]) == 0
		for _, name := range names {
			if slices.Contains(wanted[key], strings.ToLower(name)) {
				used[key+"="+strings.ToLower(name)], hit = true, true
			}
		}
		return hit
	}
	var all []place
	for i := range c.Tables {
		t := &c.Tables[i]
		if !want("tables", t.Name) {
			continue
		}
		z := t.scaled(sr.laptop)
		counts, dims := []int{0}, z.Dims
		if z.Devices != nil {
			counts = nil
			for _, d := range z.Devices {
				n, _ := flags.ParseRuns(string(d))
				counts = append(counts, int(n))
			}
		}
		if dims == nil {
			dims = []plain{""}
		}
		for _, dim := range dims {
			for _, pattern := range z.Problems {
				specs, _ := flags.Expand(pattern)
				for _, spec := range specs {
					if !want("problems", namesOf(spec)...) {
						continue
					}
					for k, e := range t.Solvers {
						if !want("labels", e.Label) {
							continue
						}
						for _, n := range counts {
							all = append(all, place{i, k, z, spec, string(dim), n})
						}
					}
				}
			}
		}
	}
	if len(all) > maxCells {
		return exit.Usagef("%s has more than %d cells: problems x dims x methods x devices", c.Name, maxCells)
	}
	var bad []error
	folders := map[string]bool{}
	known := map[string]bool{} // errors in bad: each is listed once, not for every problem
	for _, at := range all {
		cell, err := sr.cell(at)
		if err != nil && !known[err.Error()] {
			known[err.Error()] = true
			bad = append(bad, err)
		}
		if cell.dir != "" && folders[cell.dir] {
			bad = append(bad, exit.Usagef("%s: two cells of table %s would have the folder %s. Give the methods "+
				"different labels.", c.file, cell.table, cell.dir))
		}
		folders[cell.dir] = true
		sr.cells = append(sr.cells, cell)
	}
	for key, names := range wanted {
		for _, w := range names {
			if !used[key+"="+w] {
				bad = append(bad, exit.Usagef("--%s: %s has no %q", key, c.Name, w))
			}
		}
	}
	if err := errors.Join(bad...); err != nil {
		return err
	}
	if len(sr.cells) == 0 {
		return exit.Usagef("--tables, --problems and --labels leave no cell of %s", c.Name)
	}
	return nil
}

// place is the place of a cell in the tables of a campaign.
type place struct {
	table, solver int // indices
	size          size
	spec, dim     string
	devices       int // 0 means all
}

// cell makes a cell. Its settings come from a run file in memory, so errors in them name the line of the suite file.
func (sr *execution) cell(at place) (*cell, error) {
	c, t := sr.campaign, &sr.campaign.Tables[at.table]
	i, k, z, spec, e := at.table, at.solver, at.size, at.spec, &t.Solvers[at.solver]
	if _, err := os.Stat(filepath.Join(c.dir, spec)); err == nil && c.dir != "" && !filepath.IsAbs(spec) {
		spec = filepath.Join(c.dir, spec)
	}
	cell := &cell{table: t.Name, label: e.Label, spec: spec, devices: at.devices}
	file := &recipe.File{Path: c.file, Entries: map[string]recipe.Entry{}}
	set := func(key, origin string, solver int, vals ...string) {
		if len(vals) > 0 && vals[0] != "" {
			line, _ := strconv.Atoi(strings.Split(strings.TrimPrefix(c.place(i, solver, origin), c.file+":"), ":")[0])
			file.Entries[key] = recipe.Entry{Vals: vals, Line: line}
		}
	}
	// The value of the method wins over that of the table.
	own := func(key string, table, entry plain) {
		if entry != "" {
			set(key, key, k, string(entry))
		} else {
			set(key, key, -1, string(table))
		}
	}
	method, err := e.settings(spec, sr.laptop)
	if err != nil {
		return cell, exit.Usagef("%s: error: table %s: %w", c.place(i, k, "preset"), t.Name, err)
	}
	most := string(cmp.Or(e.Runs, z.Runs))
	set("problem", "problems", -1, spec)
	set("dim", "dims", -1, at.dim)
	set("solver", "solver", k, e.Solver)
	set("set", "set", k, method...)
	if sr.laptop && t.Laptop != nil && t.Laptop.Evals != "" {
		set("evals", "laptop", -1, string(z.Evals))
	} else {
		own("evals", z.Evals, e.Evals)
	}
	set("time", "time", -1, string(z.Time))
	set("target", "target", -1, string(z.Target))
	set("stall", "stall", -1, string(z.Stall))
	own("precision", z.Precision, e.Precision)
	own("runs", z.Runs, e.Runs)
	seed := string(t.Seed)
	if seed == "" {
		seed = "1"
	}
	set("seed", "seed", -1, seed)
	// Only variables that do not change what a cell computes are read.
	getenv := flags.OnlyOf(suiteFlags, sr.call.Getenv)
	s, err := flags.NewSettings(flags.New(flags.RunOptions, sr.flags, getenv, file))
	if err != nil {
		return cell, err
	}
	cell.settings = s
	if c.dir != "" {
		origin := fmt.Sprintf("%s:%d", c.file, file.Entries["problem"].Line)
		if err := s.CheckInside(c.dir, spec, flags.Value{Origin: origin}); err != nil {
			return cell, err
		}
	}
	if given := s.Config.Values["runs"]; given.Origin == "flag" && most != "" {
		if n, err := flags.ParseRuns(most); err == nil {
			s.Runs = min(s.Runs, int(n)) // not more than the campaign has
		}
	}
	spec, cell.missing = locate(spec, s.Options.Data)
	cell.spec = spec
	var p problems.Problem
	if cell.missing == "" {
		if p, err = flags.ParseProblem(spec, s.Options, s.Precision, false); err == nil {
			err = s.Choose(p)
		}
		if err == nil {
			b, _ := s.Budget(p)
			err = solvers.Check(p, solvers.Settings{Precision: s.Precision, Budget: b}, s.Solver)
		}
	}
	switch {
	case cell.missing != "":
		cell.problem = spec
	case err != nil:
		if code := exit.Code(err); code != exit.Usage {
			cell.err, err = err, nil // this cell cannot run, but the others can
		} else {
			err = exit.Usagef("%s: error: table %s, %s: %w", c.place(i, -1, "problems"), t.Name, spec, err)
		}
		cell.problem, cell.dim = spec, s.Options.Dim
	default:
		cell.problem, cell.dim, cell.tile = p.Spec().String(), p.Domain().N, p.Tiling()
		cell.generated = p.Info().Data == "generated"
		if p.Info().Data == "" {
			s.Options.Data = "" // the problem does not use it
		}
		cell.bytes, cell.evals = s.Solver.Plan(p, s.Precision).Total(), s.Evals
		if m, ok := s.Solver.(solvers.Scheduled); ok && (s.Evals == 0 || m.Schedule(p) < s.Evals) {
			cell.evals = m.Schedule(p)
		}
	}
	s.XFormat = "npy"
	if float64(cell.dim) >= bestPointBelow {
		s.XFormat = "none"
	}
	name := runs.Slug(filepath.Base(spec), "n"+strconv.Itoa(cell.dim), e.Label)
	if base, rest, _ := strings.Cut(spec, ":"); strings.Contains(base, "/") && !strings.HasSuffix(base, ".cl") {
		name = runs.Slug(base, rest, "n"+strconv.Itoa(cell.dim), e.Label)
	}
	if at.devices > 0 {
		name += "-x" + strconv.Itoa(at.devices)
	}
	cell.dir = filepath.Join(sr.dir, runs.Slug("table-"+t.Name), name)
	for r := range s.Runs {
		done, bad := runs.Finished(filepath.Join(cell.dir, job.RunFolder(uint32(r))))
		if done != nil {
			cell.done++
		}
		cell.err = cmp.Or(cell.err, bad)
	}
	return cell, err
}

// namesOf returns the names that --problems accepts for a problem: cec2013/f1 and f1; for a graph in a file gset/G81
// and G81; for a generated graph tile and tile=8x8.
func namesOf(spec string) []string {
	base, rest, _ := strings.Cut(spec, ":")
	names := []string{base, base[strings.LastIndexByte(base, '/')+1:]}
	if !strings.EqualFold(base, "maxcut") {
		return names
	}
	first, _, _ := strings.Cut(rest, ",")
	kind, _, generated := strings.Cut(first, "=")
	if generated {
		return append(names, first, kind)
	}
	rest = strings.TrimSuffix(filepath.ToSlash(rest), filepath.Ext(rest))
	return append(names, rest, rest[strings.LastIndexByte(rest, '/')+1:])
}

// locate finds a graph of the official data: maxcut:setA/G.txt may be in DIR/maxcut/setA. missing is the file if it is
// not found.
func locate(spec, data string) (found, missing string) {
	path, ok := strings.CutPrefix(spec, "maxcut:")
	if !ok || strings.Contains(path, "=") || runs.Exists(path) {
		return spec, ""
	}
	for _, dir := range []string{filepath.Join(data, "maxcut"), data} {
		if at := filepath.Join(dir, path); data != "" && runs.Exists(at) {
			return "maxcut:" + at, ""
		}
	}
	return spec, filepath.Join("maxcut", path)
}

// viewOf returns how the results of a table are shown; nil means by function and method.
func (sr *execution) viewOf(table string) *runs.View {
	for i := range sr.campaign.Tables {
		if t := &sr.campaign.Tables[i]; t.Name == table && t.Show != nil {
			return &t.View
		}
	}
	return nil
}
