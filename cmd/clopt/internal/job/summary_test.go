package job

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/solvers/runs"
)

// TestSummarySpeed: a change of one variable is an evaluation, and counts as its part of a point among the variable
// evaluations.
func TestSummarySpeed(t *testing.T) {
	var text strings.Builder
	summary(&text, &runs.Result{Dim: 1000, Evaluations: 5e6, Work: 5e3, Seconds: 2}, false)
	want := "speed        2.5e+06 evaluations/s, 2.5e+06 variable evaluations/s\n"
	if !strings.Contains(text.String(), want) {
		t.Errorf("no %q in\n%s", want, text.String())
	}
}
