package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers/runs"
)

// bestPointBelow is the number of variables from which a campaign stores no best points.
const bestPointBelow = 1e7

// suiteFlags are the flags of "clopt run" that a campaign takes. They do not change what it computes.
var suiteFlags = []string{
	"data", "allow-outside", "devices", "weights", "mem", "watchdog", "mpi", "mpi-lib", "mpi-timeout", "checkpoint",
	"keep", "no-selftest", "trial-time", "out", "quiet", "verbose", "status", "json", "no-color", "dry-run",
}

// Options returns the flags of "clopt suite".
func Options() []flags.Option {
	opts := append([]flags.Option{
		{Group: "what", Name: "tables", Arg: "A,B", Usual: true, NoEnv: true, Help: "run only these tables"},
		{Group: "what", Name: "problems", Arg: "A,B", Usual: true, NoEnv: true,
			Help: "run only problems with these names, such as f1,f2"},
		{Group: "what", Name: "labels", Arg: "A,B", Usual: true, NoEnv: true,
			Help: "run only methods with these labels"},
		{Group: "what", Name: "runs", Arg: "N", Usual: true, NoEnv: true,
			Help: "make only the first N runs of each cell"},
		{Group: "what", Name: "scale", Arg: "full|laptop", Def: "full", Usual: true, NoEnv: true,
			Help: "laptop: use the sizes for small machines"},
	}, flags.Pick(suiteFlags)...)
	return append(opts, flags.Option{Group: "output", Name: "ioh", Usual: true, NoEnv: true,
		Help: "also write data for IOHanalyzer to OUT/NAME/ioh"})
}

// execution is one execution of a campaign.
type execution struct {
	call      *job.Call
	campaign  *Campaign
	flags     *pflag.FlagSet
	show      *status.Display
	laptop    bool
	dir       string // holds the folders of all cells
	dataNoted bool   // the user was told that instances are generated
	cells     []*cell
}

// cell is one method on one problem, with some number of runs.
type cell struct {
	table, label string
	spec         string
	dir          string
	devices      int // 0: all
	settings     *flags.Settings
	dim          int
	tile         problems.Tiling
	bytes        int64
	evals        int64  // limit of a run; 0: none
	problem      string // its canonical spec
	done         int    // finished runs
	missing      string // file of official data that does not exist; "" if none is missing
	err          error
}

// Run runs a campaign, built in or in a file, and prints its tables.
func Run(ctx context.Context, call *job.Call, fs *pflag.FlagSet, name string) error {
	c, err := Open(name)
	if err != nil {
		return err
	}
	own := flags.New(Options(), fs, call.Getenv, nil)
	scale, ioh := flags.Read(own, "scale", flags.OneOf("full", "laptop")), flags.Read(own, "ioh", flags.ParseSwitch)
	if err := own.Err(); err != nil {
		return err
	}
	if leads, err := call.Join(ctx, own); !leads {
		return err
	}
	sr := &execution{call: call, campaign: c, flags: fs, laptop: scale == "laptop"}
	folder := c.Name
	if sr.laptop {
		folder += "-laptop"
	}
	sr.dir = filepath.Join(own.Path("out"), folder)
	if err := sr.plan(own); err != nil {
		return err
	}
	s := sr.cells[0].settings
	if s.DryRun {
		sr.planTable(call.Stdout)
		return nil
	}
	if err := job.CheckWritable(own.Path("out")); err != nil {
		return err
	}
	sr.show = call.Display(s)
	call.ShowRanks(sr.show)
	err = sr.all(ctx)
	sr.show.Counted()
	sr.show.Flush()
	if ctx.Err() != nil {
		fmt.Fprintln(call.Stderr, "Give the same command to continue.")
		return errors.Join(context.Cause(ctx), err)
	}
	err = errors.Join(err, sr.report(s.JSON))
	if ioh {
		err = errors.Join(err, sr.writeIOH())
	}
	return err
}

// all runs the cells one after the other. If a cell fails, the campaign continues with the next one, and the error
// lists those that failed.
func (sr *execution) all(ctx context.Context) error {
	var failed []string
	made := map[string]bool{}
	for i, cell := range sr.cells {
		if ctx.Err() != nil {
			break
		}
		s := cell.settings
		if made[cell.dir] {
			return exit.Usagef("%s: two cells of table %s would have the folder %s. Give the methods different labels.",
				sr.campaign.file, cell.table, cell.dir)
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
			sr.show.Sayf("%s  %d of %d runs to do", what, s.Runs-cell.done, s.Runs)
			cell.err = sr.one(ctx, cell)
		}
		if cell.err != nil && ctx.Err() == nil {
			sr.show.Warnf("%s: %v. The campaign continues without it.", what,
				strings.TrimSuffix(exit.FirstLine(cell.err.Error()), "."))
			if _, other := errors.AsType[*otherCampaign](cell.err); other {
				return exit.With(exit.Usage, cell.err)
			}
			failed = append(failed, fmt.Sprintf("%s: %s", what, exit.FirstLine(cell.err.Error())))
		}
	}
	sr.warnMissing()
	if failed == nil {
		return nil
	}
	return exit.Failf(exit.Internal, "%d of %d cells failed:\n  %s", len(failed), len(sr.cells),
		strings.Join(failed, "\n  "))
}

// warnMissing warns of cells that were left out because their data are missing.
func (sr *execution) warnMissing() {
	folders, n, where := map[string]bool{}, 0, "give their folder with --data DIR or CLOPT_DATA"
	for _, cell := range sr.cells {
		if cell.missing == "" {
			continue
		}
		n++
		folders[filepath.Dir(cell.missing)] = true
		if data := cell.settings.Options.Data; data != "" {
			where = "they are not in " + data
		}
	}
	if n == 0 {
		return
	}
	sr.show.Warnf("%d of %d cells are left out: they need official graphs in %s; %s.", n, len(sr.cells),
		strings.Join(slices.Sorted(maps.Keys(folders)), ", "), where)
}

// one makes the runs of a cell that are not finished.
func (sr *execution) one(ctx context.Context, cell *cell) error {
	s := cell.settings
	// Each cell has one line; the lines of its runs are shown with --verbose only.
	quiet := sr.show.Quieten(s.Quiet || !s.Verbose)
	defer sr.show.Quieten(quiet)
	before := s.Out
	s.Out, s.Count, s.DataNoted, s.Planned = sr.dir, cell.devices, sr.dataNoted, true
	j, err := job.Prepare(sr.call, s, sr.show, cell.spec)
	s.Out = before
	if err != nil {
		return err
	}
	sr.dataNoted = sr.dataNoted || j.Problem.Info().Data == "generated"
	j.Run.Discard = true
	j.Run.Cell = &runs.Cell{Suite: sr.campaign.Name, Table: cell.table, Label: cell.label, View: sr.viewOf(cell.table),
		Devices: cell.devices}
	if sr.laptop {
		j.Run.Cell.Suite += "-laptop"
	}
	if err := os.MkdirAll(cell.dir, 0o777); err != nil {
		return exit.Failf(exit.Output, "%w", err)
	}
	if err := sameRecipe(j, cell.dir); err != nil {
		return err
	}
	if cell.done == s.Runs && runs.Exists(filepath.Join(cell.dir, "summary.json")) {
		return nil
	}
	return j.OnDevices(ctx, func() error {
		sum, err := j.Several(ctx, cell.dir, false,
			func(sub string, r uint32) (*runs.Result, error) { return j.Cell(ctx, sub, r, false) })
		if err == nil && ctx.Err() == nil {
			sr.show.Quieten(quiet)
			sr.show.Sayf("  best %.6g  median %.6g  of %d runs", float64(sum.Best), float64(sum.Median), len(sum.Runs))
			if sum.ExitCode != exit.OK {
				return exit.Failf(sum.ExitCode, "a run ended with exit code %d; see %s", sum.ExitCode, cell.dir)
			}
		}
		return err
	})
}

// cellKeys are the keys of run.toml that must stay the same in a folder with runs.
var cellKeys = []string{"problem", "dim", "solver", "set", "seed", "evals", "time", "target", "stall", "precision",
	"data"}

// otherCampaign is the error of a folder that was made by another campaign, or by another text of this one.
type otherCampaign struct{ dir, key, was, now string }

func (o *otherCampaign) Error() string {
	return fmt.Sprintf("%s was made with %s = %s, and now it is %s. Choose another --out, or remove the folder.", o.dir,
		o.key, o.was, o.now)
}

// sameRecipe checks that a job agrees with the run.toml in dir, if there is one.
func sameRecipe(j *job.Job, dir string) error {
	old, err := flags.ReadRunFile(filepath.Join(dir, "run.toml"))
	if err != nil {
		if !runs.Exists(filepath.Join(dir, "run.toml")) {
			return nil
		}
		return err
	}
	now := j.Keys()
	for _, key := range cellKeys {
		a, b := old.Entries[key].Vals, now[key]
		if !slices.Equal(a, b) {
			return &otherCampaign{dir, key, strings.Join(a, ","), strings.Join(b, ",")}
		}
	}
	return nil
}
