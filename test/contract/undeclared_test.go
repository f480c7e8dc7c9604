package contract

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// rareRead is a sum of squares, and the same as a plain sum, that is smallest where component 3 reads variable 20,
// which it does not declare. The uniform point of the trial is elsewhere, and with as_uint the text is not understood.
var rareRead = map[bool]string{
	false: "static void component(uint k, point x, data d, real *acc)\n{ real v = at(x, k) - (k == 3 ? 1 : 0);\n" +
		"acc[0] += v * v; if (k == as_uint(3) && v > R(-0.1)) acc[0] += R(0.001) * at(x, 20) - 20; }\n",
	true: "//@ squares 2\nstatic void residuals(uint k, point x, data d, real *r)\n{ real v = at(x, k) - " +
		"(k == 3 ? 1 : 0); r[0] = v; r[1] = k == as_uint(3) ? v > R(-0.1) ? R(0.001) * at(x, 20) : 2 : 0; }\n",
}

// A text that reads more than it declares at rare points has wrong values there, and draws a search to them. No method
// confirms such a point, in either precision.
func TestUndeclaredReadAtTheBestPoint(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 2), shard.Options{})
	var problem [2]problems.Problem
	for squares, text := range rareRead {
		path := filepath.Join(t.TempDir(), "rare.cl")
		if err := os.WriteFile(path, []byte("//@ bounds -1 1\n//@ n 40\n//@ reads k\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		problem[problems.Flag(squares)] = solvertest.ParseProblem(t, path)
	}
	start := make([]float64, 40)
	start[3] = 0.95
	for _, c := range shorttest.Rows(3, []struct {
		method  string
		prec    problems.Precision
		squares bool
	}{
		{"sa variant=sweeps N=2 rho=0.5", fp32, false}, {"masw population=8", 0, false}, {"lm", 0, true},
		{"random", fp32, false}, {"graybox", 0, false}, {"masw-seq population=8 iterations=20", 0, false},
		{"sa variant=v2 chains=64 N=20 rho=0.5", 0, false}, {"cgrasp starts=2", 0, false},
		{"lbfgs", 0, true}, {"relay", 0, false},
	}) {
		p, s := problem[problems.Flag(c.squares)], solvers.Settings{Precision: c.prec, X0: [][]float64{start},
			Budget: solvers.Budget{Evaluations: 4000}}
		if c.method == "random" { // it takes none
			s.X0 = nil
		}
		res, err := solvers.Minimize(context.Background(), p, g, s, method(t, c.method))
		read, found := errors.AsType[*trial.ReadError](err)
		if res == nil || res.Confirmed || !found || read.Component != 3 || read.Variable != 20 {
			t.Errorf("%s: %+v, %v", c.method, res, err)
		}
		if _, ok := errors.AsType[*solvers.ConfirmError](err); !ok {
			t.Errorf("%s: an error of type %T", c.method, err)
		}
	}
}
