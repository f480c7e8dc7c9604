package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/internal/shard/trial/child"
)

// trialCommand is the command that evaluates an objective in a child process.
func trialCommand(call *job.Call) *cobra.Command {
	return &cobra.Command{
		Use: child.Command, Hidden: true, DisableFlagParsing: true, Args: cobra.ExactArgs(child.Arguments),
		RunE: func(cmd *cobra.Command, args []string) error {
			child.Once(cmd.Context(), call.Stdin, call.Stdout, os.Exit, [child.Arguments]string(args))
			return nil
		},
	}
}

// warningsCommand is the command that writes the warnings of a compiler in a child process.
func warningsCommand(call *job.Call) *cobra.Command {
	return &cobra.Command{
		Use: job.WarningsName, Hidden: true, DisableFlagParsing: true, Args: cobra.ExactArgs(3),
		RunE: func(_ *cobra.Command, args []string) error {
			return job.WriteWarnings(call, args[0], args[1], args[2])
		},
	}
}
