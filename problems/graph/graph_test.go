package graph

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/clopt/clopt/problems/input"
)

// TestPerOne checks that PerOne is exact for every unit.
func TestPerOne(t *testing.T) {
	for digits, want := range input.Pow10 {
		g := &Graph{Offsets: []int{0}, Unit: unit(digits)}
		if g.PerOne() != float64(want) || g.Digits() != digits {
			t.Errorf("10^-%d: %g, %d digits", digits, g.PerOne(), g.Digits())
		}
		if v, _ := strconv.ParseFloat(fmt.Sprintf("123e-%d", digits), 64); g.Scale(123) != v {
			t.Errorf("123e-%d is %v", digits, g.Scale(123))
		}
	}
}
