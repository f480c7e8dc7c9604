package lbfgs

import (
	"context"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/clopt/clopt/internal/solvers/slope"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// exactTexts are texts of all forms of exact gradients.
var exactTexts = []struct {
	name    string
	n       int
	devices int
	text    string
}{
	{"a chain on two devices", 3000, 2, `//@ bounds -2 2
//@ reads k..k+1
//@ components n-1
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k), b = at(x, k + 1);
    acc[0] += R(100.0)*sq(b - a*a) + sq(R(1.0) - a);
}
`},
	{"components of all variables", 40, 1, `//@ bounds -2 2
//@ sums 2
//@ f s0 + sqrt(s1 + 1)
//@ components 70
static void component(uint k, point x, data d, real *acc)
{
    real s = 0, t = 1;
    for (uint i = 0; i < DIM; i++) {
        s = R(0.9)*s + sin(at(x, i)*(k + 1));
        t += sq(at(x, i));
    }
    acc[0] += s*s;
    acc[1] += t/(k + 1);
}
`},
	{"lists", 30, 1, `//@ bounds -2 2
//@ squares 2
//@ components 50
//@ reads lists lists.txt
static void residuals(uint k, point x, data d, real *r)
{
    real s = 0;
    for (uint j = d.reads_start[k]; j < d.reads_start[k + 1]; j++) s += sq(at(x, d.reads[j]))*(j % 3 + 1);
    r[0] = s - 1;
    r[1] = at(x, d.reads[d.reads_start[k]]);
}
`},
	{"a grid", 0, 1, `//@ bounds -2 2
//@ grid 20 30
//@ reads self, right, down
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k), s = 1;
    if (k % GRID_X + 1 < GRID_X) s += sq(v - at(x, k + 1));
    if (k / GRID_X + 1 < GRID_Y) s += sq(v - at(x, k + GRID_X));
    acc[0] += sqrt(s);
}
`},
	{"steps that are kept", 300, 1, `//@ bounds -2 2
//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    real v = 0, w = 1;
    for (uint i = 0; i < DIM; i++) {
        v += R(0.05)*(at(x, i) - sin(w));
        w += R(0.05)*v*w;
    }
    acc[0] += v*v + w*w;
}
`},
	{"offsets", 400, 1, `//@ bounds -2 2
//@ reads 2k, 2k+3, 2k+8
//@ components n/2
static void component(uint k, point x, data d, real *acc)
{
    real s = exp(at(x, 2*k));
    if (2*k + 3 < DIM) s *= at(x, 2*k + 3);
    if (2*k + 8 < DIM) s += sq(at(x, 2*k + 8))*s;
    acc[0] += s*s;
}
`},
}

func exactProblem(t *testing.T, text string, n int) *opencl.Objective {
	t.Helper()
	var lists strings.Builder
	for k := range 50 {
		for j := range 1 + k%4 {
			lists.WriteString(" " + string(rune('0'+(k+3*j)%10)))
			lists.WriteString(string(rune('0' + (k*7+j)%10)))
		}
		lists.WriteString("\n")
	}
	files := fstest.MapFS{"lists.txt": {Data: []byte(strings.NewReplacer(" 3", " 0", " 4", " 1", " 5", " 2", " 6", " 0",
		" 7", " 1", " 8", " 2", " 9", " 0").Replace(lists.String()))}}
	p, err := opencl.Parse(strings.NewReader(text), files, n)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Exact gradients agree with the host, and with values, in all forms.
func TestExact(t *testing.T) {
	for _, c := range shorttest.Rows(3, exactTexts) {
		t.Run(c.name, func(t *testing.T) {
			checkExact(t, exactProblem(t, c.text, c.n), c.devices)
		})
	}
}

// checkExact compares the gradient of a step of a run with the host, and returns the run.
func checkExact(t *testing.T, p problems.Problem, devices int) *run {
	t.Helper()
	g := solvertest.OpenDevices(t, devices, shard.Options{})
	r := solvertest.Start(t, &LBFGS{}, p, g, solvers.Setup{Key: rng.Key{Seed: 3}}).(*run)
	for range 4 {
		if _, _, err := r.Step(context.Background(), solvers.Unlimited); err != nil {
			t.Fatal(err)
		}
	}
	if r.state.Exact != tried {
		t.Fatalf("gradients are differences: %v", r.state.Exact)
	}
	if err := r.differentiate(context.Background()); err != nil {
		t.Fatal(err)
	}
	n := p.Domain().N
	x, got := make([]float64, n), make([]float64, n)
	if err := r.Incumbent(0, x); err != nil {
		t.Fatal(err)
	}
	for s, sh := range r.engine.pl.Shards() {
		if err := r.engine.on[s].gradient.Read(sh.VarLo-sh.ReadLo, got[sh.VarLo:sh.VarHi]); err != nil {
			t.Fatal(err)
		}
	}
	want, err := slope.Gradient(p, x, r.weights(r.state.Descent.Acc), 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	size := 0.0
	for _, v := range want {
		size = max(size, math.Abs(v))
	}
	for i, v := range got {
		if !(math.Abs(v-want[i]) <= 1e-11*size) {
			t.Fatalf("variable %d: %v, host %v", i, v, want[i])
		}
	}
	norm := 0.0
	for i, v := range want {
		if lo, hi := p.Domain().Interval(i); !(x[i] == lo && v > 0 || x[i] == hi && v < 0) {
			norm = math.Hypot(norm, v)
		}
	}
	s, _, err := r.Step(context.Background(), solvers.Unlimited)
	if at := s.Slope; err != nil || !at.Known || !at.Exact || math.Abs(at.Norm-norm) > 1e-11*norm ||
		r.Info().Differences {
		t.Errorf("%+v, host %v, error %v", at, norm, err)
	}
	return r
}

// wrong computes gradients that are not those of the function.
type wrong struct {
	slopes
	e *engine
}

func (w wrong) compute(ctx context.Context, at point, _ stage) error {
	return w.e.coarse.compute(ctx, at, stage{ofRange: 0.5})
}

// Exact gradients that do not agree with values are not used.
func TestWrongGradients(t *testing.T) {
	p := exactProblem(t, exactTexts[0].text, exactTexts[0].n)
	g := solvertest.OpenDevices(t, 2, shard.Options{})
	r := solvertest.Start(t, &LBFGS{}, p, g, solvers.Setup{Key: rng.Key{Seed: 3}}).(*run)
	coarse, err := r.engine.newDifferences()
	if err != nil {
		t.Fatal(err)
	}
	r.engine.coarse = coarse
	r.engine.exact = wrong{r.engine.exact, r.engine}
	first := 0.0
	for k := range 6 {
		s, _, err := r.Step(context.Background(), solvers.Unlimited)
		if err != nil {
			t.Fatal(err)
		}
		if k == 0 {
			first = s.Best
		}
	}
	if info := r.Info(); r.state.Exact != refused || !info.Differences || r.state.Sample.Slope.Exact {
		t.Errorf("%v, %+v", r.state.Exact, r.state.Sample)
	}
	if !(r.state.Sample.Best < first/2) {
		t.Errorf("the value falls from %v to %v", first, r.state.Sample.Best)
	}
}

// inUnits are texts whose exact gradient only a step that fits all intervals, or none, can be compared with.
var inUnits = map[string]string{
	// A resistor, a capacity of some nF, and a constant: the slope by the capacity is 1e12 times that by the others.
	"intervals of 1e-5 to 1e7": `//@ components 4
static void component(uint k, point x, data d, real *acc)
{
    real q = R(1e3)*(k + 1)*at(x, 0)*at(x, 1);
    acc[0] += sq(log(at(x, 0)/(R(1.0) + q*q)) - k) + R(0.0)*at(x, 2);
}
`,
	"no slope anywhere": `//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    for (uint i = 0; i < 3; i++) acc[0] += at(x, i) > (i + 1)*at(x, 0) ? R(1.0) : R(2.0);
}
`,
}

// Exact gradients are used whatever the units of the variables are, and where a function has steps.
func TestExactInUnits(t *testing.T) {
	for name, text := range inUnits {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{"box.csv": {Data: []byte("1,1e7\n1e-13,1e-5\n2,2\n")}}
			p, err := opencl.Parse(strings.NewReader("//@ bounds box.csv\n"+text), files, 0)
			if err != nil {
				t.Fatal(err)
			}
			g := solvertest.OpenDevices(t, 1, shard.Options{})
			r := solvertest.Start(t, &LBFGS{}, p, g, solvers.Setup{Key: rng.Key{Seed: 3}}).(*run)
			for range 2 {
				if _, _, err := r.Step(context.Background(), solvers.Unlimited); err != nil {
					t.Fatal(err)
				}
			}
			if info := r.Info(); r.state.Exact != tried || info.Differences {
				t.Errorf("%v, %+v", r.state.Exact, info)
			}
		})
	}
}
