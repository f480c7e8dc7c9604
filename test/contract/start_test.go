package contract

import (
	"cmp"
	"context"
	"errors"
	"math"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// firstSample is a Recorder of the first sample.
type firstSample struct{ solvers.Sample }

func (r *firstSample) Record(s solvers.Sample) error {
	if r.Step == 0 {
		r.Sample = s
	}
	return nil
}

// begun is a run with start points.
type begun struct {
	m    solvers.Solver
	p    problems.Problem
	g    *shard.Devices
	prec problems.Precision
	x0   [][]float64
	f    float64 // of the best start point
}

// within makes the run within a budget. It has no result if the budget is below one step.
func (b begun) within(t *testing.T, budget solvers.Budget) (small bool) {
	t.Helper()
	var first firstSample
	s := solvers.Settings{Key: rng.Key{Seed: 9, Run: 1}, Precision: b.prec, Budget: budget, X0: b.x0, Recorder: &first}
	res, err := solvers.Minimize(context.Background(), b.p, b.g, s, b.m)
	if _, ok := errors.AsType[*solvers.SettingError](err); ok && budget.Evaluations > 0 {
		return true
	}
	if err != nil {
		t.Fatal(err)
	}
	tol := b.p.Tolerance(b.prec) * math.Abs(b.f)
	if !(first.Best <= b.f+tol) {
		t.Errorf("%+v: %v after step %d, and the best start point has %v", budget, first.Best, first.Step, b.f)
	}
	if !(res.F <= b.f+tol) || !res.Confirmed {
		t.Errorf("%+v: ends at %v (%v after %d steps, %v), and the best start point has %v", budget, res.F, res.Again,
			res.Steps, res.Status, b.f)
	}
	return false
}

// startsHold checks that no result of m on p is worse than the best start point, which is the best point of a run of
// evals evaluations, and comes after a worse one.
func startsHold(t *testing.T, g *shard.Devices, m solvers.Solver, p problems.Problem, prec problems.Precision,
	evals int64) {
	t.Helper()
	s := solvers.Settings{Key: rng.Key{Seed: 4}, Precision: prec, Budget: solvers.Budget{Evaluations: evals}}
	res, err := solvers.Minimize(context.Background(), p, g, s, m)
	if err != nil || !res.Confirmed || res.Evaluations == 0 {
		t.Fatalf("%+v, %v", res, err)
	}
	d := solvers.LimitsOf(m, p, prec)
	if d.Starts == 0 {
		return
	}
	b := begun{m, p, g, prec, [][]float64{res.X}, res.F}
	smallest := d.Step
	for b.within(t, solvers.Budget{Evaluations: smallest}) {
		smallest *= 2
	}
	b.within(t, solvers.Budget{Time: 1})
	if d.Starts == 1 {
		return
	}
	worse := make([]float64, len(res.X))
	for i := range worse {
		worse[i], _ = p.Domain().In(prec).Interval(i)
	}
	b.x0 = [][]float64{worse, res.X}
	b.within(t, solvers.Budget{Evaluations: smallest})
	b.within(t, solvers.Budget{Time: 1})
	b.within(t, solvers.Budget{Evaluations: 2 * evals})
}

// TestStartPoints checks that every method begins at the best start point, and that no result is worse.
func TestStartPoints(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 2), shard.Options{})
	for _, c := range append(shorttest.Rows(12, rows), shorttest.Rows(1, hostRows)...) {
		t.Run(c.method+" "+c.problem, func(t *testing.T) {
			startsHold(t, g, method(t, c.method), solvertest.ParseProblem(t, c.problem), c.prec,
				cmp.Or(c.evals, defaultEvals))
		})
	}
}
