package runs

import "testing"

// TestVariableRate: a change of one variable is an evaluation, and counts as its part of a point among the variable
// evaluations.
func TestVariableRate(t *testing.T) {
	r := Result{Dim: 1000, Evaluations: 5e6, Work: 5e3, Seconds: 2}
	if got := r.VariableRate(); got != 2.5e6 {
		t.Errorf("%g variable evaluations a second, want 2.5e6", got)
	}
}
