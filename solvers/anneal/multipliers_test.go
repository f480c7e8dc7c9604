package anneal

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// limitedFunctions have a limit for the sum of the variables, whose smallest values with multipliers are known.
var limitedFunctions = []struct {
	name, text string
	n          int
	best       float64
	within     float64
}{
	// The best knapsack with fractions of pieces is -2474.67.
	{"knapsack", "", 200, -2474.67, 1},
	// Rastrigin's terms, whose variables are 1 in the mean: each is 1. A sum that is 1 beside costs 100. The sweeps end
	// at 585, and where the weights look no sweeps ahead at 1082. With steps that do not become shorter, or
	// weights that are the slopes, they end above 8600.
	{"equal", "//@ bounds -5 5\n//@ sums 2\n//@ reads k\n//@ f s0 + 100*(s1-n)^2\n" +
		"static void component(uint k, point x, data d, real *acc)\n{\n    const real v = at(x, k);\n" +
		"    acc[0] += v*v - R(10.0)*cos_2pi(v) + R(10.0);\n    acc[1] += v;\n}\n", 500, 500, 200},
	// Shares of a budget: x is (u/(2 w m))^2 with the multiplier m, at most 10.
	{"steep", "//@ bounds 0 10\n//@ sums 2\n//@ reads k\n//@ f -s0 + 1e6*max(0, s1-5*n)\n" +
		"static void component(uint k, point x, data d, real *acc)\n{\n    const real v = at(x, k);\n" +
		"    acc[0] += (real)(1 + k % 4) * sqrt(v);\n    acc[1] += (real)(2 + k % 4) * v;\n}\n", 400,
		budgetOf(400), 0.5},
}

// budgetOf returns the smallest value of the function steep of n variables.
func budgetOf(n int) float64 {
	lo, hi, f := 0.0, 100.0, 0.0
	for range 100 {
		m, used := (lo+hi)/2, 0.0
		f = 0
		for k := range n {
			u, w := float64(1+k%4), float64(2+k%4)
			x := min(10, math.Pow(u/(2*w*m), 2))
			used += w * x
			f -= u * math.Sqrt(x)
		}
		if used > float64(5*n) {
			lo = m
		} else {
			hi = m
		}
	}
	return f
}

// Sweeps find the multiplier of a limit, and with it a point near to the best one. Three devices give the bits of one.
func TestMultipliers(t *testing.T) {
	for _, c := range shorttest.Rows(2, limitedFunctions) {
		t.Run(c.name, func(t *testing.T) {
			path := "../../test/testdata/knapsack.cl"
			if c.text != "" {
				path = filepath.Join(t.TempDir(), c.name+".cl")
				if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			p := solvertest.ParseProblem(t, fmt.Sprintf("%s:n=%d", path, c.n))
			var first []float64
			for _, devices := range []int{1, 3} {
				r := sweeps(t, sa(t, "variant=sweeps N=5"), p, solvertest.OpenDevices(t, devices, shard.Options{}),
					solvers.Setup{Key: rng.Key{Seed: 3}})
				var s solvers.Sample
				for ok := true; ok; {
					var err error
					var now solvers.Sample
					if now, ok, err = r.Step(context.Background(), solvers.Unlimited); err != nil {
						t.Fatal(err)
					}
					s = now
				}
				if !(s.Best < c.best+c.within) {
					t.Errorf("%d devices: %.9g, and the best value is %.9g", devices, s.Best, c.best)
				}
				x := make([]float64, c.n)
				if err := r.Incumbent(0, x); err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = x
				} else if !slices.Equal(first, x) {
					t.Errorf("%d devices have another best point than one", devices)
				}
			}
		})
	}
}

// A weight comes to a slope that stays, and to the multiplier where the slope jumps.
func TestFollow(t *testing.T) {
	p := solvertest.ParseProblem(t, "../../test/testdata/knapsack.cl")
	m := newMultipliers([]float64{-1, 100})
	acc := []float64{500, 1500}
	for range 200 {
		m.follow(p, acc, []float64{0, 0})
		acc[1] = 1000 + 30*(7-m.Weight[1]) // with the weight 7 the sum is at the limit
	}
	if math.Abs(m.Weight[0]+1) > 1e-5 || math.Abs(m.Weight[1]-7) > 0.1 {
		t.Errorf("the weights are %v, want -1 and 7", m.Weight)
	}
}
