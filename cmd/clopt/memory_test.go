package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/solvers/runs/record"
)

// rowsText is a regression: every residual reads all unknowns.
const rowsText = `//@ bounds -10 10
//@ components 600
//@ squares 1
static void residuals(uint k, point x, data d, real *r)
{
    real s = -cos(R(0.37) * (k + 1));
    for (uint i = 0; i < DIM; i++) s += cos(R(0.37) * (k + 1) * (i + 1)) * at(x, i);
    r[0] = (1 + k % 3) * s;
}
`

// A plan has what a run keeps on the host, and equations that are too large are refused as memory.
func TestHostMemory(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "rows.cl", rowsText)
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"-n 20 --dry-run", 0, "on the host"},
		{"-n 20 --dry-run --json", 0, `"host":[{"what":"equations`},
		{"-n 20000 --dry-run -s lm", 5, "equations of more than 134217728 numbers"},
		{"-n 20000 --dry-run --mem 100%", 0, "because"},
	} {
		code, out, errs := call(t, append([]string{"run", "rows.cl"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("clopt run rows.cl %s: exit %d, want %d and %q\n%s%s", c.args, code, c.code, c.want, out, errs)
		}
	}
	code, out, errs := call(t, strings.Fields("run rows.cl -n 20 -s lm --seed 1 --evals 115 --json -d 0")...)
	var r record.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 || !(float64(r.Best.F) < 1e-12) {
		t.Errorf("exit %d, %v\n%s%s", code, err, out, errs)
	}
}
