package methods

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/clopt/clopt/internal/solvers/relay"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/solvers"
)

// ofText returns a problem of lines and a component, or residuals.
func ofText(t *testing.T, lines string, files fstest.MapFS) problems.Problem {
	t.Helper()
	body := "static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); }\n"
	if strings.Contains(lines, "name kinks") {
		body = strings.Replace(body, "at(x, k)", "fabs(at(x, k))", 1)
	}
	if strings.Contains(lines, "name opaque") {
		body = strings.Replace(body, "at(x, k)", "as_float(as_uint((float)at(x, k)))", 1)
	}
	if strings.Contains(lines, "squares") {
		body = "static void residuals(uint k, point x, data d, real *r) { r[0] = at(x, k); }\n"
	}
	p, err := opencl.Parse(strings.NewReader("//@ bounds -1 1\n"+lines+body), files, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// clique returns lists for components: one reads 1100 variables, and the others read pairs.
func clique() fstest.MapFS {
	var lists strings.Builder
	for i := range 1100 {
		fmt.Fprint(&lists, i, " ")
	}
	for i := range 2999 {
		fmt.Fprintf(&lists, "\n%d %d", i, i+1)
	}
	return fstest.MapFS{"l.txt": {Data: []byte(lists.String())}}
}

// The page has the table.
func TestTable(t *testing.T) {
	const page, begin, end = "../../docs/auto.md", "\n\n|", "|\n\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), begin)
	_, tail, _ := strings.Cut(rest, end)
	want := head + "\n\n" + tableText() + "\n" + tail
	if string(text) == want {
		return
	}
	if !*update {
		t.Errorf("%s has another table; write it with -update", page)
	} else if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}

var update = flag.Bool("update", false, "write docs/auto.md")

// inBits is a problem that says its variables are 0 or 1.
type inBits struct{ problems.Problem }

func (p inBits) Domain() problems.Domain {
	d := p.Problem.Domain()
	d.Binary = true
	return d
}

// ofCall returns the problem of a function of the host.
func ofCall(n int) problems.Problem {
	return problems.NewFunction(problems.Spec{Family: "function"}, problems.Info{}, problems.Cube(n, 0, 1),
		func(_ context.Context, points [][]float64) ([]float64, error) {
			return make([]float64, len(points)), nil
		})
}

// Each row of the table is chosen for a problem.
func TestRows(t *testing.T) {
	none, count, long := solvers.Budget{}, solvers.Budget{Evaluations: 1e6}, solvers.Budget{Time: time.Second}
	parse := func(spec string) problems.Problem {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const fp32, fp64 = problems.FP32, problems.FP64
	unseen := map[string]bool{}
	name := func(when properties, m solvers.Solver) string { return when.String() + ": " + m.Traits().Name }
	for _, r := range table {
		unseen[name(r.when, r.method())] = true
	}
	for i, c := range []struct {
		p      problems.Problem
		prec   problems.Precision
		budget solvers.Budget
		when   properties
		method string
	}{
		{parse("maxcut:torus=3x3"), fp64, none, graph, "mixing"},
		{inBits{parse("rastrigin:n=10")}, fp64, none, bits, "random"},
		{ofCall(10), fp64, none, called, "relay"},
		{ofCall(10000), fp64, none, called, "relay"},
		{ofCall(10), fp64, solvers.Budget{Evaluations: 3}, called, "random"},
		{parse("cec2013/f8:n=3000"), fp64, count, linear | equations, "relay"},
		{parse("rastrigin:n=1000"), fp32, none, linear | separate, "graybox"},
		{parse("cec2013/f3"), fp64, none, linear | inner, "graybox"},
		{parse("cec2013/f12"), fp64, long, linear | squares, "relay"},
		{parse("../../test/strangers/reports/lasso.cl"), fp64, none, whole, "relay"},
		{parse("../../test/testdata/auto/opaque.cl:n=1024"), fp32, none, whole, "graybox"},
		{parse("../../test/testdata/auto/opaque.cl:n=2000"), fp32, count, whole | small, "masw-seq"},
		{parse("../../test/testdata/auto/opaque.cl:n=6000"), fp32, count, whole, "masw"},
		{parse("ackley:n=1000"), fp64, none, curved | slopes | everywhere, "graybox"},
		{parse("griewank:n=1000"), fp64, none, curved, "relay"},
		{ofText(t, "//@ name opaque\n//@ n 100\n//@ sums 2\n//@ reads k\n//@ f sqrt(s0) + s1\n", nil), fp32, none,
			curved | slopes, "graybox"},
		{parse("griewank:n=1000"), fp32, count, curved, "sa"},
		{parse("six_hump"), fp64, none, joined, "graybox"},
		{ofText(t, "//@ n 300\n//@ components n-29\n//@ reads k..k+29\n", nil), fp64, none, many | differentiable,
			"relay"},
		{ofText(t, "//@ name kinks\n//@ n 300\n//@ components n-29\n//@ reads k..k+29\n", nil), fp64, none, many,
			"graybox"},
		{ofText(t, "//@ name kinks\n//@ n 900\n//@ components n-89\n//@ reads k..k+89\n", nil), fp64, none, many,
			"relay"},
		{parse("rosenbrock:n=10"), fp64, count, few, "relay"},
		{parse("cec2013/f12"), fp32, count, few | evals, "graybox"},
		{parse("rosenbrock:n=10"), fp32, none, few, "sa"},
		{ofText(t, "//@ n 8\n//@ reads k\n//@ squares 1\n", nil), fp64, solvers.Budget{GTol: 1e-5}, realValued | flat,
			"lbfgs"},
		{ofText(t, "//@ name opaque\n//@ n 3000\n//@ components 3000\n//@ reads lists l.txt\n", clique()), fp32, none,
			realValued | small, "masw-seq"},
		{ofText(t, "//@ name opaque\n//@ n 6000\n//@ components 3000\n//@ reads lists l.txt\n", clique()), fp32, none,
			realValued, "masw"},
	} {
		r, m, _ := chosen(c.p, c.prec, c.budget)
		if r.when != c.when || m.Traits().Name != c.method {
			t.Errorf("case %d: %s by the row %q, want %s by %q", i, m.Traits().Name, r.when, c.method, c.when)
		}
		delete(unseen, name(r.when, m))
	}
	for r := range unseen {
		t.Error("no problem for the row ", r)
	}
}

// The method that Auto chooses takes the problem, and Changes has what New needs to make it again.
func TestAuto(t *testing.T) {
	few, many := solvers.Budget{Evaluations: 10}, solvers.Budget{Evaluations: 1e6}
	for _, c := range []struct {
		spec   string
		prec   problems.Precision
		budget solvers.Budget
		want   string // the name, and settings that are not defaults
	}{
		{"rastrigin:n=1000", problems.FP64, solvers.Budget{}, "graybox"},
		{"rastrigin:n=1000", problems.FP32, few, "graybox"},
		{"cec2013/f1", problems.FP64, many, "graybox"},
		{"cec2013/f1", problems.FP32, many, "graybox"},
		{"cec2013/f8:n=3000", problems.FP64, many, "relay"},
		{"cec2013/f9", problems.FP64, many, "graybox"},
		{"cec2013/f3", problems.FP64, many, "graybox"},
		{"cec2013/f15:n=2000", problems.FP64, many, "relay"},
		{"cec2013/f15", problems.FP64, many, "relay"},
		{"cec2013/f15", problems.FP32, many, "graybox"},
		{"cec2013/f13", problems.FP64, many, "relay"},
		{"cec2013/f12", problems.FP64, many, "relay"},
		{"cec2013/f12", problems.FP32, many, "graybox"},
		{"rosenbrock:n=1000", problems.FP64, many, "relay"},
		{"rosenbrock:n=1000", problems.FP64, solvers.Budget{Time: time.Second}, "relay"},
		{"rosenbrock:n=10", problems.FP64, solvers.Budget{}, "relay"},
		{"ackley:n=1000", problems.FP64, solvers.Budget{}, "graybox"},
		{"griewank:n=1000", problems.FP64, solvers.Budget{}, "relay"},
		{"../../test/testdata/knapsack.cl", problems.FP64, many, "relay"}, // its penalty bends up
		{"griewank:n=1000", problems.FP64, solvers.Budget{Evaluations: 500}, "relay"},
		{"griewank:n=1000", problems.FP32, solvers.Budget{Evaluations: 500}, "sa variant=sweeps"},
		{"griewank:n=10", problems.FP64, solvers.Budget{}, "relay"},
		{"../../test/testdata/auto/small.cl:n=1024", problems.FP64, solvers.Budget{}, "relay"},
		{"../../test/testdata/auto/small.cl:n=1024", problems.FP32, solvers.Budget{}, "relay"},
		{"../../test/testdata/auto/opaque.cl:n=1024", problems.FP32, solvers.Budget{}, "graybox"},
		{"../../test/testdata/auto/small.cl:n=2000", problems.FP64, solvers.Budget{}, "relay"},
		{"../../test/testdata/auto/small.cl:n=6000", problems.FP64, many, "relay"},
		{"../../test/testdata/auto/opaque.cl:n=2000", problems.FP32, many, "masw-seq"},
		{"../../test/testdata/auto/opaque.cl:n=6000", problems.FP32, many, "masw mates=1"},
		{"six_hump", problems.FP64, solvers.Budget{}, "graybox"},
		{"../../test/testdata/auto/shuffled.cl", problems.FP64, solvers.Budget{}, "graybox"},
		{"maxcut:torus=3x3", problems.FP64, few, "mixing"},
	} {
		p, err := catalog.Parse(c.spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, reason := Auto(p, c.prec, c.budget)
		changes, err := Changes(m)
		if err != nil {
			t.Fatal(err)
		}
		set := map[string]string{}
		for _, pair := range changes {
			key, value, _ := strings.Cut(pair, "=")
			set[key] = value
		}
		again, err := New(m.Traits().Name, set)
		if err != nil || solvers.Spell(again) != solvers.Spell(m) {
			t.Errorf("%s: %v makes %v, %v; want %v", c.spec, changes, again, err, m)
		}
		got := strings.Join(append([]string{m.Traits().Name}, changes...), " ")
		if got != c.want || reason == "" || solvers.Suits(m, p, c.prec) != nil {
			t.Errorf("%s: %s, because %s; want %s", c.spec, got, reason, c.want)
		}
	}
}

// The value of sums over single variables decides which method is first, for limits and constants of any size.
func TestAutoOfSums(t *testing.T) {
	for f, want := range map[string]string{
		"s0 + 1000*max(0, s1 - 20000)":   "sa lbfgs cmaes",
		"s0 + 1000*max(0, s1 - 2e-12)":   "sa lbfgs cmaes",
		"s0 + 1e9*max(0, 1e15 + s1)^2":   "sa lbfgs cmaes",
		"s0 + abs(s1 - 7e8)":             "sa lbfgs cmaes",
		"sqrt(s0 - 5) + s1":              "lbfgs sa",
		"sqrt(s0) + s1":                  "graybox lbfgs sa",
		"s1 - exp(s0)":                   "graybox",
		"s0 - 1000*max(0, s1 - 20000)":   "lbfgs sa",
		"s0/(1 + exp(-1e-9*(s1 - 1e9)))": "sa lbfgs cmaes",
	} {
		p, err := opencl.Parse(strings.NewReader("//@ bounds 0 1000\n//@ n 100\n//@ sums 2\n//@ reads k\n//@ f "+f+
			"\nstatic void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); }\n"), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		m, reason := Auto(p, problems.FP64, solvers.Budget{})
		got := m.Traits().Name
		if got == "relay" {
			var names []string
			for _, leg := range rounds(p)(0) {
				names = append(names, leg.Traits().Name)
			}
			got = strings.Join(names, " ")
		}
		if got != want {
			t.Errorf("%s: %s, because %s; want %s", f, got, reason, want)
		}
	}
}

// Beside lm, a method that crosses from valley to valley has turns wherever squares are declared, however many
// variables their components read.
func TestSquaresCross(t *testing.T) {
	for _, c := range []struct {
		lines, read, want string
	}{
		{"//@ n 15\n//@ components 300\n", "0; for (int i = 0; i < DIM; i++) r[0] += at(x, i)", "lm graybox"},
		{"//@ n 2000\n//@ components 5000\n", "0; for (int i = 0; i < DIM; i++) r[0] += at(x, i)", "lbfgs lm masw-seq"},
		{"//@ n 6000\n//@ components 6000\n", "0; for (int i = 0; i < DIM; i++) r[0] += at(x, i)", "lbfgs lm masw"},
		{"//@ n 300\n//@ components n/3\n//@ reads 3*k..3*k+2\n", "at(x, 3*k)", "lm graybox"},
		{"//@ n 300\n//@ components n-29\n//@ reads k..k+29\n", "at(x, k)", "lm graybox"},
		{"//@ n 300\n//@ components n-2\n//@ reads k..k+2\n", "at(x, k)", "lbfgs lm sa graybox lm"},
		{"//@ n 30\n//@ components 1\n//@ reads k..k+29\n", "at(x, k)", "lm graybox"},
	} {
		p, err := opencl.Parse(strings.NewReader("//@ bounds -1 1\n//@ squares 2\n"+c.lines+
			"static void residuals(uint k, point x, data d, real *r) { r[0] = "+c.read+"; }\n"), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		m, reason := Auto(p, problems.FP64, solvers.Budget{})
		var names []string
		for _, leg := range rounds(p)(0) {
			names = append(names, leg.Traits().Name)
		}
		if got := strings.Join(names, " "); m.Traits().Name != "relay" || got != c.want {
			t.Errorf("%q: %s of %s, because %s; want a relay of %s", c.lines, m.Traits().Name, got, reason, c.want)
		}
	}
}

// Sweeps would need a colour for each of the variables that are in one component with all others. Then a population
// takes turns with descents.
func TestAutoWithoutSweeps(t *testing.T) {
	text := "//@ bounds -1 1\n//@ n 3000\n//@ components 3000\n//@ reads lists l.txt\n" +
		"static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); }\n"
	p, err := opencl.Parse(strings.NewReader(text), clique(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if m, reason := Auto(p, problems.FP64, solvers.Budget{}); m.Traits().Name != "relay" {
		t.Errorf("%s, because %s; want relay", m.Traits().Name, reason)
	}
}

// Where the value bends up in one of several sums, sweeps begin, and leave half of the time to descents. Elsewhere
// descents begin.
func TestLimited(t *testing.T) {
	for spec, want := range map[string]string{
		"../../test/testdata/knapsack.cl": "sa lbfgs", "../../test/testdata/knapsack.cl:n=2000": "sa lbfgs",
		"../../test/testdata/auto/griewank.cl": "sa lbfgs", "../../test/testdata/auto/coupled.cl": "lbfgs sa graybox",
	} {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		legs := rounds(p)(0)
		var names []string
		for _, leg := range legs {
			names = append(names, leg.Traits().Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: the methods are %s, want %s", spec, got, want)
		}
		if half := legs[0].Share == 0.5; half != (want == "sa lbfgs") {
			t.Errorf("%s: the share of the first method is %g", spec, legs[0].Share)
		}
	}
}

// Parts that no method would use are not computed: those of a grid of a million cells take 120 bytes a cell.
func TestAutoLargeGrid(t *testing.T) {
	p := ofText(t, "//@ grid 1000 1000\n//@ reads self, right\n", nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, _ := Auto(p, problems.FP64, solvers.Budget{})
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; m.Traits().Name != "relay" || got > 32<<20 {
		t.Errorf("%s was chosen with %d bytes", m.Traits().Name, got)
	}
}

// A descent with exact gradients comes to its end before others have turns; one by differences makes way where it is
// slow.
func TestPaceOfDescents(t *testing.T) {
	for name, slow := range map[string]bool{"smooth": false, "kinks": false, "opaque": true} {
		p := ofText(t, "//@ name "+name+"\n//@ n 300\n//@ components n-2\n//@ reads k..k+2\n", nil)
		if leg := rounds(p)(0)[0]; leg.Traits().Name != "lbfgs" || (leg.Pace != relay.Pace{}) != slow {
			t.Errorf("%s: %s with the pace %+v", name, leg.Traits().Name, leg.Pace)
		}
	}
}
