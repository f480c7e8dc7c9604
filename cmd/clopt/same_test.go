package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// gridOf is what two identical runs share.
func gridOf(t *testing.T, dir string) string {
	var b strings.Builder
	for _, m := range lines(t, readText(t, dir, "trace.jsonl")) {
		if m["type"] == "sample" && m["grid"] == nil {
			for _, k := range []string{"evals", "work", "step", "f", "best", "nonfinite"} {
				s, _ := json.Marshal(m[k])
				b.Write(append(s, ' '))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// sameRun fails unless two folders hold the same run in every bit.
func sameRun(t *testing.T, what, a, b string) {
	t.Helper()
	if gridOf(t, a) != gridOf(t, b) {
		t.Errorf("%s: the traces differ", what)
	}
	if readText(t, a, "best.npy") != readText(t, b, "best.npy") {
		t.Errorf("%s: the best points differ", what)
	}
	end := func(dir string) string {
		all := lines(t, readText(t, dir, "trace.jsonl"))
		m := all[len(all)-1]
		return fmt.Sprint(m["type"], m["evals"], m["best"], m["stop"])
	}
	if end(a) != end(b) {
		t.Errorf("%s: the ends differ: %s, %s", what, end(a), end(b))
	}
	if x, y := readResult(t, a), readResult(t, b); x.Best.F != y.Best.F || x.Evaluations != y.Evaluations ||
		x.Steps != y.Steps || *x.Best.XSHA256 != *y.Best.XSHA256 {
		t.Errorf("%s: the results differ: %+v, %+v", what, x.Best, y.Best)
	}
}

// repeats checks that runs/one, which args made, gives the same bits on three devices and from its run.toml, that its
// point has the reported value, and that names may be in upper case.
func repeats(t *testing.T, args []string) {
	t.Helper()
	for name, again := range map[string][]string{"three": append(args[:len(args):len(args)], "-d", "0*3"),
		"again": {"run", "runs/one/run.toml"}} {
		if code, _, errs := call(t, append(again, "--name", name)...); code != 0 {
			t.Fatalf("%s: exit %d\n%s", name, code, errs)
		}
		sameRun(t, name, "runs/one", "runs/"+name)
	}
	r := readResult(t, "runs/one")
	_, value, _ := call(t, "eval", strings.ToLower(r.Problem), "--x", "runs/one/best.npy", "--host")
	if f, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil || f != float64(r.Best.FHost) {
		t.Errorf("eval --host: %q, result has %v", value, r.Best.FHost)
	}
}
