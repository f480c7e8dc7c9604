package smooth

import (
	"fmt"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/token"
)

// class returns the class of an objective in words. text is the body of its component, or a text with residuals of 2
// squares, or with 2 inner sums.
func class(t *testing.T, text string) string {
	t.Helper()
	in := clc.Text{RealBits: 64, Tables: map[string]clc.Type{"a": clc.Real, "i": clc.UInt},
		Symbols: map[string]uint32{"DIM": 10}}
	switch {
	case strings.Contains(text, "residuals"):
		in.Residuals = 2
	case strings.Contains(text, "inner"):
		in.Inner = 2
	default:
		text = "static void component(uint k, point x, data d, real *acc) {\n" + text + "\n}\n"
	}
	in.Tokens = token.Scan("f.cl", 1, text, 1e5)
	trees, why := clc.Parse(in)
	if why != nil {
		t.Fatal(why)
	}
	return inWords(Of(trees, nil))
}

func inWords(c Class) string {
	all := []string{c.Kind().String()}
	if c.Degree < Other {
		all = append(all, [...]string{"constant", "linear", "quadratic"}[c.Degree])
	}
	for _, cause := range append(c.Kinks, c.Steps...) {
		all = append(all, fmt.Sprintf("%s:%d", cause.Word, cause.Pos.Line))
	}
	return strings.Join(all, " ")
}

func TestClasses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"acc[0] += k;", "smooth constant"},
		{"real s = 1; for (int i = 0; i < 5; i++) s += d.a[i]*at(x, i); acc[0] -= s/2;", "smooth linear"},
		{"real s = 0; for (int i = 0; i < 5; i++) s += d.a[i]*at(x, i); acc[0] += s*s + pown(at(x, 0), 2);",
			"smooth quadratic"},
		{"real s = 0; for (int i = 0; i < 5; i++) s = s*at(x, 0) + at(x, i); acc[0] += s;", "smooth"},
		{"acc[0] += exp(at(x, k));", "smooth"},
		{"real v = at(x, k);\nv = d.a[k];\nacc[0] += v;", "smooth constant"},
		{"acc[0] +=\nfabs(at(x, k));", "kinked fabs:3"},
		{"acc[0] += fmax(at(x, 0), at(x, 1)) - clamp(at(x, 2), R(0.0), R(1.0));", "kinked fmax:2 clamp:2"},
		{"real r = 0;\nfor (int i = 0; i < 5; i++) r = max(r, at(x, i));\nacc[0] += r;", "kinked max:3"},
		{"real best = 9;\nfor (int i = 0; i < 5; i++) if (at(x, i) < best) best = at(x, i);\nacc[0] += best;",
			"kinked a branch:3"},
		{"acc[0] += at(x, k) > 0 ? 3*at(x, k) : at(x, k);", "kinked a choice:2"},
		{"real u = at(x, k);\nacc[0] += u > 0 ? u : 0;", "kinked a choice:3"},
		{"const real g = 1 - at(x, 0)*at(x, 1);\nif (g > 0 && k == 0) acc[0] += 1000*g;", "kinked a branch:3"},
		{"acc[0] += floor(at(x, k));", "stepped floor:2"},
		{"acc[0] += (int)at(x, k);", "stepped a cast to int:2"},
		{"acc[0] += at(x, k) > 0;", "stepped a comparison that is a number:2"},
		{"acc[0] += at(x, k) > 0 ? 3 : at(x, k);", "stepped a choice that jumps:2"},
		{"const int i = at(x, 0);\nacc[0] += d.a[i];", "stepped a cast to int:2 an index:3"},
		{"real s = 10 - at(x, k);\nif (s <= 0) { acc[0] += INFINITY; return; }\nacc[0] -= log(s);",
			"stepped a branch that jumps:3"},
		{"real s = 0;\nwhile (s < at(x, k)) s += at(x, 0);\nacc[0] += s;", "stepped a loop whose end depends on x:3"},
		{"real s = 0;\nfor (int i = 0; i < 5; i++) {\nif (at(x, i) < 0) break;\ns += at(x, i);\n}\nacc[0] += s;",
			"stepped a branch that jumps:4"},
		// smooth in sum
		{"acc[0] += sq(fmax(R(0.0), at(x, k) - 1));", "smooth"},
		{"const real g = fmax(R(0.0), at(x, k) - 1);\nacc[0] += 1000*g*g;", "smooth"},
		{"const real g = at(x, k) - 1;\nif (g > 0) acc[0] += 1000*g*g;", "smooth"},
		{"const real m = d.a[k]*at(x, k);\nacc[0] += fmax(-m, R(0.0)) + log1p(exp(-fabs(m)));", "smooth"},
		{"const real r = fabs(at(x, k));\nacc[0] += r < R(0.1) ? r*r : R(0.2)*r - R(0.01);", "smooth"},
		{"const real r = fabs(at(x, k));\nacc[0] += r < R(0.1) ? r*r : R(0.1)*r;", "kinked a choice:3"},
		{"const real r = fabs(at(x, k));\nacc[0] += r < R(0.1) ? r*r : R(0.2)*r;", "stepped a choice that jumps:3"},
		{"const real s = sqrt(1 + sq(at(x, k)));\nacc[0] += isfinite(s) ? s : R(1e9);", "smooth"},
		// other forms
		{"static void residuals(uint k, point x, data d, real *r) { r[0] = 2 - at(x, k); r[1] = fabs(at(x, k)); }",
			"smooth"},
		{"static void residuals(uint k, point x, data d, real *r) { r[0] = 2 - at(x, k); }", "smooth quadratic"},
		{"static void residuals(uint k, point x, data d, real *r) { r[0] = 2 - fabs(at(x, k)); }", "kinked fabs:1"},
		{"static void component_inner(uint k, point x, data d, real *inner) { inner[1] += sq(at(x, k)); }\n" +
			"static real component_value(uint k, const real *inner, data d) { return inner[0] + 3*inner[1]; }",
			"smooth quadratic"},
		{"static void component_inner(uint k, point x, data d, real *inner) { inner[1] += at(x, k); }\n" +
			"static real component_value(uint k, const real *inner, data d) { return fmax(inner[0], inner[1]); }",
			"kinked fmax:2"},
	} {
		if got := class(t, c.text); got != c.want {
			t.Errorf("%s\n%s, want %s", c.text, got, c.want)
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, text := range []string{"acc[0] += fmax(at(x, k), R(0.0)) + d.a[k];",
		"real v[3] = {1}; for (int i = 0; i < 3; i++) { if (at(x, i) > v[i]) continue; v[i] += fabs(at(x, i)); } " +
			"acc[0] += v[2];",
		"int n = at(x, 0); while (n-- > at(x, 1)) { if (n & 1) break; acc[0] += clamp(at(x, n), R(0.0), R(1.0)); }"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = "static void component(uint k, point x, data d, real *acc) {\n" + text + "\n}\n"
		trees, why := clc.Parse(clc.Text{Tokens: token.Scan("f.cl", 1, text, 1e4), RealBits: 64,
			Tables: map[string]clc.Type{"a": clc.Real, "i": clc.UInt}, Symbols: map[string]uint32{"DIM": 10}})
		if why != nil {
			return
		}
		if c := Of(trees, nil); c.Kind() != Smooth && c.Degree != Other {
			t.Fatal(c)
		}
	})
}
