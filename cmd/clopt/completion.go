package main

import (
	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
)

func completionCommand(call *job.Call) *cobra.Command {
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print a completion script: bash, zsh, fish or powershell",
		Args:      flags.OneArg("SHELL"),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(call.Stdout, true)
			case "zsh":
				return root.GenZshCompletion(call.Stdout)
			case "fish":
				return root.GenFishCompletion(call.Stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(call.Stdout)
			}
			return flags.Unknown("shell", args[0], cmd.ValidArgs, "")
		},
	}
}
