package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/facts"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
)

func listCommand(call *job.Call) *cobra.Command {
	kinds := []string{"problems", "methods", "suites"}
	var asJSON bool
	cmd := &cobra.Command{
		Use:       "list problems|methods|suites [--json]",
		Short:     "List the problems, methods or built-in suites",
		Args:      flags.OneArg("KIND (problems, methods or suites)"),
		ValidArgs: kinds,
		RunE: func(_ *cobra.Command, args []string) error {
			list, ok := facts.Lists[args[0]]
			if !ok {
				return flags.Unknown("kind", args[0], kinds, "")
			}
			all, err := list()
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(call.Stdout).Encode(map[string]any{args[0]: all})
			}
			facts.PrintList(call.Stdout, args[0], all)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
