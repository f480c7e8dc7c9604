package lbfgs

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/test/shorttest"
)

// Gradients of groups that share the loops of a component agree with the host.
func TestGroups(t *testing.T) {
	before := sharesLoops
	defer func() { sharesLoops = before }()
	sharesLoops = func(cl.Info) bool { return true }
	for _, c := range shorttest.Rows(2, []struct {
		name  string
		loops int // that are shared
		text  string
	}{
		{"a network", 6, `//@ bounds -1 1
//@ n 20*50 + 50 + 50*40 + 40 + 40 + 1
//@ components 7
static void component(uint k, point x, data d, real *acc)
{
    real a[50];
    for (uint i = 0; i < 50; i++) {
        real s = at(x, 1000 + i);
        for (uint j = 0; j < 20; j++) s += at(x, 20*i + j)*sin(R(1.0)*(k + j));
        a[i] = tanh(s);
    }
    real o = at(x, 3130);
    for (uint i = 0; i < 40; i++) {
        real s = at(x, 3050 + i);
        for (uint j = 0; j < 50; j++) s += at(x, 1050 + 50*i + j)*a[j];
        o += at(x, 3090 + i)*tanh(s);
    }
    acc[0] += sq(o - R(0.1)*k);
}
`},
		{"one that all repel", 1, `//@ bounds -1 1
//@ n 150
//@ components 50
static void component(uint k, point x, data d, real *acc)
{
    for (int j = 0; j < 50; j++) {
        if (j == k) continue;
        real s = sq(at(x, 3*k) - at(x, 3*j)) + sq(at(x, 3*k + 1) - at(x, 3*j + 1));
        s += sq(at(x, 3*k + 2) - at(x, 3*j + 2));
        acc[0] += 1/(s + R(0.1));
    }
}
`},
		{"blocks of elements", 3, `//@ bounds -1 1
//@ n 100
//@ components 9
static void component(uint k, point x, data d, real *acc)
{
    real v[100], s = 0;
    for (uint i = 0; i < 50; i++) {
        for (uint j = 0; j < 2; j++) v[2*i + j] = sin(at(x, 2*i + j)*(k + 1));
        for (uint j = 0; j < 2; j++) s += v[2*i + j]*v[2*i];
    }
    acc[0] += sq(s - k);
}
`},
		{"elements that other iterations need", 0, `//@ bounds -1 1
//@ n 100
//@ components 9
static void component(uint k, point x, data d, real *acc)
{
    real v[100];
    v[0] = at(x, 0);
    for (uint i = 1; i < 100; i++) v[i] = R(0.5)*v[i - 1] + at(x, i);
    for (uint i = 0; i < 100; i++) acc[0] += sq(v[i] - k)*at(x, (i*7 + k) % 100);
}
`},
	}) {
		t.Run(c.name, func(t *testing.T) {
			r := checkExact(t, exactProblem(t, c.text, 0), 1)
			if loops := strings.Count(r.engine.adjoint.grouped, "LANES"); loops != c.loops {
				t.Errorf("%d loops are shared, want %d:\n%s", loops, c.loops, r.engine.adjoint.grouped)
			}
		})
	}
}
