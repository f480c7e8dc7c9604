package job

import (
	"fmt"

	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/problems"
)

// verifies returns the command that tests what an objective declares, or "" if p is none.
func verifies(p problems.Problem) string {
	if p.Spec().Family != problems.OpenCL {
		return ""
	}
	return fmt.Sprintf("clopt structure %s --verify", flags.ShellQuote(p.Spec().String()))
}

// unconfirmed returns what to do about a result that is not confirmed.
func unconfirmed(p problems.Problem) string {
	if verify := verifies(p); verify != "" && !p.Structure().Whole() {
		return fmt.Sprintf("Do not trust this run. Test what the objective declares: %s", verify)
	}
	if problems.CallOf(p) != nil {
		return "Look for random numbers, for what it keeps from one call to the next, and for sums whose order " +
			"changes. Where it has noise, let it return the mean of several values."
	}
	return "Do not trust this run; try another device, or --precision fp64."
}
