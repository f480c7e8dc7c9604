package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/clopt/clopt/problems"
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
	evals        int64  // of a run at most; 0: any number
	problem      string // canonical
	done         int
	missing      string // a file of official data, which is not there
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
		if cell.missing != "" {
			continue
		}
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
	sr.tellMissing()
	return first
}

// tellMissing says which cells were left out because their data are not there.
func (sr *suiteRun) tellMissing() {
	folders, n, where := map[string]bool{}, 0, "--data DIR or CLOPT_DATA names their folder"
	for _, cell := range sr.cells {
		if cell.missing == "" {
			continue
		}
		n++
		folders[filepath.Dir(cell.missing)] = true
		if data := cell.settings.data; data != "" {
			where = "they are not in " + data
		}
	}
	if n == 0 {
		return
	}
	sr.show.warn("%d of %d cells are left out: they need official graphs, in %s; %s.", n, len(sr.cells), strings.Join(slices.Sorted(maps.Keys(folders)), ", "), where)
}

// one does what is left of a cell.
func (sr *suiteRun) one(ctx context.Context, cell *suiteCell) error {
	s := cell.settings
	// The cells are told of in one line each; a run's own lines are details.
	quiet := sr.show.quieten(s.quiet || !s.verbose)
	defer sr.show.quieten(quiet)
	before := s.out
	s.out, s.count, s.dataTold, s.planned = sr.dir, cell.devices, sr.dataTold, true
	j, err := sr.app.prepare(s, sr.show, cell.spec)
	s.out = before
	if err != nil {
		return err
	}
	sr.dataTold = sr.dataTold || j.problem.Info().Data == "generated"
	j.discard = true
	j.cellID = &cellID{Suite: sr.campaign.Name, Table: cell.table, Label: cell.label}
	if sr.laptop {
		j.cellID.Suite += "-laptop"
	}
	j.cellID.View = sr.viewOf(cell.table)
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
