package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers/runs"
)

// bestPointBelow is the number of variables from which a campaign stores no best points.
const bestPointBelow = 1e7

// suiteFlags are the flags of "clopt run" that a campaign takes. They do not change what it computes.
var suiteFlags = []string{
	"data", "allow-outside", "devices", "weights", "mem", "watchdog", "mpi", "mpi-lib", "mpi-timeout", "checkpoint",
	"checkpoints", "no-selftest", "trial-time", "out", "quiet", "verbose", "status", "json", "no-color", "dry-run",
}

// suiteHelp is the help of those of these flags whose words in "clopt run" are about one run.
var suiteHelp = map[string]string{
	"out":     "folder in which the folder of the campaign is made",
	"json":    "print the tables, or with --dry-run the plan, as JSON",
	"dry-run": "print all cells with their evaluations and memory, and stop",
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
	for i, o := range opts {
		opts[i].Help = cmp.Or(suiteHelp[o.Name], o.Help)
	}
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

	began      time.Time // the first cell
	mu         sync.Mutex
	done, made int // runs that have ended, and those of them that this execution has made
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
	generated    bool   // its instance is
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
	sr.show = call.Display(s)
	if s.DryRun {
		err := sr.validate()
		if s.JSON {
			return errors.Join(err, sr.planJSON(call.Stdout), sr.failed())
		}
		sr.planTable(call.Stdout)
		return errors.Join(err, sr.failed())
	}
	if err := job.CheckWritable(own.Path("out")); err != nil {
		return err
	}
	if err := sr.validate(); err != nil {
		return err
	}
	call.ShowRanks(sr.show)
	unlock, err := runs.Claim(sr.dir) // others can see that it goes on
	if err != nil {
		return err
	}
	call.Finishes(func() string { return "ending the campaign" })
	err = sr.all(ctx)
	unlock()
	os.Remove(sr.dir) // fails if it holds a run, as it should
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

// validate reads and plans all cells as their runs will do, so that a wrong cell is found before the first run. A
// folder of another campaign is an error. Any other error is that of its cell, and the other cells can run.
func (sr *execution) validate() error {
	quiet := sr.show.Quieten(true)
	defer sr.show.Quieten(quiet)
	for _, cell := range sr.cells {
		if cell.err != nil || cell.missing != "" {
			continue
		}
		_, err := sr.prepare(cell)
		if _, other := errors.AsType[*otherCampaign](err); other {
			return exit.With(exit.Usage, err)
		}
		if code := exit.Code(err); cell.settings.DryRun && (code == exit.NoDevice || code == exit.Memory) {
			continue // the campaign may be meant for another machine
		}
		cell.err = err
	}
	return nil
}

// finished reports whether nothing of a cell is left to do.
func (c *cell) finished() bool {
	return c.done == c.settings.Runs && runs.Exists(filepath.Join(c.dir, "summary.json"))
}

// name describes a cell for messages.
func (sr *execution) name(i int) string {
	c := sr.cells[i]
	what := fmt.Sprintf("cell %d of %d: table %s  %s  %s", i+1, len(sr.cells), c.table, c.problem, c.label)
	if c.devices > 0 {
		what += fmt.Sprintf("  devices %d", c.devices)
	}
	return what
}

// failed returns an error that lists the cells that failed, or nil.
func (sr *execution) failed() error {
	var failed []string
	for i, cell := range sr.cells {
		if cell.err != nil {
			failed = append(failed, fmt.Sprintf("%s: %s", sr.name(i), exit.FirstLine(cell.err.Error())))
		}
	}
	if failed == nil {
		return nil
	}
	return exit.Failf(exit.Internal, "%d of %d cells failed:\n  %s", len(failed), len(sr.cells),
		strings.Join(failed, "\n  "))
}

// all runs the cells one after the other. If a cell fails, the campaign continues with the next one, and the error
// lists those that failed.
func (sr *execution) all(ctx context.Context) error {
	sr.began = time.Now()
	for _, cell := range sr.cells {
		sr.done += cell.done
	}
	for i, cell := range sr.cells {
		if ctx.Err() != nil {
			break
		}
		if cell.missing != "" {
			continue
		}
		if cell.err == nil {
			sr.show.Within(sr.progress())
			sr.show.Sayf("%s  %d of %d runs to do  (%s)", sr.name(i), cell.settings.Runs-cell.done, cell.settings.Runs,
				sr.progress())
			cell.err = sr.one(ctx, cell)
		}
		if cell.err != nil && ctx.Err() == nil {
			sr.show.Warnf("%s: %v. The campaign continues without it.", sr.name(i),
				strings.TrimSuffix(exit.FirstLine(cell.err.Error()), "."))
			continue
		}
	}
	sr.warnMissing()
	if ctx.Err() != nil {
		return nil // the last cell has not failed
	}
	return sr.failed()
}

// ran counts a run that was made.
func (sr *execution) ran() {
	sr.mu.Lock()
	sr.done, sr.made = sr.done+1, sr.made+1
	sr.mu.Unlock()
	sr.show.Within(sr.progress())
}

// progress describes how far the campaign is: "12 of 30 runs, ~0:04:10 left". The time is estimated from the runs so
// far.
func (sr *execution) progress() string {
	sr.mu.Lock()
	defer sr.mu.Unlock()
	all := 0
	for _, cell := range sr.cells {
		if cell.err == nil && cell.missing == "" {
			all += cell.settings.Runs
		} else {
			all += cell.done
		}
	}
	text := fmt.Sprintf("%d of %d runs", sr.done, all)
	if sr.made > 0 && sr.done < all {
		left := time.Since(sr.began) / time.Duration(sr.made) * time.Duration(all-sr.done)
		text += fmt.Sprintf(", ~%s left", status.FormatDuration(left))
	}
	return text
}

// warnMissing warns of cells that were left out because their data are missing.
func (sr *execution) warnMissing() {
	folders := map[string]bool{}
	n := 0
	where := "give their folder with --data DIR or CLOPT_DATA"
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

// prepare returns the job of a cell, which agrees with the folder of the cell. With --dry-run it can make no runs.
func (sr *execution) prepare(cell *cell) (*job.Job, error) {
	s, out := cell.settings, sr.call.Stdout
	before := s.Out
	s.Out = sr.dir
	s.Count = cell.devices
	s.DataNoted = sr.dataNoted
	s.Planned = true
	if s.DryRun {
		sr.call.Stdout = &status.Output{W: io.Discard} // the table of all cells follows
	}
	j, err := job.Prepare(sr.call, s, sr.show, cell.spec)
	s.Out, sr.call.Stdout = before, out
	sr.dataNoted = sr.dataNoted || cell.generated
	if err != nil {
		return nil, err
	}
	j.Run.Discard = true
	j.Run.Cell = &record.Cell{Suite: sr.campaign.Name, Table: cell.table, Label: cell.label,
		View: sr.viewOf(cell.table), Devices: cell.devices}
	if sr.laptop {
		j.Run.Cell.Suite += "-laptop"
	}
	return j, sameRecipe(j, cell.dir)
}

// one makes the runs of a cell that are not finished.
func (sr *execution) one(ctx context.Context, cell *cell) error {
	if cell.finished() {
		return nil
	}
	sr.call.Stages = stages.Begin(stages.Read)
	s := cell.settings
	// Each cell has one line; the lines of its runs are shown with --verbose only.
	quiet := sr.show.Quieten(s.Quiet || !s.Verbose)
	defer sr.show.Quieten(quiet)
	j, err := sr.prepare(cell)
	if err != nil {
		return err
	}
	j.Ended = sr.ran
	return j.OnDevices(ctx, func() error {
		if err := os.MkdirAll(cell.dir, 0o777); err != nil {
			return exit.Failf(exit.Output, "%w", err)
		}
		sum, err := j.Several(ctx, cell.dir, false, func(sub string, r uint32) (*record.Result, error) {
			old, _ := runs.Finished(sub)
			res, err := j.Cell(ctx, sub, r, false)
			if err == nil && old == nil {
				sr.ran()
			}
			return res, err
		})
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
var cellKeys = []string{"problem", "dim", "solver", "set", "seed", "evals", "moves", "time", "target", "stall",
	"precision", "data"}

// otherCampaign is the error of a folder that was made by another campaign, or by another text of this one.
type otherCampaign struct{ dir, how string }

func (o *otherCampaign) Error() string {
	return fmt.Sprintf("%s was made %s. Choose another --out, or remove the folder.", o.dir, o.how)
}

// sameRecipe checks that a job agrees with the run.toml in dir, if there is one, and with the files of its problem.
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
			return &otherCampaign{dir, fmt.Sprintf("with %s = %s, and now it is %s", key, strings.Join(a, ","),
				strings.Join(b, ","))}
		}
	}
	file, err := j.Run.Differs(dir)
	if file != "" {
		return &otherCampaign{dir, "before " + file + " changed"}
	}
	return err
}
