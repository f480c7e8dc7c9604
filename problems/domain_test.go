package problems_test

import (
	"math"
	"slices"
	"strings"
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

// In fp32 every point lies inside the intervals in fp64, and an interval without a float32 is named.
func TestHolds(t *testing.T) {
	next := math.Nextafter(0.1, 1)
	for _, c := range []struct {
		lo, hi float64
		holds  bool
	}{
		{-1, 1, true}, {-0.1, 0.7, true}, {7, 7, true}, {0.1, 0.1, false}, {0.1, next, false}, {1.9, 1.90000001, false},
		{0.1, 0.11, true}, {-1e300, 1e300, true}, {1e300, 2e300, false}, {-0.1, -0.1, false}, {0, 1e-300, true},
	} {
		d := problems.Domain{N: 2, Lo: []float64{0, c.lo}, Hi: []float64{1, c.hi}, Names: []string{"a", "b"}}
		if err := d.Holds(problems.FP64); err != nil {
			t.Error(err)
		}
		err := d.Holds(problems.FP32)
		if (err == nil) != c.holds || err != nil && !strings.Contains(err.Error(), "variable 1 (b) lies in [") {
			t.Errorf("%v to %v: %v", c.lo, c.hi, err)
		}
		in := d.In(problems.FP32)
		if inside := in.Lo[1] >= c.lo && in.Hi[1] <= c.hi; inside != c.holds {
			t.Errorf("%v to %v is %v to %v in fp32", c.lo, c.hi, in.Lo[1], in.Hi[1])
		}
	}
}
