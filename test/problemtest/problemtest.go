// Package problemtest tests that a problem keeps the contract of package problems:
//
//	problemtest.Test(t, p, problemtest.Options{})
//
// Device values are compared with the host reference, which is written independently of the device text. A problem
// without one is compared with Options.Reference.
package problemtest

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// Options are facts that Test cannot find out by itself. The zero value is usual.
type Options struct {
	// Devices are of one kind; the problem is split between 1, 2, 3 and all of them. nil: seven are opened.
	Devices []*cl.Device
	// Kinds are compared with the host one after the other. nil: one device of every kind on this machine.
	Kinds []*cl.Device
	// Reference is f in plain Go, for a problem without a host reference.
	Reference func(x []float64) float64
	// Optimum is a point of the value Info().Best. nil: that of the problem's Info, if it has one.
	Optimum []float64
	// Twin is the same problem with another device text. nil: the problem's
	// own other form, if it has one.
	Twin problems.Problem
	// Points are compared in addition to those that Test draws.
	Points [][]float64
	// Fullest tests only the largest number of points that a group may evaluate together, for a text whose other
	// numbers have another test.
	Fullest bool
	// Floor is the least size of f that the tolerance is relative to, for terms that cancel where f is small; 0: it is
	// always relative to f.
	Floor float64
}

// Test runs a subtest named after p. It fails where p breaks the contract of problems.Problem.
func Test(t *testing.T, p problems.Problem, opt Options) {
	t.Helper()
	t.Run(p.Spec().String(), func(t *testing.T) { test(t, p, opt) })
}

func test(t testing.TB, p problems.Problem, opt Options) {
	t.Helper()
	if opt.Devices == nil {
		opt.Devices = Devices(t, 7)
	}
	if opt.Kinds == nil {
		opt.Kinds = Kinds(t)
	}
	c := &contract{t: t, p: p, opt: opt, tiling: p.Tiling(), said: map[string]int{}}
	if opt.Optimum == nil {
		c.opt.Optimum, _ = p.Info().Optimum()
	}
	if err := problems.Validate(p); err != nil {
		t.Errorf("%v", err)
		return // the other checks rely on it
	}
	c.declared()
	if t.Failed() {
		return // values would be wrong for the same reason
	}
	c.draw()
	c.host()
	for _, prec := range []problems.Precision{problems.FP64, problems.FP32} {
		if _, err := p.Text(prec, problems.Tile); err != nil {
			if prec == problems.FP64 {
				t.Fatalf("no text in fp64: %v", err)
			}
			t.Logf("no %v: %v", prec, err)
			continue
		}
		c.devices(prec)
		c.shards(prec)
		c.structure(prec)
	}
	c.precisions()
	c.optimum()
	c.twin()
	c.panels()
	c.partial()
}

type contract struct {
	t      testing.TB
	p      problems.Problem
	opt    Options
	tiling problems.Tiling
	points [][]float64 // float32 numbers inside the box, so that both precisions evaluate the same
	want   []float64   // their values
	said   map[string]int
}

// maxSaid is the largest number of complaints of one kind that are printed.
const maxSaid = 5

// errorf prints a complaint. Its format is its kind.
func (c *contract) errorf(format string, args ...any) {
	c.t.Helper()
	c.said[format]++
	switch n := c.said[format]; {
	case n <= maxSaid:
		c.t.Errorf(format, args...)
	case n == maxSaid+1:
		c.t.Log("more complaints of this kind are not printed")
	}
}

// uniform returns number i of stream who, inside (0, 1).
func uniform(i int, who uint32) float64 {
	return rng.Uniform(rng.Key{Seed: 6}.Word(uint32(i), who, 0, rng.Check))
}

// add appends a point as FP32 stores it, so that a value never differs because the point was rounded.
func (c *contract) add(at func(i int) float64) {
	d := c.p.Domain()
	x := make([]float64, d.N)
	for i := range x {
		x[i] = at(i)
	}
	c.points = append(c.points, d.Stored(problems.FP32, 0, x))
}

// middle is the index of the point near the middle of the box.
const middle = 6

// draw makes the points: three uniform ones, then points on the bounds and next to them, then one near the middle of
// the box and one near the optimum.
func (c *contract) draw() {
	interval := c.p.Domain().Interval
	in := func(i int, who uint32) float64 {
		lo, hi := interval(i)
		return lo + (hi-lo)*uniform(i, who)
	}
	for who := range uint32(3) {
		c.add(func(i int) float64 { return in(i, who) })
	}
	c.add(func(i int) float64 { lo, _ := interval(i); return lo })
	c.add(func(i int) float64 { _, hi := interval(i); return hi })
	c.add(func(i int) float64 { // on the bounds, near them and between them, in turn
		lo, hi := interval(i)
		switch in := in(i, 3); i % 5 {
		case 0:
			return lo
		case 1:
			return hi
		case 2:
			return lo + (in-lo)*1e-6
		case 3:
			return hi - (hi-in)*1e-6
		default:
			return in
		}
	})
	c.add(func(i int) float64 {
		lo, hi := interval(i)
		return (lo+hi)/2 + (in(i, 4)-(lo+hi)/2)*1e-3
	})
	if c.opt.Optimum != nil {
		c.add(func(i int) float64 {
			lo, hi := interval(i)
			return c.opt.Optimum[i] + (uniform(i, 5)-0.5)*(hi-lo)*1e-3
		})
	}
	for _, x := range c.opt.Points {
		c.add(func(i int) float64 { return x[i] })
	}
	for _, x := range c.points {
		c.want = append(c.want, c.reference(x))
	}
	if best, ok := c.p.Info().BestKnown(); ok {
		for i, f := range c.want {
			if f < best-c.p.Tolerance(problems.FP64)*math.Abs(best) {
				c.errorf("point %d has value %v, below the minimum %v", i, f, best)
			}
		}
	}
}

// reference returns the value at x by the host.
func (c *contract) reference(x []float64) float64 {
	c.t.Helper()
	h, ok := c.p.(problems.Referenced)
	if !ok {
		if c.opt.Reference == nil {
			c.t.Fatal("no host reference, and Options give none")
		}
		return c.opt.Reference(x)
	}
	f, err := problems.Eval(h, x)
	if err != nil {
		c.t.Fatal(err)
	}
	if c.opt.Reference != nil {
		if r := c.opt.Reference(x); !c.agree(f, r, problems.FP64) {
			c.errorf("host reference %v, Options.Reference %v", f, r)
		}
	}
	return f
}

// agree compares with the tolerance of the problem.
func (c *contract) agree(got, want float64, prec problems.Precision) bool {
	if got == want {
		return true
	}
	return math.Abs(got-want) <= c.p.Tolerance(prec)*max(math.Abs(want), c.opt.Floor)
}

// evaluate returns the values of points by devices.
func (c *contract) evaluate(p problems.Problem, g *shard.Devices, prec problems.Precision,
	points [][]float64) []float64 {
	c.t.Helper()
	if err := trial.Try(context.Background(), g, p, prec); err != nil {
		c.t.Fatalf("%v: %v", prec, err)
	}
	f, err := shard.Evaluate(context.Background(), g, p, prec, points)
	if err != nil {
		c.t.Fatalf("%v: %v", prec, err)
	}
	return f
}

// devices checks that every kind of device has the values of the host.
func (c *contract) devices(prec problems.Precision) {
	c.t.Helper()
	for _, d := range c.opt.Kinds {
		if prec == problems.FP64 && !d.Info().FP64 {
			continue
		}
		worst := 0.0
		for i, f := range c.evaluate(c.p, Group(c.t, []*cl.Device{d}, shard.Options{}), prec, c.points) {
			if w := c.want[i]; !c.agree(f, w, prec) {
				c.errorf("%v, %s: point %d has value %v, host %v (relative %.1e)", prec, d, i, f, w,
					math.Abs(f-w)/math.Abs(w))
			} else if w != 0 {
				worst = max(worst, math.Abs(f-w)/math.Abs(w))
			}
		}
		c.t.Logf("%v on %s: largest relative difference %.1e of %.1e", prec, d, worst, c.p.Tolerance(prec))
	}
}

// shards checks that the number of devices changes no bit.
func (c *contract) shards(prec problems.Precision) {
	c.t.Helper()
	points := c.points[:3]
	if prec == problems.FP64 { // and doubles that no float32 holds
		x := slices.Clone(points[0])
		for i := range x {
			x[i] = math.Nextafter(x[i], 0)
		}
		points = append(slices.Clone(points), x)
	}
	var one []float64
	for _, k := range []int{1, 2, 3, len(c.opt.Devices)} {
		if k > len(c.opt.Devices) {
			continue
		}
		f := c.evaluate(c.p, Group(c.t, c.opt.Devices[:k], shard.Options{}), prec, points)
		if one == nil {
			one = f
		}
		for i := range f {
			if math.Float64bits(f[i]) != math.Float64bits(one[i]) {
				c.errorf("%v: point %d has value %x on %d devices and %x on one", prec, i, f[i], k, one[i])
			}
		}
	}
}

// precisions checks that float32 and float64 have the same values on one device.
func (c *contract) precisions() {
	c.t.Helper()
	d := c.opt.Devices[:1]
	if _, err := c.p.Text(problems.FP32, problems.Tile); err != nil || !d[0].Info().FP64 {
		return
	}
	g := Group(c.t, d, shard.Options{})
	f64, f32 := c.evaluate(c.p, g, problems.FP64, c.points), c.evaluate(c.p, g, problems.FP32, c.points)
	for i := range f64 {
		if !c.agree(f32[i], f64[i], problems.FP32) {
			c.errorf("point %d has value %v in fp32 and %v in fp64", i, f32[i], f64[i])
		}
	}
}

// optimum checks the published value, on the host and on devices.
func (c *contract) optimum() {
	c.t.Helper()
	best, ok := c.p.Info().BestKnown()
	if !ok || c.opt.Optimum == nil {
		return
	}
	// Near a minimum of 0 the tolerance is absolute. The second term is the rounding of usual values of the function.
	bound := c.p.Tolerance(problems.FP64)*max(1, math.Abs(best)) + 1e-18*math.Abs(c.want[0])
	if f := c.reference(c.opt.Optimum); math.Abs(f-best) > bound {
		c.errorf("the optimum has value %v on the host, published %v", f, best)
	}
	if !c.opt.Devices[0].Info().FP64 {
		return
	}
	g := Group(c.t, c.opt.Devices[:1], shard.Options{})
	if f := c.evaluate(c.p, g, problems.FP64, [][]float64{c.opt.Optimum}); math.Abs(f[0]-best) > bound {
		c.errorf("the optimum has value %v, published %v", f[0], best)
	}
}

// panels: a group that evaluates several points together finds the host's
// values, in every precision, also where the last group is not full.
func (c *contract) panels() {
	c.t.Helper()
	for _, prec := range []problems.Precision{problems.FP64, problems.FP32} {
		text, err := c.p.Text(prec, problems.Tile)
		if err != nil || text.Panel.Points < 2 || prec == problems.FP64 && !c.opt.Devices[0].Info().FP64 {
			continue
		}
		points := c.points[:min(len(c.points), 7)] // 4 + 3, or 2 + 2 + 2 + 1
		one := c.evaluate(c.p, Group(c.t, c.opt.Devices[:1], shard.Options{}), prec, points)
		for together := text.Panel.Points; together > 0; together /= 2 {
			if together == 1 && !text.Panel.One || together < text.Panel.Points && c.opt.Fullest {
				break
			}
			f := c.evaluate(c.p, Group(c.t, c.opt.Devices[:1], shard.Options{Points: together}), prec, points)
			for i := range f {
				if !c.agree(f[i], one[i], prec) {
					c.errorf("point %d has value %v, and %v in the form for %d points together (%v)", i, one[i], f[i],
						together, prec)
				}
			}
		}
	}
}

// items is a problem whose device text is in item form.
type items struct{ problems.Referenced }

func (p items) Text(prec problems.Precision, _ problems.Form) (problems.Text, error) {
	return p.Referenced.Text(prec, problems.Item)
}

// Items returns p with its device text in item form, the plain twin of a cooperative text. p must have a host
// reference.
func Items(p problems.Problem) problems.Problem { return items{p.(problems.Referenced)} }

// twin checks that both device texts give the same values.
func (c *contract) twin() {
	c.t.Helper()
	other := c.opt.Twin
	if text, err := c.p.Text(problems.FP64, problems.Tile); other == nil && err == nil && text.Cooperative {
		other = Items(c.p)
	}
	if other == nil {
		return
	}
	prec := problems.FP64
	if !c.opt.Devices[0].Info().FP64 {
		prec = problems.FP32
	}
	g := Group(c.t, c.opt.Devices[:1], shard.Options{})
	a, b := c.evaluate(c.p, g, prec, c.points), c.evaluate(other, g, prec, c.points)
	for i := range a {
		if !c.agree(b[i], a[i], prec) {
			c.errorf("point %d has value %v, and %v by the twin", i, a[i], b[i])
		}
	}
}
