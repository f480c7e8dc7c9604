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
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// maxCells is the largest number of cells of a campaign.
const maxCells = 20000

// plan makes the list of cells, and reads everything that they need.
func (sr *execution) plan(own *flags.Config) error {
	c, chosen := sr.campaign, choose(own)
	all := c.places(chosen, sr.laptop)
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
	if err := errors.Join(append(bad, chosen.unknown(c.Name)...)...); err != nil {
		return err
	}
	if len(sr.cells) == 0 {
		return exit.Usagef("--tables, --problems and --labels leave no cell of %s", c.Name)
	}
	return nil
}

// choice is what --tables, --problems and --labels choose. A flag that is not given chooses everything.
type choice struct {
	names map[string][]string // by flag, in small letters
	met   map[string]bool     // those that something has, as flag=name
}

func choose(own *flags.Config) choice {
	c := choice{map[string][]string{}, map[string]bool{}}
	for _, key := range []string{"tables", "problems", "labels"} {
		for _, name := range strings.Split(own.Text(key), ",") {
			if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
				c.names[key] = append(c.names[key], name)
			}
		}
	}
	return c
}

// has reports whether a flag chooses something with these names.
func (c choice) has(flag string, names ...string) bool {
	hit := len(c.names[flag]) == 0
	for _, name := range names {
		if name = strings.ToLower(name); slices.Contains(c.names[flag], name) {
			c.met[flag+"="+name], hit = true, true
		}
	}
	return hit
}

// unknown returns an error for each name that nothing has had.
func (c choice) unknown(campaign string) (bad []error) {
	for flag, names := range c.names {
		for _, name := range names {
			if !c.met[flag+"="+name] {
				bad = append(bad, exit.Usagef("--%s: %s has no %q", flag, campaign, name))
			}
		}
	}
	return bad
}

// places returns the places of the cells that are chosen, table by table.
func (c *Campaign) places(chosen choice, laptop bool) (all []place) {
	for i := range c.Tables {
		t := &c.Tables[i]
		if !chosen.has("tables", t.Name) {
			continue
		}
		z := t.scaled(laptop)
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
		var specs []string
		for _, pattern := range z.Problems {
			expanded, _ := flags.Expand(pattern)
			for _, spec := range expanded {
				if chosen.has("problems", namesOf(spec)...) {
					specs = append(specs, spec)
				}
			}
		}
		for _, dim := range dims {
			for _, spec := range specs {
				for k, e := range t.Solvers {
					if !chosen.has("labels", e.Label) {
						continue
					}
					for _, n := range counts {
						all = append(all, place{i, k, z, spec, string(dim), n})
					}
				}
			}
		}
	}
	return all
}

// place is the place of a cell in the tables of a campaign.
type place struct {
	table, solver int // indices
	size          size
	spec, dim     string
	devices       int // 0 means all
}

// cell makes a cell. The cell is never nil; with an error it has what was known before.
func (sr *execution) cell(at place) (*cell, error) {
	c, t := sr.campaign, &sr.campaign.Tables[at.table]
	if _, err := os.Stat(filepath.Join(c.dir, at.spec)); err == nil && c.dir != "" && !filepath.IsAbs(at.spec) {
		at.spec = filepath.Join(c.dir, at.spec)
	}
	label := t.Solvers[at.solver].Label
	cell := &cell{table: t.Name, label: label, spec: at.spec, devices: at.devices}
	s, err := sr.settings(at)
	if err != nil {
		return cell, err
	}
	cell.settings = s
	cell.spec, cell.missing = locate(at.spec, s.Options.Data)
	err = cell.read()
	if err != nil && exit.Code(err) == exit.Usage {
		err = exit.Usagef("%s: error: table %s, %s: %w", c.place(at.table, -1, "problems"), t.Name, cell.spec, err)
	} else if err != nil {
		cell.err, err = err, nil // this cell cannot run, but the others can
	}
	s.XFormat = "npy"
	if float64(cell.dim) >= bestPointBelow {
		s.XFormat = "none"
	}
	cell.dir = filepath.Join(sr.dir, runs.Slug("table-"+t.Name), cell.folder())
	for r := range s.Runs {
		done, bad := runs.Finished(filepath.Join(cell.dir, job.RunFolder(uint32(r))))
		if done != nil {
			cell.done++
		}
		cell.err = cmp.Or(cell.err, bad)
	}
	return cell, err
}

// settings returns the settings of a cell. They come from a run file in memory, so errors in them name the line of the
// campaign file.
func (sr *execution) settings(at place) (*flags.Settings, error) {
	c := sr.campaign
	file, err := c.runFile(at, sr.laptop)
	if err != nil {
		return nil, err
	}
	// Only variables that do not change what a cell computes are read.
	getenv := flags.OnlyOf(suiteFlags, sr.call.Getenv)
	s, err := flags.NewSettings(flags.New(flags.RunOptions, sr.flags, getenv, file))
	if err != nil {
		return nil, err
	}
	if c.dir != "" {
		origin := fmt.Sprintf("%s:%d", c.file, file.Entries["problem"].Line)
		if err := s.CheckInside(c.dir, at.spec, flags.Value{Origin: origin}); err != nil {
			return nil, err
		}
	}
	most := string(cmp.Or(c.Tables[at.table].Solvers[at.solver].Runs, at.size.Runs))
	if given := s.Config.Values["runs"]; given.Origin == "flag" && most != "" {
		if n, err := flags.ParseRuns(most); err == nil {
			s.Runs = min(s.Runs, int(n)) // not more than the campaign has
		}
	}
	return s, nil
}

// runFile returns the run file of a cell. Its entries have the lines of the campaign file.
func (c *Campaign) runFile(at place, laptop bool) (*recipe.File, error) {
	t := &c.Tables[at.table]
	z, e := at.size, &t.Solvers[at.solver]
	file := &recipe.File{Path: c.file, Entries: map[string]recipe.Entry{}}
	set := func(key, origin string, solver int, vals ...string) {
		if len(vals) > 0 && vals[0] != "" {
			where := strings.TrimPrefix(c.place(at.table, solver, origin), c.file+":")
			line, _ := strconv.Atoi(strings.Split(where, ":")[0])
			file.Entries[key] = recipe.Entry{Vals: vals, Line: line}
		}
	}
	table := func(key string, value plain) { set(key, key, -1, string(value)) }
	// The value of the method wins over that of the table.
	method := func(key string, ofTable, ofMethod plain) {
		if ofMethod != "" {
			set(key, key, at.solver, string(ofMethod))
		} else {
			table(key, ofTable)
		}
	}
	settings, err := e.settings(at.spec, laptop)
	if err != nil {
		return nil, exit.Usagef("%s: error: table %s: %w", c.place(at.table, at.solver, "preset"), t.Name, err)
	}
	set("problem", "problems", -1, at.spec)
	set("dim", "dims", -1, at.dim)
	set("solver", "solver", at.solver, e.Solver)
	set("set", "set", at.solver, settings...)
	small := size{}
	if laptop && t.Laptop != nil {
		small = *t.Laptop
	}
	for _, l := range []struct {
		key                      string
		small, ofTable, ofMethod plain
	}{{"evals", small.Evals, z.Evals, e.Evals}, {"moves", small.Moves, z.Moves, e.Moves}} {
		if l.small != "" {
			set(l.key, "laptop", -1, string(l.small))
		} else {
			method(l.key, l.ofTable, l.ofMethod)
		}
	}
	table("time", z.Time)
	table("target", z.Target)
	table("stall", z.Stall)
	method("precision", z.Precision, e.Precision)
	method("runs", z.Runs, e.Runs)
	table("seed", cmp.Or(t.Seed, "1"))
	return file, nil
}

// read reads the problem of a cell, chooses its method, and notes what the tables and the plan show of them. It does
// nothing if the file of the problem is missing.
func (c *cell) read() error {
	s := c.settings
	c.problem = c.spec
	if c.missing != "" {
		return nil
	}
	p, err := flags.ParseProblem(c.spec, s.Options, s.Precision, false)
	if err == nil {
		err = s.Choose(p)
	}
	var b solvers.Budget
	if err == nil {
		b, _ = s.Budget(p)
		// The settings that fit a limit of evaluations are those of all devices.
		err = solvers.Check(p, solvers.Settings{Precision: s.Precision, Budget: b}, solvers.Fit(s.Solver, p, b, nil))
	}
	if err != nil {
		c.dim = s.Options.Dim
		return err
	}
	c.problem, c.dim, c.tile = p.Spec().String(), p.Domain().N, p.Tiling()
	c.generated = p.Info().Data == "generated"
	if p.Info().Data == "" {
		s.Options.Data = "" // the problem does not use it
	}
	c.bytes, c.evals = solvers.Plan(s.Solver, p, s.Precision).Total(), s.Evals
	// A schedule is fitted to a limit of time when its cell begins.
	if schedule := s.Solver.Traits().Schedule; schedule != nil && b.Time == 0 {
		n, moves := schedule(p)
		if b.Moves > 0 && b.Moves < moves {
			n = int64(float64(n) * float64(b.Moves) / float64(moves)) // about
		}
		if s.Evals == 0 || n < s.Evals {
			c.evals = n
		}
	}
	return nil
}

// folder returns the name of the folder of a cell.
func (c *cell) folder() string {
	n := "n" + strconv.Itoa(c.dim)
	name := runs.Slug(filepath.Base(c.spec), n, c.label)
	if base, rest, _ := strings.Cut(c.spec, ":"); strings.Contains(base, "/") && !strings.HasSuffix(base, ".cl") {
		name = runs.Slug(base, rest, n, c.label)
	}
	if c.devices > 0 {
		name += "-x" + strconv.Itoa(c.devices)
	}
	return name
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
func (sr *execution) viewOf(table string) *record.View {
	for i := range sr.campaign.Tables {
		if t := &sr.campaign.Tables[i]; t.Name == table && t.Show != nil {
			return &t.View
		}
	}
	return nil
}
