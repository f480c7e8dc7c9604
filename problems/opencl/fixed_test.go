package opencl

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/clc/token"
)

// What needs the number of variables as a constant, and what does not.
func TestFixed(t *testing.T) {
	const head = "static void component(uint k, point x, data d, real *acc)\n"
	for _, c := range []struct{ text, want string }{
		{head + "{ acc[0] += at(x, k + 1 < DIM ? k + 1 : 0) / (real)DIM; }",
			""},
		{head + "{ const real v = d.a[k * DIM], w = d.a[DIM - 1 - k]; acc[0] += v * w; }",
			""},
		{head + "{ for (uint i = 0; i < DIM; i++) acc[0] += d.a[k * COMPS + i] * at(x, i); }",
			""},
		{head + "{ return d.a[DIM - 1]; }",
			""},
		{"#define LAST 7\n" + head + "{ acc[0] += f(d) + at(x, DIM - LAST); }",
			""},
		{"static real f(uint i, const data d) { return g(d, DIM) + h(i, d); }",
			""},
		{"typedef struct { real d; } pair;\n" + head + "{ pair p; p.d = DIM; acc[0] = p.d; }",
			""},
		{head + "{ real y[DIM]; acc[0] = y[0]; }",
			"in the size of an array"},
		{head + "{ real y[2][DIM]; acc[0] = y[0][1]; }",
			"in the size of an array"},
		{head + "{ real a[3], y[DIM / 2]; acc[0] = y[0]; }",
			"in the size of an array"},
		{"constant real w[DIM] = { 1 };\n" + head + "{ acc[0] = w[k]; }",
			"outside of functions"},
		{"#if DIM > 3\n#endif\n" + head + "{ acc[0] = 1; }",
			"in a line of the preprocessor"},
		{"#define LAST (DIM - 1)\n" + head + "{ acc[0] = LAST; }",
			"in a line of the preprocessor"},
		{"static uint last(void) { return DIM - 1; }\n" + head + "{ acc[0] += last(); }",
			"without a parameter data d"},
		{"static void component(uint k, point x, data q, real *acc) { acc[0] += DIM; }",
			"without a parameter data d"},
		{head + "{ for (uint d = 0; d < DIM; d++) acc[0] += at(x, d); }",
			"another d"},
		{head + "{ real c = 1, d = 2; acc[0] += d * DIM; }",
			"another d"},
		{"static uint f(real d) { return DIM; }\n" + head + "{ acc[0] += f(1); }",
			"without a parameter data d"},
		{head + "{ acc[0] += at(x, k % DIM); }",
			"after %"},
		{head + "{ acc[0] += at(x, k % (DIM - 1)); }",
			"after %"},
		{head + "{ switch (k) { case DIM: acc[0] = 1; } }",
			"after case"},
		{"static real f(data d) { return 1; }\nstatic uint n(uint i) { return i + DIM; }",
			"without a parameter data d"},
		{"static real f(data d) { return 1; }\nstatic uint n(data d, uint i) { return DIM; }",
			""},
		{"static real f(data d);\nstatic uint n(uint i) { return i + DIM; }",
			"without a parameter data d"},
		{head + "{ { real d; d = 1; } acc[0] += DIM; }",
			"another d"},
		{"#define d (*e)\nstatic real f(data d) { return DIM; }",
			"another d"},
		{head + "{ global const real *d = 0; acc[0] += DIM; }",
			"another d"},
		{head + "{ if (k) { acc[0] += 1; } acc[0] += DIM; }\nstatic uint f(uint i) { return i; }",
			""},
	} {
		got := fixed(token.Scan("a.cl", 1, c.text, 1000))
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) || got != "" && got[:5] != "a.cl:" {
			t.Errorf("%s\n%q instead of %q", c.text, got, c.want)
		}
	}
}
