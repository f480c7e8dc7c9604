package lbfgs

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

const variation = "../../test/testdata/variation.cl"

// staircase returns the signal of variation.cl, and by how much its total variation counts.
func staircase(n int) (y []float64, by float64) {
	for k := range n {
		y = append(y, 1.5*float64(k/12%3)+0.4*math.Sin(1.7*float64(k)))
	}
	return y, 0.8
}

// leastVariation returns the smallest value of half the squares of x - y and the total variation of x, by dynamic
// programming over the pieces of the derivative of what the first variables cost (Johnson 2013,
// doi:10.1080/10618600.2012.681238).
func leastVariation(y []float64, by float64) float64 {
	type knot struct{ at, slope, offset float64 } // where the derivative changes, and by what
	n := len(y)
	var knots []knot
	lo, hi, x := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range n {
		first, last := knot{0, 1, -y[k] - by}, knot{0, -1, y[k] - by}
		level := by
		if k == 0 {
			first.offset, last.offset = -y[0], y[0]
		}
		if k == n-1 {
			level = 0
		}
		for len(knots) > 0 && first.slope*knots[0].at+first.offset <= -level {
			first.slope += knots[0].slope
			first.offset += knots[0].offset
			knots = knots[1:]
		}
		lo[k] = (-level - first.offset) / first.slope
		if k == n-1 {
			break
		}
		for m := len(knots); m > 0 && -(last.slope*knots[m-1].at+last.offset) >= by; m-- {
			last.slope += knots[m-1].slope
			last.offset += knots[m-1].offset
			knots = knots[:m-1]
		}
		hi[k] = (by + last.offset) / -last.slope
		knots = slices.Concat([]knot{{lo[k], first.slope, first.offset + by}}, knots,
			[]knot{{hi[k], last.slope, last.offset + by}})
	}
	x[n-1] = lo[n-1]
	for k := n - 2; k >= 0; k-- {
		x[k] = min(max(x[k+1], lo[k]), hi[k])
	}
	f := 0.0
	for k := range n {
		f += (x[k] - y[k]) * (x[k] - y[k]) / 2
		if k > 0 {
			f += by * math.Abs(x[k]-x[k-1])
		}
	}
	return f
}

// A descent comes to the minimum of a function with kinks.
func TestRounds(t *testing.T) {
	p := solvertest.ParseProblem(t, variation)
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	res, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Key: rng.Key{Seed: 1}},
		&LBFGS{Descents: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := leastVariation(staircase(60))
	if !(math.Abs(res.F-want) <= 1e-8*want) || res.Evaluations > 8000 {
		t.Errorf("%v after %d evaluations; the minimum is %v", res.F, res.Evaluations, want)
	}
}

// Rounds go on after a resume, also after one in the middle of a step, and have the same bits on several devices.
func TestResumedRounds(t *testing.T) {
	c := solvertest.ResumeCase{Method: &LBFGS{}, Spec: variation + ":n=3000", Evals: 400, After: []int64{3, 60}}
	c.Resume(t)
	c.Cancel(t, 2)
}
