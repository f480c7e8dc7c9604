package methods

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/graybox"
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
	q, ok := problems.Normalized(p)
	if !ok || !q.Domain().OneBox() {
		t.Fatalf("%v, %+v", ok, q.Domain())
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
		if again := q.Original(0, q.Normalize(x)); !solvers.Agree(again[0], x[0], 1e-15) ||
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

// Texts that are not the user's, that declare what components read, or of too many variables are not normalized.
func TestNotNormalized(t *testing.T) {
	for _, spec := range []string{"classic/F14", "../../test/testdata/chain.cl:n=40", "maxcut:torus=3x3",
		"../../test/testdata/auto/small.cl:n=2049"} {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if normalizable(p) {
			t.Errorf("%s is normalized", spec)
		}
	}
	p, err := problems.WithBoundsFile(solvertest.ParseProblem(t, "../../test/testdata/chain.cl:n=40"),
		"../../test/testdata/auto/intervals.txt")
	if err != nil {
		t.Fatal(err)
	}
	if err := solvers.Suits(normalized{&graybox.Graybox{}}, p, problems.FP64); err == nil {
		t.Error("graybox takes a chain with intervals for each variable")
	}
}

// Where each variable has an interval of its own, the default finds the best of many valleys, as with one interval.
func TestOwnIntervals(t *testing.T) {
	p := solvertest.ParseProblem(t, "../../test/testdata/auto/intervals.cl")
	m, reason := Auto(p, problems.FP64, solvers.Budget{Evaluations: 200_000})
	g, x := solvertest.OpenDevices(t, 1, shard.Options{}), slices.Repeat([]float64{100}, p.Domain().N)
	res, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Key: rng.Key{Seed: 1},
		Budget: solvers.Budget{Evaluations: 200_000}, X0: [][]float64{x}}, m)
	if err != nil || res.F > 1e-9 {
		t.Fatalf("%s, because %s: %g, %v", m.Name(), reason, res.F, err)
	}
	for i, v := range res.X {
		if lo, hi := p.Domain().Interval(i); v < lo || v > hi {
			t.Errorf("variable %d is %v, outside %v to %v", i, v, lo, hi)
		}
	}
}
