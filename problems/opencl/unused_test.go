package opencl

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// What a text declares and does not use, and what it uses and does not declare, has a warning.
func TestUnused(t *testing.T) {
	const table, sums = "//@ bounds 0 1\n//@ data t t.txt\n", "//@ bounds 0 1\n//@ sums 2\n"
	const two = "acc[0] += at(x, k); acc[1] += at(x, k);"
	for _, c := range []struct{ directives, body, want string }{
		{sums, two, "my.cl:2:1: warning: f does not use the sum s1, which is acc[1]. Write //@ f s0 + s1"},
		{sums + "//@ f exp(s1) // s0 too\n", two, "my.cl:3:1: warning: f does not use the sum s0, which is acc[0]."},
		{sums + "//@ f s0 + s1\n", two, ""},
		{sums + "//@ f s0 + 0*s1\n", two, ""},
		{table, "acc[0] += at(x, k);", "my.cl:2:1: warning: the text does not read the table t. Read it as d.t[i]"},
		{table, "acc[0] += at(x, k)*d.t_len;", ""},
		{table + "#define T d.t\n", "acc[0] += at(x, k)*T[0];", ""},
		{table + "//@ components rows(t)\n", "acc[0] += at(x, k);", ""},
		{table, "acc[0] += d.t[k]*d.u[k]*at(x, k)*d.u[0];", "my.cl:4:22: warning: no table u is declared; there " +
			"is t. Add a line //@ data u FILE"},
		{table, "acc[0] += d.t[k]*at(x, k)*d.t[k][0]*d.t[k][1];", "my.cl:4:31: warning: a table is one array of " +
			"numbers, row after row. Write d.t[k*d.t_cols + j] for column j"},
		{table, "acc[0] += d.t.y[k]*at(x, k);", "my.cl:4:15: warning: a table is one array"},
		{table, "acc[0] += d.t[k]*d.T[k]*at(x, k);", "my.cl:4:22: warning: no table T is declared; there is t."},
		{table, "real2 e = (real2)(1, 2); acc[0] += e.x*d.t_rows*at(x, k);", ""},
		{table + "static real f(real2 d) { return d.x; }\n", "acc[0] += at(x, k)*d.t[0]*f((real2)(1, 2));", ""},
	} {
		dir := WriteFiles(t, "t.txt", "1\n2\n3\n", "my.cl", c.directives+
			"static void component(uint k, point x, data d, real *acc)\n{ "+c.body+" }\n")
		p, err := ParseFile(dir+"/my.cl", 3)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(strings.Join(p.Info().Warnings, "\n"), dir+"/", "")
		if (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s%s\n%s", c.directives, c.body, got)
		}
	}
}

// Tables of which the components leave rows out have a warning, if nothing else can be meant.
func TestUnreadRows(t *testing.T) {
	const six = "//@ bounds 0 1\n//@ data t t.txt\n//@ data v v.txt\n"
	const cols = six + "#define COLS 2\n"
	warning := func(left, cure string) string {
		return "my.cl:2:1: warning: t has 6 rows, and there are 3 components, one for each variable, so that the " +
			"last " + left + " rows are not read. Write //@ components " + cure
	}
	for _, c := range []struct{ directives, body, want string }{
		{six, "real y = d.t[2*k+1], m = at(x, 0)*d.t[2*k]; acc[0] += y - m;", warning("3", "rows(t)")},
		{six, "acc[0] += d.t[k*d.t_cols]*d.t[k*d.t_cols + 1]*at(x, 0);", warning("3", "rows(t)")},
		{cols, "const uint i = COLS*(uint)k; acc[0] += d.t[i]*d.t[i + 1]*at(x, 0);", warning("3", "rows(t)")},
		{six, "for (uint j = 0; j < d.t_cols; j++) acc[0] += d.t[k*2 + j]*at(x, j);", warning("3", "rows(t)")},
		{six, "acc[0] += (d.t[2*k + 3] - d.t[2*k + 1])*at(x, 0);", warning("2", "rows(t)-1")},
		{strings.Replace(six, "t.txt", "w.txt", 1), "acc[0] += d.t[4*k]*d.t[4*k + 3]*at(x, 1);", "my.cl:2:1: " +
			"warning: t has 8 rows, and there are 3 components, one for each variable, so that the last 2 rows are " +
			"not read. " +
			"Write //@ components rows(t)/2"},
		{six, "acc[0] += d.v[k]*at(x, 0)*d.t_len;", "my.cl:3:1: warning: v has 5 numbers, and there are 3 " +
			"components, one for each variable, so that the last 2 numbers are not read. Write //@ components len(v)"},
		{six + "//@ components 3\n", "acc[0] += d.t[2*k]*at(x, 0);", ""},
		{six, "acc[0] += d.t[2*k]*at(x, k);", ""},
		{six, "acc[0] += d.t[2*k]*d.t[6 + 2*k]*at(x, 0);", ""},
		{six, "acc[0] += d.t[k]*at(x, 0);", ""},
		{six, "acc[0] += d.t[2*(k % 2)]*at(x, 0);", ""},
		{six, "acc[0] += d.t[2*DIM + k]*d.t[2*k]*at(x, 0);", ""},
		{six, "for (uint i = k; i < d.t_rows; i += DIM) acc[0] += d.t[2*i]*at(x, 0);", ""},
		{six, "global const real *p = d.t; acc[0] += d.t[2*k]*p[3]*at(x, 0);", ""},
	} {
		if !strings.Contains(c.body, "d.v") {
			c.body += " acc[0] += 0*d.v_len;"
		}
		dir := WriteFiles(t, "t.txt", strings.Repeat("1 2.5\n", 6), "w.txt", strings.Repeat("1 2.5\n", 8), "v.txt",
			"1 2 3 4 5.5\n", "my.cl", c.directives+"static void component(uint k, point x, data d, real *acc)\n{ "+
				c.body+" }\n")
		p, err := ParseFile(dir+"/my.cl", 3)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(strings.Join(p.Info().Warnings, "\n"), dir+"/", ""); got != c.want {
			t.Errorf("%s%s\n%s", c.directives, c.body, got)
		}
	}
}

// A comment that looks like a directive has a warning.
func TestHiddenDirectives(t *testing.T) {
	const end = "//@ bounds 0 1\nstatic void component(uint k, point x, data d, real *acc)\n{ acc[0] += at(x, k); }\n"
	for line, want := range map[string]string{
		"// @ components rows(t)": "components", "// @ n 2": "n", "//  @n 2": "n", "/// @ sums 2": "sums",
		"//@ n 2":       "",
		"// @ everyone": "", "// see me @ n": "", "// @author n": "", "/* @ n 2 */": "", "// @ n": "",
	} {
		p, err := parseText(t, line+"\n"+end, 3)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(p.Info().Warnings, "\n")
		if want != "" && !strings.Contains(got, "my.cl:1:1: warning: a comment that looks like a directive has no "+
			"effect. Write //@ "+want+",") || want == "" && got != "" {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// A file of bounds says how many variables there are, unless something else does.
func TestBoundsSayN(t *testing.T) {
	const text = "//@ bounds b.txt\n%s\n" +
		"static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); }\n"
	files := fstest.MapFS{"b.txt": {Data: []byte("0 1\n0 2\n5 5\n")}}
	for line, want := range map[string]int{"": 3, "//@ n 3": 3, "//@ n 2": 0, "//@ grid 1 3\n//@ reads self": 3} {
		p, err := Parse(strings.NewReader(fmt.Sprintf(text, line)), files, 0)
		if want == 0 && err == nil || want > 0 && (err != nil || p.Domain().N != want) {
			t.Errorf("%q: %v, %v", line, p, err)
		}
	}
}
