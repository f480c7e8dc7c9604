package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/problems/rescale"
	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/internal/shard/trial/child"
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// Job is a problem, a method and devices: what the runs of one command share.
type Job struct {
	call     *Call
	Settings *flags.Settings
	show     *status.Display
	Problem  problems.Problem
	Run      *runs.Run // what package runs needs; its devices are open while OnDevices runs
	devices  []cl.Info // the chosen devices
	weights  []float64 // their weights; nil: equal
	laid     bool      // the layout was shown, by an earlier run
	begun    func()    // called when a run is laid out: from now on a signal ends it with a result
	stop     func()    // ends the program that gives the values
	Ended    func()    // called when one of the runs that share launches has ended; may be nil
}

// Prepare reads everything that a run needs, and plans its memory. With --dry-run it prints the plan, and the job is
// there to be compared with folders only.
func Prepare(c *Call, s *flags.Settings, show *status.Display, spec string) (*Job, error) {
	p, stop, err := s.ReadProblem(spec, func(text string) { show.Warnf("%s", text) })
	if err != nil {
		return nil, err
	}
	c.Stages.Next(stages.Choose)
	if err := s.Choose(p); err != nil {
		return nil, err
	}
	x0, err := flags.ReadX0(s.X0, p)
	if err != nil {
		return nil, err
	}
	// A setting that the method refuses is reported before a missing device.
	devices, weights, noDevice := c.chooseDevices(s, p)
	budget, _ := s.Budget(p)
	if !s.Resumed {
		if err := s.Fit(p, budget, devices); err != nil {
			return nil, err
		}
	}
	if err := solvers.Check(p, solvers.Settings{Precision: s.Precision, Budget: budget, X0: x0, Keep: s.Keep},
		s.Solver); err != nil {
		return nil, err
	}
	if !s.DryRun {
		if err := CheckWritable(s.Out); err != nil {
			return nil, err
		}
	}
	if data := p.Info().Data; data == "generated" && !s.DataNoted {
		show.Notef("%s", status.Row("data", "%s; --data DIR reads the official one", problems.DataInWords(data)))
	}
	for _, note := range p.Info().Notes {
		show.Notef("%s", status.Row("note", "%s: %s", p.Spec(), note))
	}
	for _, warning := range p.Info().Warnings {
		show.Warnf("%s", warning)
	}
	if note := rescale.Note(p.Domain()); note != "" {
		show.Notef("%s", status.Row("note", "%s", note))
	}
	if noDevice != nil {
		return nil, noDevice
	}
	for _, note := range untyped(devices) {
		show.Notef("%s", note)
	}
	j := &Job{call: c, Settings: s, show: show, Problem: p, devices: devices, weights: weights, stop: stop}
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(j.devices))
	}
	c.Stages.Next(stages.Plan)
	plan := solvers.Plan(s.Solver, p, s.Precision)
	plans, fitErr := plan.Fit(p.Tiling(), j.devices, weights, s.Mem)
	if fitErr != nil {
		fitErr = misfit{settings: s, problem: p, devices: j.devices, weights: weights}.advised(fitErr)
	} else if err := plan.FitHost(plans); err != nil {
		fitErr = fmt.Errorf("does not fit: %w. Choose another method (-s), fewer variables, or a machine with more "+
			"memory", err)
	}
	j.Run = j.newRun(x0, plans)
	if s.DryRun && s.JSON {
		return j, errors.Join(j.planJSON(c.Stdout, plan, plans), fitErr)
	}
	if s.DryRun {
		j.planTable(c.Stdout, plan, plans)
		if len(cl.Kinds(j.devices)) > 1 && s.Weights == nil && !p.Tiling().Whole {
			show.Sayf("a run measures how much each device can do; this plan gives them equal shares")
		}
		return j, fitErr
	}
	if fitErr != nil {
		if !s.Quiet {
			j.planTable(c.Stderr, plan, plans)
		}
		return nil, fitErr
	}
	data := s.Config.Values["data"].Origin
	s.Outside = !j.Run.Whole() || j.data() != "" && !strings.HasPrefix(data, "env ")
	j.announce(plan)
	return j, nil
}

// newRun returns the description of the runs that package runs needs.
func (j *Job) newRun(x0 [][]float64, plans []shard.DevicePlan) *runs.Run {
	s := j.Settings
	r := &runs.Run{
		Problem: j.Problem, Solver: s.Solver, Restart: s.Restart, Plans: plans, Precision: s.Precision,
		Seed: s.Seed, X0: x0, Keep: s.Keep,
		Storage: runs.Storage{
			Recipe: func(n uint32) string { return j.Recipe(n, 1) }, Command: j.call.line(),
			Format: s.XFormat, Schedule: s.Checkpoint, Checkpoints: s.Checkpoints, Disk: j.call.Disk,
		},
		Caller: runs.Caller{
			Observer: status.NewMonitor(j.show), Asked: j.call.checkpointAsked, Started: j.started, ExitCode: j.code,
			Advice: runs.Advice{
				NoEnd:       "with --checkpoint 30m there is one, for clopt resume with a larger budget",
				NoRoom:      "Make room on the disk, or choose another --out.",
				Unconfirmed: unconfirmed(j.Problem),
				Worse:       worse(s),
				Easy:        "The target is easily met: give a better one.",
				Slow:        "If its kernels need that long, give a longer --watchdog.",
			},
		},
	}
	if s.Drawn {
		r.Command += " --seed " + strconv.FormatUint(uint64(s.Seed), 10)
	}
	r.Budget, r.Implied = s.Budget(j.Problem)
	return r
}

// worse says what helps where uniform points are better than the result.
func worse(s *flags.Settings) string {
	if s.Reason == "" {
		return "The method does not suit the problem, or its limit is too small: leave -s out, try -s masw, or give " +
			"a larger limit."
	}
	return "The limit is too small, or the method does not suit the problem: give a larger limit, or try -s masw."
}

// another returns a job for a run that goes on at the same time as that of j. Its notes and warnings are shown, and
// everything else goes to its log.
func (j *Job) another(show *status.Display) *Job {
	own, run := *j, *j.Run
	own.show, own.Run = show, &run
	run.Observer, run.Started = status.NewMonitor(show), own.started
	return &own
}

// started stores the layout of a run, and shows the first one.
func (j *Job) started(info solvers.Info) {
	j.begun()
	j.Run.Plans = info.Plans
	if !j.laid {
		j.showLayout(info)
		j.laid = true
	}
}

// code returns the exit code of a run with this result or error.
func (j *Job) code(res *solvers.Result, err error) int {
	switch {
	case err != nil:
		return exit.Code(err)
	case !res.Confirmed:
		return exit.Verify
	case len(res.Broken) > 0 && j.proven(res):
		return exit.Infeasible
	case len(res.Broken) > 0:
		return exit.NoPoint
	case j.Settings.RequireTarget && !(res.F <= *j.Run.Budget.Target):
		return exit.Target
	case res.Sampled.Better && res.Sampled.Fair && res.Status != solvers.Target:
		return exit.Worse
	}
	return exit.OK
}

// proven reports whether no point is better than that of a result.
func (j *Job) proven(res *solvers.Result) bool {
	info := j.Problem.Info()
	return info.Proven && res.F <= *info.Best
}

// Recipe returns the text of the run.toml that repeats count runs of this command, from number first on.
func (j *Job) Recipe(first uint32, count int) string {
	problem, keys := j.keys(first, count)
	return recipe.Text(runs.ToolVersion, problem, keys)
}

// Keys returns the values of the run.toml that repeats all runs of this command, by key.
func (j *Job) Keys() map[string][]string {
	problem, keys := j.keys(j.Settings.FirstRun, j.Settings.Runs)
	vals := map[string][]string{"problem": {problem}}
	for _, key := range keys {
		vals[key.Name] = key.Vals
	}
	return vals
}

// data returns the folder of official data, or "" if the problem has none.
func (j *Job) data() string {
	if j.Problem.Info().Data != "official" {
		return ""
	}
	return j.Settings.Options.Data
}

// keys returns the problem and the keys of the run.toml that repeats count runs from number first on.
func (j *Job) keys(first uint32, count int) (problem string, keys []recipe.Key) {
	problem, fixed := j.Run.Keys(first, count)
	fixed["data"] = runs.Absolute(j.data())
	for _, key := range []string{"drop-loops", "merge-edges", "sign", "pairs", "minimize", "fix"} {
		fixed[key] = "" // they are part of the problem's text
	}
	return problem, j.Settings.Config.Recipe(fixed)
}

// OnDevices opens the devices, calls do, and closes them. It does not call do if a first evaluation of the objective
// fails, so that no folder is made for runs that cannot begin.
func (j *Job) OnDevices(ctx context.Context, do func() error) error {
	s := j.Settings
	defer j.stop()
	j.call.Stages.Next(stages.Trial)
	open := j.opening()
	var found child.Found
	if !s.NoSelftest && len(j.devices) > 0 {
		var err error
		if found, err = Trial(ctx, j.Problem, s.Precision, j.devices[0], s.TrialTime); err != nil {
			open.abandon()
			return err
		}
		if warning := unseen(j.Problem, found.Seen); warning != "" {
			j.show.Warnf("%s", warning)
		}
	}
	j.call.Stages.Next(stages.Devices)
	g, err := open.devices()
	if err != nil {
		return exit.With(exit.NoDevice, err)
	}
	defer g.Close()
	j.Run.Devices = g
	opened := slices.Clone(g.All()) // those that fail leave the list
	j.begun = func() {
		j.call.Finishes(func() string { return ending(opened) })
		j.call.Undo(nil)
	}
	if j.Run.Cell != nil { // its campaign has to come to an end
		j.begun()
	}
	// Where the child process has read outside of a table, this one may crash.
	defer onCrash(j.call.Stderr, j.Problem, j.devices, 0, j.show.LastWords)()
	j.call.Stages.Next(stages.Trial)
	if found.Clean {
		trial.Passed(g, j.Problem)
	}
	if err = j.call.Ranks.try(ctx, g, j.Problem, s.Precision); err == nil {
		j.Run.Before = j.call.Stages.Elapsed()
		err = do()
	}
	if j.call.Ranks.together() {
		err = errors.Join(err, j.Run.Dismiss())
	}
	return err
}

// ending returns what runs on some devices do after a signal.
func ending(devices []*cl.Device) string {
	for _, d := range devices {
		if d != nil && d.Waiting().Builds {
			return "waiting until the driver has compiled a kernel"
		}
	}
	return "finishing the launch and storing the result"
}

// opening is the work of opening devices, which goes on while the objective is tried in a process of its own.
type opening struct {
	devices func() (*shard.Devices, error) // waits for them
	abandon func()                         // closes them if they are not needed
}

// opening begins to open the devices and to test how they add, which compiles their first program. The devices of other
// processes are opened when they are needed.
func (j *Job) opening() opening {
	if j.call.Ranks.together() {
		return opening{devices: j.open, abandon: func() {}}
	}
	devices := sync.OnceValues(func() (*shard.Devices, error) {
		g, err := j.open()
		if err == nil {
			trial.SumsAhead(g)
		}
		return g, err
	})
	go devices()
	return opening{devices: devices, abandon: func() {
		if g, err := devices(); err == nil {
			g.Close()
		}
	}}
}

// open opens the devices, those of all ranks.
func (j *Job) open() (*shard.Devices, error) {
	if r := j.call.Ranks; r != nil {
		return r.lead(j.task(), j.call.Stages)
	}
	s := j.Settings
	if problems.CallOf(j.Problem) != nil {
		return shard.NoDevices(shard.Options{Stages: j.call.Stages}), nil
	}
	return shard.Open(j.devices, shard.Options{Weights: j.weights, Memory: s.Mem, NoCheck: s.NoSelftest,
		Watchdog: s.Watchdog, Stages: j.call.Stages})
}

// All makes every run of the command, in a new folder.
func (j *Job) All(ctx context.Context) error {
	s := j.Settings
	name := s.Name
	if name == "" {
		name = runs.Slug(j.Run.ShortSpec(), s.Solver.Traits().Name, "s"+strconv.FormatUint(uint64(s.Seed), 10))
	}
	emptied := func() {}
	if _, err := os.Lstat(s.Out); err != nil {
		emptied = func() { os.Remove(s.Out) } // fails if it holds a run, as it should
	}
	defer emptied()
	dir, err := runs.NewFolder(s.Out, name)
	if err != nil {
		return err
	}
	if s.Runs == 1 {
		defer j.onCrash(dir)()
		j.call.Undo(func() { runs.Discard(dir); emptied() })
		r, err := j.Run.Make(ctx, dir, s.FirstRun)
		j.show.Space()
		return Finish(j.call, s, r, err)
	}
	sum, err := j.Several(ctx, dir, false, func(sub string, r uint32) (*record.Result, error) {
		if err := os.Mkdir(sub, 0o777); err != nil {
			return nil, exit.Failf(exit.Output, "run folder: %w", err)
		}
		return j.Run.Make(ctx, sub, r)
	})
	return j.finishAll(sum, dir, err)
}
