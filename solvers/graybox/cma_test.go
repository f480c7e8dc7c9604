package graybox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// grouped returns the text of an objective in groups of eight variables. best is the optimum of variable i,
// an expression of i. term is the contribution of each coordinate y of a group, in coordinates that are not
// parallel to the variables.
func grouped(best, term string) string {
	return `//@ bounds -5 5
//@ reads 8*k..8*k+7
//@ components n/8
static void component(uint k, point x, data d, real *acc)
{
    real z[8], s = 0;
    for (uint i = 0; i < 8; i++) {
        z[i] = at(x, 8 * k + i) - (` + best + `);
        s += z[i];
    }
    for (uint i = 0; i < 8; i++) {
        const real y = z[i] - s / 4; // a reflection
        acc[0] += ` + term + `;
    }
}
`
}

const (
	inside    = "R(0.25) * (real)(i + 1)"
	onBound   = "i % 2 ? R(5.0) : R(-1.0)" // half of the variables have their optimum on a bound
	ellipsoid = "pow(R(10.0), R(6.0) / 7 * i) * y * y"
	rastrigin = "y * y + 10 - 10 * cos(R(6.283185307179586) * y)"
)

// searched returns the result of graybox on such an objective of n variables.
func searched(t *testing.T, text, n, grain, search string, prec problems.Precision, seed uint32,
	evals int64) *solvers.Result {
	t.Helper()
	path := filepath.Join(t.TempDir(), "grouped.cl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := solvers.Configure(&Graybox{}, map[string]string{"population": "10", "grain": grain, "search": search})
	if err != nil {
		t.Fatal(err)
	}
	s := solvers.Settings{Key: rng.Key{Seed: seed}, Precision: prec, Budget: solvers.Budget{Evaluations: evals}}
	res, err := solvers.Minimize(context.Background(), solvertest.ParseProblem(t, path+":n="+n),
		solvertest.OpenDevices(t, 1, shard.Options{}), s, m)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("n=%s, %v, %s, seed %d: %.3g after %d evaluations", n, prec, search, seed, res.F, res.Evaluations)
	return res
}

// Steps that lead out of the box do not distort the learned matrix.
func TestCMABox(t *testing.T) {
	shorttest.Out(t)
	for seed := range uint32(3) {
		res := searched(t, grouped(onBound, ellipsoid), "80", "8", "cma", problems.FP64, seed, 12000)
		if !res.Confirmed || !(res.F <= 1e-12) {
			t.Errorf("seed %d: %g, confirmed %v; want at most 1e-12", seed, res.F, res.Confirmed)
		}
	}
}

// A chain at the bottom of a valley ends, and later chains find other valleys.
func TestCMABeginsAgain(t *testing.T) {
	shorttest.Out(t)
	res := searched(t, grouped(inside, rastrigin), "80", "8", "cma", problems.FP64, 1, 60000)
	if !res.Confirmed || !(res.F <= 10) {
		t.Errorf("%g, confirmed %v; want at most 10, the second best valley in each group", res.F, res.Confirmed)
	}
}

// With search=cma the search learns how the variables of a group interact, and finds much better values.
func TestCMALearns(t *testing.T) {
	for _, c := range shorttest.Rows(1, []struct {
		n, grain string
		prec     problems.Precision
		search   string
		evals    int64
		lo, hi   float64
	}{
		{"80", "8", problems.FP64, "cma", 16000, 0, 1e-20},
		{"80", "8", problems.FP32, "cma", 16000, 0, 1e-6},
		{"80", "8", problems.FP64, "solis-wets", 16000, 1e-3, 1e6},
		{"16", "16", problems.FP64, "cma", 40000, 0, 1e-20}, // two groups in one part
	}) {
		res := searched(t, grouped(inside, ellipsoid), c.n, c.grain, c.search, c.prec, 3, c.evals)
		if !res.Confirmed || !(res.F >= c.lo && res.F <= c.hi) {
			t.Errorf("n=%s, %v, %s: %g, confirmed %v; want %g to %g", c.n, c.prec, c.search, res.F, res.Confirmed, c.lo,
				c.hi)
		}
	}
}

func TestCMARefused(t *testing.T) {
	for _, m := range []Graybox{{Parts: 1, Search: "cma"}, {Scheme: "synchronous", Search: "cma"}, {Offspring: 9},
		{Search: "cma", States: 3}} {
		err := m.Validate()
		if e := (*solvers.SettingError)(nil); !errors.As(err, &e) {
			t.Errorf("%+v: %v", m, err)
		}
	}
}
