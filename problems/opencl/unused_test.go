package opencl

import (
	"strings"
	"testing"
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
		{table, "acc[0] += d.t[k]*d.u[k]*at(x, k)*d.u[0];", "my.cl:4:22: warning: no table u is declared. Add a line " +
			"//@ data u FILE"},
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
