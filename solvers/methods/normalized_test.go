package methods

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/clopt/clopt/internal/problems/rescale"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// ownIntervals returns a function of three variables. Their intervals differ by orders of magnitude, and one of them is
// a single number. The text uses BOX_LO and BOX_HI, and reads variables in a helper function, too.
func ownIntervals(t *testing.T) problems.Problem {
	t.Helper()
	p, err := opencl.Parse(strings.NewReader(`//@ bounds b.txt
		static real two(point x, uint i) { return at(x, i) * at(x, (i + 1) % DIM); }
		static void component(uint k, point x, data d, real *acc)
		{
			uint i = k;
			acc[0] += two(x, k) + at(x, i++) * BOX_HI - BOX_LO;
		}`), fstest.MapFS{"b.txt": {Data: []byte("-1e-3 0.1\n7 7\n-3 1e6\n")}}, 3)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A normalized problem has the bits of the original at the same points, all of which are in the original's intervals.
func TestNormalized(t *testing.T) {
	p, g, key := ownIntervals(t), solvertest.OpenDevices(t, 1, shard.Options{}), rng.Key{Seed: 3}
	q := rescale.Normalized(p)
	if !q.Domain().OneBox() {
		t.Fatalf("%+v", q.Domain())
	}
	points, originals := [][]float64{{0, 0, 0}, {1, 1, 1}}, [][]float64{}
	for k := range uint32(50) {
		y := make([]float64, 3)
		for i := range y {
			y[i] = rng.Uniform(key.Word(uint32(i), k, 0, rng.Check))
		}
		points = append(points, y)
	}
	for _, y := range points {
		x := q.Original(0, y)
		originals = append(originals, x)
		for i, v := range x {
			if lo, hi := p.Domain().Interval(i); v < lo || v > hi {
				t.Errorf("variable %d of %v is %v, outside %v to %v", i, y, v, lo, hi)
			}
		}
		if again := q.Original(0, q.Rescale(x)); !solvers.Agree(again[0], x[0], 1e-15) ||
			!solvers.Agree(again[2], x[2], 1e-15) || again[1] != 7 || q.Original(2, y[2:])[0] != x[2] {
			t.Errorf("%v there and back is %v", x, again)
		}
	}
	got, err := shard.Evaluate(context.Background(), g, q, problems.FP64, points)
	if err != nil {
		t.Fatal(err)
	}
	want, err := shard.Evaluate(context.Background(), g, p, problems.FP64, originals)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("values %v, want %v, %v", got, want, err)
	}
	// In float32 the ends of the intervals have the same values, too.
	got, err = shard.Evaluate(context.Background(), g, q, problems.FP32, points[:2])
	if err != nil {
		t.Fatal(err)
	}
	in := p.Domain().In(problems.FP32)
	want, err = shard.Evaluate(context.Background(), g, p, problems.FP32, [][]float64{in.Lo, in.Hi})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("values at the corners %v, want %v, %v", got, want, err)
	}
}

// Every form of every kind of text is normalized: components of windows, of lists that repeat, with inner sums, those
// that all items of a group compute together, those of eight neighbours, and a value that is not linear in its sums.
func TestNormalizedTexts(t *testing.T) {
	g, key := solvertest.OpenDevices(t, 2, shard.Options{}), rng.Key{Seed: 3}
	for _, spec := range []string{"classic/six_hump", "rosenbrock:n=32", "classic/griewank:n=20",
		"cec2013/f1:mode=paper", "cec2013/f3", "cec2013/f4", "cec2013/f10", "cec2013/f13",
		"../../test/testdata/squares.cl:n=30", "rastrigin:n=12,maximize=true"} {
		p := solvertest.ParseProblem(t, spec)
		q := rescale.Normalized(p)
		y := make([]float64, p.Domain().N)
		for i := range y {
			y[i] = rng.Uniform(key.Word(uint32(i), 0, 0, rng.Check))
		}
		got, err := shard.Evaluate(context.Background(), g, q, problems.FP64, [][]float64{y})
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		want, err := shard.Evaluate(context.Background(), g, p, problems.FP64, [][]float64{q.Original(0, y)})
		if err != nil || !solvers.Agree(got[0], want[0], 1e-12) {
			t.Errorf("%s: %v, want %v, %v", spec, got, want, err)
		}
	}
}

// Methods that take one interval for all variables are adapted to others, whatever the components read.
func TestAdapted(t *testing.T) {
	g := solvertest.OpenDevices(t, 2, shard.Options{})
	for file, names := range map[string][]string{
		"chain": {"random", "masw"}, "ackley": {"random", "graybox"}, "auto/intervals": {"random", "masw-seq"},
	} {
		p, err := catalog.Parse("../../test/testdata/"+file+".cl:n=40",
			problems.Options{BoundsFile: "../../test/testdata/auto/intervals.txt"})
		if err != nil {
			t.Fatal(err)
		}
		chance := math.Inf(1)
		for _, name := range names {
			m, err := New(name, nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Key: rng.Key{Seed: 1},
				Budget: solvers.Budget{Evaluations: 3000}}, m)
			if err != nil || !res.Confirmed || !(res.F < chance) {
				t.Fatalf("%s of %s: %+v, %v, and %g by chance", name, file, res, err, chance)
			}
			for i, v := range res.X {
				if lo, hi := p.Domain().Interval(i); v < lo || v > hi {
					t.Errorf("%s of %s: variable %d is %v, outside %v to %v", name, file, i, v, lo, hi)
				}
			}
			if name == "random" {
				chance = res.F
			}
		}
	}
}

// Where each variable has an interval of its own, the default finds the best of many valleys, as with one interval.
func TestOwnIntervals(t *testing.T) {
	p := solvertest.ParseProblem(t, "../../test/testdata/auto/intervals.cl")
	m, reason := Auto(p, problems.FP64, solvers.Budget{Evaluations: 200_000})
	g, x := solvertest.OpenDevices(t, 1, shard.Options{}), slices.Repeat([]float64{100}, p.Domain().N)
	res, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Key: rng.Key{Seed: 3},
		Budget: solvers.Budget{Evaluations: 200_000}, X0: [][]float64{x}}, m)
	if err != nil || res.F > 1e-9 {
		t.Fatalf("%s, because %s: %g, %v", m.Traits().Name, reason, res.F, err)
	}
	for i, v := range res.X {
		if lo, hi := p.Domain().Interval(i); v < lo || v > hi {
			t.Errorf("variable %d is %v, outside %v to %v", i, v, lo, hi)
		}
	}
}

// A problem on a logarithmic scale has the bits of the original at the same points, also where some intervals are wide
// and others are not, and in both forms of its text. A problem on that scale can itself be normalized.
func TestLogarithmic(t *testing.T) {
	p, err := opencl.Parse(strings.NewReader(`//@ bounds b.txt
		//@ squares 1
		static void residuals(uint k, point x, data d, real *r)
		{
			r[0] = at(x, k) * R(1e-9) + at(x, (k + 1) % DIM) - BOX_LO * R(1e-20);
		}`), fstest.MapFS{"b.txt": {Data: []byte("-1e20 1e20\n0 5\n1 1e30\n7 7\n-3e12 -2\n")}}, 5)
	if err != nil {
		t.Fatal(err)
	}
	g, key := solvertest.OpenDevices(t, 1, shard.Options{}), rng.Key{Seed: 3}
	logarithmic := rescale.Logarithmic(p)
	for _, of := range []struct {
		p problems.Problem
		q rescale.Problem
	}{{p, logarithmic}, {p, rescale.Normalized(p)}, {logarithmic, rescale.Normalized(logarithmic)}} {
		p, q, d := of.p, of.q, of.p.Domain()
		var points, originals [][]float64
		for k := range uint32(40) {
			y := make([]float64, d.N)
			for i := range y {
				lo, hi := q.Domain().Interval(i)
				y[i] = lo + (hi-lo)*rng.Uniform(key.Word(uint32(i), k, 0, rng.Check))
			}
			x := q.Original(0, y)
			points, originals = append(points, y), append(originals, x)
			for i, v := range x {
				if lo, hi := d.Interval(i); v < lo || v > hi {
					t.Errorf("variable %d of %v is %v, outside %v to %v", i, y, v, lo, hi)
				}
				if again := q.Original(0, q.Rescale(x))[i]; !solvers.Agree(again, v, 1e-11) {
					t.Errorf("%v there and back is %v", v, again)
				}
			}
		}
		got, err := shard.Evaluate(context.Background(), g, q, problems.FP64, points)
		if err != nil {
			t.Fatal(err)
		}
		want, err := shard.Evaluate(context.Background(), g, p, problems.FP64, originals)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("values %v, want %v, %v", got, want, err)
		}
		if x := q.Original(0, q.Rescale(rescale.Nearest(d))); !slices.Equal(x, []float64{0, 0, 1, 7, -2}) {
			t.Errorf("the point nearest to 0 is %v", x)
		}
	}
}

// A method that calls others works on a logarithmic scale, and they on the same: a point that is brought back from it
// twice is far outside of everything.
func TestLogarithmicOfRelay(t *testing.T) {
	for _, own := range []bool{false, true} {
		bounds := "-1e20 1e20"
		if own {
			bounds = "b.txt"
		}
		p, err := opencl.Parse(strings.NewReader("//@ bounds "+bounds+`
			//@ components 1
			static void component(uint k, point x, data d, real *acc)
			{
				acc[0] += fabs(at(x, 0) - R(2000.0)) + R(1e-3) * sq(at(x, 1) - at(x, 0));
			}`), fstest.MapFS{"b.txt": {Data: []byte("-1e20 1e20\n0 5e3\n")}}, 2)
		if err != nil {
			t.Fatal(err)
		}
		lbfgs, err := New("lbfgs", nil)
		if err != nil {
			t.Fatal(err)
		}
		if solvers.Adapted(lbfgs, rescale.Logarithmic(p), problems.FP64) != lbfgs {
			t.Error("lbfgs is adapted to a problem that is on a logarithmic scale already")
		}
		relay, err := New("relay", nil)
		if err != nil {
			t.Fatal(err)
		}
		g := solvertest.OpenDevices(t, 1, shard.Options{})
		res, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Key: rng.Key{Seed: 1},
			Budget: solvers.Budget{Evaluations: 3000}}, relay)
		if err != nil || !res.Confirmed || math.Abs(res.X[0]-2000) > 1 || math.Abs(res.X[1]-2000) > 40 {
			t.Errorf("bounds %s: %v at %v, %v", bounds, res.F, res.X, err)
		}
	}
}
