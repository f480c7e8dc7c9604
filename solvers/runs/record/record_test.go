package record

import (
	"strings"
	"testing"
)

// A sense has a sign, and a result with another text than the two senses is refused.
func TestSense(t *testing.T) {
	if Minimize.Sign() != 1 || Maximize.Sign() != -1 || SenseOf(1) != Minimize || SenseOf(-1) != Maximize {
		t.Error("Sign and SenseOf do not match")
	}
	for sense, good := range map[Sense]bool{Minimize: true, Maximize: true, "max": false, "": false} {
		text, err := (&Result{Header: Header{Format: Format, FormatVersion: Version}, Task: Task{Sense: sense}}).Seal()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseResult(text); (err == nil) != good || !good && !strings.Contains(err.Error(), "sense") {
			t.Errorf("%q: %v", sense, err)
		}
	}
}

// A change of one variable is an evaluation, and counts as its part of a point among the variable evaluations.
func TestVariableRate(t *testing.T) {
	r := Result{Dim: 1000, Effort: Effort{Evaluations: 5e6, Work: 5e3, Seconds: 2}}
	if got := r.VariableRate(); got != 2.5e6 {
		t.Errorf("%g variable evaluations a second, want 2.5e6", got)
	}
}
