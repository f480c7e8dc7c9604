package flags

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/docs"
)

const usageRoot = `clopt minimizes functions of very many variables on OpenCL devices.

  clopt run PROBLEM [flags]          one optimization, or --runs N independent ones
  clopt resume RUN                   continue a run folder that was stopped or killed
  clopt suite NAME|FILE              a campaign: problems x methods x runs
  clopt compare RUN... --paper NAME  results side by side, with statistical tests
  clopt export RUN... --format ioh   results as csv, or for IOHanalyzer
  clopt plot RUN...                  convergence, speed-up, throughput as svg
  clopt report RUN...                one HTML page: tables, pictures, statistics
  clopt eval PROBLEM --x FILE        values of given points
  clopt structure PROBLEM            what components read, and what follows from it
  clopt generate SPEC -o FILE        write a generated graph
  clopt convert SPEC FILE            write a graph, QUBO or Ising problem in another format
  clopt devices [--json]             the OpenCL devices, or why there are none
  clopt list problems|methods|suites what there is to run
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

// Output is where help is written. Show breaks the lines at the width of a terminal.
type Output interface{ Show(text string) }

// SetOptions adds flags for opts to a command, and makes its help from them: --help shows the usual flags, --help-all
// shows all. It must follow cmd.Args and cmd.RunE.
func SetOptions(stdout Output, cmd *cobra.Command, opts []Option) {
	Add(cmd.Flags(), opts)
	for _, o := range opts {
		if f := completion(o); f != nil {
			cmd.RegisterFlagCompletionFunc(o.Name, f) // fails only for a flag that is not there, or has one
		}
	}
	var all bool
	cmd.Flags().BoolVar(&all, "help-all", false, "show all flags")
	page := func(everything bool) {
		text := fmt.Sprintf("%s\n\nUsage: clopt %s\n\n%s", about(cmd), cmd.Use, optionHelp(opts, everything))
		if !everything {
			text += "\n  -h, --help, --help-all: the usual flags, all flags\n"
		}
		stdout.Show(strings.TrimSuffix(text, "\n"))
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

// about returns what a command does.
func about(cmd *cobra.Command) string {
	if cmd.Long == "" {
		return cmd.Short
	}
	return Wrapped(cmd.Long)
}

// Wrapped returns a text in lines of at most 78 columns. Lines that begin with a blank stay as they are.
func Wrapped(text string) string {
	var lines []string
	paragraph := ""
	for line := range strings.SplitSeq(text+"\n ", "\n") {
		if !strings.HasPrefix(line, " ") {
			paragraph += line + " "
			continue
		}
		if paragraph != "" {
			lines = append(lines, docs.Wrap(paragraph, 78)...)
			paragraph = ""
		}
		lines = append(lines, line)
	}
	return strings.TrimRight(strings.Join(lines, "\n"), " \n")
}

// PrintHelp writes the help of clopt itself, and of commands without SetOptions.
func PrintHelp(stdout Output, cmd *cobra.Command) {
	if !cmd.HasParent() {
		stdout.Show(strings.TrimSuffix(usageRoot, "\n"))
		return
	}
	text := fmt.Sprintf("%s\n\nUsage: clopt %s\n", about(cmd), cmd.Use)
	if usages := cmd.LocalFlags().FlagUsages(); usages != "" {
		text += "\n" + usages
	}
	stdout.Show(strings.TrimSuffix(text, "\n"))
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
