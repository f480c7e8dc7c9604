package report

import (
	"fmt"
	"math"
	"testing"

	"github.com/clopt/clopt/solvers/runs"
)

// TestWorse checks that rows without a value on either side are not counted.
func TestWorse(t *testing.T) {
	m := MeasuredJSON{Columns: []string{"error"}}
	nan := runs.Number(math.NaN())
	for i, c := range [][2]runs.Number{{1, 2}, {2, 2}, {3, 2}, {nan, 2}, {1, nan}} {
		m.Rows = append(m.Rows, measuredRowJSON{Problem: "p", Method: fmt.Sprint("m", i),
			Cells: []measuredCellJSON{{Ours: c[0], Paper: c[1]}}})
	}
	if got, want := m.worse(0), "error: at most the paper's in 2 of 3 lines; not in p m2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
