package contract

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// watchful is a sum of squares that has no value any more once a component that does not exist was evaluated, or one
// read a number outside of the interval of its variable, also where the method does not use what comes out. Half of the
// variables are best at a bound, and only nine have a component.
const watchful = `//@ bounds %s
//@ data seen seen.txt
//@ data lower lower.txt
//@ data upper upper.txt
//@ components 9
//@ reads k
//@ squares 1
static void residuals(uint k, point x, data d, real *r)
{
    volatile global real *seen = (volatile global real *)d.seen;
    const real v = at(x, k);
    if (k >= 9 || !(v >= d.lower[k] && v <= d.upper[k])) seen[0] = 1;
    r[0] = seen[0] == 0 ? v - R(0.4) * (real)(k %% 4) : (real)NAN;
}
`

// watchedBox returns the watchful problem of n variables, which have the interval [0.1, 0.7] or their own ones.
func watchedBox(t *testing.T, n int, own bool) problems.Problem {
	t.Helper()
	folder, bounds := t.TempDir(), "0.1 0.7"
	if own {
		bounds = "both.txt"
	}
	var lower, upper, both strings.Builder
	for i := range n {
		lo, hi := 0.1, 0.7
		if own {
			lo, hi = 0.1-0.3*float64(i%3), 0.7+0.1*float64(i)
		}
		fmt.Fprintln(&lower, lo)
		fmt.Fprintln(&upper, hi)
		fmt.Fprintln(&both, lo, hi)
	}
	for name, text := range map[string]string{"seen.txt": "0\n", "lower.txt": lower.String(),
		"upper.txt": upper.String(), "both.txt": both.String(), "box.cl": fmt.Sprintf(watchful, bounds)} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return solvertest.ParseProblem(t, fmt.Sprintf("%s:n=%d", filepath.Join(folder, "box.cl"), n))
}

// No method evaluates a component outside of the box, nor one that does not exist.
func TestStaysInTheBox(t *testing.T) {
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	for _, prec := range []problems.Precision{problems.FP64, fp32} { // a point outside is noticed
		out := [][]float64{slices.Repeat([]float64{0.9}, 9)}
		p := watchedBox(t, 9, false)
		sums, err := shard.Accumulate(context.Background(), g, p, prec, out)
		if err != nil || !math.IsNaN(shard.Values(p, sums)[0]) {
			t.Fatalf("%v outside of the box has the value %v, %v", out, shard.Values(p, sums), err)
		}
	}
	for _, c := range shorttest.Rows(3, []struct {
		method string
		n      int
		prec   problems.Precision
		own    bool
	}{
		{"graybox search=mts", 2001, 0, false}, // parts without components
		{"relay", 9, 0, false},
		{"lm", 9, 0, true},
		{"graybox search=mts", 11, fp32, false},
		{"graybox", 11, fp32, true},
		{"lbfgs", 9, 0, true},
		{"cmaes", 9, fp32, true},
		{"masw population=8 iterations=5", 33, fp32, false},
		{"masw population=8 iterations=5", 11, 0, true},
		{"masw-seq population=8 iterations=20", 11, 0, true},
		{"random", 11, fp32, true},
		{"sa", 11, fp32, true},
		{"sa variant=sweeps", 11, fp32, true},
		{"cgrasp", 11, fp32, true},
	}) {
		s := solvers.Settings{Key: rng.Key{Seed: 1}, Precision: c.prec, Budget: solvers.Budget{Evaluations: 3000}}
		res, err := solvers.Minimize(context.Background(), watchedBox(t, c.n, c.own), g, s, method(t, c.method))
		if err != nil || res.NonFinite > 0 || !res.Confirmed {
			t.Errorf("%v: %+v, %v", c, res, err)
		}
	}
}
