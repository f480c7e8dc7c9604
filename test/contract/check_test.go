package contract

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/masw"
	"github.com/clopt/clopt/solvers/random"
	"github.com/clopt/clopt/test/solvertest"
)

// Settings are refused before any device is used: there are none.
func TestCheck(t *testing.T) {
	p := solvertest.ParseProblem(t, "cec2013/f1")
	start, outside := make([]float64, 1000), make([]float64, 1000)
	outside[3] = 101
	for _, c := range []struct {
		m     solvers.Solver
		x0    [][]float64
		evals int64
		want  string // part of the error; "": no error
	}{
		{&random.Random{}, nil, 1, ""},
		{&random.Random{}, [][]float64{start}, 0, "random takes no start points"},
		{&masw.MASW{}, nil, 0, ""},
		{&masw.MASW{}, nil, 100, ""},
		{&masw.MASW{}, nil, 99, "limited to 99, and the first step of masw may need 100; use a limit of at least 100"},
		{&masw.MASW{Population: 4}, [][]float64{start, start, start, start}, 4, ""},
		{&masw.MASW{Population: 4}, [][]float64{start, start, start, start, start}, 4, "5 start points"},
		{&masw.MASW{}, [][]float64{start[1:]}, 0, "999 variables"},
		{&masw.MASW{}, [][]float64{outside}, 0, "is 101"},
	} {
		s := solvers.Settings{X0: c.x0, Budget: solvers.Budget{Evaluations: c.evals}}
		err := solvers.Check(p, s, c.m)
		if _, ok := errors.AsType[*solvers.SettingError](err); ok != (c.want != "") || ok &&
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %d points, %d evaluations: %v, want %q", c.m.Traits().Name, len(c.x0), c.evals, err, c.want)
		}
		if c.want != "" {
			if _, err := solvers.Minimize(context.Background(), p, &shard.Devices{}, s, c.m); err == nil ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("Minimize of %s, %d points, %d evaluations: %v, want %q", c.m.Traits().Name, len(c.x0),
					c.evals, err,
					c.want)
			}
		}
	}
}
