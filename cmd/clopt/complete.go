package main

import (
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/spf13/cobra"
)

// problemNames are the names that a problem's spec can begin with.
func problemNames() []string {
	var names []string
	for _, e := range problems.List() {
		names = append(names, e.Name)
	}
	for _, f := range problems.Families() {
		names = append(names, f.Name)
	}
	return names
}

// completeProblem completes names of problems; where none begins like that, the
// shell completes names of files.
func completeProblem(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return beginning(problemNames(), begun), cobra.ShellCompDirectiveDefault
}

// completeName completes names of problems and methods.
func completeName(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return beginning(append(solverNames(), problemNames()...), begun), cobra.ShellCompDirectiveNoFileComp
}

// completeFlag completes the value of a flag.
func completeFlag(cmd *cobra.Command, flag string, values []string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return beginning(values, begun), cobra.ShellCompDirectiveNoFileComp
	}); err != nil {
		panic("clopt: completion of an unknown flag")
	}
}

func beginning(names []string, begun string) (fitting []string) {
	for _, name := range names {
		if strings.HasPrefix(name, strings.ToLower(begun)) {
			fitting = append(fitting, name)
		}
	}
	return fitting
}
