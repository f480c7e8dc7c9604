package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// bestPointBelow is the number of variables from which on a campaign keeps no
// best points.
const bestPointBelow = 1e7

// suiteFlags are the flags of "clopt run" that a campaign takes: they change
// where and how it runs, not what.
var suiteFlags = []string{
	"data", "devices", "weights", "mem", "checkpoint", "keep", "no-selftest", "out", "quiet", "verbose", "status", "json", "no-color", "dry-run",
}

// suiteOptions are the flags of "clopt suite".
func suiteOptions() []option {
	opts := []option{
		{group: "what", name: "tables", arg: "A,B", usual: true, noEnv: true, help: "these tables only"},
		{group: "what", name: "problems", arg: "A,B", usual: true, noEnv: true, help: "problems whose name is one of these, such as f1,f2"},
		{group: "what", name: "labels", arg: "A,B", usual: true, noEnv: true, help: "methods of these labels only"},
		{group: "what", name: "runs", arg: "N", usual: true, noEnv: true, help: "the first N runs of each cell only"},
		{group: "what", name: "scale", arg: "full|laptop", def: "full", usual: true, noEnv: true, help: "laptop: the sizes that a table has for small machines"},
	}
	for _, o := range runOptions {
		if slices.Contains(suiteFlags, o.name) {
			opts = append(opts, o)
		}
	}
	return append(opts, option{group: "output", name: "ioh", usual: true, noEnv: true, help: "also write OUT/NAME/ioh, data for IOHanalyzer"})
}

func (a *app) suiteCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "suite NAME|FILE.toml [flags]",
		Short: "Run a campaign: problems x methods x runs",
		Long: "Run a campaign, a built-in one (clopt list suites) or one in a file (clopt help suite), and show its tables. Each\n" +
			"run has a folder below OUT/NAME. Finished runs are not made again, and one that was cut goes on from its\n" +
			"checkpoint: after a stop, give the same command.",
		Args: oneArg("NAME or FILE.toml"), ValidArgs: suiteNames(),
		RunE: func(cmd *cobra.Command, args []string) error { return a.suite(cmd.Context(), cmd.Flags(), args[0]) },
	}
	opts := suiteOptions()
	addOptions(cmd.Flags(), opts)
	completeWords(cmd, "scale", "full", "laptop")
	a.optionUsage(cmd, opts)
	return cmd
}

// completeWords makes the words that a flag takes known to the shell.
func completeWords(cmd *cobra.Command, flag string, words ...string) {
	cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// suiteRun is a campaign that is run.
type suiteRun struct {
	app      *app
	campaign *campaign
	flags    *pflag.FlagSet
	show     *display
	laptop   bool
	dir      string // of all its cells
	dataTold bool   // that instances are generated
	cells    []*suiteCell
}

// suiteCell is the runs of one method on one problem.
type suiteCell struct {
	table, label string
	spec         string
	dir          string
	devices      int // 0: all
	settings     *settings
	dim          int
	tile         problems.Tiling
	bytes        int64
	problem      string // canonical
	done         int
	err          error
}

func (a *app) suite(ctx context.Context, flags *pflag.FlagSet, name string) error {
	c, err := openCampaign(name)
	if err != nil {
		return err
	}
	own := newConfig(suiteOptions(), flags, a.getenv, nil)
	scale, ioh := read(own, "scale", oneOf("full", "laptop")), read(own, "ioh", parseSwitch)
	if err := own.err(); err != nil {
		return err
	}
	sr := &suiteRun{app: a, campaign: c, flags: flags, laptop: scale == "laptop"}
	folder := c.Name
	if sr.laptop {
		folder += "-laptop"
	}
	sr.dir = filepath.Join(own.path("out"), folder)
	if err := sr.plan(own); err != nil {
		return err
	}
	s := sr.cells[0].settings
	if s.dryRun {
		sr.planTable(a.stdout)
		return nil
	}
	if err := checkWritable(own.path("out")); err != nil {
		return err
	}
	sr.show = newDisplay(a.stderr, s.status, s.quiet, s.verbose, a.getenv)
	a.show.Store(sr.show)
	err = sr.all(ctx)
	sr.show.counted()
	sr.show.flush()
	if ctx.Err() != nil {
		fmt.Fprintln(a.stderr, "The same command goes on from here.")
		return errors.Join(context.Cause(ctx), err)
	}
	err = errors.Join(err, sr.report(s.json))
	if ioh {
		err = errors.Join(err, sr.writeIOH())
	}
	return err
}

// plan lists the cells in order, and reads everything that they need.
func (sr *suiteRun) plan(own *config) error {
	c := sr.campaign
	wanted := map[string][]string{}
	for _, key := range []string{"tables", "problems", "labels"} {
		for _, w := range strings.Split(own.text(key), ",") {
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
	var bad []error
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
				n, _ := parseRuns(string(d))
				counts = append(counts, int(n))
			}
		}
		if dims == nil {
			dims = []plain{""}
		}
		for _, dim := range dims {
			for _, pattern := range t.Problems {
				specs, _ := expand(pattern)
				for _, spec := range specs {
					base, _, _ := strings.Cut(spec, ":")
					if !want("problems", base, base[strings.LastIndexByte(base, '/')+1:]) {
						continue
					}
					for k := range t.Solvers {
						e := &t.Solvers[k]
						if !want("labels", e.Label) {
							continue
						}
						for _, n := range counts {
							cell, err := sr.cell(t, i, k, z, spec, string(dim), n)
							bad = append(bad, err)
							sr.cells = append(sr.cells, cell)
						}
					}
				}
			}
		}
	}
	for key, names := range wanted {
		for _, w := range names {
			if !used[key+"="+w] {
				bad = append(bad, usagef("--%s: %s has no %q", key, c.Name, w))
			}
		}
	}
	if err := errors.Join(bad...); err != nil {
		return err
	}
	if len(sr.cells) == 0 {
		return usagef("nothing is left of %s by --tables, --problems and --labels", c.Name)
	}
	return nil
}

// cell makes the settings of a cell as a run file would, so that what is wrong
// with them is told with the line of the suite.
func (sr *suiteRun) cell(t *campaignTable, i, k int, z size, spec, dim string, devices int) (*suiteCell, error) {
	c, e := sr.campaign, &t.Solvers[k]
	if _, err := os.Stat(filepath.Join(c.dir, spec)); err == nil && c.dir != "" && !filepath.IsAbs(spec) {
		spec = filepath.Join(c.dir, spec)
	}
	cell := &suiteCell{table: t.Name, label: e.Label, spec: spec, devices: devices}
	file := &runFile{path: c.file, entries: map[string]entry{}}
	set := func(key, origin string, solver int, vals ...string) {
		if len(vals) > 0 && vals[0] != "" {
			line, _ := strconv.Atoi(strings.Split(strings.TrimPrefix(c.place(i, solver, origin), c.file+":"), ":")[0])
			file.entries[key] = entry{vals, line}
		}
	}
	runs, evals, solver := string(z.Runs), string(z.Evals), -1
	if e.Evals != "" {
		evals, solver = string(e.Evals), k
	}
	set("problem", "problems", -1, spec)
	set("dim", "dims", -1, dim)
	set("solver", "solver", k, e.Solver)
	set("set", "set", k, e.settings()...)
	set("evals", "evals", solver, evals)
	set("time", "time", -1, string(z.Time))
	set("target", "target", -1, string(z.Target))
	set("stall", "stall", -1, string(z.Stall))
	set("precision", "precision", -1, string(z.Precision))
	set("runs", "runs", -1, runs)
	seed := string(t.Seed)
	if seed == "" {
		seed = "1"
	}
	set("seed", "seed", -1, seed)
	config := newConfig(runOptions, sr.flags, sr.getenv, file)
	s, err := newSettings(config)
	if err != nil {
		return cell, err
	}
	cell.settings = s
	if given := s.config.values["runs"]; given.origin == "flag" && runs != "" {
		if n, err := parseRuns(runs); err == nil {
			s.runs = min(s.runs, int(n)) // as many as the campaign has
		}
	}
	p, err := parseProblem(spec, problems.Options{Dim: s.dim, Data: s.data}, s.precision, false)
	if err != nil {
		if code := exitCode(err); code != exitUsage {
			cell.err, err = err, nil // a cell that cannot be, in a campaign that can
		} else {
			err = usagef("%s: error: table %s, %s: %w", c.place(i, -1, "problems"), t.Name, spec, err)
		}
		cell.problem, cell.dim = spec, s.dim
	} else {
		cell.problem, cell.dim, cell.tile = p.Spec(), p.Dim(), p.Tiling()
		cell.bytes = s.solver.Plan(p, s.precision).Total()
	}
	s.xFormat = "npy"
	if float64(cell.dim) >= bestPointBelow {
		s.xFormat = "none"
	}
	name := slug(filepath.Base(spec), "n"+strconv.Itoa(cell.dim), e.Label)
	if base, rest, _ := strings.Cut(spec, ":"); strings.Contains(base, "/") && !strings.HasSuffix(base, ".cl") {
		name = slug(base, rest, "n"+strconv.Itoa(cell.dim), e.Label)
	}
	if devices > 0 {
		name += "-x" + strconv.Itoa(devices)
	}
	cell.dir = filepath.Join(sr.dir, slug("table-"+t.Name), name)
	for r := range s.runs {
		if finished(filepath.Join(cell.dir, runFolder(uint32(r)))) != nil {
			cell.done++
		}
	}
	return cell, err
}

// getenv hides variables that would change what a cell computes.
func (sr *suiteRun) getenv(name string) string {
	for _, f := range suiteFlags {
		if envName(f) == name {
			return sr.app.getenv(name)
		}
	}
	return ""
}

// all runs the cells one after the other. A cell that fails does not end the
// campaign; the first error is returned.
func (sr *suiteRun) all(ctx context.Context) error {
	var first error
	made := map[string]bool{}
	for i, cell := range sr.cells {
		if ctx.Err() != nil {
			break
		}
		s := cell.settings
		if made[cell.dir] {
			return fail(exitUsage, "%s: two cells of table %s would have the folder %s. Give the methods labels that differ.", sr.campaign.file, cell.table, cell.dir)
		}
		made[cell.dir] = true
		what := fmt.Sprintf("cell %d of %d: table %s  %s  %s", i+1, len(sr.cells), cell.table, cell.problem, cell.label)
		if cell.devices > 0 {
			what += fmt.Sprintf("  devices %d", cell.devices)
		}
		if cell.err == nil {
			sr.show.say("%s  %d of %d runs to do", what, s.runs-cell.done, s.runs)
			cell.err = sr.one(ctx, cell)
		}
		if cell.err != nil && ctx.Err() == nil {
			sr.show.warn("%s: %v. The campaign goes on without it.", what, strings.TrimSuffix(firstLine(cell.err.Error()), "."))
			if first == nil {
				first = &reported{cell.err}
			}
			if exitCode(cell.err) == exitUsage {
				return cell.err // a folder in use, or of another campaign
			}
		}
	}
	return first
}

// one does what is left of a cell.
func (sr *suiteRun) one(ctx context.Context, cell *suiteCell) error {
	s := cell.settings
	// The cells are told of in one line each; a run's own lines are details.
	quiet := sr.show.quieten(s.quiet || !s.verbose)
	defer sr.show.quieten(quiet)
	before := s.out
	s.out, s.count, s.dataTold = sr.dir, cell.devices, sr.dataTold
	j, err := sr.app.prepare(s, sr.show, cell.spec)
	s.out = before
	if err != nil {
		return err
	}
	sr.dataTold = sr.dataTold || dataOf(j.problem) == "generated"
	j.discard = true
	j.cellID = &cellID{Suite: sr.campaign.Name, Table: cell.table, Label: cell.label}
	if sr.laptop {
		j.cellID.Suite += "-laptop"
	}
	if cell.devices > 0 {
		j.cellID.Devices = cell.devices
	}
	if err := os.MkdirAll(cell.dir, 0o777); err != nil {
		return fail(exitOutput, "%w", err)
	}
	if err := j.sameRecipe(cell.dir); err != nil {
		return err
	}
	if cell.done == s.runs && exists(filepath.Join(cell.dir, "summary.json")) {
		return nil
	}
	return j.onDevices(ctx, func() error {
		sum, err := j.several(ctx, cell.dir, func(sub string, r uint32) (*resultJSON, error) { return j.cell(ctx, sub, r, false) })
		if err == nil && ctx.Err() == nil {
			sr.show.quieten(quiet)
			sr.show.say("  best %.6g  median %.6g  of %d runs", float64(sum.Best), float64(sum.Median), len(sum.Runs))
			if sum.ExitCode != exitOK {
				return fail(sum.ExitCode, "a run of it ended with exit code %d; see %s", sum.ExitCode, cell.dir)
			}
		}
		return err
	})
}

// cellKeys are what must not change in a folder with runs of a campaign.
var cellKeys = []string{"problem", "dim", "solver", "set", "seed", "evals", "time", "target", "stall", "precision", "data"}

// sameRecipe compares a cell with the run.toml of a folder, if there is one.
func (j *job) sameRecipe(dir string) error {
	old, err := readRunFile(filepath.Join(dir, "run.toml"))
	if err != nil {
		if !exists(filepath.Join(dir, "run.toml")) {
			return nil
		}
		return err
	}
	text := j.recipe(j.settings.firstRun, j.settings.runs)
	tmp, err := os.MkdirTemp(dir, ".recipe-")
	if err != nil {
		return fail(exitOutput, "%w", err)
	}
	defer os.RemoveAll(tmp)
	path := filepath.Join(tmp, "run.toml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		return fail(exitOutput, "%w", err)
	}
	now, err := readRunFile(path)
	if err != nil {
		return err
	}
	for _, key := range cellKeys {
		a, b := old.entries[key].vals, now.entries[key].vals
		if !slices.Equal(a, b) {
			return usagef("%s was made with %s = %s, and now it is %s. Choose another --out, or remove the folder.", dir, key, strings.Join(a, ","), strings.Join(b, ","))
		}
	}
	return nil
}
