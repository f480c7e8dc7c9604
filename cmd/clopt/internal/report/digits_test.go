package report

import (
	"testing"

	"github.com/clopt/clopt/internal/solvers/runs/exact"
)

// TestDigits: medians that differ have different texts, and no value has more digits than that needs.
func TestDigits(t *testing.T) {
	for _, c := range []struct {
		methods [][]float64
		value   float64
		want    string
	}{
		{[][]float64{{21.7031}, {25.6402}}, 21.7031, "21.7"},
		{[][]float64{{21.7031}, {21.6402}, {21.6417}}, 21.7031, "21.703"},
		{[][]float64{{21.7031, 21.7031, 1}, {21.7031}}, 21.7031, "21.7"}, // equal medians
		{[][]float64{{1.00000001}, {1.00000002}}, 1.00000001, "1"},
		{[][]float64{{13358, 13357}, {13104}}, 13357, "13357"},
		{[][]float64{{13358, 13357}, {13104}}, 13357 + 1.0/3, "13357.33"},
		{[][]float64{{1, 2}}, 4.0 / 3, "1.33"},
		{[][]float64{{5e9}, {3}}, 5e9, "5e+09"},
		{nil, 4.7812, "4.78"},
	} {
		if got := WithDigits(exact.Number(c.value), Digits(c.methods)); got != c.want {
			t.Errorf("%v of %v: %s, want %s", c.value, c.methods, got, c.want)
		}
	}
}
