package main

import (
	"strings"
	"testing"
)

// TestSmallInputs checks numbers, run files and objectives that were once taken, or refused without their place.
func TestSmallInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "five.toml", "evals = 10\nproblem = 5\n")
	file(t, "odd.toml", "evals = 10\nproblem = \"cec2013/f99\"\n")
	file(t, "prints.cl", strings.Replace(sphereText, "acc[0] +=", "if (k == 0) printf(\"hello\\n\"); acc[0] +=", 1))
	file(t, "beside.cl", strings.Replace(sphereText, "acc[0] +=", "acc[3] +=", 1))
	file(t, "defines.cl", "#define real char\n"+sphereText)
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"cec2013/f2 --weights 0=1_000", 2, "the weight must be a number"},
		{"cec2013/f2 --target 1_000", 2, `"1_000" is not a finite number`},
		{"five.toml", 2, "five.toml:2:1: error: problem: 5 is not a text"},
		{"odd.toml", 2, "odd.toml:2:1: error: problem: \"cec2013/f99\""},
		{"prints.cl -n 20 -s random --evals 100", 0, ""},
		{"beside.cl -n 20 --evals 100", 2, "component 0 writes acc[3], and the number of sums is 1"},
		{"defines.cl -n 20 --evals 100", 2, "defines.cl:1:1: error: #define of real"},
	} {
		code, _, errs := call(t, append([]string{"run"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("clopt run %s: exit %d, want %d and %q\n%s", c.args, code, c.code, c.want, errs)
		}
	}
}
