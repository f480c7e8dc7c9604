package flags

import (
	"fmt"
	"slices"
	"strings"

	"github.com/clopt/clopt/solvers/methods"
)

// autoSolver is the method that --solver auto stands for, but for problems of
// 0s and 1s.
const autoSolver = "masw"

// autoBinary is the method that --solver auto stands for where variables are 0
// or 1.
func autoBinary() string {
	if slices.Contains(methods.Names(), "gomea") {
		return "gomea"
	}
	return "random"
}

// SolverNames are the names that --solver takes.
func SolverNames() []string { return append([]string{"auto"}, methods.Names()...) }

// SolverName resolves auto and the case of a name.
func SolverName(name string) (string, error) {
	name = strings.ToLower(name)
	if !slices.Contains(SolverNames(), name) {
		return "", Unknown("solver", name, SolverNames(), "There are "+strings.Join(SolverNames(), ", ")+".")
	}
	if name == "auto" {
		name = autoSolver
	}
	return name, nil
}

// SolverSummary is the first sentence of a method's description.
func SolverSummary(name string) string {
	if name == "auto" {
		return fmt.Sprintf("the usual choice: %s; %s for graphs", autoSolver, autoBinary())
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
