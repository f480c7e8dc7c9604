package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/cgrasp"
	"github.com/clopt/clopt/solvers/graybox"
	"github.com/clopt/clopt/solvers/lbfgs"
	"github.com/clopt/clopt/solvers/masw"
	"github.com/clopt/clopt/solvers/maswseq"
	"github.com/clopt/clopt/solvers/mixing"
	"github.com/clopt/clopt/solvers/random"
)

// A value that was set in Go is refused like the same value in text, with all complaints. This happens
// before anything else is checked: the problem has no variables, and the group no device.
func TestLiterals(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		m    solvers.Solver
		want []string // one for each line of the error
	}{
		{&random.Random{Batch: -1}, []string{"setting batch: -1 is outside 1 to 65535"}},
		{&random.Random{Batch: 1 << 16}, []string{"65536 is outside"}},
		{&masw.MASW{Population: 2}, []string{"setting population: 2 is outside 4 to 65535"}},
		{&masw.MASW{Population: -100, Iterations: -1, Alpha: &nan, Mutation: new(1.5)},
			[]string{"population", "iterations", "alpha: NaN", "mutation: 1.5 is outside 0 to 1"}},
		{&masw.MASW{Portions: 2, Portion: 500}, []string{"contradict each other"}},
		{&graybox.Graybox{Search: "x"}, []string{`setting search: unknown word "x"; use auto, `}},
		{&graybox.Graybox{Search: "CMA"}, []string{"search"}},
		{&maswseq.MASWSeq{Population: -1, On: "moon"}, []string{"population", "setting on"}},
		{&mixing.GOMEA{Local: "x", Force: "maybe", Bound: 1}, []string{"bound", "fi", "local"}},
		{&mixing.GOMEA{Population: 8, Base: 8, Sweeps: 3}, []string{"population=8", "sweeps=3"}},
		{&mixing.AnnealGraph{Chains: 1, Variant: "sideways"}, []string{"chains", "variant"}},
		{&anneal.SA{Variant: "v3", T0: new(-1.0), Rho: new(1.0)}, []string{"variant", "T0", "rho"}},
		{&anneal.SA{Variant: "v1", Exchange: 2, Hops: 3}, []string{"variant=v1", "hops=3"}},
		{&anneal.SA{Variant: "sweeps", Tmin: new(1.0), Shared: true}, []string{"Tmin=1", "variant=sweeps"}},
		{&lbfgs.LBFGS{Pairs: -1, Kick: &nan, Reach: new(2.0)},
			[]string{"pairs", "kick: NaN", "reach: 2 is outside 0 to 1"}},
		{&cgrasp.CGRASP{Anchor: "upper", Until: &nan}, []string{"anchor", "until: NaN"}},
		{&cgrasp.CGRASP{Items: 3, Nodes: 5, Extend: new(2.5)}, []string{"items=3", "nodes=5", "extend=2.5"}},
	} {
		err := c.m.Validate()
		if _, ok := errors.AsType[*solvers.SettingError](err); !ok {
			t.Errorf("%+v: %T %v", c.m, err, err)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		for i, want := range c.want {
			if len(lines) != len(c.want) || !strings.Contains(lines[i], want) {
				t.Errorf("%+v: %q, want %q", c.m, lines, c.want)
				break
			}
		}
		if _, e := solvers.Minimize(context.Background(), nil, nil, solvers.Settings{}, c.m); e == nil ||
			e.Error() != err.Error() {
			t.Errorf("Minimize with %+v: %v, want %v", c.m, e, err)
		}
		if _, errs := solvers.MinimizeRuns(context.Background(), nil, nil, make([]solvers.Settings, 2),
			c.m); errs[1] == nil || errs[1].Error() != err.Error() {
			t.Errorf("MinimizeRuns with %+v: %v, want %v", c.m, errs, err)
		}
	}
	for _, name := range Names() {
		if m := plainMethod(t, name); m.Validate() != nil {
			t.Errorf("the defaults of %s: %v", name, m.Validate())
		}
	}
}

// mine is a method from outside this module.
type mine struct {
	random.Random
	name string
}

func (m *mine) Name() string { return m.name }

// A registered method is found like the others, and a wrong name panics.
func TestRegister(t *testing.T) {
	add := func(name string) (panicked bool) {
		defer func() { panicked = recover() != nil }()
		Register(func() solvers.Solver { return &mine{name: name} })
		return false
	}
	if add("mine") {
		t.Fatal("a new method is refused")
	}
	defer func() {
		registry.Lock()
		delete(registry.make, "mine")
		registry.Unlock()
	}()
	m, err := New("Mine", map[string]string{"batch": "7"})
	if err != nil || m.Name() != "mine" || m.(*mine).Batch != 7 || m.String() != "batch=7" {
		t.Errorf("%v, %v", m, err)
	}
	for _, name := range []string{"mine", "masw", "auto", "", "Upper"} {
		if !add(name) {
			t.Errorf("a method with the name %q is accepted", name)
		}
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
		{"cec2013/f12", problems.FP64, many, "relay"}, // squares that share variables
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
		{"../../test/testdata/auto/small.cl:n=1024", problems.FP32, solvers.Budget{}, "graybox"},
		{"../../test/testdata/auto/small.cl:n=2000", problems.FP64, solvers.Budget{}, "relay"},
		{"../../test/testdata/auto/small.cl:n=6000", problems.FP64, many, "relay"},
		{"../../test/testdata/auto/small.cl:n=2000", problems.FP32, many, "masw-seq"},
		{"../../test/testdata/auto/small.cl:n=6000", problems.FP32, many, "masw mates=1"},
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
		again, err := New(m.Name(), set)
		if err != nil || again.String() != m.String() {
			t.Errorf("%s: %v makes %v, %v; want %v", c.spec, changes, again, err, m)
		}
		got := strings.Join(append([]string{m.Name()}, changes...), " ")
		if got != c.want || reason == "" || solvers.Suits(m, p, c.prec) != nil {
			t.Errorf("%s: %s, because %s; want %s", c.spec, got, reason, c.want)
		}
	}
}

// The value of sums over single variables decides which method is first, for limits and constants of any size.
func TestAutoOfSums(t *testing.T) {
	for f, want := range map[string]string{
		"s0 + 1000*max(0, s1 - 20000)":   "sa lbfgs",
		"s0 + 1000*max(0, s1 - 2e-12)":   "sa lbfgs",
		"s0 + 1e9*max(0, 1e15 + s1)^2":   "sa lbfgs",
		"s0 + abs(s1 - 7e8)":             "sa lbfgs",
		"sqrt(s0 - 5) + s1":              "lbfgs sa",
		"sqrt(s0) + s1":                  "graybox lbfgs sa",
		"s1 - exp(s0)":                   "graybox",
		"s0 - 1000*max(0, s1 - 20000)":   "lbfgs sa",
		"s0/(1 + exp(-1e-9*(s1 - 1e9)))": "sa lbfgs",
	} {
		p, err := opencl.Parse(strings.NewReader("//@ bounds 0 1000\n//@ n 100\n//@ sums 2\n//@ reads k\n//@ f "+f+
			"\nstatic void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); }\n"), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		m, reason := Auto(p, problems.FP64, solvers.Budget{})
		got := m.Name()
		if got == "relay" {
			var names []string
			for _, leg := range rounds(p)(0) {
				names = append(names, leg.Name())
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
		lines, want string
	}{
		{"//@ n 15\n//@ components 300\n", "lm graybox"},
		{"//@ n 2000\n//@ components 5000\n", "lm masw-seq"},
		{"//@ n 6000\n//@ components 6000\n", "lm masw"},
		{"//@ n 300\n//@ components n/3\n//@ reads 3*k..3*k+2\n", "lm graybox"},
		{"//@ n 300\n//@ components n-29\n//@ reads k..k+29\n", "lm graybox"},
		{"//@ n 300\n//@ components n-2\n//@ reads k..k+2\n", "lbfgs lm graybox"},
		{"//@ n 30\n//@ components 1\n//@ reads k..k+29\n", "lm graybox"},
	} {
		p, err := opencl.Parse(strings.NewReader("//@ bounds -1 1\n//@ squares 2\n"+c.lines+
			"static void residuals(uint k, point x, data d, real *r) { r[0] = at(x, k); }\n"), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		m, reason := Auto(p, problems.FP64, solvers.Budget{})
		var names []string
		for _, leg := range rounds(p)(0) {
			names = append(names, leg.Name())
		}
		if got := strings.Join(names, " "); m.Name() != "relay" || got != c.want {
			t.Errorf("%q: %s of %s, because %s; want a relay of %s", c.lines, m.Name(), got, reason, c.want)
		}
	}
}

// Sweeps would need a colour for each of the variables that are in one component with all others. Then a population
// takes turns with descents.
func TestAutoWithoutSweeps(t *testing.T) {
	var lists strings.Builder
	for i := range 1100 {
		fmt.Fprint(&lists, i, " ")
	}
	for i := range 2999 {
		fmt.Fprintf(&lists, "\n%d %d", i, i+1)
	}
	text := "//@ bounds -1 1\n//@ n 3000\n//@ components 3000\n//@ reads lists l.txt\n" +
		"static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); }\n"
	p, err := opencl.Parse(strings.NewReader(text), fstest.MapFS{"l.txt": {Data: []byte(lists.String())}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if m, reason := Auto(p, problems.FP64, solvers.Budget{}); m.Name() != "relay" {
		t.Errorf("%s, because %s; want relay", m.Name(), reason)
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
			names = append(names, leg.Name())
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: the methods are %s, want %s", spec, got, want)
		}
		if half := legs[0].Share == 0.5; half != (want == "sa lbfgs") {
			t.Errorf("%s: the share of the first method is %g", spec, legs[0].Share)
		}
	}
}
