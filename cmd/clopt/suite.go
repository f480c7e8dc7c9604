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
		Long: "Run a campaign, a built-in one (clopt list suites) or one in a file (clopt help suite), and show its tables. Each\n" +
			"run has a folder below OUT/NAME. Finished runs are not made again, and one that was cut goes on from its\n" +
			"checkpoint: after a stop, give the same command.",
		Args: flags.OneArg("NAME or FILE.toml"), ValidArgs: campaign.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return campaign.Run(cmd.Context(), call, cmd.Flags(), args[0])
		},
	}
	opts := campaign.Options()
	flags.Add(cmd.Flags(), opts)
	flags.CompleteFlag(cmd, "scale", "full", "laptop")
	flags.SetUsage(call.Stdout, cmd, opts)
	return cmd
}
