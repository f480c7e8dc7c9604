package diff_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/diff"
	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
)

// callTree is the component that adds the value of a function of the variables at(0), at(1), … to its only sum. An
// integer argument is 3.
func callTree(name string) *clc.Tree {
	k := &clc.Var{Name: "k", Type: clc.UInt}
	out := &clc.Var{Name: "acc", Type: clc.Real, Len: 1}
	f := clc.Functions[name]
	call := &clc.Call{Function: name, Type: clc.Real}
	for i := range f.Args {
		if i == f.Args-1 && (f.Kind == clc.Powers || f.Kind == clc.Choices) {
			call.Args = append(call.Args, &clc.Number{Type: clc.Int, Bits: 3})
			continue
		}
		call.Args = append(call.Args, &clc.Point{Index: &clc.Number{Type: clc.UInt, Bits: uint64(i)}})
	}
	zero := &clc.Number{Type: clc.UInt}
	sum := &clc.Binary{Op: "+", X: &clc.Use{Var: out, Element: zero}, Y: call, Type: clc.Real}
	return &clc.Tree{Name: "component", K: k, Out: out,
		Body: []clc.Stmt{&clc.Assign{To: out, Element: zero, Value: sum}}}
}

// slopes returns the value of a component, the gradient by its adjoint and the derivative along each variable.
func slopes(t *testing.T, tree *clc.Tree, data host.Data, x []float64) (f float64, gradient, along []float64) {
	t.Helper()
	adjoint, err := diff.Adjoint(tree, func(string) (uint64, bool) { return 0, false })
	if err != nil {
		t.Fatal(err)
	}
	tangent, err := diff.Tangent(tree)
	if err != nil {
		t.Fatal(err)
	}
	run := func(tree *clc.Tree, prepare func(r *host.Frame)) float64 {
		compiled, err := host.Compile(tree, data)
		if err != nil {
			t.Fatal(err)
		}
		r := compiled.NewFrame()
		prepare(r)
		if _, err := r.Run(0, 0, x, 1<<30); err != nil {
			t.Fatal(err)
		}
		if tree.Out == nil {
			return 0
		}
		return r.Out()[0]
	}
	f = run(tree, func(*host.Frame) {})
	gradient, along = make([]float64, len(x)), make([]float64, len(x))
	run(adjoint, func(r *host.Frame) {
		r.In()[0] = 1
		r.Derive(func(i int64, v float64) { gradient[i] += v }, nil)
	})
	for i := range x {
		along[i] = run(tangent, func(r *host.Frame) {
			r.Derive(nil, func(j int64) float64 {
				if int(j) == i {
					return 1
				}
				return 0
			})
		})
	}
	return f, gradient, along
}

// The derivatives of every function agree with central differences.
func TestFunctions(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, name := range slices.Sorted(maps.Keys(clc.Functions)) {
		f := clc.Functions[name]
		if f.Kind == clc.Tests || f.Kind == clc.Integers || name == "iselect" {
			continue
		}
		tree := callTree(name)
		data := host.Data{Variables: f.Args}
		compared := 0
		for trial := range 40 {
			x := make([]float64, f.Args)
			for i := range x {
				x[i] = []float64{rnd.Float64(), 1 + 2*rnd.Float64(), -rnd.Float64(), -3 * rnd.Float64()}[(trial+i)%4]
			}
			value, gradient, along := slopes(t, tree, data, x)
			if math.IsNaN(value) {
				continue
			}
			for i := range x {
				if !(math.Abs(gradient[i]-along[i]) <= 1e-14*math.Abs(along[i])) {
					t.Errorf("%s at %v by %d: adjoint %v, tangent %v", name, x, i, gradient[i], along[i])
				}
				at := func(by float64) float64 {
					y := slices.Clone(x)
					y[i] += by
					v, _, _ := slopes(t, tree, data, y)
					return v
				}
				const h = 1e-4
				central := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
				finer := (at(h/4) - at(-h/4)) / (h / 2)
				if !(math.Abs(central-finer) <= 1e-5*max(1, math.Abs(finer))) {
					continue // near a jump or a pole
				}
				compared++
				if !(math.Abs(central-gradient[i]) <= 1e-6*max(1, math.Abs(central))) {
					t.Errorf("%s at %v by %d: %v, differences %v", name, x, i, gradient[i], central)
				}
			}
		}
		if compared < 5 {
			t.Errorf("%s was compared at %d points", name, compared)
		}
	}
}

// The gradient of small texts at single points, known by hand.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name, body string
		x, want    []float64
	}{
		{"fabs has 0 at 0", "acc[0] += fabs(at(x, 0));", []float64{0}, []float64{0}},
		{"of equal arguments the first", "acc[0] += fmax(at(x, 0), at(x, 1)) + 2*fmin(at(x, 0), at(x, 1));",
			[]float64{1, 1}, []float64{3, 0}},
		{"floor is constant", "acc[0] += floor(at(x, 0)) + at(x, 0);", []float64{1.5}, []float64{1}},
		{"a power without a logarithm", "acc[0] += pow(at(x, 0), 3);", []float64{-2}, []float64{12}},
		{"power 0", "acc[0] += pow(at(x, 0), d.n_len - d.n_len);", []float64{0}, []float64{0}},
		{"no weight, no infinite slope", "acc[0] += 0*sqrt(at(x, 0)) + at(x, 1);", []float64{0, 1}, []float64{0, 1}},
		{"exp beyond the range", "acc[0] += 1/(1 + exp(at(x, 0)));", []float64{1000}, []float64{0}},
		{"a quotient that is not taken", "real q = 1/at(x, 0); acc[0] += fmin(3*q, 5) + at(x, 0);", []float64{0},
			[]float64{1}},
		{"an integer is a step", "acc[0] += (int)at(x, 0) * at(x, 0);", []float64{2.5}, []float64{2}},
		{"an index", "acc[0] += at(x, (uint)at(x, 0)) * 3;", []float64{1.5, 2}, []float64{0, 3}},
		{"versions", "real v = at(x, 0); v = v*v; v = v*v; v *= v; acc[0] += v;", []float64{2}, []float64{1024}},
		{"an array that is written over", "real a[3]; " +
			"for (int i = 0; i < 3; i++) a[i] = at(x, i); " +
			"for (int i = 0; i < 3; i++) a[(i + 1) % 3] *= a[i]; acc[0] += a[0];",
			[]float64{2, 3, 5}, []float64{60, 20, 12}},
		{"break", "real p = 1; for (uint i = 0; i < 9; i++) { if (i == 3) break; p *= at(x, i); } acc[0] += p;",
			[]float64{2, 3, 5}, []float64{15, 10, 6}},
		{"continue and return", "real p = 1; for (uint i = 0; i < 3; i++) { if (i == 1) continue; " +
			"p *= at(x, i); if (p < 0) return; } acc[0] += p;", []float64{2, 3, 5}, []float64{5, 0, 2}},
		{"a loop that counts down", "real p = 1; for (uint i = 3; i-- > 0;) p = p*at(x, i) + at(x, 0); acc[0] += p;",
			[]float64{2, 3, 5}, []float64{32, 14, 6}},
		{"sums read again", "acc[0] += at(x, 0); acc[0] *= acc[0];", []float64{3}, []float64{6}},
		{"no iteration", "real p = at(x, 0); for (uint i = 5; i < 5; i++) p *= p; acc[0] += p;", []float64{3},
			[]float64{1}},
		{"steps of three", "real p = 1; for (uint i = 1; i < 8; i += 3) p *= at(x, i/3); acc[0] += p;",
			[]float64{2, 3, 5}, []float64{15, 10, 6}},
	} {
		text := "//@ bounds -1 1\n//@ data n n.txt\nstatic void component(uint k, point x, data d, real *acc)\n{\n" +
			c.body + "\n}\n"
		o, err := opencl.Parse(strings.NewReader(text), files, len(c.x))
		if err != nil {
			t.Fatal(err)
		}
		trees, opaque := o.Trees(problems.FP64)
		if trees == nil {
			t.Fatalf("%s: %v", c.name, opaque)
		}
		_, gradient, along := slopes(t, trees.Component, around(t, o), c.x)
		if !slices.Equal(gradient, along) && !math.IsNaN(along[0]) {
			t.Errorf("%s: adjoint %v, tangent %v", c.name, gradient, along)
		}
		if !slices.Equal(gradient, c.want) {
			t.Errorf("%s: %v, by hand %v", c.name, gradient, c.want)
		}
	}
}

// files has the table of the texts.
var files = fstest.MapFS{"n.txt": {Data: []byte("1\n")}}
