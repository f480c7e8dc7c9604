package clopt_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/solvers"
)

// TestMinimizeRefusesOptions gives numbers that mean nothing. The error names the field and the value.
func TestMinimizeRefusesOptions(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		opt  clopt.Options
		want string
	}{
		{clopt.Options{Precision: 64}, "Options.Precision: precision is 64; use FP64 or FP32"},
		{clopt.Options{Precision: -1}, "Options.Precision: precision is -1"},
		{clopt.Options{Time: -time.Second}, "Options.Time is -1s"},
		{clopt.Options{Evals: -5}, "Options.Evals is -5"},
		{clopt.Options{Moves: -6}, "Options.Moves is -6"},
		{clopt.Options{Target: &nan}, "Options.Target is NaN"},
		{clopt.Options{GTol: -1e-3}, "Options.GTol is -0.001"},
		{clopt.Options{GTol: nan}, "Options.GTol is NaN"},
		{clopt.Options{X0: [][]float64{{1, 2}}}, "start point 0 has 2 variables, and the problem has 10"},
	} {
		for _, method := range []string{"", "random"} {
			c.opt.Method = method
			res, err := clopt.Minimize(t.Context(), clopt.Source(sphere).N(10), c.opt)
			if _, ok := errors.AsType[*solvers.SettingError](err); !ok || res != nil ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("result %v, error %v; want an error with %q", res, err, c.want)
			}
		}
	}
}

// TestMinimizeNil gives nothing where something is needed, and problems that are none.
func TestMinimizeNil(t *testing.T) {
	for want, c := range map[string]struct {
		ctx context.Context
		o   clopt.Objective
	}{
		"the context is nil":   {nil, clopt.Source(sphere).N(10)},
		"no objective":         {t.Context(), clopt.Objective{}},
		"the problem is nil":   {t.Context(), clopt.Problem(nil)},
		"problem is nil":       {t.Context(), clopt.Problem((*cut.Cut)(nil)).N(3).Maximize()},
		"Use N(n), or add a":   {t.Context(), clopt.Source(sphere)},
		"-1 variables":         {t.Context(), clopt.Source(sphere).N(-1)},
		"bound NaN is not":     {t.Context(), clopt.Source(sphere).N(10).Bounds(math.NaN(), 1)},
		"no function":          {t.Context(), clopt.Source("").N(10)},
		"too far apart":        {t.Context(), clopt.Source(sphere).N(10).Bounds(0, math.Inf(1))},
		"Domain.N is 0":        {t.Context(), clopt.Problem(empty{})},
		"n: \"-4\" is below 0": {t.Context(), clopt.Parse("sphere:n=-4")},
	} {
		res, err := clopt.Minimize(c.ctx, c.o, clopt.Options{Evals: 100, Method: "random"})
		if res != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("result %v, error %v; want an error with %q", res, err, want)
		}
	}
}

// empty is a problem without anything.
type empty struct{ problems.Problem }

func (empty) Spec() problems.Spec           { return problems.Spec{Family: "empty"} }
func (empty) Domain() problems.Domain       { return problems.Domain{} }
func (empty) Tiling() problems.Tiling       { return problems.Tiling{} }
func (empty) Structure() problems.Structure { return problems.Structure{} }

// TestMinimizeLargestTime gives a limit of time of 292 years, which is no limit.
func TestMinimizeLargestTime(t *testing.T) {
	res, err := clopt.Minimize(t.Context(), clopt.Source(sphere).N(10), clopt.Options{Time: math.MaxInt64, Evals: 500,
		Method: "random"})
	if err != nil || res.Status != "evals" || res.Evaluations < 400 {
		t.Errorf("%+v, %v", res, err)
	}
}
