package lm

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// Texts whose derivatives are exact, by tangents or by adjoints, whether they declare their squares or not.
var exactTexts = []struct {
	name string
	by   derivation
	text string
}{
	{"rows of a fit", byAdjoints, `//@ n 12
//@ components 30
#define w (1 + k % 3)
static void component(uint k, point x, data d, real *acc)
{
    real r = -cos(R(0.37)*k);
    for (uint i = 0; i < DIM; i++) r += sin(R(0.21)*(k + 1)*(i + 1))*at(x, i)*at(x, (i + 1) % DIM);
    acc[0] += w*r*r;
}
`},
	{"curves", byTangents, `//@ n 24
//@ components 8
static void component(uint k, point x, data d, real *acc)
{
    real sum = 0;
    for (uint j = 0; j < 10 + k; j++) {
        real m = at(x, 3*k)*exp(-at(x, 3*k + 1)*R(0.1)*j) + at(x, 3*k + 2);
        sum += sq(m - 1/(R(1.0) + j));
    }
    acc[0] += sum/10;
}
`},
	{"a chain of residuals", byTangents, `//@ n 20
//@ components n-1
//@ squares 2
static void residuals(uint k, point x, data d, real *r)
{
    r[0] = 10*(at(x, k + 1) - at(x, k)*at(x, k));
    r[1] = 1 - at(x, k);
}
`},
	{"two sums", byAdjoints, `//@ n 9
//@ components n-2
//@ sums 2
//@ f 2*s0 + 0.1*s1 + 3
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += sq(at(x, k)*at(x, k + 1)*at(x, k + 2) - 1);
    if (k == 0) acc[1] += sq(at(x, 0));
}
`},
}

func exactText(t *testing.T, text string) problems.Problem {
	t.Helper()
	p, err := opencl.Parse(strings.NewReader("//@ bounds -2 2\n"+text), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Exact derivatives and differences give the same equations.
func TestExactDerivatives(t *testing.T) {
	for _, c := range exactTexts {
		p := exactText(t, c.text)
		j := jacobianOf(p, problems.FP64)
		if j.by != c.by {
			t.Errorf("%s: derivatives %d, want %d", c.name, j.by, c.by)
		}
		g := solvertest.OpenDevices(t, 1, shard.Options{})
		x := make([]float64, p.Domain().N)
		host.Uniform(p.Domain(), rng.Key{Seed: 7}, 3, x)
		var runs [2]*run
		for i, j := range []jacobian{j, {work: p.Structure().DifferencesWork()}} {
			r, err := new(LM).start(context.Background(), p, g, solvers.Setup{Key: rng.Key{Seed: 7}}, j)
			if err != nil {
				t.Fatal(c.name, err)
			}
			defer r.Close()
			differentiate(t, r, x)
			runs[i] = r
		}
		exact, plain := runs[0], runs[1]
		for i := range x {
			row, want := exact.normal.row(exact.order.place[i]), plain.normal.row(plain.order.place[i])
			scale := want[len(want)-1]
			for h := range row {
				if math.Abs(row[h]-want[h]) > 1e-6*(1+scale+math.Abs(want[h])) {
					t.Fatalf("%s: number %d of row %d is %v, by differences %v", c.name, h, i, row[h], want[h])
				}
			}
			if g, want := exact.gradient[i], plain.gradient[i]; math.Abs(g-want) > 1e-6*(1+scale) {
				t.Errorf("%s: derivative %d is %v, by differences %v", c.name, i, g, want)
			}
		}
		ok, err := exact.engine.try(context.Background(), exact, x)
		if err != nil || !ok {
			t.Errorf("%s: the host does not agree: %v", c.name, err)
		}
	}
}

// Derivatives that the host does not agree with are not used.
func TestWrongDerivatives(t *testing.T) {
	p := exactText(t, exactTexts[0].text)
	j := jacobianOf(p, problems.FP64)
	j.text = strings.ReplaceAll(j.text, "sin(", "cos(")
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	_, err := new(LM).start(context.Background(), p, g, solvers.Setup{}, j)
	if err != errNotExact {
		t.Error(err)
	}
}

// A weighted sum of two sums of squares is minimized: the first variable is 1/4 where others are 2.
func TestTwoSums(t *testing.T) {
	p, g := exactText(t, exactTexts[3].text), solvertest.OpenDevices(t, 1, shard.Options{})
	r, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Key: rng.Key{Seed: 1},
		Budget: solvers.Budget{Evaluations: 2000}}, &LM{Descents: 3})
	if err != nil || !(r.F < 3.00625) || !(r.F > 3.006) {
		t.Errorf("%v, %v", r.F, err)
	}
}
