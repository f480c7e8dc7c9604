package lm

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// regression returns an objective of rows residuals of n unknowns each, with the weight 1 + k%3 in row k. The
// coefficients that make all of them 0 are 1 for the first unknown, and 0 for others.
func regression(t *testing.T, n, rows int) problems.Problem {
	path := filepath.Join(t.TempDir(), "regression.cl")
	text := fmt.Sprintf(`//@ n %d
//@ bounds -10 10
//@ components %d
//@ squares 1
static void residuals(uint k, point x, data d, real *r)
{
    real s = -cos(R(0.37) * (k + 1));
    for (uint i = 0; i < DIM; i++) s += cos(R(0.37) * (k + 1) * (i + 1)) * at(x, i);
    r[0] = (1 + k %% 3) * s;
}
`, n, rows)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return solvertest.ParseProblem(t, path)
}

// Rows that read the same unknowns are stacked, and the products of the stacks add up to those of all rows, however
// many rounds they come in.
func TestStacks(t *testing.T) {
	const n, rows = 20, 600
	p, r, x := startOn(t, regression(t, n, rows))
	if c := r.engine.c; c.stack[0] != mostStacked || c.stack[1] != 0 || c.stack[2*mostStacked] != rows-2*mostStacked {
		t.Fatalf("stacks of %d, %d and %d rows", c.stack[0], c.stack[1], c.stack[2*mostStacked])
	}
	derivative := func(k, i int) float64 { return float64(1+k%3) * math.Cos(0.37*float64(k+1)*float64(i+1)) }
	for _, most := range []int{mostAnswers, 1} {
		r.rounds = newRounds(r.engine.c, p.Tiling(), most)
		if want := map[int]int{mostAnswers: 1, 1: 3}[most]; r.rounds.count != want {
			t.Fatalf("%d rounds of %d products, want %d", r.rounds.count, most, want)
		}
		size := func(int) float64 { return 1e-2 }
		if err := r.differentiate(context.Background(), x, []int{0}, size); err != nil {
			t.Fatal(err)
		}
		if got := len(r.chosen.answers); most == 1 && got != triangle(n+1) {
			t.Errorf("the host keeps %d products of the last round, want those of a stack", got)
		}
		for i := range n {
			for h := range n {
				a, b := r.order.place[i], r.order.place[h]
				if b > a {
					continue
				}
				want := 0.0
				for k := range rows {
					want += derivative(k, i) * derivative(k, h)
				}
				if got := r.normal.row(a)[b-r.order.first[a]]; !(math.Abs(got-want) <= 1e-9*rows) {
					t.Fatalf("the product for unknowns %d and %d is %v, want %v", i, h, got, want)
				}
			}
		}
	}
}

// The products that the host keeps at a time do not grow with the rows, also where every row reads other unknowns.
func TestRounds(t *testing.T) {
	structures := map[string]problems.Structure{
		"all unknowns":   problems.Everything(1000, 20000),
		"other unknowns": problems.Windows(40_099, 40_000, 1, 0, 99),
	}
	for name, s := range structures {
		c := newComponents(s.Squared(1), byDifferences, mostStacked)
		tiling := problems.Tiling{N: s.Variables(), M: s.Components(), TileVars: 1000, TileComps: 1000, Halo: 99,
			Whole: s.Whole()}
		r := newRounds(c, tiling, mostAnswers)
		kept, largest := make([]int, r.count), 0
		for k := range c.of {
			need := c.need(k, derivatives).answers
			largest = max(largest, need)
			for round := range kept {
				if r.has(round, k) {
					kept[round] += need
				}
			}
		}
		for round, n := range kept {
			if n == 0 || n > mostAnswers+largest {
				t.Errorf("%s: round %d has %d products", name, round, n)
			}
		}
	}
}

// Where residuals are straight lines, the derivatives of one step are enough.
func TestRegression(t *testing.T) {
	const n = 20
	p, g := regression(t, n, 600), solvertest.OpenDevices(t, 1, shard.Options{})
	r, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Key: rng.Key{Seed: 1},
		Budget: solvers.Budget{Evaluations: 2*n + jacobianOf(p, problems.FP64).tries()}}, &LM{})
	if err != nil || !(r.F < 1e-12) || !(math.Abs(r.X[0]-1) < 1e-6) {
		t.Errorf("%v at %v after %d evaluations, %v", r.F, r.X, r.Evaluations, err)
	}
}
