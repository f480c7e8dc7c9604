package grid

import (
	"fmt"
	"math"
	"testing"
)

// There are 25 grid points in a decade, powers of ten are exact, and no point is below the one before.
func TestPoints(t *testing.T) {
	for k, want := range map[int]int64{0: 1, 1: 2, 25: 10, 50: 100, 75: 1000, 450: 1e18, 26: 11, 149: 912011} {
		if got := Point(k); got != want {
			t.Errorf("point %d: %d, want %d", k, got, want)
		}
	}
	for k := range 450 {
		if Point(k) > Point(k+1) {
			t.Errorf("point %d is above the next", k)
		}
	}
}

// The grid has the first sample at or after each point.
func TestDue(t *testing.T) {
	var g Grid
	var hits []int64
	for e := int64(100); e <= 2000; e += 100 {
		if g.Due(e, 1) {
			hits = append(hits, e)
		}
	}
	want := "[100 200 300 400 500 600 700 800 900 1000 1100 1300 1400 1500 1600 1800 2000]"
	if got := fmt.Sprint(hits); got != want {
		t.Errorf("hits %s, want %s", got, want)
	}
	// Milestones of the problem lie between points.
	g = Grid{Left: []int64{120, 600}}
	g.Due(115, 1)
	for _, c := range []struct {
		evals int64
		due   bool
	}{{119, false}, {121, true}, {122, false}, {580, true}, {599, false}, {605, true}, {606, false}} {
		if got := g.Due(c.evals, 1); got != c.due {
			t.Errorf("%d evaluations: %v", c.evals, got)
		}
	}
	// So do powers of ten of the error, for an optimum of 5.
	g = Grid{Known: true, Optimum: 5}
	g.Due(1e6, math.Inf(1))
	g.Due(1000001, 5+250)
	for _, c := range []struct {
		best float64
		due  bool
	}{{5 + 240, false}, {5 + 99, true}, {5 + 98, false}, {5 + 0.5, true}, {5 + 1e-12, true}, {5, false}, {4, false}} {
		if got := g.Due(1000002, c.best); got != c.due {
			t.Errorf("best %g: %v", c.best, got)
		}
	}
}

func TestErrorLevel(t *testing.T) {
	for l := minLevel; l <= 20; l++ {
		if got := errorLevel(math.Pow10(l)); got != l {
			t.Errorf("10^%d: level %d", l, got)
		}
	}
	for _, e := range []float64{0, -1, math.NaN(), 1e-300} {
		if errorLevel(e) != minLevel {
			t.Errorf("level of %g", e)
		}
	}
}
