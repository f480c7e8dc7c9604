package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// checked returns the warnings about the text of a component, or about a whole text if it has a component.
func checked(text string) []Warning {
	if !strings.Contains(text, "component(") {
		text = "static void component(uint k, point x, data d, real *acc)\n{\n" + text + "\n}\n"
	}
	return Check(Tokens("f.cl", 1, text, 1e5), Sizes{Sums: 1})
}

// Each text has one mistake, and the warning has its place and the cure.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, place, cure string }{
		{"acc[0] += 1/2*sq(at(x, k));", "3:11", "Write R(1.0) / 2"},
		{"acc[0] += sq(at(x, k)) * (3 / 4);", "3:27", "R(3.0) / 4"},
		{"acc[0] += pow(fabs(at(x, k)), 1/3);", "3:31", "R(1.0) / 3"},
		{"const real h = 1 / DIM; acc[0] += h;", "3:16", "1 / DIM of two integers is 0 where DIM is above 1. Write " +
			"R(1.0) / DIM"},
		{"acc[0] += 1/(k + 1)*at(x, k);", "3:11", "R(1.0) / (k + 1)"},
		{"acc[0] += 2/k + at(x, k);", "3:11", "(real)2 / k"},
		{"acc[0] += (k + 1)/DIM*sq(at(x, k));", "3:11", "(real)(k + 1) / DIM"},
		{"acc[0] += k/d.t_rows*at(x, 0);", "3:11", "Write (real)k / d.t_rows"},
		{"real u = k/(d.t_rows - 1); acc[0] += u;", "3:10", "Write (real)k / (d.t_rows - 1)"},
		{"const uint m = d.t_rows; acc[0] += at(x, 0)*(k/(m - 1));", "3:46", "Write (real)k / (m - 1)"},
		{"acc[0] += at(x, 0)*((k + 1)/d.t_len);", "3:21", "Write (real)(k + 1) / d.t_len"},
		{"acc[0] += 1/d.t_rows*at(x, 0);", "3:11", "Write R(1.0) / d.t_rows"},
		{"real t = k / (DIM - 1); acc[0] += t;", "3:10", "(real)k / (DIM - 1)"},
		{"#define H 1/8\nacc[0] += H * at(x, k);", "3:11", "R(1.0) / 8"},
		{"acc[0] += sq(at(x, k) - R(0.01)*(k - 50));", "3:34", "k - 50 is unsigned: instead of a number below 0 it " +
			"is one of 4e9. Write (real)k - 50"},
		{"acc[0] += fabs(at(x, k) - (k - 5));", "3:28", "(real)k - 5"},
		{"real v = k - 3; acc[0] += v;", "3:10", "(real)k - 3"},
		{"acc[0] += (10 - k)*at(x, k);", "3:12", "10 - (real)k"},
		{"acc[0] += -k*at(x, k);", "3:11", "-(real)k"},
		{"for (uint i = 0; i < DIM; i++) acc[0] += (i - 1.0) * (i - 3) * at(x, i);", "3:55", "(real)i - 3"},
		{"for (uint i = 0; i < 4; i++) acc[0] += at(x, k) / (0.5 + (i - k));", "3:59", "(real)i - k"},
		{"acc[0] += abs(k - 20);", "3:15", "(real)k - 20"},
		{"acc[0] += (real)(k % 7 - 3) * at(x, k);", "3:18", "(real)(k % 7) - 3"},
		{"if (k + 1 < DIM) acc[0] += R(0.1)*(k - 9);", "3:36", "(real)k - 9"},
		{"acc[0] += (k - DIM/2)*0.1;", "3:12", "(real)k - DIM/2"},
		{"acc[0] += (k % GRID_X - GRID_X/2)*0.1;", "3:12", "(real)(k % GRID_X) - GRID_X/2"},
		{"acc[0] += 0.5*(2^k);", "3:17", "A power"},
		{"float v = at(x, k); acc[0] += v;", "3:1", "Write real"},
		{"acc[0] += (float)at(x, k);", "3:12", "Write real"},
		{"acc[0] += 0.1f*at(x, k);", "3:11", "Write R(0.1)"},
		{"acc[0] += sq(at(x, k)) * (10^6);", "3:29", "^ is the exclusive or"},
		{"acc[0] += (k^2)*at(x, k);", "3:13", "A power is sq(v)"},
		{"acc[0] += 0,5*sq(at(x, k));", "3:11", "0,5 is two numbers. Write 0.5, with a point"},
		{"const real w = (1,5); acc[0] += w;", "3:17", "Write 1.5"},
		{"acc[0] += R(0,5)*at(x, k);", "3:13", "Write 0.5"},
		{"#define W 1,5\nacc[0] += W;", "3:11", "Write 1.5"},
		{"if (k = 3) acc[0] += at(x, k);", "3:7", "= sets k. A comparison is =="},
		{"while (k = 0) acc[0] += at(x, k);", "3:10", "A comparison is =="},
		{"acc[0] += (k = 3) ? 1 : at(x, k); if (k = 2) acc[0] += 1;", "3:41", "A comparison is =="},
		{"acc[1] += at(x, k);", "3:1", "Write //@ sums 2"},
		{"acc[k] += at(x, k);", "3:1", "Write acc[0]"},
		{"acc[0] = sq(at(x, k));", "3:8", "Write +="},
		{"acc[0] += pow(at(x, k), 2);", "3:11", "Write sq(v)"},
		{"acc[0] += pow(at(x, k) - 1, 4);", "3:11", "Write pown(v, 4)"},
		{"acc[0] += R(k)*at(x, k);", "3:11", "Write (real)(k)"},
		{"acc[0] += R(1)/R(2.0)*at(x, k);", "3:11", "Write R(1.0)"},
		{"int s = 0; for (int i = 0; i < 3; i++) s += at(x, k); acc[0] += s;", "3:40", "Declare it as real"},
		{"int w = 0.5; acc[0] += w*at(x, k);", "3:9", "0.5 becomes 0"},
		{"int v = at(x, k); acc[0] += v*v;", "3:9", "write rint(at(x, k))"},
		{"int v = at(x, k) - 0.25; acc[0] += v*v;", "3:9", "write (int)(at(x, k) - 0.25) if that is meant"},
		{"int c = at(x, k)*10; acc[0] += c;", "3:9", "write (int)(at(x, k)*10)"},
		{"acc[0] += sq(at(x, k) - (k + 1)/2);", "3:25", "Write (real)(k + 1) / 2, or (real)((k + 1)/2)"},
		{"real c = k/3 + 1; acc[0] += c*at(x, k);", "3:10", "k/3 of two integers has no fraction. Write (real)k / 3"},
		{"acc[0] += (2*k - 5)*at(x, k);", "3:12", "(real)(2*k) - 5"},
		{"real s; for (int i = 0; i < 3; i++) s += at(x, k); acc[0] += s;", "3:37", "Declare it with = 0"},
		{"real s[3]; for (int i = 0; i < 3; i++) s[i] += at(x, k); acc[0] += s[0];", "3:40", "no value yet"},
		{"real v = at(x, k); if (0 < v < 1) acc[0] += v;", "3:26", "with && between them"},
		{"if (k > 0); acc[0] += at(x, k);", "3:11", "Remove the semicolon"},
		{"for (int i = 0; i < 3; i++); { acc[0] += at(x, k); }", "3:28", "Remove the semicolon"},
		{"for (uint i = 3; i >= 0; i--) acc[0] += at(x, k);", "3:18", "Declare it as int"},
		{"if (k - 1 >= 0) acc[0] += at(x, k);", "3:5", "Compare k with 1"},
		{"for (int i = 0; i < 3; i++)\n    acc[0] += at(x, k);\n    acc[0] += 1;", "5:5", "Put both in { }"},
		{"acc[0] += at(x, 1.5);", "3:17", "1.5 is no integer"},
		{"static real half_of(real v) { return 1/2*v; }\nstatic void component(uint k, point x, data d, real *acc) { " +
			"acc[0] += half_of(at(x, k)); }", "1:38", "R(1.0) / 2"},
	} {
		all := checked(c.text)
		if len(all) != 1 || fmt.Sprintf("%d:%d", all[0].Line, all[0].Col) != c.place ||
			!strings.Contains(all[0].Text, c.cure) {
			t.Errorf("%s\nwant %s %s, got %v", c.text, c.place, c.cure, all)
		}
	}
}

// What may be meant as it stands is no mistake.
func TestNoMistakes(t *testing.T) {
	for _, text := range []string{
		"acc[0] += 4/2*at(x, k/2);", "const uint row = k / GRID_X, col = k % GRID_X; acc[0] += R(0.1)*row + col;",
		"const uint row = k/d.t_cols; acc[0] += d.t[k/d.t_rows]*at(x, row)*(d.t_rows - 1 - k);",
		"acc[0] += (real)k/d.t_rows; if (k + 1 < d.t_rows) acc[0] += 0.5*(d.t_rows - k);",
		"acc[0] += 1.0/2*at(x, k);", "acc[0] += R(1.0)/3;", "acc[0] += (real)k/DIM;", "acc[0] += (real)(k + 1)/DIM;",
		"if (k > 0) acc[0] += (k - 1)*at(x, k - 1);", "for (uint i = 1; i < DIM; i++) acc[0] += (i - 1)*at(x, i);",
		"acc[0] += k == 0 ? 1.0 : (k - 1)*at(x, k);", "if (k < 50) acc[0] += at(x, k); else acc[0] += (k - 50)*1.0;",
		"acc[0] += (DIM - k)*at(x, k) + (DIM - 1 - k);", "acc[0] += ((int)k - 50)*R(0.1);",
		"for (uint j = 0; j < k; j++) acc[0] += (k - j)*at(x, k);", "if (k) acc[0] += (k - 1)*0.5;",
		"for (uint j = k + 1; j < DIM; j++) acc[0] += (j - k)*at(x, k);", "acc[0] += (k % 2 ? 1 : -1)*at(x, k);",
		"for (int i = 2; i >= 0; i--) acc[0] += at(x, i);", "acc[0] += at(x, k ^ 1);", "acc[0] += 0.5f*at(x, k);",
		"acc[0] += fmax(1,5)*at(x, k);", "const real w[3] = {1,5,2}; acc[0] += w[0]*at(x, k);",
		"for (uint i = 0,j = 5; i < j; i++) acc[0] += 1;", "if ((k & 1) == 0) acc[0] += 1;", "int i; i = 3; acc[0] " +
			"+= i;",
		"if (k == 3) acc[0] += 1;", "real s = 0; s += at(x, k); acc[0] += s;", "real s; s = 1; s += 2; acc[0] += s;",
		"real s[2]; s[0] = 1; s[1] = 2; s[0] += 1; acc[0] += s[0];", "acc[0] += pown(at(x, k), 3) + pow(at(x, k), " +
			"2.5);",
		"int v = rint(at(x, k)), w = (int)at(x, k); acc[0] += v + w;", "int c = floor(at(x, k)*10) + 1; acc[0] += c;",
		"acc[0] += at(x, k) - (real)(k/2) + (k - k/2*2);",
		"int c = (int)(at(x, k)*10); acc[0] += c;", "real v = at(x, k); if (0 < v && v < 1) acc[0] += v;",
		"for (int i = 0; i < 3; i++)\n    acc[0] += at(x, k);\nacc[0] += 1;", "acc[0] += R(-0.5)*R(1e3)*at(x, k);",
		"const int n = DIM; acc[0] += (n - 1)*0.5;", "#define N 9\nfor (uint i = 0; i < N; i++) acc[0] += (N - i)*0.1;",
		"#if 0\nacc[0] += 1/2;\n#endif\nacc[0] += 1;", "real2 v = (real2)(1, 2); acc[0] += v.x;",
	} {
		if all := checked(text); len(all) > 0 {
			t.Errorf("%s\n%v", text, all)
		}
	}
}

// Any tokens end the check.
func TestAnyTokens(t *testing.T) {
	const text = "static void component(uint k, point x, data d, real *acc) {\nfor (uint i = 0, j; i < DIM; i++) { " +
		"real v[2] = {1, 2,}; if (k = 1/2) acc[0] += (real)(k - 5) * at(x, i) ? v[0] : R(1); else return; }\n#define " +
		"A(b) b ^ 2\n" +
		"do { switch (k) { case 1: break; } } while (-k < 3 < 4); struct s { int a; } q; q.a = sizeof(int); }\n"
	tokens := Tokens("f.cl", 1, text, 1e5)
	for i := range tokens {
		Check(tokens[:i], Sizes{})
		Check(tokens[i:], Sizes{})
		for _, other := range []Token{{}, tokens[(7*i+3)%len(tokens)], {Kind: Sign, Text: "{"}, {Kind: Sign,
			Text: ")"}} {
			changed := slices.Clone(tokens)
			changed[i] = other
			Check(changed, Sizes{})
		}
	}
	for _, unit := range []string{"(", "{", "[", "-", "!", "a ? ", "if (", "f(", "(int)", "a = ", "struct ", "int " +
		"", "a b ", "a,",
		"#define a a\n", "for (;;)", "k - ", "1/2;", "*", "else "} {
		begin := time.Now()
		Check(Tokens("f.cl", 1, "void component(uint k, real *acc) { real v; "+strings.Repeat(unit, 20000), 20000),
			Sizes{})
		if d := time.Since(begin); d > 10*time.Second {
			t.Errorf("%q: %v", unit, d)
		}
	}
}
