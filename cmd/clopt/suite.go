package main

import (
	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/campaign"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
)

func suiteCommand(call *job.Call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "suite NAME|FILE.toml [flags]",
		Short: "Run a campaign: problems x methods x runs",
		Long: "Run a campaign, a built-in one (clopt list suites) or one in a file (clopt help suite), and show its\n" +
			"tables. Each run has a folder below OUT/NAME. To continue after a stop, give the same command:\n" +
			"finished runs are not repeated, and a run that was stopped continues from its checkpoint.",
		Args: flags.OneArg("NAME or FILE.toml"), ValidArgsFunction: flags.CompleteNameOrFile(campaign.Names()),
		RunE: func(cmd *cobra.Command, args []string) error {
			return campaign.Run(cmd.Context(), call, cmd.Flags(), args[0])
		},
	}
	opts := campaign.Options()
	flags.SetOptions(call.Stdout, cmd, opts)
	return cmd
}
