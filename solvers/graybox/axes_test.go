package graybox

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// Rastrigin's function of ten variables each, mirrored at a plane, so that its axes are not those of the variables.
const mirrored = `//@ name mirrored
//@ n 20
//@ components n/10
//@ reads 10*k..10*k+9
//@ bounds -5 5
static void component(uint k, point x, data d, real *acc)
{
    real along = R(0.0);
    for (uint i = 0; i < 10; i++) along += (real)(i + 1) * (at(x, 10 * k + i) - R(0.1) * (real)i);
    for (uint i = 0; i < 10; i++) {
        const real v = at(x, 10 * k + i) - R(0.1) * (real)i - (real)(i + 1) * along * R(2.0) / R(385.0);
        acc[0] += v * v + R(10.0) - R(10.0) * cospi(2 * v);
    }
}
`

// The search along principal axes finds the deepest of many valleys, where the axes are not those of the variables.
func TestAxes(t *testing.T) {
	s := solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 60000, Target: new(1e-9)}}
	r, err := solvers.Minimize(context.Background(), objective(t, mirrored), solvertest.OpenDevices(t, 1,
		shard.Options{}), s, &Graybox{Search: "axes"})
	if err != nil || r.Status != solvers.Target {
		t.Fatalf("%+v, %v", r, err)
	}
	t.Logf("%g after %d evaluations", r.F, r.Evaluations)
}

// The twin's eigenvectors are orthogonal, and the matrix only stretches them.
func TestEigenvectors(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 3, 8, 25} {
		e := make([][]float64, n)
		for i := range e {
			e[i] = make([]float64, n)
			for j := range i + 1 {
				e[i][j] = draw.NormFloat64()
				e[j][i] = e[i][j]
			}
		}
		rows := make([][]float64, n)
		for i := range rows {
			rows[i] = slices.Clone(e[i])
		}
		for i, v := range eigenvectors(rows) {
			to := times(e, v)
			if size := dot(v, v); math.Abs(size-1) > 1e-12 {
				t.Errorf("n %d: a vector has the squared length %v", n, size)
			}
			for j, u := range rows {
				if off := math.Abs(dot(to, u)); i != j && off > 1e-9 {
					t.Errorf("n %d: vector %d is not stretched alone: %v along vector %d", n, i, off, j)
				}
			}
		}
	}
}
