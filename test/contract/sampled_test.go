package contract

import (
	"context"
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/solvertest"
)

// A result is compared with uniform points, the same ones each time, that are no evaluations. One that is worse says
// so. Here a descent begins on a high plain. Random search is not compared, nor what asks for no comparison.
func TestSampled(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 2), shard.Options{})
	plains := objective(t, 20, "acc[0] += fabs(at(x, k)) < R(0.1) ? R(10.0) : R(1.0) + floor(R(3.0) * at(x, k));")
	run := func(m string, s solvers.Settings) *solvers.Result {
		t.Helper()
		s.Key, s.X0 = rng.Key{Seed: 2}, [][]float64{make([]float64, 20)}
		res, err := solvers.Minimize(context.Background(), plains, g, s, method(t, m))
		if err != nil || !res.Confirmed {
			t.Fatalf("%+v, %v", res, err)
		}
		return res
	}
	s := solvers.Settings{Budget: solvers.Budget{Evaluations: 2500}}
	bad := run("lbfgs descents=1", s)
	if got := bad.Sampled; !got.Better || !got.Fair || got.Points < 10 || got.Points > 25 || got.Best >= bad.F {
		t.Errorf("%+v beside %g", got, bad.F)
	}
	if again := run("lbfgs descents=1", s); again.Evaluations != bad.Evaluations ||
		again.Sampled.Points == bad.Sampled.Points && again.Sampled != bad.Sampled {
		t.Errorf("%+v, and again %+v", bad.Sampled, again.Sampled)
	}
	if got := run("lbfgs descents=1", solvers.Settings{Budget: solvers.Budget{Evaluations: 500}}).Sampled; got.Fair ||
		got.Points > 10 {
		t.Errorf("within 500 evaluations: %+v", got)
	}
	if good := run("masw population=8 iterations=4", s); good.Sampled.Better {
		t.Errorf("%+v beside %g", good.Sampled, good.F)
	}
	s.Unsampled = true
	if got := run("lbfgs descents=1", s).Sampled; got.Points != 0 {
		t.Errorf("without a comparison: %+v", got)
	}
	s.Unsampled = false
	res, err := solvers.Minimize(context.Background(), plains, g, s, method(t, "random batch=8"))
	if err != nil || res.Sampled.Points != 0 {
		t.Errorf("random search: %+v, %v", res, err)
	}
	p := solvertest.ParseProblem(t, "classic/rastrigin:n=20")
	res, err = solvers.Minimize(context.Background(), p, g, s, method(t, "lbfgs descents=1"))
	if err != nil || res.Sampled.Points < 10 || res.Sampled.Better || !(res.Sampled.Best > res.F) {
		t.Errorf("by the host: %+v, %v", res, err)
	}
}

// A value that is rounding noise is known as such, and confirmed in spite of its last digits.
func TestRoundingNoise(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	s := solvers.Settings{Budget: solvers.Budget{Evaluations: 200}, Unsampled: true}
	signs := objective(t, 20, "acc[0] += (k % 2u ? R(1e8) : R(-1e8)) + at(x, k) * R(3e-8);")
	res, err := solvers.Minimize(context.Background(), signs, g, s, method(t, "masw population=8 iterations=4"))
	if err != nil || !res.Confirmed || !(res.Rounding > 1e-8) {
		t.Errorf("terms that cancel: %+v, %v", res, err)
	}
	p := solvertest.ParseProblem(t, "classic/rastrigin:n=20")
	res, err = solvers.Minimize(context.Background(), p, g, s, method(t, "masw population=8 iterations=4"))
	if err != nil || res.Rounding != 0 {
		t.Errorf("by the host: %+v, %v", res, err)
	}
}
