package clopt_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/clopt/clopt"
	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/solvers"
)

// sphere has its smallest value, 0, at 1/4 in every variable.
const sphere = `//@ bounds -1 1
//@ reads k
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k) - R(0.25);
    acc[0] += v*v;
}
`

func Example() {
	res, err := clopt.Minimize(context.Background(), clopt.Source(sphere).N(1000), clopt.Options{Evals: 5000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(res.X), res.Confirmed, res.Status)
	// Output: 1000 true evals
}

// weightedText has its smallest value, 0, at 0. The weights are a table.
const weightedText = `//@ bounds -1 1
//@ reads k
//@ data weight weight.csv
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += d.weight[k] * sq(at(x, k));
}
`

// weightFile holds weight.csv with a line for each weight.
func weightFile(weights []float64) fs.FS {
	var lines []byte
	for _, w := range weights {
		lines = fmt.Appendln(lines, w)
	}
	return fstest.MapFS{"weight.csv": {Data: lines}}
}

// The text takes its data from a file that is in memory only.
func ExampleSourceFS() {
	weighted := clopt.SourceFS(weightedText, weightFile([]float64{1, 2, 3, 4})).N(4)
	res, err := clopt.Minimize(context.Background(), weighted, clopt.Options{Evals: 10000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(res.X), res.Confirmed, res.F < 0.01)
	// Output: 4 true true
}

// A run may begin from points that the program knows, here from the minimum itself.
func ExampleOptions_x0() {
	guess := slices.Repeat([]float64{0.25}, 100)
	res, err := clopt.Minimize(context.Background(), clopt.Source(sphere).N(100),
		clopt.Options{X0: [][]float64{guess}, Evals: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.F)
	// Output: 0
}

// weighted returns a problem made in Go with the given weights.
func weighted(weights []float64) (problems.Problem, error) {
	return opencl.Parse(strings.NewReader(weightedText), weightFile(weights), len(weights))
}

// A problem may be made in Go. Package opencl makes one from a text; others implement problems.Problem.
func ExampleProblem() {
	p, err := opencl.Parse(strings.NewReader(sphere), nil, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := clopt.Minimize(context.Background(), clopt.Problem(p), clopt.Options{Evals: 10000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(res.X), res.Confirmed, res.F < 0.01)
	// Output: 4 true true
}

// TestMinimize minimizes each kind of objective once. The result is confirmed and has the sign that was asked for.
func TestMinimize(t *testing.T) {
	target := 330.0
	inGo, err := weighted(slices.Repeat([]float64{2}, 50))
	if err != nil {
		t.Fatal(err)
	}
	bits, err := cut.New(graph.NewModel(graph.Bits, graph.Quadratic{Linear: []int64{2, -1, 3}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what   string
		o      clopt.Objective
		opt    clopt.Options
		n      int
		status string
		lo, hi float64 // of F
	}{
		{"a text", clopt.Source(sphere).N(100), clopt.Options{Evals: 2000}, 100, "evals", 0, 30},
		{"other bounds", clopt.Source(sphere).N(100).Bounds(1, 2), clopt.Options{Evals: 2000}, 100, "evals", 56, 200},
		{"the largest", clopt.Source(sphere).N(100).Maximize(), clopt.Options{Evals: 2000}, 100, "evals", 45, 157},
		{"a problem", clopt.Problem(inGo), clopt.Options{Evals: 2000}, 50, "evals", 0, 50},
		{"its N and bounds", clopt.Problem(inGo).N(50).Bounds(1, 2).Data("none"), clopt.Options{Evals: 2000}, 50,
			"evals",
			100, 400},
		{"its largest value", clopt.Problem(inGo).Maximize(), clopt.Options{Evals: 2000}, 50, "evals", 30, 100},
		{"a file", clopt.File("test/testdata/rastrigin.cl").N(100), clopt.Options{Evals: 2000, Seed: 3}, 100, "evals",
			0,
			3000},
		{"a spec", clopt.Parse("rastrigin").N(20), clopt.Options{Target: &target, Evals: 1e6, Method: "random"}, 20,
			"target", 0, 330},
		{"its own target", clopt.Source("//@ target 80\n" + sphere).N(100), clopt.Options{Evals: 1e6, Method: "random"},
			100, "target", 0, 80},
		{"the largest value of a QUBO in Go", clopt.Problem(bits).Maximize(), clopt.Options{Evals: 1e6}, 3, "optimal",
			5, 5},
		{"a graph", clopt.Parse("maxcut:tile=4x4"), clopt.Options{Evals: 1e6, Method: "mixing",
			Keep: solvers.Keep{Points: 3, Distance: 2}}, 16, "", 1, 64},
	} {
		var steps int
		c.opt.Progress = func(clopt.Sample) { steps++ }
		res, err := clopt.Minimize(t.Context(), c.o, c.opt)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if len(res.X) != c.n || !(res.F >= c.lo && res.F <= c.hi) || !res.Confirmed || steps == 0 || c.status != "" &&
			res.Status != c.status {
			t.Errorf("%s: %d variables, f is %g (want %g to %g), confirmed %v, %s, %d steps",
				c.what, len(res.X), res.F, c.lo, c.hi, res.Confirmed, res.Status, steps)
		}
		if len(res.Kept) != c.opt.Keep.Points || len(res.Kept) > 0 && res.Kept[0].F != res.F {
			t.Errorf("%s: kept %v", c.what, res.Kept)
		}
		if (res.Reason == "") != (c.opt.Method != "") || !strings.Contains(res.Method, " ") {
			t.Errorf("%s: method %q, reason %q", c.what, res.Method, res.Reason)
		}
	}
}

// TestMinimizeCancelled ends a run by its context, which returns the best point so far.
func TestMinimizeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opt := clopt.Options{Progress: func(s clopt.Sample) {
		if s.Step == 3 {
			cancel()
		}
	}}
	res, err := clopt.Minimize(ctx, clopt.Source(sphere).N(1000), opt)
	if !errors.Is(err, context.Canceled) || res == nil || res.Status != "cancelled" || !res.Confirmed {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestMinimizeFaults checks that errors have the types that the documentation names.
func TestMinimizeFaults(t *testing.T) {
	inGo, err := weighted([]float64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	bits, err := cut.New(graph.NewModel(graph.Bits, graph.Quadratic{Linear: []int64{2, -1, 3}}))
	if err != nil {
		t.Fatal(err)
	}
	fault, setting, selection := (*input.Error)(nil), (*solvers.SettingError)(nil), (*cl.SelectionError)(nil)
	for _, c := range []struct {
		o    clopt.Objective
		opt  clopt.Options
		as   any
		want string
	}{
		{clopt.Objective{}, clopt.Options{}, nil, "no objective"},
		{clopt.Source("int x;").N(10), clopt.Options{}, &fault, "component"},
		{clopt.Parse("cec2013/f99"), clopt.Options{}, &fault, "f99"},
		{clopt.File("missing.cl"), clopt.Options{}, &fault, "missing.cl"},
		{clopt.Problem(inGo).N(4), clopt.Options{}, &fault, "3 variables"},
		{clopt.Problem(inGo).Bounds(2, 1), clopt.Options{}, &fault, "2"},
		{clopt.Source(sphere).N(2), clopt.Options{X0: [][]float64{{0, 0}, {0}}}, &setting, "start point 1"},
		{clopt.Source(sphere).N(2), clopt.Options{X0: [][]float64{{0, 2}}}, &setting, "outside -1 to 1"},
		{clopt.Problem(bits), clopt.Options{X0: [][]float64{{1, 0.5, 0}}}, &setting,
			"variable 1 of start point 0 is 0.5; write 0 or 1"},
		{clopt.SourceFS(weightedText, fstest.MapFS{}).N(2), clopt.Options{}, &fault, "weight.csv"},
		{clopt.Source(sphere).N(10), clopt.Options{Devices: "frob"}, &selection, "frob"},
		{clopt.Source(sphere).N(10), clopt.Options{Method: "masv"}, &setting, "masv"},
		{clopt.Source(sphere).N(10), clopt.Options{Set: map[string]string{"population": "2"}}, &setting, "population"},
	} {
		res, err := clopt.Minimize(t.Context(), c.o, c.opt)
		if res != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("result %+v, error %v; want an error with %q", res, err, c.want)
			continue
		}
		if c.as != nil && !errors.As(err, c.as) {
			t.Errorf("error %q has type %T", err, err)
		}
	}
}
