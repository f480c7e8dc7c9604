package flags

import (
	"slices"
	"strings"

	"github.com/clopt/clopt/solvers/methods"
)

// SolverNames returns the names that --solver takes.
func SolverNames() []string { return append([]string{"auto"}, methods.Names()...) }

// SolverName returns name in lower case. A name that --solver does not take is an error.
func SolverName(name string) (string, error) {
	name = strings.ToLower(name)
	if !slices.Contains(SolverNames(), name) {
		return "", Unknown("method", name, SolverNames(), "")
	}
	return name, nil
}

// SolverSummary returns the first sentence of the description of a method.
func SolverSummary(name string) string {
	if name == "auto" {
		return methods.AutoSummary
	}
	text, err := methods.Describe(name)
	if err != nil {
		return ""
	}
	about, _, _ := strings.Cut(strings.TrimPrefix(text, name+":"), "\n\n")
	const others, joined = "et al. ", "et al.\u00a0" // does not end a sentence
	sentence, _, _ := strings.Cut(strings.ReplaceAll(strings.Join(strings.Fields(about), " "), others, joined), ". ")
	return strings.ReplaceAll(sentence, joined, others)
}
