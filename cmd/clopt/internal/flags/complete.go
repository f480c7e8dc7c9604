package flags

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// ProblemNames returns the names with which the spec of a problem can begin.
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

// CompleteProblem completes the name of a problem. After "maxcut:" and the like it completes files and generators. If
// nothing fits, the shell completes file names.
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

// files returns the files whose path begins with begun; folders end in a slash.
func files(begun string) []string {
	dir, base := filepath.Split(begun)
	in := dir
	if in == "" {
		in = "."
	}
	entries, err := os.ReadDir(in)
	if err != nil {
		return nil
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

// CompleteName completes the name of a problem or a method.
func CompleteName(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return beginning(append(SolverNames(), ProblemNames()...), begun), cobra.ShellCompDirectiveNoFileComp
}

// CompleteFlag offers values for a flag to the shell. It panics if the command has no such flag.
func CompleteFlag(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag,
		cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("clopt: completion of an unknown flag")
	}
}

// beginning returns the names that begin with the letters typed so far.
func beginning(names []string, begun string) (fitting []string) {
	for _, name := range names {
		if strings.HasPrefix(name, strings.ToLower(begun)) {
			fitting = append(fitting, name)
		}
	}
	return fitting
}
