package methods

import (
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// The default stretch without gain follows from the size of the graph.
func TestStallOf(t *testing.T) {
	for spec, want := range map[string]int64{
		"maxcut:complete=5":           1 << 28 / 15,
		"maxcut:torus=14x14,seed=1":   3 << 28 / (3 * 14 * 14),
		"maxcut:torus=50x50,seed=1":   1 << 35 / (3 * 2500),
		"maxcut:torus=100x100,seed=1": 1 << 37 / (3 * 10000),
	} {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := StallOf(p.(problems.Cut)); got != want {
			t.Errorf("%s: %d evaluations, want %d", spec, got, want)
		}
	}
}
