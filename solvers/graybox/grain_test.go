package graybox

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// Smaller parts give better values. The expected values are from a simulation of the same
// method for D = 1e5, scaled to one tenth.
func TestGrain(t *testing.T) {
	shorttest.Out(t)
	for _, c := range []struct {
		f     int
		grain string
		want  float64 // after 2,000 evaluations, P = 50, on official data
	}{
		{1, "auto", 9.0e11}, {1, "100", 4.4e11}, {1, "10", 2.0e8},
		{2, "auto", 4.43e5}, {2, "100", 1.81e5}, {2, "10", 3.4e4},
	} {
		p := official(t, map[int]string{1: "cec2013/f1:n=10000", 2: "cec2013/f2:n=10000"}[c.f])
		m, err := solvers.Configure(&Graybox{}, map[string]string{"scheme": "synchronous", "population": "50",
			"grain": c.grain})
		if err != nil {
			t.Fatal(err)
		}
		res, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 1, shard.Options{}),
			solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 2000}}, m)
		if err != nil {
			t.Fatal(err)
		}
		if !res.Confirmed || res.F > 1.5*c.want || res.F < c.want/1.5 {
			t.Errorf("f%d in parts of %s: %.3g, confirmed %v; the simulation has %.3g", c.f, c.grain, res.F,
				res.Confirmed, c.want)
		}
		t.Logf("f%d in parts of %s: %.3g, simulation %.3g", c.f, c.grain, res.F, c.want)
	}
}

// The bits of chains in small parts of windows do not depend on the number of devices.
func TestGrainShards(t *testing.T) {
	for _, c := range shorttest.Rows(1, []struct{ spec, grain, search string }{
		{"cec2013/f12:n=3000,mode=paper", "50", "cma"}, {"cec2013/f14:n=3000", "30", "cma"},
		{"cec2013/f12:n=3000,mode=paper", "50", "solis-wets"}, {"cec2013/f1:n=3000", "7", "solis-wets"},
		{"cec2013/f14:n=3000", "30", "solis-wets"},
		{"cec2013/f14:n=3000", "30", "mts"}, {"cec2013/f12:n=3000,mode=paper", "50", "mts"},
		{"cec2013/f12:n=4300,mode=paper", "auto", "mts"},
	}) {
		var first *solvers.Result
		for _, devices := range []int{1, 2, 3} {
			m, err := solvers.Configure(&Graybox{}, map[string]string{"population": "6", "iterations": "20",
				"grain": c.grain, "search": c.search})
			if err != nil {
				t.Fatal(err)
			}
			res, err := solvers.Minimize(context.Background(), solvertest.ParseProblem(t, c.spec),
				solvertest.OpenDevices(t, devices, shard.Options{}),
				solvers.Settings{Budget: solvers.Budget{Evaluations: 300}}, m)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = res
			}
			if res.F != first.F || res.Work != first.Work || !res.Confirmed {
				t.Errorf("%s: %v on %d devices, %v on one", c.spec, res.F, devices, first.F)
			}
			for i := range res.X {
				if res.X[i] != first.X[i] {
					t.Fatalf("%s: variable %d differs on %d devices", c.spec, i, devices)
				}
			}
		}
	}
}

// Launches of many evaluations have the same bits as launches of one. Processors usually have launches of one.
func TestPartRounds(t *testing.T) {
	shorttest.Out(t)
	for _, search := range []string{"mts", "solis-wets", "cma"} {
		m, err := solvers.Configure(&Graybox{}, map[string]string{"population": "6", "iterations": "20", "grain": "30",
			"search": search})
		if err != nil {
			t.Fatal(err)
		}
		var res [2]*solvers.Result
		for k, opt := range []shard.Options{{}, {Rounds: true}} {
			if res[k], err = solvers.Minimize(context.Background(), solvertest.ParseProblem(t, "cec2013/f14"),
				solvertest.OpenDevices(t, 1, opt), solvers.Settings{Budget: solvers.Budget{Evaluations: 300}},
				m); err != nil {
				t.Fatal(err)
			}
		}
		if one, many := res[0], res[1]; one.F != many.F || !slices.Equal(one.X, many.X) || !many.Confirmed {
			t.Errorf("%s: %v with one evaluation in a launch, %v with many", search, one.F, many.F)
		}
	}
}

func TestGrainRefused(t *testing.T) {
	err := (&Graybox{Parts: 1, Grain: 10}).Validate()
	if e := (*solvers.SettingError)(nil); !errors.As(err, &e) {
		t.Errorf("grain=10 for a problem of one part: %v", err)
	}
}
