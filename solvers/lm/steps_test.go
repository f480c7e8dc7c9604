package lm

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// dense returns an objective of one component of n variables, all of which depend on each other.
func dense(t *testing.T, n int) string {
	path := filepath.Join(t.TempDir(), "dense.cl")
	text := fmt.Sprintf(`//@ n %d
//@ bounds -1 1
//@ components 1
//@ reads whole
//@ squares 16
static void residuals(uint k, point x, data d, real *r)
{
    real sum = 0;
    for (uint i = 0; i < DIM; i++) sum += at(x, i) / (1 + i);
    for (uint j = 0; j < 16; j++) r[j] = sum * sum - R(200.0); // f falls beyond the upper bounds
    for (uint i = 0; i < DIM; i++) r[i %% 16] += (1 + i / 16) * at(x, i);
}
`, n)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// The devices solve the equations of parts with one component as the host does, also where variables are at a bound,
// with groups of any size, and where the last rows of the equations begin a tile.
func TestSteps(t *testing.T) {
	for _, spec := range []string{"cec2013/f4:n=2000", dense(t, 2*tile)} {
		t.Run(filepath.Base(spec), func(t *testing.T) { testSteps(t, spec) })
	}
}

func testSteps(t *testing.T, spec string) {
	p, r, x := startOn(t, solvertest.ParseProblem(t, spec))
	for i := range x {
		if i%5 == 0 {
			_, x[i] = p.Domain().Interval(i)
		}
	}
	differentiate(t, r, x)
	parts := make([]int, len(r.order.parts))
	at := make([]partDescent, len(parts))
	for c := range parts {
		parts[c], at[c] = c, partDescent{Damping: 1e-3, Stage: 1 - c%2}
	}
	if err := r.trials(context.Background(), point{}, parts, at); err != nil {
		t.Fatal(err)
	}
	got, positive := slices.Clone(r.direction), slices.Clone(r.positive)
	for _, group := range shorttest.Rows(0, []int{8, 32}) { // POCL compiles long for each size
		clear(r.direction)
		r.engine.on[0].group = group
		if err := r.trials(context.Background(), point{}, parts, at); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.direction, got) {
			t.Errorf("groups of %d find other steps", group)
		}
	}
	there, want := make([]float64, points*len(x)), make([]float64, points*len(x))
	if err := r.engine.on[0].x.Read(len(x), there); err != nil {
		t.Fatal(err)
	}
	for k, part := range along {
		for _, q := range r.order.parts {
			r.along(point{X: x}, q, part, want[k*len(x):])
		}
	}
	if !slices.Equal(there, want) {
		t.Error("the points of the devices are not those of the host")
	}
	held := 0
	for c, q := range r.order.parts {
		if !r.order.own(r.engine.c, q) {
			t.Fatalf("part %d has more than one component", c)
		}
		if at[c].Stage > 0 {
			r.hold(x, q)
		}
		var l factor
		if !l.of(r.normal, q, 1e-3) || !positive[c] {
			t.Fatalf("the equations of part %d are not positive", c)
		}
		l.solve(r.gradient, r.direction)
		largest := 0.0
		for _, i := range r.order.variables(q) {
			largest = max(largest, math.Abs(r.direction[i]))
		}
		for _, i := range r.order.variables(q) {
			if want := r.direction[i]; !(math.Abs(got[i]-want) <= 1e-6*largest) {
				t.Fatalf("part %d: the step of variable %d is %v, on the host %v", c, i, got[i], want)
			}
			held += problems.Flag(at[c].Stage > 0 && r.held[i])
		}
	}
	if held == 0 {
		t.Error("no variable was held at a bound")
	}
}

// Where equations are not positive, the points of the devices stay at x, and no part moves or counts.
func TestNotPositive(t *testing.T) {
	_, r, x := start(t, "cec2013/f4:n=2000")
	differentiate(t, r, x)
	parts, at := make([]int, len(r.order.parts)), make([]partDescent, len(r.order.parts))
	for c := range parts {
		parts[c], at[c].Damping = c, -2 // the diagonal becomes negative
	}
	to := newPoint(len(x), len(parts))
	to.F = slices.Repeat([]float64{math.Inf(1)}, len(parts))
	if err := r.try(context.Background(), point{X: x}, parts, at, to); err != nil {
		t.Fatal(err)
	}
	there := make([]float64, points*len(x))
	if err := r.engine.on[0].x.Read(len(x), there); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(there, slices.Repeat(x, points)) {
		t.Error("points are not at x")
	}
	for c, f := range to.F {
		if r.positive[c] || !math.IsInf(f, 1) {
			t.Errorf("part %d moves to %v", c, f)
		}
	}
	if w := r.state.Sample.Work; w != 0 {
		t.Errorf("the work is %v", w)
	}
}
