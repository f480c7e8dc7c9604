package main

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

//go:embed help_objective.txt
var helpObjective string

//go:embed help_graphs.txt
var helpGraphs string

//go:embed help_suite.txt
var helpSuite string

const helpDevices = `A device selector is a comma-separated union; ! takes away:

  all gpu cpu           by type
  0  0-3                by the index that clopt devices shows
  nvidia amd intel      by vendor
  pocl                  by platform
  name:REGEX            by name
  !2                    all but 2
  0*3                   device 0 opened three times

Default: all GPUs, each chip once; else the CPUs of one platform, PoCL first.
Variables and arithmetic are fp64 unless --precision fp32 is given; a device
without fp64 needs that, and is never taken with less precision in silence.

Results have the same bits for any number and split of devices of one kind:
same device name, driver and platform. Across kinds they may differ; values
are confirmed by the host instead.

No device? clopt devices tells the cause and the command that cures it.
`

// topics are the pages of "clopt help TOPIC" besides the commands.
func topics() map[string]string {
	var codes strings.Builder
	for _, m := range exitMeanings {
		fmt.Fprintf(&codes, "  %3d  %s\n", m.code, m.text)
	}
	return map[string]string{
		"objective": helpObjective, "graphs": helpGraphs, "suite": helpSuite, "exit-codes": codes.String(), "devices": helpDevices,
	}
}

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
  clopt help [COMMAND|TOPIC]         topics: objective, graphs, suite, exit-codes, devices

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
			pages := topics()
			// A command of the same name ("devices") shows both.
			page, ok := pages[args[0]]
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
			names := commandNames(root)
			for name := range pages {
				names = append(names, name)
			}
			return unknown("topic", args[0], names, "There are objective, graphs, suite, exit-codes, devices and the commands.")
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
