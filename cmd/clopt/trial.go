package main

import (
	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/job"
)

// trialCommand is the command that runs in the child process.
func trialCommand(call *job.Call) *cobra.Command {
	return &cobra.Command{
		Use: job.TrialName, Hidden: true, DisableFlagParsing: true, Args: cobra.ExactArgs(4),
		RunE: func(cmd *cobra.Command, args []string) error {
			job.TrialOnce(cmd.Context(), call, args[0], args[1], args[2], args[3])
			return nil
		},
	}
}
