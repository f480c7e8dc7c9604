package flags

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

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

// SetUsage gives a command the help of its option table: the usual flags
// by --help, all by --help-all.
func SetUsage(stdout io.Writer, cmd *cobra.Command, opts []Option) {
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

// PrintHelp is the help of the command itself, and of commands without an
// option table.
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

// optionHelp is the table of flags: the usual ones, or all that work.
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
		text := o.Help
		if o.Def != "" {
			text += fmt.Sprintf(" (default %s)", o.Def)
		}
		fmt.Fprintf(&b, "  %-42s %s\n", left, text)
	}
	return b.String()
}
