package catalog

import (
	"testing"

	"github.com/clopt/clopt/problems"
)

// Objectives that rise with one sum and fall with another are told from those that swing.
func TestMonotone(t *testing.T) {
	for spec, want := range map[string]bool{
		"ackley": true, "cec2013/f3:mode=paper,n=1000": true, "rastrigin": true, "cec2013/f1": true, "salomon": false,
	} {
		p, err := Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := problems.Monotone(p); got != want {
			t.Errorf("%s: %v", spec, got)
		}
	}
}

// A penalty bends up, and a root and the value of Ackley's function do not.
func TestBendsUp(t *testing.T) {
	for spec, want := range map[string]bool{
		"ackley": false, "cec2013/f3:mode=paper,n=1000": false, "../../test/testdata/auto/norm.cl": false,
		"../../test/testdata/auto/product.cl": false, "../../test/testdata/knapsack.cl": true,
	} {
		p, err := Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := problems.BendsUp(p); got != want {
			t.Errorf("%s: %v", spec, got)
		}
	}
}
