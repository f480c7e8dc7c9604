package clc

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/clc/token"
)

// textOf returns a text with the tables a, of reals, and i, of integers. What precedes an @ stands before the function
// component, and what follows it in that. A text with a component of its own has no @.
func textOf(text string) Text {
	if before, body, ok := strings.Cut(text, "@"); ok {
		text = before + "\nstatic void component(uint k, point x, data d, real *acc) {\n" + body + "\n}\n"
	}
	text = strings.ReplaceAll(text, "\\\n", "\x01\x02") // spliced lines
	return Text{Tokens: token.Scan("f.cl", 1, text, 1e5), Tables: map[string]Type{"a": Real, "i": UInt}, Sums: 2,
		RealBits: 64, Symbols: map[string]uint32{"DIM": 10, "COMPS": 10, "d.a_len": 40}}
}

// body returns the statements of the component of a text in one line, or why it has none.
func body(text string) string {
	trees, opaque := Parse(textOf(text))
	if opaque != nil {
		return opaque.String()
	}
	var w Writer
	w.Stmts(trees.Component.Body)
	return strings.Join(strings.Fields(w.String()), " ")
}

// Each text is rewritten without what a tree has not.
func TestRewritten(t *testing.T) {
	for _, c := range []struct{ what, text, want string }{
		{"effects in an index", "@int i = 0; real v[4]; while (i < 4) v[i++] = at(x, i); acc[0] += v[0];",
			"i = 0; while (i < 4) { t = i; i++; v[t] = at(x, (uint)i); } acc[0] += v[0];"},
		{"assignments as values", "@real a, b; a = b = at(x, k); acc[0] += a*b;",
			"b = at(x, k); a = b; acc[0] += a * b;"},
		{"effects in a condition", "@for (uint j = 6; j-- > 0;) acc[0] += at(x, j);",
			"j = 6u; while (1) { t = j; j--; if (t <= 0u) { break; } acc[0] += at(x, j); }"},
		{"a variable called sum", "@real sum = at(x, k); acc[0] += sum*sum;", "sum_2 = at(x, k); acc[0] += " +
			"sum_2 * sum_2;"},
		{"commas", "@real r = 0; for (int i = 0, j = 4; i < j; i++, j--) r += at(x, i)*at(x, j); acc[0] += r;",
			"r = R(0.0); i = 0; j = 4; for (; i < j; i++, j--) { r += at(x, (uint)i) * at(x, (uint)j); } acc[0] += r;"},
		{"returns", "static real f(real v, real *w) { if (v > 0) return v; *w += v; return 2*v; }@real s = 0;" +
			"acc[0] += f(at(x, k), &s) + s;", "s = R(0.0); v = at(x, k); if (v > R(0.0)) { f = v; } else { s += v; " +
			"f = R(2.0) * v; } acc[0] += f + s;"},
		{"an operand that a call changes", "static real f(real *w) { *w += 1; return *w; }@real s = at(x, k);" +
			"acc[0] += s*s + f(&s);", "s = at(x, k); t = s * s; s += R(1.0); acc[0] += t + s;"},
		{"arrays as arguments", "static real f(const real *p) { return p[0] + p[2]; }@real v[9]; v[k] = at(x, k);" +
			"acc[0] += f(v) + f(v + 1) + f(&v[2*k]);", "v[k] = at(x, k); p_at = 2u * k; acc[0] += v[0] + v[2] + " +
			"(v[1] + v[3]) + (v[p_at] + v[p_at + 2u]);"},
		{"a pointer that moves", "@global const real *p = d.a + 20*k; real s = 0; for (int i = 0; i < 20; i++) " +
			"s += *p++ * at(x, i); acc[0] += s;", "p_at = 20u * k; s = R(0.0); i = 0; for (; i < 20; i++) { " +
			"t = p_at; p_at++; s += d.a[t] * at(x, (uint)i); } acc[0] += s;"},
		{"continue and break", "@for (int i = 0; i < 5; i++) { if (i == k) continue; if (at(x, i) > 3) break; " +
			"acc[0] += at(x, i); }", "i = 0; for (; i < 5; i++) { if ((uint)i != k) { if (at(x, (uint)i) > R(3.0)) " +
			"{ break; } acc[0] += at(x, (uint)i); } }"},
		{"a return in two loops", "@for (int i = 0; i < 3; i++) while (1) { if (i == 2) return; acc[0] += at(x, i); }",
			"i = 0; for (; i < 3; i++) { while (1) { if (i == 2) { goto leave_1; } acc[0] += at(x, (uint)i); } } " +
				"leave_1:;"},
		{"guards", "@if (k > 5) return; acc[0] += at(x, k); if (k == 0) { acc[1] += 1; return; } acc[1] += 2;",
			"if (k <= 5u) { acc[0] += at(x, k); if (k == 0u) { acc[1] += R(1.0); } else { acc[1] += R(2.0); } }"},
		{"two results", "@real c; real s = sincos(at(x, k), &c); acc[0] += s*c;",
			"v = at(x, k); c = cos(v); s = sin(v); acc[0] += s * c;"},
		{"arrays of two dimensions", "@const int m[2][3] = {{1, 2, 3}, {4, 5}}; acc[0] += m[1][1]*m[k % 2][2];",
			"acc[0] += (real)(m[4] * m[k % 2u * 3u + 2u]);"},
		{"structs", "typedef struct { real a, b; } c; static c f(c v) { v.a *= v.b; return v; }@c z = {at(x, 0), 1};" +
			"z = f(z); acc[0] += z.a;", "z_a = at(x, 0u); z_b = R(1.0); v_a = z_a; v_b = z_b; v_a *= v_b; f_a = v_a; " +
			"f_b = v_b; z_a = f_a; z_b = f_b; acc[0] += z_a;"},
		{"a loop that runs once", "@do { acc[0] += at(x, k); } while (0);", "acc[0] += at(x, k);"},
		{"a loop with its test at the end", "@int j = 3; do acc[0] += at(x, j); while (--j > 0);",
			"j = 3; while (1) { acc[0] += at(x, (uint)j); j--; if (j <= 0) { break; } }"},
		{"casts", "@acc[0] += k - 5 + 2*at(x, k) + (int)at(x, k)/2 + 1/2 + (k > 1 ? 1 : 0);",
			"acc[0] += (real)(k - 5u) + R(2.0) * at(x, k) + (real)((int)at(x, k) / 2) + R(0.0) + " +
				"(k > 1u ? R(1.0) : R(0.0));"},
		{"overloads", "@acc[0] += min(k, 5u) + max(at(x, k), 0.0) + abs(-3) + pown(at(x, k), 2);",
			"acc[0] += (real)min(k, 5u) + max(at(x, k), R(0.0)) + (real)abs((-3)) + pown(at(x, k), 2);"},
		{"twice not", "@acc[0] += !!k + !!(int)k; if (!!k) acc[1] += !(k > 2) + !k;",
			"acc[0] += (real)((k != 0u) + ((int)k != 0)); if (k != 0u) { acc[1] += (real)((k <= 2u) + (k == 0u)); }"},
		{"macros", "#define P(i) at(x, 2*(i)), at(x, 2*(i) + 1)\n#if DIM > 5 && defined(P)\n#define N 2\n#endif\n" +
			"@acc[0] += N*hypot(P(k));", "acc[0] += R(2.0) * hypot(at(x, 2u * k), at(x, 2u * k + 1u));"},
		{"a pointer that is set later", "@const real *p; real v[9]; p = v; v[k] = 1; " +
			"for (; k < 9; p += 2) acc[0] += *p;",
			"p_at = 0; v[k] = R(1.0); for (; k < 9u; p_at += 2) { acc[0] += v[p_at]; }"},
		{"lists of zeros", "@real z[40] = {0}; z[k] = 1; acc[0] += z[3];",
			"i = 0; for (; i < 40; i++) { z[i] = R(0.0); } z[k] = R(1.0); acc[0] += z[3];"},
	} {
		if got := body(c.text); got != c.want {
			t.Errorf("%s: %s\n%s\nwant\n%s", c.what, c.text, got, c.want)
		}
	}
}

// Texts outside of the subset, and wrong ones, have a place and a reason.
func TestOpaque(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"@switch (k) { case 0: acc[0] += 1; case 1: acc[0] += 2; }",
			"3:22 has a case that goes on in the next one"},
		{"@acc[0] += as_ulong(at(x, k));", "3:11 uses as_ulong"},
		{"@acc[0] += native_exp(at(x, k));", "3:11 uses native_exp"},
		{"@real2 v = (real2)(0, 1); acc[0] += v.x;", "3:1 uses real2"},
		{"static int f(int n) { return n < 2 ? 1 : n*f(n - 1); }@ acc[0] += f(3);",
			"1:44 has f, which calls itself"},
		{"@acc[0] += x[k];", "3:12 reads a variable without at( )"},
		{"@acc[0] += y;", "3:11 uses y, which is not known"},
		{"int n = 0;@ n++; acc[0] += n;", "3:2 uses n, a variable outside of functions"},
		{"@acc[0] += sqrt(2);", "3:11 calls sqrt with integers"},
		{"@acc[0] += at(x, k) % 2;", "3:20 has % of a number that is no integer"},
		{"@real a[4], b[4]; real *p = a; if (k) p = b; acc[0] += *p;", "3:38 has a pointer p to several arrays"},
		{"#define J(a, b) a##b\n@acc[0] += J(1, 2);", "1:18 uses ##"},
		{"#ifdef __OPENCL_VERSION__\n#define N 2\n#endif\n@acc[0] += N;",
			"1:2 asks what is known only where it is compiled"},
		{"@" + strings.Repeat("(", 300), "3:67 is nested more than 200 deep"},
		{"@acc[0] += 'a';", "3:11 has \"'a'\" where a value is expected"},
		{"@acc[0] += 1", "4:1 has \"}\" where \";\" is expected"},
		{"@for (;;", "4:1 has no \")\""},
		{"", "0:0 has no function component"},
	} {
		if got := body(c.text); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"@acc[0] += sq(at(x, k));",
		"@for (int i = 0; i < 3; i++) { real v[2] = {1}; v[i]++; }",
		"typedef struct { real a[2]; } s;@ s v; v.a[k] = 1; do { if (k) continue; } while (v.a[0]);",
		"#define F(a) (a*F(a))\n@acc[0] += F(2) ? d.a[k] : d.i[k++];",
		"enum { A, B = 3 };@real m[B][A+2]; m[1][k] = -A;",
		"static real f(const real *p, int *n) { (*n)++; return p[*n]; }@int n; acc[0] += f(d.a + k, &n);",
		"@switch (k) { case 1: for (;;) break; break; default: return; }"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in := textOf(text)
		trees, opaque := Parse(in)
		if (trees == nil) == (opaque == nil) {
			t.Fatal(trees, opaque)
		}
		if opaque != nil {
			return
		}
		var w Writer
		w.Tree(trees.Component)
		if strings.Contains(w.String(), "goto") {
			return
		}
		in.Tokens = token.Scan("g.cl", 1, Helpers+w.String(), 1e6)
		if _, opaque := Parse(in); opaque != nil {
			t.Fatalf("%v\n%s", opaque, w.String())
		}
	})
}
