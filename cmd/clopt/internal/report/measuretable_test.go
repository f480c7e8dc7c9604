package report

import (
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/report/reporttest"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
)

// TestWorse checks that rows without a value on either side are not counted.
func TestWorse(t *testing.T) {
	m := MeasuredJSON{Columns: []string{"error"}}
	nan := exact.Number(math.NaN())
	for i, c := range [][2]exact.Number{{1, 2}, {2, 2}, {3, 2}, {nan, 2}, {1, nan}} {
		m.Rows = append(m.Rows, measuredRowJSON{Problem: "p", Method: fmt.Sprint("m", i),
			Cells: []measuredCellJSON{{Ours: c[0], Paper: c[1]}}})
	}
	if got, want := m.worse(0), "error: at most the paper's in 2 of 3 lines; not in p m2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLast checks that the error of the value that is held at the end is that of the last sample, not of the best one.
func TestLast(t *testing.T) {
	t.Chdir(t.TempDir())
	reporttest.Trace(t, "x/a", "classic/F0_a", 8, "sa", 1, 1, 10, 5, 20, 3)
	all, err := Collect(io.Discard, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	b := &all[0].Result.Best
	b.FHost, b.Error = b.F, new(exact.Number(2)) // the optimum is 1
	m, ok := metricOf("last")
	if got := m.measure(all); !ok || got.Value != 3 {
		t.Errorf("%v, %+v", ok, got)
	}
}
