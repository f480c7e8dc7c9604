package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/job"
)

// trialCommand is what runs in the child.
func trialCommand(call *job.Call) *cobra.Command {
	return &cobra.Command{
		Use: job.TrialName, Hidden: true, DisableFlagParsing: true, Args: cobra.ExactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			// What fails here will fail, and be told, in the parent.
			job.TrialOnce(cmd.Context(), args[0], args[1], args[2])
			fmt.Fprint(call.Stdout, job.Survived)
			return nil
		},
	}
}
