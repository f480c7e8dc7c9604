package solvers

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/clopt/clopt/problems"
)

// Runs by blocks, in every shape that their memory has. A step of the chains
// has at most 50 evaluations, one of the synchronous scheme 100, so that phases
// are cut too.
var cutBlocks = map[string]cutCase{
	"chains, some states":   {&MASW{Acceptance: "block", Population: 6, Iterations: 70, States: 3}, "cec2013/f4:n=4000", problems.FP64, 600, []int64{1, 2, 3, 4, 5, 8}},
	"many short chains":     {&MASW{Acceptance: "block", Population: 6, Iterations: 4, States: 2}, "cec2013/f12:n=3000", problems.FP64, 300, []int64{20, 33, 46, 61}},
	"chains in fp32":        {&MASW{Acceptance: "block", Population: 5, Iterations: 60}, "cec2013/f1:n=3000", problems.FP32, 300, []int64{1, 3, 4}},
	"synchronous":           {&MASW{Acceptance: "block", Scheme: "synchronous", Population: 5, Iterations: 110}, "cec2013/f2:n=3000", problems.FP64, 5 * 300, []int64{1, 2, 3, 4, 5}},
	"synchronous and grain": {&MASW{Acceptance: "block", Scheme: "synchronous", Population: 6, Iterations: 104, Grain: 50}, "cec2013/f2:n=3000", problems.FP32, 6 * 250, []int64{1, 2, 4}},
	"two colours":           {&MASW{Acceptance: "block", Population: 5, Iterations: 60}, "cec2013/f12:n=4300,mode=paper", problems.FP64, 500, []int64{1, 2, 3, 4, 5, 6, 7, 9}},
	"two colours and grain": {&MASW{Acceptance: "block", Population: 5, Iterations: 60, Grain: 150}, "cec2013/f12:n=3000", problems.FP32, 500, []int64{1, 3, 5, 6, 8}},
	"parts":                 {&MASW{Acceptance: "block", Population: 5, Iterations: 60, Grain: 120}, "cec2013/f4:n=3000", problems.FP64, 300, []int64{1, 2, 4, 5}},
	"parts in two colours":  {&MASW{Acceptance: "block", Population: 5, Iterations: 20, Grain: 1}, "cec2013/f13:n=2000", problems.FP64, 150, []int64{1, 2, 3, 4, 5}},
	"seq":                   {&MASWSeq{Population: 6, Iterations: 70, On: "device"}, "cec2013/f12:n=3500,mode=paper", problems.FP64, 400, []int64{1, 2, 3, 4, 5, 7}},
	"seq in global memory":  {&MASWSeq{Population: 4, Iterations: 12, On: "device"}, "cec2013/f1:n=200000", problems.FP64, 40, []int64{1, 2, 3}},
	"seq on the host":       {&MASWSeq{Population: 6, Iterations: 70, On: "host"}, "cec2013/f2", problems.FP64, 500, []int64{1, 2, 3, 4, 5, 8}},
}

func TestResumeBlocks(t *testing.T) {
	for name, c := range cutBlocks {
		t.Run(name, func(t *testing.T) { c.resume(t) })
	}
}

// Values that are not finite are counted once, whatever is evaluated again.
func TestResumeNonFinite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hole.cl")
	if err := os.WriteFile(path, []byte("//@ bounds -5 5\n//@ reads k..k+1\n//@ components n-1\n"+
		"static void component(uint k, point x, data d, real *acc) "+
		"{ real v = at(x, k), w = at(x, k + 1); acc[0] += v > R(4.99) ? NAN : v * v + R(0.1) * v * w; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := cutCase{&MASW{Acceptance: "block", Population: 40, Iterations: 4}, path + ":n=2500", problems.FP64, 200, []int64{2, 3, 5, 6}}
	if res := c.resume(t); res.NonFinite == 0 {
		t.Error("no value was NaN")
	}
}
