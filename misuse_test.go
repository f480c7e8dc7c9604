package clopt_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt"
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
