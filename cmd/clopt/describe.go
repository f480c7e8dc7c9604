package main

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/facts"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
)

// describeOptions are the flags of "clopt describe".
var describeOptions = slices.Concat([]flags.Option{
	{Group: "what", Name: "dim", Short: "n", Arg: "N", Usual: true, NoEnv: true,
		Help: "number of variables of an objective; default: the one in its file"},
	{Group: "what", Name: "bounds", Arg: "LO,HI|FILE", NoEnv: true, Help: "bounds of an objective, as in clopt run"},
}, flags.Usual("drop-loops", "merge-edges", "sign", "pairs", "fix", "maximize", "minimize"), []flags.Option{
	{Group: "output", Name: "json", Usual: true, NoEnv: true, Help: "print one JSON object"},
})

func describeCommand(call *job.Call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "describe NAME",
		Short: "Show parameters, defaults and references of a problem, a method or a suite, or what a file says",
		Args:  flags.OneArg("NAME"), ValidArgsFunction: flags.CompleteNameOrFile(facts.Names()),
		RunE: func(cmd *cobra.Command, args []string) error {
			config := flags.New(describeOptions, cmd.Flags(), call.Getenv, nil)
			opt, asJSON := flags.ReadProblemOptions(config), flags.Read(config, "json", flags.ParseSwitch)
			if err := config.Err(); err != nil {
				return err
			}
			d, err := facts.Describe(args[0], opt)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(call.Stdout).Encode(d)
			}
			var text strings.Builder
			d.Print(&text)
			call.Stdout.ShowWithin(helpWidth, strings.TrimSuffix(text.String(), "\n"))
			return nil
		},
	}
	flags.SetOptions(call.Stdout, cmd, describeOptions)
	return cmd
}
