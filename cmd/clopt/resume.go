package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/clopt/clopt/solvers"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// resumeFlags are the flags of "clopt run" that a resumed run may change:
// devices, stop rules and output. What else was given is part of the run.
var resumeFlags = []string{
	"evals", "time", "target", "stall", "require-target", "devices", "weights", "mem", "checkpoint", "keep", "no-selftest",
	"quiet", "verbose", "status", "json", "x-format", "no-color", "print-config",
}

// stopFlags are those of them that say when to stop.
var stopFlags = []string{"evals", "time", "target", "stall"}

// resumeOptions are runOptions without the others.
func resumeOptions() (opts []option) {
	for _, o := range runOptions {
		if slices.Contains(resumeFlags, o.name) {
			opts = append(opts, o)
		}
	}
	return opts
}

func (a *app) resumeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resume RUN [flags]",
		Short: "Continue a run folder from its newest good checkpoint",
		Long: "Continue RUN, the folder of a run that was stopped or killed, or of several (--runs N), from its newest\n" +
			"good checkpoint. It goes on as if it had never stopped, bit for bit, also on another number of devices of\n" +
			"the same kind. A run that ended by a limit goes on with a larger one. Limits count from the first start.",
		Args: oneArg("RUN, a run folder"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.resume(cmd.Context(), cmd.Flags(), args[0]) },
	}
	opts := resumeOptions()
	addOptions(cmd.Flags(), opts)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		for _, o := range runOptions {
			if err.Error() == "unknown flag: --"+o.name || o.short != "" && shorthandIn.MatchString(err.Error()) && shorthandIn.FindStringSubmatch(err.Error())[1] == o.short {
				return usagef("--%s: a resumed run keeps its own. Start another one with clopt run RUN/run.toml --%s.", o.name, o.name)
			}
		}
		return flagError(cmd, err)
	})
	a.optionUsage(cmd, opts)
	return cmd
}

// resume is "clopt resume".
func (a *app) resume(ctx context.Context, flags *pflag.FlagSet, dir string) error {
	if filepath.Base(dir) == "run.toml" {
		dir = filepath.Dir(dir)
	}
	path, ok := isRunFile(dir)
	if info, err := os.Stat(dir); err != nil {
		return usagef("run folder: %w", err)
	} else if !info.IsDir() || !ok {
		return usagef("%s is no run folder: it holds no run.toml", dir)
	}
	file, err := readRunFile(path)
	if err != nil {
		return err
	}
	// The environment may change what the flags may, and nothing else.
	getenv := func(name string) string {
		for _, f := range resumeFlags {
			if envName(f) == name {
				return a.getenv(name)
			}
		}
		return ""
	}
	c := newConfig(runOptions, flags, getenv, file)
	s, err := newSettings(c)
	if err != nil {
		return err
	}
	if s.printConfig {
		c.print(a.stdout, file.problem(), fmt.Sprintf("%s:%d", file.path, file.entries["problem"].line))
		return nil
	}
	s.out = dir // what has to be writable
	raised := slices.ContainsFunc(stopFlags, func(name string) bool {
		o := c.values[name].origin
		return o == "flag" || o == "env "+envName(name)
	})
	if s.runs == 1 && !raised {
		if r := finished(dir); r != nil {
			fmt.Fprintf(a.stderr, "%s is finished: %s. With a larger limit it goes on, such as --evals N.\n", dir, r.Stop.Detail)
			j := &job{app: a, settings: s, show: newDisplay(a.stderr, s.status, s.quiet, s.verbose, a.getenv)}
			r.Folder = dir
			return j.finish(r, nil)
		}
	}
	show := newDisplay(a.stderr, s.status, s.quiet, s.verbose, a.getenv)
	a.show.Store(show)
	show.say("clopt %s: resuming %s", toolVersion, dir)
	j, err := a.prepare(s, show, file.problem())
	if err == nil {
		err = j.goOn(ctx, dir, raised)
	}
	show.counted()
	if !show.flush() && err != nil && show.mode == "json" {
		return &reported{err}
	}
	return err
}

// finished is the result of a run that ended by one of its rules, nil if it
// did not.
func finished(dir string) *resultJSON {
	r, err := readResultJSON(filepath.Join(dir, "result.json"))
	if err != nil || r.Stop.Reason == solvers.Cancelled.String() || r.Stop.Reason == solvers.Failed.String() {
		return nil
	}
	return r
}

// readResultJSON reads a result.json.
func readResultJSON(path string) (*resultJSON, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r resultJSON
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if r.Format != "clopt-result" {
		return nil, fmt.Errorf("%s: format %.40q is not clopt-result", path, r.Format)
	}
	return &r, nil
}

// goOn continues the run in dir, or the runs in folders of it.
func (j *job) goOn(ctx context.Context, dir string, raised bool) error {
	s := j.settings
	if s.runs == 1 {
		unlock, err := lock(dir)
		if err != nil {
			return err
		}
		defer unlock()
		st := j.newStore(dir)
		from, err := j.newest(st, dir, s.firstRun, raised)
		if err != nil {
			return err
		}
		if from == nil {
			return usagef("%s holds no checkpoint. Start it anew: clopt run %s", dir, shellQuote(filepath.Join(dir, "run.toml")))
		}
		return j.onDevices(ctx, func() error {
			r, err := j.session(ctx, dir, s.firstRun, st, from)
			return j.finish(r, err)
		})
	}
	return j.onDevices(ctx, func() error {
		sum, err := j.several(ctx, dir, func(sub string, r uint32) (*resultJSON, error) { return j.cell(ctx, sub, r, raised) })
		return j.finishAll(sum, dir, err)
	})
}

// cell does what is left of run r in a folder that may be there already: a
// finished run is read, one that was cut is resumed, and one without a
// checkpoint begins anew.
func (j *job) cell(ctx context.Context, dir string, r uint32, raised bool) (*resultJSON, error) {
	if done := finished(dir); done != nil && !raised {
		j.show.say("%s is finished", dir)
		return done, nil
	}
	unlock, err := claim(dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	st := j.newStore(dir)
	from, err := j.newest(st, dir, r, raised)
	if err != nil {
		return nil, err
	}
	if from == nil {
		if err := clearRun(dir); err != nil {
			return nil, err
		}
	}
	return j.session(ctx, dir, r, st, from)
}

// claim makes a run folder, if it is not there, and locks it.
func claim(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fail(exitOutput, "run folder: %w", err)
	}
	return lock(dir)
}

// clearRun removes what a run that was cut left in its folder, which is locked.
func clearRun(dir string) error {
	for _, name := range []string{"trace.jsonl", "result.json", "best.npy", "best.txt"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fail(exitOutput, "%w", err)
		}
	}
	return nil
}

// newest is the checkpoint from which run r goes on, nil if there is none. A
// finished run whose limits were raised must have something left to do.
func (j *job) newest(st *store, dir string, r uint32, raised bool) (*saved, error) {
	want, err := j.identify(r)
	if err != nil {
		return nil, err
	}
	st.sweep()
	from, err := st.newest(want, j.show.warn)
	if from == nil || err != nil {
		return nil, err
	}
	if m := from.manifest; m.ToolVersion != toolVersion {
		j.show.warn("checkpoint %s was made by clopt %s. This is %s, whose bits may be others.", from.name, m.ToolVersion, toolVersion)
	}
	for _, kind := range j.devices.kinds() {
		if !slices.Contains(from.manifest.Kinds, kind) {
			j.show.warn("device %q is of another kind than those of checkpoint %s, so its bits may be others. Choose one kind with --devices for runs that repeat bit for bit.", kind, from.name)
		}
	}
	if raised && finished(dir) != nil {
		l := from.loop.Last
		if b := j.budget; b.Evaluations > 0 && l.Evaluations >= b.Evaluations {
			return nil, usagef("%s: its limit of %d evaluations is used up. Give a larger one: --evals N", dir, b.Evaluations)
		} else if b.Time > 0 && l.Elapsed >= b.Time {
			return nil, usagef("%s: its time of %v is used up. Give a longer one: --time DURATION", dir, b.Time)
		}
	}
	return from, nil
}

// restore is what Minimize loads a run with, nil for a new one. The trace is
// cut, and the old result goes, only once everything was read and compared.
func (j *job) restore(dir string, m *monitor, from *saved) func(*solvers.State) (solvers.Progress, error) {
	if from == nil {
		return nil
	}
	return func(st *solvers.State) (solvers.Progress, error) {
		restored := st.Restored
		st.Restored = func(ctx context.Context) error {
			if restored != nil {
				if err := restored(ctx); err != nil {
					return err
				}
			}
			if err := os.Remove(filepath.Join(dir, "result.json")); err != nil && !errors.Is(err, os.ErrNotExist) {
				return fail(exitOutput, "%w", err)
			}
			m.resume(from)
			last := from.loop.Last
			detail := fmt.Sprintf("from checkpoint %s at step %d, %d evaluations", from.name, last.Step, last.Evaluations)
			m.event("resumed", detail)
			j.show.say("resumed %s", detail)
			return nil
		}
		return from.load(st)
	}
}
