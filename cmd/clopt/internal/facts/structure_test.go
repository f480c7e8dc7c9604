package facts

import "testing"

// TestUntested checks that a share of pairs is named only where it can matter.
func TestUntested(t *testing.T) {
	for share, want := range map[float64]string{0: "", 2.9e-39: "", 0.99e-4: "",
		1.5e-4: " (0.015 % of the pairs untested)", 0.25: " (25 % of the pairs untested)"} {
		if got := untested(share); got != want {
			t.Errorf("%g: %q, want %q", share, got, want)
		}
	}
}
