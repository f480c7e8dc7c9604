package test

import (
	"context"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/masw"
	"github.com/clopt/clopt/solvers/random"
	"github.com/clopt/clopt/test/datatest"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
)

func problem(t testing.TB, spec string, opt problems.Options) problems.Problem {
	t.Helper()
	p, err := catalog.Parse(spec, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func minimize(t *testing.T, g *shard.Devices, m solvers.Solver, p problems.Problem, seed uint32,
	evaluations int64) float64 {
	t.Helper()
	s := solvers.Settings{Key: rng.Key{Seed: seed}, Budget: solvers.Budget{Evaluations: evaluations}}
	res, err := solvers.Minimize(context.Background(), p, g, s, m)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Confirmed || res.Evaluations != evaluations {
		t.Errorf("%s on %s: %v of %d evaluations, host %v", m.Traits().Name, p.Spec(), res.F, res.Evaluations,
			res.HostF)
	}
	return res.F
}

// moments are mean and standard deviation, published or computed over many
// samples by another program, of f at a uniform point of one block of 1000
// variables without shift.
var moments = map[int]struct{ mean, sd float64 }{
	1: {2.452e11, 1.9e10}, 2: {6.012e4, 2.6e3}, 3: {21.72, 0.022}, 6: {1.081e6, 3.5e3}, 10: {9.828e7, 6.4e5},
	12: {1.998e12, 8.4e10},
}

// The best of N uniform points of B blocks is expected at the median of the
// smallest of N sums: B mean - z sd √B, z = Φ^-1(0.5^(1/N)).
func TestRandomPaper(t *testing.T) {
	const blocks, samples = 100, 64
	z := math.Sqrt2 * math.Erfinv(2*math.Pow(0.5, 1.0/samples)-1)
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for _, f := range shorttest.Rows(2, []int{2, 12, 1, 3, 6, 10}) {
		m := moments[f]
		t.Run(fmt.Sprintf("f%d", f), func(t *testing.T) {
			opt := problems.Options{Dim: 1000 * blocks}
			if f == 6 || f == 10 {
				opt.Data = datatest.CEC2013(t) // the groups' weights count
			}
			want := blocks*m.mean - z*m.sd*math.Sqrt(blocks)
			if f == 3 { // one Ackley function over all variables, not a sum
				want = m.mean - z*m.sd/math.Sqrt(blocks)
			}
			got := minimize(t, g, &random.Random{Batch: 64}, problem(t, fmt.Sprintf("cec2013/f%d:mode=paper", f), opt),
				1, samples)
			t.Logf("best of %d: %.4g, expected %.4g", samples, got, want)
			if math.Abs(got/want-1) > 0.02 {
				t.Errorf("best of %d: %.4g, expected %.4g within 2 %%", samples, got, want)
			}
		})
	}
}

// After equal evaluations the memetic method has a better value than random search.
func TestMASWBeatsRandom(t *testing.T) {
	const evaluations = 20000
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for _, c := range shorttest.Rows(1, []struct {
		spec   string
		factor float64
	}{{"cec2013/f1", 5}, {"cec2013/f12", 4}}) {
		spec, factor := c.spec, c.factor
		p := problem(t, spec, problems.Options{})
		memetic := minimize(t, g, &masw.MASW{Iterations: 50}, p, 1, evaluations)
		uniform := minimize(t, g, &random.Random{}, p, 1, evaluations)
		t.Logf("%s: masw %.3g, random %.3g", spec, memetic, uniform)
		if !(memetic*factor < uniform) {
			t.Errorf("%s after %d evaluations: masw %.4g, random %.4g, expected %g times as much", spec, evaluations,
				memetic, uniform, factor)
		}
	}
}

// Values of the synchronous scheme that another program found on the official
// functions, P = 100, after 1e6 evaluations.
func TestMASWLong(t *testing.T) {
	if os.Getenv("CLOPT_LONG") == "" {
		t.Skip("minutes; set CLOPT_LONG=1")
	}
	dir := datatest.CEC2013(t)
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for _, c := range []struct {
		f      int
		lo, hi float64
	}{
		{1, 1.6e5 / 3, 2.3e5 * 3}, {2, 0.95e4 / 1.2, 1.01e4 * 1.2}, {12, 5.9e9 / 1.3, 6.9e9 * 1.3},
	} {
		p := problem(t, fmt.Sprintf("cec2013/f%d", c.f), problems.Options{Data: dir})
		got := minimize(t, g, &masw.MASW{}, p, 1, 1000000)
		t.Logf("f%d: %.4g", c.f, got)
		if got < c.lo || got > c.hi {
			t.Errorf("f%d after 1e6 evaluations: %.4g, expected %.3g to %.3g", c.f, got, c.lo, c.hi)
		}
	}
}
