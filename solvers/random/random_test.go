package random

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

func TestCounterSplit(t *testing.T) {
	for point, want := range map[int64][2]uint32{
		0: {0, 0}, 1: {1, 0}, 1<<32 - 1: {1<<32 - 1, 0}, 1 << 32: {0, 1}, 5<<32 + 7: {7, 5},
	} {
		if who, when := counter(point); who != want[0] || when != want[1] {
			t.Errorf("counter(%d) = %d, %d", point, who, when)
		}
	}
}

// Even in a run of more than 2^32 points, each batch has one value of the upper word of the counter, and no
// point is drawn twice.
func TestRandomCounter(t *testing.T) {
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	p := solvertest.ParseProblem(t, "cec2013/f1")
	r := solvertest.Start(t, &Random{Batch: 8}, p, g, solvers.Setup{}).(*randomRun)
	r.state.Next, r.state.Best = 1<<32-3, 1<<32-3
	var evaluations []int64
	for range 3 {
		s, ok, err := r.Step(context.Background(), solvers.Within(100))
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		evaluations = append(evaluations, s.Evaluations)
	}
	if !slices.Equal(evaluations, []int64{3, 11, 19}) || r.state.Next != 1<<32+16 {
		t.Errorf("evaluations %v, next %d", evaluations, r.state.Next)
	}
	x := make([]float64, p.Domain().N)
	if err := r.Incumbent(0, x); err != nil {
		t.Fatal(err)
	}
	f, err := problems.Eval(p.(problems.Referenced), x)
	if err != nil || math.Abs(f-r.state.Sample.Best) > 1e-9*f {
		t.Errorf("point %d has value %v on the host, %v on the device, %v", r.state.Best, f, r.state.Sample.Best, err)
	}
}
