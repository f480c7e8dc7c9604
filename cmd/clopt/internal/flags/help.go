package flags

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

const usageRoot = `clopt minimizes functions of very many variables on OpenCL devices.

  clopt run PROBLEM [flags]          one optimization, or --runs N independent ones
  clopt resume RUN                   continue a run folder that was stopped or killed
  clopt suite NAME|FILE              a campaign: problems x methods x runs
  clopt compare RUN... --paper NAME  results side by side, with statistical tests
  clopt export RUN... --format ioh   results as csv, or for IOHanalyzer
  clopt plot RUN...                  convergence, speed-up, throughput as svg or png
  clopt report RUN...                one HTML page: tables, pictures, statistics
  clopt eval PROBLEM --x FILE        values of given points
  clopt structure PROBLEM            what components read, and what follows from it
  clopt generate SPEC -o FILE        write a generated graph
  clopt convert SPEC FILE            write a graph, QUBO or Ising problem in another format
  clopt devices [--json]             the OpenCL devices, or why there are none
  clopt list problems|solvers|suites names of problems, methods, suites
  clopt describe NAME|FILE.cl        parameters, defaults, references
  clopt bench                        speed of the devices, and their limits
  clopt check RUN|FILE...            check run folders, checkpoints, suite files, objectives
  clopt selftest                     compare every device with the host
  clopt man DIR                      write manual pages
  clopt version [--json]             version
  clopt completion SHELL             bash, zsh, fish or powershell
  clopt help [COMMAND|TOPIC]         topics: concepts, objective, graphs, devices, suite,
                                     exit-codes; clopt help index lists them all

Start with: clopt run cec2013/f2 --time 10s
`

// SetOptions adds flags for opts to a command, and makes its help from them: --help shows the usual flags, --help-all
// shows all. It must follow cmd.Args and cmd.RunE.
func SetOptions(stdout io.Writer, cmd *cobra.Command, opts []Option) {
	Add(cmd.Flags(), opts)
	for _, o := range opts {
		if f := completion(o); f != nil {
			cmd.RegisterFlagCompletionFunc(o.Name, f) // fails only for a flag that is not there, or has one
		}
	}
	var all bool
	cmd.Flags().BoolVar(&all, "help-all", false, "show all flags")
	page := func(everything bool) {
		text := cmd.Long
		if text == "" {
			text = cmd.Short
		}
		fmt.Fprintf(stdout, "%s\n\nUsage: clopt %s\n\n%s", text, cmd.Use, optionHelp(opts, everything))
		if !everything {
			fmt.Fprintf(stdout, "\n  -h, --help, --help-all: the usual flags, all flags\n")
		}
	}
	cmd.SetHelpFunc(func(*cobra.Command, []string) { page(false) })
	// --help-all works with any number of arguments, as --help does.
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

// PrintHelp writes the help of clopt itself, and of commands without SetOptions.
func PrintHelp(stdout io.Writer, cmd *cobra.Command) {
	if !cmd.HasParent() {
		fmt.Fprint(stdout, usageRoot)
		return
	}
	fmt.Fprintf(stdout, "%s\n\nUsage: clopt %s\n", cmd.Short, cmd.Use)
	if usages := cmd.LocalFlags().FlagUsages(); usages != "" {
		fmt.Fprintf(stdout, "\n%s", usages)
	}
}

// optionHelp returns the table of flags, the usual ones or all.
func optionHelp(opts []Option, all bool) string {
	var b strings.Builder
	group := ""
	for _, o := range opts {
		if !all && !o.Usual {
			continue
		}
		if o.Group != group {
			group = o.Group
			fmt.Fprintf(&b, "  %s:\n", group)
		}
		left := "      --" + o.Name
		if o.Short != "" {
			left = "  -" + o.Short + ", --" + o.Name
		}
		if o.Arg != "" {
			left += " " + o.Arg
		}
		fmt.Fprintf(&b, "  %-42s %s\n", left, o.withDefault())
	}
	return b.String()
}
