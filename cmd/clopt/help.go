package main

import (
	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/docs"
)

// helpWidth is the largest width of a help page, and that of a description without a terminal, in columns.
const helpWidth = 80

func helpCommand(call *job.Call) *cobra.Command {
	return &cobra.Command{
		Use:   "help [TOPIC]",
		Short: "Show help on a command or a topic",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return append(commandNames(cmd.Root()), docs.Topics()...), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if len(args) == 0 {
				return root.Help()
			}
			// A command of the same name ("devices") shows both.
			page, ok := docs.Find(args[0])
			page = docs.Plain(page, call.Stdout.Columns(helpWidth))
			for _, c := range root.Commands() {
				if c.Name() == args[0] && !c.Hidden {
					if err := c.Help(); err != nil {
						return err
					}
					if ok {
						call.Stdout.Text("\n" + page)
					}
					return nil
				}
			}
			if ok {
				call.Stdout.Text(page)
				return nil
			}
			return flags.Unknown("topic", args[0], append(commandNames(root), docs.Topics()...),
				"clopt help index lists the topics.")
		},
	}
}
