package plot

import (
	"io"
	"math"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/reporttest"
)

// TestTargets: targets go from the largest first value to the smallest distance above 0, and on to 0 if a run comes
// there, which the others then have not met.
func TestTargets(t *testing.T) {
	for _, c := range []struct {
		name       string
		end        float64 // of the better run
		half, last float64 // what the other one has met after 20 evaluations, and at its end
	}{
		{"to 0", 0, 25.0 / 51, 50.0 / 51}, // 50 targets from 1e6 to 1, and 0
		{"above 0", 0.01, 19.0 / 51, 38.0 / 51},
	} {
		t.Chdir(t.TempDir())
		reporttest.Trace(t, "x/a", "cec2013/f1:n=1000", 1000, "masw", 1, 1, 10, 1e6, 20, 1, 40, c.end)
		reporttest.Trace(t, "x/b", "cec2013/f1:n=1000", 1000, "random", 1, 1, 10, 1e6, 20, 1e3, 40, 1)
		results, err := report.Collect(io.Discard, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		panels, err := Panels(results, Choice{Kind: "ecdf", By: "evaluations"})
		if err != nil || len(panels) != 1 || len(panels[0].Series) != 2 {
			t.Fatalf("%s: %v, %+v", c.name, err, panels)
		}
		better, other := panels[0].Series[0], panels[0].Series[1]
		if y := better.Y[len(better.Y)-1]; y != 1 {
			t.Errorf("%s: the better run has met %v", c.name, y)
		}
		if n := len(other.Y); n != 3 || math.Abs(other.Y[1]-c.half) > 1e-9 || math.Abs(other.Y[2]-c.last) > 1e-9 {
			t.Errorf("%s: the other run has met %v, want %v and %v", c.name, other.Y, c.half, c.last)
		}
	}
}
