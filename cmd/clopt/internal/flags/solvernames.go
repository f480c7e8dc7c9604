package flags

import (
	"slices"
	"strings"

	"github.com/clopt/clopt/solvers/methods"
)

// SolverNames are the names that --solver takes.
func SolverNames() []string { return append([]string{"auto"}, methods.Names()...) }

// SolverName is a name in lower case, if --solver takes it.
func SolverName(name string) (string, error) {
	name = strings.ToLower(name)
	if !slices.Contains(SolverNames(), name) {
		return "", Unknown("solver", name, SolverNames(), "There are "+strings.Join(SolverNames(), ", ")+".")
	}
	return name, nil
}

// SolverSummary is the first sentence of a method's description.
func SolverSummary(name string) string {
	if name == "auto" {
		return methods.AutoSummary
	}
	text, err := methods.Describe(name)
	if err != nil {
		return ""
	}
	about, _, _ := strings.Cut(strings.TrimPrefix(text, name+":"), "\n\n")
	const others, joined = "et al. ", "et al.\u00a0" // no end of a sentence
	sentence, _, _ := strings.Cut(strings.ReplaceAll(strings.Join(strings.Fields(about), " "), others, joined), ". ")
	return strings.ReplaceAll(sentence, joined, others)
}
