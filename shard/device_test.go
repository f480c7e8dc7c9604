package shard

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/shorttest"
)

// devices opens n devices of one kind, some of them several times. It fails t if there is no device.
func devices(t testing.TB, n int) []*cl.Device {
	t.Helper()
	infos, err := cl.Discover()
	if err == nil {
		infos, err = cl.Select(infos, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	infos = slices.DeleteFunc(infos, func(i cl.Info) bool { return i.Kind() != infos[0].Kind() })
	var all []*cl.Device
	for i := range n {
		d, err := cl.Open(infos[i%len(infos)])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(d.Close)
		all = append(all, d)
	}
	return all
}

func group(t testing.TB, d []*cl.Device, opt Options) *Devices {
	t.Helper()
	g, err := NewDevices(d, opt)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func parse(t testing.TB, spec string) problems.Problem {
	t.Helper()
	p, err := catalog.Parse(spec, problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Check adds the sums of tiles again, and finds one that is wrong in its last bit.
func TestCheckAddsAgain(t *testing.T) {
	key := rng.Key{Seed: 5, Run: 6}
	p := parse(t, "classic/sphere:n=300000") // more tiles than super-tiles
	pl := place(t, group(t, devices(t, 2), Options{}), p, 2, []int{100, 156}, nil)
	if _, err := pl.Eval(context.Background(), 2, drawnArgs(key)); err != nil {
		t.Fatal(err)
	}
	check := func() error {
		return pl.Check(key, 2, func(point, lo, hi int) ([]float64, error) {
			return drawnPoint(p, key, point, lo, hi), nil
		})
	}
	if err := check(); err != nil {
		t.Fatal(err)
	}
	right := pl.last[301]
	pl.last[301] = math.Nextafter(right, 0)
	if e := (*SumError)(nil); !errors.As(check(), &e) || e.Got != pl.last[301] || e.Want != right {
		t.Errorf("a sum that Eval returned is wrong: %v", e)
	}
	pl.last[301] = right
	sums := pl.held[1].tiles
	row := make([]float64, 1)
	if err := sums.Read(7, row); err != nil {
		t.Fatal(err)
	}
	row[0] *= 1 + 0x1p-40
	if err := sums.f64.Write(7, row); err != nil {
		t.Fatal(err)
	}
	if e := (*SumError)(nil); !errors.As(check(), &e) {
		t.Error("the sum of a tile is wrong, and Check does not find it")
	}
}

// Pairs of float32 are added as in kernels/lib/prelude.cl: with about 48 bits, and infinite sums stay infinite.
func TestJoinPairs(t *testing.T) {
	x, y := float32(0), float32(0)
	for range 1000 {
		x, y = joinPairs(x, y, 0.1, 0x1p-40)
	}
	if want := 1000 * (float64(float32(0.1)) + 0x1p-40); math.Abs(float64(x)+float64(y)-want) > 1e-13*want {
		t.Errorf("%v + %v, want %v", x, y, want)
	}
	if x, y = joinPairs(math.MaxFloat32, 0, math.MaxFloat32, 0); !math.IsInf(float64(x), 1) || y != 0 {
		t.Errorf("%v + %v, want Inf + 0", x, y)
	}
}

func TestNewDevices(t *testing.T) {
	d := devices(t, 2)
	for _, w := range [][]float64{{1}, {1, -1}, {0, 0}, {math.NaN(), 1}, {1, math.Inf(1)}} {
		if _, err := NewDevices(d, Options{Weights: w}); err == nil {
			t.Errorf("weights %v", w)
		}
	}
	if _, err := NewDevices(nil, Options{}); err == nil {
		t.Error("Devices without a device")
	}
	if g := group(t, d, Options{NoCheck: true}); !g.oneKind() || g.Checked() || len(g.Infos()) != 2 ||
		len(g.All()) != 2 {
		t.Errorf("%+v", g)
	}
	// Do calls f once for each device, and returns the first error in their order.
	g := group(t, d, Options{})
	first, called := errors.New("first"), make([]int, 2)
	for _, errs := range [][]error{{nil, nil}, {first, errors.New("second")}, {nil, first}} {
		err := g.Do(func(i int, d *cl.Device) error {
			called[i]++
			return errs[i]
		})
		if errs[0] == nil && errs[1] == nil && err != nil || err != nil && err != first {
			t.Errorf("%v of %v", err, errs)
		}
	}
	if !slices.Equal(called, []int{3, 3}) {
		t.Errorf("called %v times", called)
	}
}

// place compiles p under the view of drawn points, in pieces on devices.
func place(t *testing.T, g *Devices, p problems.Problem, points int, supers, pieces []int) *Placement {
	t.Helper()
	pl, err := Place(g, p, problems.FP64, Split(p.Tiling(), supers, pieces), Drawn(), points*p.Accumulators(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pl.Close)
	return pl
}

func drawnArgs(key rng.Key) func(int) []any {
	return func(int) []any { return []any{key.Seed, key.Run, uint32(0), uint32(0), uint32(rng.Random)} }
}

// drawnPoint returns point who of the view Drawn.
func drawnPoint(p problems.Problem, key rng.Key, who, lo, hi int) []float64 {
	a, b := p.Domain().Box()
	x := make([]float64, hi-lo)
	for i := range x {
		x[i] = math.FMA(rng.Uniform(key.Word(uint32(lo+i), uint32(who), 0, rng.Random)), b-a, a)
	}
	return x
}

// Sums are added in one order, so pieces, devices, batches and launches change no bit.
func TestEvalOrder(t *testing.T) {
	d := devices(t, 3)
	key := rng.Key{Seed: 5, Run: 6}
	for _, spec := range shorttest.Rows(1, []string{"cec2013/f12:n=6500,mode=paper", "cec2013/f12:n=600000,mode=paper",
		"cec2013/f3:n=3000,mode=paper"}) {
		p := parse(t, spec)
		n := p.Tiling().SuperTiles()
		const points = 3
		want, err := place(t, group(t, d, Options{}), p, points, []int{n, 0, 0}, nil).Eval(context.Background(), points,
			drawnArgs(key))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			supers, pieces []int
			room           int
			opt            Options
		}{
			{[]int{n, 0, 0}, []int{3, 1, 1}, points, Options{LaunchTime: 1e-9}},
			{[]int{1, 0, n - 1}, []int{1, 1, 2}, points + 4, Options{}},
			{apportion(n, []float64{1, 1, 1}, nil), nil, points, Options{}},
		} {
			pl := place(t, group(t, d, c.opt), p, c.room, c.supers, c.pieces)
			for range 2 { // the second time with another pace
				got, err := pl.Eval(context.Background(), points, drawnArgs(key))
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%s, %v in %v: %v, one shard %v, %v", spec, c.supers, c.pieces, got, want, err)
				}
			}
			one, err := pl.Eval(context.Background(), 1, drawnArgs(key))
			if err != nil || !slices.Equal(one, want[:p.Accumulators()]) {
				t.Errorf("%s, %v: first point alone has %v, of three %v, %v", spec, c.supers, one, want, err)
			}
		}
		x := drawnPoint(p, key, 0, 0, p.Domain().N)
		f, err := Evaluate(context.Background(), group(t, d[:2], Options{}), p, problems.FP64, [][]float64{x})
		if err != nil || f[0] != Values(p, want)[0] {
			t.Errorf("%s: stored %v, drawn %v, %v", spec, f, Values(p, want)[0], err)
		}
	}
}

// Points of a problem whose components may read any variable are written before they are evaluated, as many at a time
// as there is room for. Their sums are those of stored points, and Check knows which points were written last.
func TestEvalWritten(t *testing.T) {
	g, key := group(t, devices(t, 1), Options{}), rng.Key{Seed: 5, Run: 6}
	whole, err := opencl.Parse(strings.NewReader(`//@ bounds -2 3
		static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k) * at(x, (k + 7) % DIM); }`),
		nil, 20001)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p      problems.Problem
		points int
	}{{whole, 500}, {parse(t, "maxcut:gnp=3000,p=0.001,seed=1"), 3000}} {
		most := Written(c.p, problems.FP64, c.points)
		if most == 0 || most >= c.points {
			t.Fatalf("%s: %d of %d points at a time; want several times", c.p.Spec(), most, c.points)
		}
		pl := place(t, g, c.p, c.points, []int{c.p.Tiling().SuperTiles()}, nil)
		sums, err := pl.Eval(context.Background(), c.points, drawnArgs(key))
		if err != nil || len(sums) != c.points {
			t.Fatalf("%s: %d sums, %v", c.p.Spec(), len(sums), err)
		}
		at := func(point, lo, hi int) ([]float64, error) { return drawnPoint(c.p, key, point, lo, hi), nil }
		for _, point := range []int{0, most - 1, most, c.points - 1} {
			x, _ := at(point, 0, c.p.Domain().N)
			want, err := Accumulate(context.Background(), g, c.p, problems.FP64, [][]float64{x})
			if err != nil || sums[point] != want[0] {
				t.Errorf("%s, point %d: %v, stored %v, %v", c.p.Spec(), point, sums[point], want, err)
			}
		}
		if err := pl.Check(key, c.points, at); err != nil {
			t.Errorf("%s: %v", c.p.Spec(), err)
		}
		if _, ok := c.p.(problems.Referenced); ok {
			err := pl.Check(key, c.points, func(_, lo, hi int) ([]float64, error) { return at(0, lo, hi) })
			if _, wrong := errors.AsType[*CheckError](err); !wrong {
				t.Errorf("%s, the first point in the place of the last ones: %v", c.p.Spec(), err)
			}
		}
	}
}

// Check finds a device that computes something else, in any tile of any point.
func TestCheck(t *testing.T) {
	d := devices(t, 2)
	key := rng.Key{Seed: 5, Run: 6}
	p := parse(t, "cec2013/f4:n=5000")
	pl := place(t, group(t, d, Options{}), p, 4, []int{2, 3}, nil)
	if _, err := pl.Eval(context.Background(), 4, drawnArgs(key)); err != nil {
		t.Fatal(err)
	}
	right := func(point, lo, hi int) ([]float64, error) { return drawnPoint(p, key, point, lo, hi), nil }
	if err := pl.Check(key, 4, right); err != nil {
		t.Error(err)
	}
	// A point that cannot be read ends the check.
	lost := errors.New("lost")
	if err := pl.Check(key, 4, func(int, int, int) ([]float64, error) { return nil, lost }); !errors.Is(err, lost) {
		t.Errorf("a point that cannot be read: %v", err)
	}
	for tile := range 5 {
		for point := range 3 {
			err := pl.Check(key, 4, func(k, lo, hi int) ([]float64, error) {
				x, err := right(k, lo, hi)
				if k == point && lo == tile*1000 {
					for i := range x {
						x[i] *= 1 + 1e-6
					}
				}
				return x, err
			})
			if e := (*CheckError)(nil); !errors.As(err, &e) || e.Tile != tile || e.Point != point || e.Device == "" {
				t.Errorf("tile %d of point %d is wrong: %v", tile, point, err)
			}
		}
	}
	for _, c := range []struct {
		got, want, tol float64
		ok             bool
	}{
		{1, 1.0001, 1e-3, true}, {1, 1.01, 1e-3, false}, {0, 0, 1e-9, true}, {math.NaN(), 1, 1, false},
		{math.Inf(1), math.NaN(), 1, true}, {1, math.Inf(1), 1, false}, {math.Inf(1), 1, 1, false},
	} {
		if Agree(c.got, c.want, c.tol, 0) != c.ok {
			t.Errorf("Agree(%v, %v, %v) is not %v", c.got, c.want, c.tol, c.ok)
		}
	}
}

// A last tile of one variable passes Check at any point in both precisions, although the rounding errors of its waves
// do not average out. A larger error of the phase is found.
func TestCheckShortTile(t *testing.T) {
	p := parse(t, "cec2013/f3:n=1001,mode=paper")
	const points, seeds = 3, 200
	for _, prec := range []problems.Precision{problems.FP64, problems.FP32} {
		pl, err := Place(group(t, devices(t, 1), Options{}), p, prec, Split(p.Tiling(), []int{2}, nil), Drawn(),
			points*p.Accumulators(), nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pl.Close)
		for seed := range uint32(seeds) {
			key := rng.Key{Seed: seed}
			if _, err := pl.Eval(context.Background(), points, drawnArgs(key)); err != nil {
				t.Fatal(err)
			}
			for _, wrong := range []float64{0, 1e-4} { // of the last variable
				err := pl.Check(key, points, func(k, lo, hi int) ([]float64, error) {
					x := drawnPoint(p, key, k, lo, hi)
					for i := range x {
						if prec == problems.FP32 {
							x[i] = float64(float32(x[i]))
						}
					}
					if lo == 1000 {
						x[0] *= 1 + wrong
					}
					return x, nil
				})
				if (err != nil) != (wrong > 0) {
					t.Fatalf("%v, seed %d, %g wrong: %v", prec, seed, wrong, err)
				}
			}
		}
	}
}

// gone is a Hosts whose second rank has a device, and is gone afterwards.
type gone struct{ asked []int }

func (*gone) Rank() int        { return 0 }
func (*gone) Size() int        { return 2 }
func (*gone) Barrier() error   { return nil }
func (*gone) Agree(bool) bool  { return false }
func (*gone) Interrupt() error { return nil }

func (h *gone) AllGather(all []byte, ends []int) error {
	switch {
	case h.asked != nil:
		return errors.New("the other host is gone")
	case ends[1] == 16: // the lengths of the descriptions of the devices
		copy(all[8:], all[:8])
	default:
		copy(all[ends[0]:], all[:ends[0]])
		h.asked = []int{}
	}
	return nil
}

func TestLostHost(t *testing.T) {
	d := devices(t, 1)
	p := parse(t, "cec2013/f3:n=3000,mode=paper")
	g := group(t, d, Options{Hosts: &gone{}})
	if all := g.All(); len(all) != 2 || all[0] == nil || all[1] != nil || g.Infos()[1].Name != d[0].Info().Name {
		t.Fatalf("devices %v", all)
	}
	pl := place(t, g, p, 2, []int{2, 1}, nil)
	if _, err := pl.Eval(context.Background(), 2, drawnArgs(rng.Key{})); !errors.As(err, new(*ranks.Error)) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	pl = place(t, group(t, d, Options{}), p, 2, []int{3}, nil)
	if _, err := pl.Eval(ctx, 2, drawnArgs(rng.Key{})); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestEvaluateRefuses(t *testing.T) {
	g := group(t, devices(t, 1), Options{})
	p := parse(t, "cec2013/f7")
	if _, err := Evaluate(context.Background(), g, p, problems.FP64, [][]float64{make([]float64, 999)}); err == nil {
		t.Error("a point of 999 variables")
	}
	var e *problems.PrecisionError
	if _, err := Evaluate(context.Background(), g, p, problems.FP32, [][]float64{make([]float64, 1000)}); !errors.As(
		err, &e) {
		t.Errorf("float32 overflows: %v", err)
	}
	if f, err := Evaluate(context.Background(), g, p, problems.FP64, nil); err != nil || len(f) != 0 {
		t.Errorf("no points: %v, %v", f, err)
	}
}

// A program without one of the kernels is refused, and all that was built is closed once.
func TestPlaceWithoutKernel(t *testing.T) {
	g, p := group(t, devices(t, 1), Options{}), parse(t, "cec2013/f1")
	tiling := p.Tiling()
	shards := Split(tiling, []int{tiling.SuperTiles()}, nil)
	for _, name := range []string{"eval_fold", "eval_total"} {
		_, err := Place(g, p, problems.FP64, shards, Drawn(), p.Accumulators(),
			[]kernels.Define{{Name: name, Value: "renamed"}})
		if err == nil {
			t.Errorf("%s is not missed", name)
		}
	}
}
