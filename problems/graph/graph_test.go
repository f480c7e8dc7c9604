package graph

import (
	"fmt"
	"reflect"
	"strconv"
	"testing"

	"github.com/clopt/clopt/internal/problems/input"
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

// TestDecimalsInAnyOrder adds whole weights and printed binary numbers, the former first or last. As many decimals are
// kept in either order.
func TestDecimalsInAnyOrder(t *testing.T) {
	lists := [2]Edges{}
	for k, first := range []int{0, 30} {
		for i := range 60 {
			u, w, digits := (first+i)%60, int64(8), 0
			if u >= 30 {
				w, digits = 28696929073496535+int64(u), 17
			}
			if !lists[k].Add(u, u+1, w, digits) {
				t.Fatalf("edge %d of list %d is refused", i, k)
			}
		}
	}
	var graphs [2]*Graph
	for k := range lists {
		var err error
		if graphs[k], _, _, err = lists[k].Graph(61, false); err != nil {
			t.Fatal(err)
		}
	}
	if d := graphs[0].Digits(); d < 15 || !reflect.DeepEqual(graphs[0], graphs[1]) {
		t.Errorf("%d and %d decimals, weights %d and %d", d, graphs[1].Digits(), graphs[0].Weights, graphs[1].Weights)
	}
}
