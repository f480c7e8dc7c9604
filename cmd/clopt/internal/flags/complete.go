package flags

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// ProblemNames are the names that a problem's spec can begin with.
func ProblemNames() []string {
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

// CompleteProblem completes names of problems, and behind "maxcut:" and its like
// names of files and generators; where none begins like that, the shell
// completes names of files.
func CompleteProblem(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	kind, rest, ok := strings.Cut(begun, ":")
	if !ok {
		return beginning(ProblemNames(), begun), cobra.ShellCompDirectiveDefault
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

// CompleteName completes names of problems and methods.
func CompleteName(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return beginning(append(SolverNames(), ProblemNames()...), begun), cobra.ShellCompDirectiveNoFileComp
}

// CompleteFlag completes the value of a flag.
func CompleteFlag(cmd *cobra.Command, flag string, values []string) {
	if err := cmd.RegisterFlagCompletionFunc(flag,
		func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
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

// CompleteWords makes the words that a flag takes known to the shell.
func CompleteWords(cmd *cobra.Command, flag string, words ...string) {
	cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
