package graybox

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// A component reads twelve variables, too many for one work-item.
const ellipses = `//@ name ellipses
//@ components n/12
//@ reads 12*k..12*k+11
//@ bounds -5 5
static void component(uint k, point x, data d, real *acc)
{
    real v = R(0.0), w = R(1.0), s = R(0.0);
    for (uint i = 0; i < 12; i++) {
        const real z = at(x, 12 * k + i) - R(0.5);
        s += z;
        v += w * z * z;
        w *= R(1.5);
    }
    acc[0] += v + s * s;
}
`

// hostEllipses are ellipses with their values on the host.
type hostEllipses struct{ problems.Problem }

func (h hostEllipses) HostTile(t int, x, acc []float64) {
	problems.AddTile(h, t, x, acc)
}

func (h hostEllipses) HostComponent(k, first int, x, acc []float64) {
	w, s := 1.0, 0.0
	for _, v := range x[12*k-first : 12*k-first+12] {
		z := v - 0.5
		s += z
		acc[0] += w * z * z
		w *= 1.5
	}
	acc[0] += s * s
}

func (h hostEllipses) ErrorScale(int, int, int, []float64, []float64) {}

// The searches with matrices follow their twins on the host in two parts of twelve variables.
func TestEllipses(t *testing.T) {
	p, err := opencl.Parse(strings.NewReader(ellipses), nil, 24)
	if err != nil {
		t.Fatal(err)
	}
	for search, evals := range map[string]int{"lbfgs": 160, "cma": 300, "axes": 240} {
		t.Run(search, func(t *testing.T) {
			g := solvertest.OpenDevices(t, 1, shard.Options{})
			r := start(t, &Graybox{Search: search}, hostEllipses{p}, g)
			r.state.Layers[0].Patience = mostPatience
			if compared := r.follow(t, evals, 1e-8); compared < evals {
				t.Errorf("%d evaluations were compared, want %d", compared, evals)
			}
		})
	}
}

// On processors a group has one work-item. With the many that other devices have, a search must find the same values
// up to rounding. POCL takes minutes to compile the other searches with many, because of their barriers. For these,
// test/scripts/oclgrind.sh runs TestEllipses in Oclgrind, which has groups of many.
func TestLanes(t *testing.T) {
	p, err := opencl.Parse(strings.NewReader(ellipses), nil, 48)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range shorttest.Rows(2, []struct {
		search string
		p      problems.Problem
	}{{"mts", p}, {"solis-wets", p}, {"mts", solvertest.ParseProblem(t, "cec2013/f10")}}) {
		t.Run(c.search+" "+c.p.Info().Title, func(t *testing.T) {
			best := map[bool]float64{}
			for _, serial := range []bool{true, false} {
				m := &Graybox{Search: c.search}
				classes, err := m.classes(c.p, problems.FP64)
				if err != nil {
					t.Fatal(err)
				}
				for i := range classes {
					if !classes[i].wide {
						t.Fatal("a part is not wide")
					}
					classes[i].serial = serial
				}
				g := solvertest.OpenDevices(t, 1, shard.Options{})
				r, err := m.start(context.Background(), c.p, g, solvers.Setup{Key: rng.Key{Seed: 3}}, classes)
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				for s := (solvers.Sample{}); s.Evaluations < 640; {
					if s, _, err = r.Step(context.Background(), solvers.Within(640-s.Evaluations)); err != nil {
						t.Fatal(err)
					}
					best[serial] = s.Best
				}
			}
			if one, many := best[true], best[false]; !(math.Abs(one-many) <= 1e-6*one) {
				t.Errorf("%g with one work-item, %g with many", one, many)
			}
		})
	}
}
