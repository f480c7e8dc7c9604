package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/problems/command"
	"github.com/clopt/clopt/internal/solvers/runs/inspect"
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
	"github.com/clopt/clopt/solvers/runs"
)

func runCommand(call *job.Call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run PROBLEM|--command 'PROGRAM ARGS' [flags]",
		Short: "Minimize a problem",
		Long: "Minimize PROBLEM: NAME[:key=value,...], see clopt list problems; an objective FILE.cl,\n" +
			"see clopt help objective; a graph, see clopt help graphs; or a run.toml of an earlier run.\n" +
			"With --command a program gives the values, see clopt help functions.",
		Args: problemOrProgram, ValidArgsFunction: flags.CompleteProblem,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runProblem(cmd.Context(), call, cmd.Flags(), append(args, command.Family)[0])
		},
	}
	flags.SetOptions(call.Stdout, cmd, flags.RunOptions)
	return cmd
}

// problemOrProgram checks that there is a PROBLEM, unless a program gives the values.
func problemOrProgram(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && cmd.Flags().Changed("command") {
		return nil
	}
	return flags.OneArg("PROBLEM")(cmd, args)
}

// runProblem executes "clopt run". It reads all input before it opens a device, and finds all errors in the input
// before it makes a folder.
func runProblem(ctx context.Context, call *job.Call, fs *pflag.FlagSet, spec string) error {
	origin := "argument"
	var file *recipe.File
	if path, ok := recipe.Find(spec); ok {
		f, err := flags.ReadRunFile(path)
		if err != nil {
			return err
		}
		file = f
		spec = f.Problem()
		origin = fmt.Sprintf("%s:%d", f.Path, f.Entries["problem"].Line)
	}
	config := flags.New(flags.RunOptions, fs, call.Getenv, file)
	s, err := flags.NewSettings(config)
	if err != nil {
		return err
	}
	if file != nil {
		dir := filepath.Dir(file.Path)
		if err := s.CheckProblem(dir, spec, flags.Value{Origin: origin}); err != nil {
			return err
		}
		if err := inspect.CheckInputs(dir); err != nil && !s.ForceChanged {
			return fmt.Errorf("%w. Add --force-changed to run it as it is", err)
		}
	}
	if s.PrintConfig {
		status.Table{Rows: config.Rows(spec, origin), Names: 1}.Print(call.Stdout)
		return nil
	}
	show := call.Display(s)
	show.Sayf("clopt %s  %s", runs.ToolVersion, spec)
	call.ShowRanks(show)
	j, err := job.Prepare(call, s, show, spec)
	if err == nil && !s.DryRun {
		err = j.OnDevices(ctx, func() error { return j.All(ctx) })
	}
	return show.Finish(err)
}
