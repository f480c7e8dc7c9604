package flags

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers/methods"
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

// shortAs returns the names of problems; those of families that may be left out are without it if begun is.
func shortAs(begun string) []string {
	names := ProblemNames()
	if begun == "" || strings.Contains(begun, "/") {
		return names
	}
	for _, f := range catalog.Families() {
		for _, name := range names {
			if short, ok := strings.CutPrefix(name, f.Name+"/"); ok && f.Short {
				names = append(names, short)
			}
		}
	}
	return names
}

// CompleteProblem completes the name of a problem, and after "NAME:" its keys. After "maxcut:" and the like it
// completes files and generators. If nothing fits, the shell completes file names.
func CompleteProblem(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	kind, rest, ok := strings.Cut(begun, ":")
	if !ok {
		return beginning(shortAs(begun), begun), cobra.ShellCompDirectiveDefault
	}
	var found []string
	for _, f := range catalog.Families() {
		if f.Files && strings.EqualFold(f.Name, kind) {
			for _, key := range f.Examples {
				if strings.HasPrefix(key, rest) {
					found = append(found, f.Name+":"+key)
				}
			}
			for _, path := range files(rest) {
				found = append(found, kind+":"+path)
			}
		}
	}
	if spec, err := catalog.Spec(kind); err == nil && !spec.File {
		given, last := "", rest
		if i := strings.LastIndex(rest, ","); i >= 0 {
			given, last = rest[:i+1], rest[i+1:]
		}
		for _, f := range catalog.Families() {
			if f.Name != spec.Family || f.Files {
				continue
			}
			for _, key := range append([]string{"n"}, f.Keys...) {
				if strings.HasPrefix(key, last) && !strings.Contains(","+given, ","+key+"=") {
					found = append(found, kind+":"+given+key+"=")
				}
			}
		}
	}
	if found == nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return found, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
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

// CompleteNameOrFile returns the completion of a single argument that is one of names or a file.
func CompleteNameOrFile(names []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return beginning(names, begun), cobra.ShellCompDirectiveDefault
	}
}

// CompleteRuns completes the folders of runs and campaigns. Without a beginning it offers those in runs/.
func CompleteRuns(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	var found []string
	for _, path := range files(begun) {
		if strings.HasSuffix(path, "/") {
			found = append(found, path)
		}
	}
	if begun == "" {
		found = append(files("runs/"), found...)
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	for i, path := range found {
		if _, is := recipe.Find(strings.TrimSuffix(path, "/")); is {
			found[i] = strings.TrimSuffix(path, "/")
		} else {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
	}
	return found, directive
}

// completion returns the completion of the values of a flag, nil for a switch. The choices of a flag stand in its Arg,
// such as "fp64|fp32".
func completion(o Option) cobra.CompletionFunc {
	choices := slices.Clone(o.Words)
	for _, word := range strings.Split(o.Arg, "|") {
		if word != "" && word == strings.ToLower(word) {
			choices = append(choices, word)
		}
	}
	switch {
	case o.Name == "devices":
		return CompleteDevices
	case o.Name == "set":
		return completeSetting
	case o.Name == "solver" && o.Arg == "NAME":
		return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			for _, name := range SolverNames() {
				choices = append(choices, cobra.CompletionWithDesc(name, SolverSummary(name)))
			}
			return choices, cobra.ShellCompDirectiveNoFileComp
		}
	case choices != nil:
		return cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)
	case o.Arg == "DIR":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case o.Arg == "" || strings.Contains(o.Arg, "FILE") || o.Arg == "PATH":
		return nil // the shell completes names of files
	}
	return cobra.NoFileCompletions
}

// CompleteFlag lets the shell complete the values of a flag by a function. It panics if the command has no such flag.
func CompleteFlag(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic("clopt: completion of an unknown flag")
	}
}

// CompleteWords offers words for a flag to the shell, as CompleteFlag.
func CompleteWords(cmd *cobra.Command, flag string, words ...string) {
	CompleteFlag(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// CompleteDevices completes the last part of a selector of devices.
func CompleteDevices(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	given := begun[:strings.LastIndex(begun, ",")+1]
	words := []string{given + "all", given + "gpu", given + "cpu"}
	infos, _ := cl.Discover() // without devices there is less to offer
	for _, info := range infos {
		words = append(words, cobra.CompletionWithDesc(given+strconv.Itoa(info.Index), info.Name))
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// completeSetting completes KEY=VALUE for the method of the flag --solver, or for all methods if that is auto.
func completeSetting(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoFileComp
	names := methods.Names()
	if f := cmd.Flags().Lookup("solver"); f == nil {
		return nil, none
	} else if name, err := SolverName(f.Value.String()); err == nil && name != "auto" {
		names = []string{name}
	}
	key, _, valued := strings.Cut(begun, "=")
	var found []string
	for _, name := range names {
		m, err := methods.New(name, nil)
		if err != nil {
			continue
		}
		for _, s := range m.Traits().Settings {
			if !valued {
				found = append(found, s.Key+"=")
			} else if strings.EqualFold(s.Key, key) {
				for _, word := range s.Words {
					found = append(found, key+"="+word)
				}
			}
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	if !valued {
		return found, none | cobra.ShellCompDirectiveNoSpace
	}
	return found, none
}

// beginning returns the names that begin with the letters typed so far.
func beginning(names []string, begun string) (fitting []string) {
	for _, name := range names {
		if strings.HasPrefix(strings.ToLower(name), strings.ToLower(begun)) {
			fitting = append(fitting, name)
		}
	}
	return fitting
}
