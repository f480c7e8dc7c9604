package squares

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/internal/clc/token"
)

// data is what the texts of the tests find around them: tables a with both signs, w without, uint i, and rows of three
// numbers t of which the last one is positive.
func data() host.Data {
	return host.Data{Variables: 10, Symbols: map[string]uint32{"DIM": 10, "COMPS": 4}, Tables: map[string]host.Table{
		"a": {Real: []float64{1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12}},
		"w": {Real: []float64{1, 2, 0, 4, 0.5, 6, 7, 8, 9, 10, 11, 12}},
		"t": {Real: []float64{-1, 2, 3, -4, 5, 6, -7, 8, 9, -10, 11, 12}}, "i": {Uint: []uint32{0, 2, 3, 1}}}}
}

// parsed returns the trees of a text, of which text is the body of component or all of it.
func parsed(t *testing.T, text string, sums int) *clc.Trees {
	t.Helper()
	if !strings.Contains(text, "component") {
		text = "static void component(uint k, point x, data d, real *acc) {\n" + text + "\n}\n"
	}
	trees, why := clc.Parse(clc.Text{Tokens: token.Scan("f.cl", 1, text, 1e5), RealBits: 64, Sums: sums,
		Tables:  map[string]clc.Type{"a": clc.Real, "w": clc.Real, "t": clc.Real, "i": clc.UInt},
		Symbols: map[string]uint32{"DIM": 10}})
	if why != nil {
		t.Fatal(why)
	}
	return trees
}

// run runs a tree for component k at x.
func run(t *testing.T, tree *clc.Tree, k int, x []float64) []float64 {
	t.Helper()
	f, err := host.Compile(tree, data())
	if err != nil {
		t.Fatal(err)
	}
	frame := f.NewFrame()
	if _, err := frame.Run(k, 0, x, 1<<40); err != nil {
		t.Fatal(err)
	}
	return frame.Out()
}

// The squares of residuals that are found add up to the component.
func TestSumsOfSquares(t *testing.T) {
	for _, c := range []struct{ text, counts string }{
		{"real r = at(x, k) - d.a[k]; acc[0] += r*r;", "[1]"},
		{"acc[0] += sq(at(x, k) - 1) + 100*sq(at(x, k+1) - at(x, k)*at(x, k));", "[2]"},
		{"acc[0] += pown(at(x, k), 2)/2 + pow(at(x, 1), R(4.0)) + pow(fabs(at(x, 2)), 2);", "[3]"},
		{"acc[0] += (at(x, k) - 1)*(at(x, k) - 1)*d.w[k];", "[1]"},
		{"for (int j = 0; j < 4; j++) { real r = at(x, j) - d.a[j]; acc[0] += r*r/(d.a[j]*d.a[j]); }", "[4]"},
		{"real s = 0; for (uint j = 0; j < k; j++) { real r = at(x, j)*d.a[j]; s += d.w[j]*(r*r); } acc[0] += s/2 + " +
			"d.t[3*k+2]*sq(at(x, 0));", "[1 2 3 4]"},
		{"real s = 0, p = 0; for (int j = 0; j < 3; j++) { s += sq(at(x, j)); p += sq(at(x, j) - 1); }" +
			"real c = R(0.25)*s; acc[0] += c + d.w[2 + k]*p;", "[6]"},
		{"real dx = at(x, 0) - at(x, 1), dy = at(x, 2), q = dx*dx + dy*dy; if (k > 1) acc[0] += 3*q; " +
			"acc[0] += R(0.1)*q;", "[4]"},
		{"real u = at(x, k); if (u > 0) acc[0] += u*u; else { acc[0] += sq(u - 1); acc[0] += 2; } acc[0] += sq(u - 3);",
			"[3]"},
		{"real u = at(x, k); acc[0] += u > 0 ? u*u : 4*u*u + sq(at(x, 0));", "[2]"},
		{"real r = at(x, k); acc[0] += r*r; r = r*r - 1; acc[0] += r*r;", "[2]"},
		{"for (int j = 0; j < 3; j++) { if (j == 1) continue; real s = 0; for (int i = 0; i < 2; i++) s += " +
			"sq(at(x, i + j)); acc[0] += s; }", "[4]"},
		{"real c[3] = {0, 0, 0}; for (int j = 0; j < 3; j++) c[j] = at(x, j)*at(x, k); " +
			"for (int j = 0; j < 3; j++) acc[0] += c[j]*c[j];", "[3]"},
		{"const real w[2] = {1, 4}; acc[0] += w[k & 1]*sq(at(x, k)); if (k == 0) return; acc[0] += sq(at(x, 9));",
			"[2]"},
		{"real e = 0; for (uint j = 0; j < 3; j++) { real m = exp(-at(x, 0)*j); e += (m - d.a[j])*(m - d.a[j]); }" +
			"acc[0] += e/d.i[1];", "[3]"},
		{"acc[0] += at(x, k)*(sq(at(x, 1)) + sq(at(x, 2)))*at(x, k);", "[2]"},
		{"acc[0] += fma(at(x, k), at(x, k), sq(at(x, 1)));", "[2]"},
		{"static real square(real v) { return v*v; }\nstatic real cost(point x, data d, uint k) { real s = 0; " +
			"for (uint j = 0; j < 5; j++) s += square(at(x, j) - d.a[k]); return s; }\n" +
			"static void component(uint k, point x, data d, real *acc) { acc[0] += cost(x, d, k)/5; }", "[5]"},
	} {
		trees := parsed(t, c.text, 1)
		found := Find(Text{Trees: trees, Data: data(), Components: 4, Weights: []float64{1}})
		if found.Why != nil {
			t.Errorf("%s: %d: %s", c.text, found.Why.Pos.Line, found.Why.Text)
			continue
		}
		if got := fmt.Sprint(found.Counts); got != c.counts {
			t.Errorf("%s: %s residuals, not %s", c.text, got, c.counts)
		}
		rnd := rand.New(rand.NewPCG(1, 2))
		for range 5 {
			x := make([]float64, 10)
			for i := range x {
				x[i] = 2*rnd.Float64() - 1
			}
			for k := range 4 {
				want, sum := run(t, trees.Component, k, x)[0], 0.0
				for _, r := range run(t, found.Residuals, k, x) {
					sum += r * r
				}
				if math.Abs(sum-want) > 1e-13*(1+want) {
					var w clc.Writer
					w.Tree(found.Residuals)
					t.Fatalf("%s: component %d: %v, not %v\n%s", c.text, k, sum, want, w.String())
				}
			}
		}
	}
}

// Two sums with weights are one sum of squares.
func TestWeightsOfSums(t *testing.T) {
	trees := parsed(t, "acc[0] += sq(at(x, k)); acc[1] += sq(at(x, 0) - 1); acc[2] += at(x, 1);", 3)
	found := Find(Text{Trees: trees, Data: data(), Components: 4, Weights: []float64{4, 0.25, 0}})
	x := []float64{3, 2, 1, 1, 1, 1, 1, 1, 1, 1}
	if found.Why != nil {
		t.Fatal(found.Why)
	}
	if got := fmt.Sprint(run(t, found.Residuals, 1, x)); got != "[4 1]" {
		t.Error(got)
	}
	for _, weights := range [][]float64{{1, -1, 0}, {1, 1, 1}, nil} {
		if Find(Text{Trees: trees, Data: data(), Components: 4, Weights: weights}).Why == nil {
			t.Errorf("weights %v: found", weights)
		}
	}
}

func TestNoSumsOfSquares(t *testing.T) {
	for _, c := range []struct{ text, why string }{
		{"real r = at(x, 0), s = at(x, 1);\nacc[0] += r*s;", "2 adds r * s"},
		{"acc[0] += sq(at(x, 0));\nacc[0] -= sq(at(x, 1));", "2 subtracts"},
		{"acc[0] += sq(at(x, 0)) -\n2*at(x, 0);", "subtracts"},
		{"acc[0] += d.a[k]*sq(at(x, 0));", "1 multiplies by d.a[k]"},
		{"acc[0] += d.t[3*k + 1]*sq(at(x, 0)) + d.t[k]*sq(at(x, 1));", "1 multiplies by d.t[k]"},
		{"acc[0] += sq(at(x, 0))/at(x, 1);", "divides by"},
		{"acc[0] += exp(at(x, 0));", "adds exp"},
		{"acc[0] += pown(at(x, 0), 3);", "adds pown"},
		{"acc[0] += -sq(at(x, 0));", "subtracts"},
		{"real s = 0;\nfor (int j = 0; j < 3; j++) s += sq(at(x, j));\nacc[0] += sqrt(s);", "adds sqrt(s)"},
		{"real s = 0;\nfor (int j = 0; j < 3; j++) s += sq(at(x, j));\nacc[0] += s; acc[0] += s;", "adds up s"},
		{"real s = 0;\nfor (int j = 0; j < 3; j++) { s += sq(at(x, j)); acc[0] += s; }", "adds up s"},
		{"real s = 0;\nfor (int j = 0; j < 3; j++) s += sq(at(x, j));\nif (at(x, 0) > 0) acc[0] += s;", "adds up s"},
		{"real s = 0, w = 1;\nfor (int j = 0; j < 3; j++) { s += sq(at(x, j)); w += j; }\nacc[0] += w*s;",
			"multiplies a sum of squares by w"},
		{"real s = 0;\nfor (int j = 0; j < 3; j++) { s = s/2 + sq(at(x, j)); }\nacc[0] += s;", "adds up s"},
		{"for (int j = 0; j < 9; j++) { if (at(x, j) > 0) break; acc[0] += sq(at(x, j)); }\nacc[0] += sq(at(x, 0));",
			"depends on the point"},
		{"acc[0] += 3;", "nothing that depends"},
		{"real r = at(x, 0);\nif (fabs(r) < 1) acc[0] += r*r;\nelse acc[0] += 2*fabs(r) - 1;", "3 subtracts R(1.0)"},
		{"static void component_inner(uint k, point x, data d, real *inner) { inner[0] += at(x, k); }\n" +
			"static real component_value(uint k, const real *inner, data d) { return inner[0]*inner[0]; }", "inner"},
	} {
		inner := strings.Contains(c.text, "component_inner")
		var trees *clc.Trees
		if inner {
			trees, _ = clc.Parse(clc.Text{Tokens: token.Scan("f.cl", 1, c.text, 1e5), RealBits: 64, Inner: 1})
		} else {
			trees = parsed(t, "\n"+c.text, 1)
		}
		found := Find(Text{Trees: trees, Data: data(), Components: 4, Weights: []float64{1}})
		if found.Why == nil {
			t.Errorf("%s: found", c.text)
			continue
		}
		if got := fmt.Sprintf("%d %s", found.Why.Pos.Line-2, found.Why.Text); !strings.Contains(got, c.why) {
			t.Errorf("%s: %q, not %q", c.text, got, c.why)
		}
	}
}

// A function that sets residuals becomes one that adds to them.
func TestDeclaredResiduals(t *testing.T) {
	trees, why := clc.Parse(clc.Text{Tokens: token.Scan("f.cl", 1, "static void residuals(uint k, point x, data d, "+
		"real *r) { if (k == 0) return; r[1] = at(x, 0); r[0] = 2*r[1]; }", 1e5), RealBits: 64, Residuals: 2})
	if why != nil {
		t.Fatal(why)
	}
	found := Find(Text{Trees: trees, Data: data(), Components: 4})
	none := make([]float64, 10)
	if got := fmt.Sprint(run(t, found.Residuals, 1, none), found.Counts, found.At.Line); got != "[0 0] [2] 0" {
		t.Error(got)
	}
	x := []float64{3, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	if got := fmt.Sprint(run(t, found.Residuals, 0, x), run(t, found.Residuals, 1, x)); got != "[0 0] [6 3]" {
		t.Error(got)
	}
}
