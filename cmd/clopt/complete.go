package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// problemNames are the names that a problem's spec can begin with.
func problemNames() []string {
	var names []string
	for _, e := range catalog.List() {
		names = append(names, e.Name)
	}
	for _, f := range catalog.Families() {
		if f.Files && f.Name != problems.OpenCL {
			names = append(names, f.Name)
		}
	}
	return names
}

// completeProblem completes names of problems, and behind "maxcut:" and its like
// names of files and generators; where none begins like that, the shell
// completes names of files.
func completeProblem(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	kind, rest, ok := strings.Cut(begun, ":")
	if !ok {
		return beginning(problemNames(), begun), cobra.ShellCompDirectiveDefault
	}
	for _, f := range catalog.Families() {
		if !f.Files || !strings.EqualFold(f.Name, kind) {
			continue
		}
		var found []string
		for _, key := range f.Examples {
			if strings.HasPrefix(key, rest) {
				found = append(found, f.Name+":"+key)
			}
		}
		for _, path := range files(rest) {
			found = append(found, kind+":"+path)
		}
		return found, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// files are the names of files that begin like begun, folders with a slash.
func files(begun string) []string {
	dir, base := filepath.Split(begun)
	in := dir
	if in == "" {
		in = "."
	}
	entries, err := os.ReadDir(in)
	if err != nil {
		return nil // nothing to offer
	}
	var names []string
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, base) {
			if e.IsDir() {
				name += "/"
			}
			names = append(names, dir+name)
		}
	}
	return names
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
