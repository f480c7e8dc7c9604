package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// resumeFlags are the flags of "clopt run" that a resumed run may change: devices, stop rules and output. All others
// are part of the run.
var resumeFlags = []string{
	"evals", "moves", "time", "target", "gtol", "stall", "stall-evals", "restart", "require-target", "devices",
	"weights", "mem", "watchdog", "mpi", "mpi-lib", "mpi-timeout", "checkpoint", "checkpoints", "no-selftest",
	"trial-time", "data", "command", "jobs", "value-time", "allow-command", "allow-outside", "quiet", "verbose",
	"status", "json", "x-format", "no-color", "print-config",
}

// stopFlags are the stop rules among them.
var stopFlags = []string{"evals", "moves", "time", "target", "gtol", "stall", "stall-evals"}

func resumeCommand(call *job.Call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resume RUN [flags]",
		Short: "Continue a run folder from its newest good checkpoint",
		Long: "Continue RUN, the folder of a run that was stopped or killed, or of several runs (--runs N), from\n" +
			"its newest good checkpoint. The result is the same, bit for bit, as without the stop, also on\n" +
			"another number of devices of the same kind. A run that ended at a limit continues with a larger one.\n" +
			"Limits count from the first start.",
		Args: flags.OneArg("RUN, a run folder"), ValidArgsFunction: flags.CompleteRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runResume(cmd.Context(), call, cmd.Flags(), args[0])
		},
	}
	opts := flags.Pick(resumeFlags)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		for _, o := range flags.RunOptions {
			short := flags.ShorthandIn.FindStringSubmatch(err.Error())
			if err.Error() == "unknown flag: --"+o.Name || short != nil && short[1] == o.Short {
				return exit.Usagef("%s cannot be changed in a resumed run. Start a new run with "+
					"clopt run RUN/run.toml and this flag.", o.Typed())
			}
		}
		return flags.Error(cmd, err)
	})
	flags.SetOptions(call.Stdout, cmd, opts)
	return cmd
}

// runResume executes "clopt resume".
func runResume(ctx context.Context, call *job.Call, fs *pflag.FlagSet, dir string) error {
	if filepath.Base(dir) == "run.toml" {
		dir = filepath.Dir(dir)
	}
	dir = disk.Resolve(dir)
	path, ok := recipe.Find(dir)
	if info, err := os.Stat(dir); err != nil {
		return exit.With(exit.Usage, input.FileError(dir, err))
	} else if !info.IsDir() || !ok {
		return exit.Usagef("%s is not a run folder: it holds no run.toml", dir)
	}
	file, err := flags.ReadRunFile(path)
	if err != nil {
		return err
	}
	// Variables may change only what flags may change.
	config := flags.New(flags.RunOptions, fs, flags.OnlyOf(resumeFlags, call.Getenv), file)
	s, err := flags.NewSettings(config)
	if err != nil {
		return err
	}
	origin := fmt.Sprintf("%s:%d", file.Path, file.Entries["problem"].Line)
	if s.PrintConfig {
		status.Table{Rows: config.Rows(file.Problem(), origin), Names: 1}.Print(call.Stdout)
		return nil
	}
	if err := s.CheckProblem(dir, file.Problem(), flags.Value{Origin: origin}); err != nil {
		return err
	}
	s.Resumed = true
	s.Out = dir // the folder that must be writable
	raised := slices.ContainsFunc(stopFlags, func(name string) bool {
		o := config.Values[name].Origin
		return o == "flag" || o == "env "+flags.EnvName(name)
	})
	if s.Runs == 1 && !raised {
		if r, err := runs.Finished(dir); err != nil {
			return err
		} else if r != nil {
			more := "Give a larger limit to continue it, such as --evals N."
			if r.Best.Optimal() || r.Stop.Reason == solvers.Optimal.String() {
				more = "There is nothing to continue."
			} else if r.Stop.Reason == solvers.Finished.String() {
				more = "With --restart on and a limit, such as --time 60s, it begins again at other points."
			}
			fmt.Fprintf(call.Stderr, "%s is finished: %s. %s\n", dir, r.Stop.Detail, more)
			return job.Finish(call, s, r, nil)
		}
	}
	show := call.Display(s)
	show.Sayf("clopt %s  resume %s", runs.ToolVersion, dir)
	call.ShowRanks(show)
	j, err := job.Prepare(call, s, show, file.Problem())
	if err == nil {
		err = j.GoOn(ctx, dir, raised)
	}
	return show.Finish(err)
}
