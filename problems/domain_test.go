package problems_test

import (
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
)

// A variable that is fixed stays fixed in float32.
func TestFixed(t *testing.T) {
	d := problems.Domain{N: 2, Lo: []float64{0.1, 0}, Hi: []float64{0.1, 1}}
	if lo, hi := d.In(problems.FP32).Interval(0); lo != hi || lo != float64(float32(0.1)) {
		t.Errorf("0.1 becomes [%v, %v]", lo, hi)
	}
}

// Stored points are inside the interval of each variable, in the numbers of the precision.
func TestStored(t *testing.T) {
	d := problems.Domain{N: 3, Lo: []float64{0, 0.7, -1}, Hi: []float64{1, 2, 0.1}}
	for _, c := range []struct {
		prec  problems.Precision
		first int
		x     []float64
		want  []float64
	}{
		{problems.FP64, 0, []float64{2, 0.7, 0.1}, []float64{1, 0.7, 0.1}},
		{problems.FP64, 1, []float64{0, 0.5}, []float64{0.7, 0.1}},
		{problems.FP32, 1, []float64{0.7, 0.1}, []float64{0.7000000476837158, 0.09999999403953552}},
	} {
		if got := d.Stored(c.prec, c.first, c.x); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v from variable %d on is stored as %v, want %v", c.prec, c.x, c.first, got, c.want)
		}
	}
}
