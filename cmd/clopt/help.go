package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/docs"
)

// helpWidth is the number of columns of a page of help.
const helpWidth = 80

const usageRoot = `clopt minimises functions of very many variables on OpenCL devices.

  clopt run PROBLEM [flags]          one optimization, or --runs N independent ones
  clopt resume RUN                   continue a run folder that was stopped or killed
  clopt suite NAME|FILE              a campaign: problems x methods x runs
  clopt compare RUN... --paper NAME  results side by side, with tests
  clopt export RUN... --format ioh   results as csv, or for IOHanalyzer
  clopt plot RUN...                  convergence, speed-up, throughput as svg or png
  clopt eval PROBLEM --x FILE        values of given points
  clopt generate SPEC -o FILE        write a generated graph
  clopt devices [--json]             devices, and what is missing
  clopt list problems|solvers|suites what exists
  clopt describe NAME                parameters, defaults, references
  clopt bench                        how fast the devices are, beside their limits
  clopt check RUN|FILE...            validate run folders, checkpoints, suite files
  clopt selftest                     every device against the host
  clopt version [--json]             version
  clopt completion SHELL             bash, zsh, fish or powershell
  clopt help [COMMAND|TOPIC]         topics: concepts, objective, graphs, devices, suite,
                                     exit-codes; clopt help index lists them all

Start with: clopt run cec2013/f2 --time 10s
`

func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [TOPIC]",
		Short: "Show help on a command or a topic",
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if len(args) == 0 {
				return root.Help()
			}
			// A command of the same name ("devices") shows both.
			page, ok := docs.Page(args[0])
			page = docs.Plain(page, helpWidth)
			for _, c := range root.Commands() {
				if c.Name() == args[0] && !c.Hidden {
					if err := c.Help(); err != nil {
						return err
					}
					if ok {
						fmt.Fprintf(a.stdout, "\n%s", page)
					}
					return nil
				}
			}
			if ok {
				fmt.Fprint(a.stdout, page)
				return nil
			}
			return unknown("topic", args[0], append(commandNames(root), docs.Topics()...), "clopt help index lists the topics.")
		},
	}
}

// optionUsage gives a command the help of its option table: the usual flags
// by --help, all by --help-all.
func (a *app) optionUsage(cmd *cobra.Command, opts []option) {
	var all bool
	cmd.Flags().BoolVar(&all, "help-all", false, "show all flags")
	page := func(everything bool) {
		text := cmd.Long
		if text == "" {
			text = cmd.Short
		}
		fmt.Fprintf(a.stdout, "%s\n\nUsage: clopt %s\n\n%s", text, cmd.Use, optionHelp(opts, everything))
		if !everything {
			fmt.Fprintf(a.stdout, "\n  -h, --help, --help-all: the usual flags, all flags\n")
		}
	}
	cmd.SetHelpFunc(func(*cobra.Command, []string) { page(false) })
	// Before the arguments are counted, as --help does it.
	args := cmd.Args
	cmd.Args = func(c *cobra.Command, given []string) error {
		if all {
			return nil
		}
		return args(c, given)
	}
	run := cmd.RunE
	cmd.RunE = func(c *cobra.Command, given []string) error {
		if all {
			page(true)
			return nil
		}
		return run(c, given)
	}
}

// rootHelp is the help of the command itself, and of commands without an
// option table.
func (a *app) rootHelp(cmd *cobra.Command, _ []string) {
	if !cmd.HasParent() {
		fmt.Fprint(a.stdout, usageRoot)
		return
	}
	fmt.Fprintf(a.stdout, "%s\n\nUsage: clopt %s\n", cmd.Short, cmd.Use)
	if flags := cmd.LocalFlags().FlagUsages(); flags != "" {
		fmt.Fprintf(a.stdout, "\n%s", flags)
	}
}
