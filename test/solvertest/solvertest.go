// Package solvertest tests that a method keeps the contract of package solvers on a problem:
//
//	solvertest.Test(t, method, p, solvertest.Options{Evaluations: 500})
//
// Above all, runs on any number of devices must have the same bits.
package solvertest

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/hoststest"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
)

// Options are settings of Test. The zero value is good for most methods.
type Options struct {
	// Devices must be of one kind. Test compares runs on 1, 2, 3 and 5 of them. If Devices is nil, it opens five.
	Devices []*cl.Device
	// Evaluations is the budget of a run, in moves for a method that has a limit of moves; 0 means 300. It should cover
	// all phases of the method and end inside a step.
	Evaluations int64
	Precision   problems.Precision // of the runs
	Key         rng.Key            // of the runs
}

// samples is a Recorder that keeps all samples of a run without their times.
type samples struct {
	all []solvers.Sample
	do  func(solvers.Sample) // called after each sample; may be nil
}

func (r *samples) Record(s solvers.Sample) error {
	s.Elapsed = 0
	r.all = append(r.all, s)
	if r.do != nil {
		r.do(s)
	}
	return nil
}

type contract struct {
	t      *testing.T
	method solvers.Solver
	p      problems.Problem
	opt    Options
}

// Test runs a subtest that fails if method breaks the contract of package solvers on p.
func Test(t *testing.T, method solvers.Solver, p problems.Problem, opt Options) {
	t.Helper()
	t.Run(method.Traits().Name+" "+p.Spec().String()+" "+opt.Precision.String(), func(t *testing.T) {
		if opt.Devices == nil {
			opt.Devices = problemtest.Devices(t, 5)
		}
		if opt.Evaluations == 0 {
			opt.Evaluations = 300
		}
		if opt.Precision == problems.FP64 && !opt.Devices[0].Info().FP64 {
			t.Skip("the device has no float64")
		}
		c := &contract{t, method, p, opt}
		res, tr := c.run(1, shard.Options{}, c.settings())
		c.result(res, tr)
		c.same(res, tr)
		c.hosts(res, tr)
		c.repetitions(tr)
		c.target(tr)
		c.cancel(tr)
	})
}

// Budget returns a limit of moves for methods that have one, and of evaluations for others.
func Budget(m solvers.Solver, p problems.Problem, prec problems.Precision, n int64) solvers.Budget {
	if solvers.LimitsOf(m, p, prec).Moves > 0 {
		return solvers.Budget{Moves: n}
	}
	return solvers.Budget{Evaluations: n}
}

func (c *contract) settings() solvers.Settings {
	return solvers.Settings{Key: c.opt.Key, Precision: c.opt.Precision,
		Budget: Budget(c.method, c.p, c.opt.Precision, c.opt.Evaluations)}
}

// run minimizes on k devices and returns the result and all samples.
func (c *contract) run(k int, group shard.Options, s solvers.Settings) (*solvers.Result, []solvers.Sample) {
	c.t.Helper()
	var record samples
	s.Recorder = &record
	res, err := solvers.Minimize(context.Background(), c.p, problemtest.Group(c.t, c.opt.Devices[:k], group), s,
		c.method)
	if err != nil {
		c.t.Fatalf("on %d devices: %v", k, err)
	}
	return res, record.all
}

// result checks that the samples are consistent, and that the point has the reported value.
func (c *contract) result(res *solvers.Result, tr []solvers.Sample) {
	c.t.Helper()
	best := math.Inf(1)
	before := solvers.Sample{}
	limit := float64(c.opt.Evaluations)
	status, spent := solvers.Evaluations, func(s solvers.Sample) float64 { return s.Work }
	if c.settings().Budget.Moves > 0 {
		status, spent = solvers.Moves, func(s solvers.Sample) float64 { return float64(s.Moves) }
	}
	for i, s := range tr {
		if s.Step != int64(i+1) || s.Work <= before.Work || s.Moves < before.Moves || spent(s) > limit ||
			s.NonFinite > max(s.Evaluations, s.Moves) {
			c.t.Errorf("step %d: %+v after %+v, with a limit of %v", i+1, s, before, limit)
		}
		if best = min(best, s.F); s.Best != best {
			c.t.Errorf("step %d: best is %v, the smallest value so far %v", s.Step, s.Best, best)
		}
		if s.Evaluations != int64(s.Work) { // an evaluation is counted when it is whole
			c.t.Errorf("step %d: %d evaluations for a work of %v", s.Step, s.Evaluations, s.Work)
		}
		before = s
	}
	last := tr[len(tr)-1]
	if res.F != last.Best || res.Evaluations != last.Evaluations || res.Work != last.Work || res.Moves != last.Moves ||
		res.Steps != last.Step || res.NonFinite != last.NonFinite || res.Status != status {
		c.t.Errorf("result %v, %d evaluations, %d steps, %v; last sample %+v", res.F, res.Evaluations, res.Steps,
			res.Status, last)
	}
	if tr[0].Best == last.Best && c.method.Traits().Name != "random" {
		c.t.Error("no step after the first one found a better point")
	}
	lo, hi := c.p.Domain().Box()
	if c.opt.Precision == problems.FP32 {
		lo, hi = float64(float32(lo)), float64(float32(hi))
	}
	if len(res.X) != c.p.Domain().N || slices.Min(res.X) < lo || slices.Max(res.X) > hi {
		c.t.Errorf("%d variables from %v to %v, the box is [%v, %v]", len(res.X), slices.Min(res.X), slices.Max(res.X),
			lo, hi)
	}
	if !res.Confirmed {
		c.t.Errorf("value %v is not confirmed; its value on the host is %v", res.F, res.HostF)
	}
	if h, ok := c.p.(problems.Referenced); ok {
		f, err := problems.Eval(h, res.X)
		if err != nil {
			c.t.Fatal(err)
		}
		if math.Abs(f-res.F) > c.p.Tolerance(c.opt.Precision)*math.Abs(f) || f != res.HostF || res.Confirmer != "host" {
			c.t.Errorf("value %v, host %v, reported host %v", res.F, f, res.HostF)
		}
	}
	// The returned point has exactly the bits of the point that was evaluated.
	g := problemtest.Group(c.t, c.opt.Devices[:1], shard.Options{})
	f, err := shard.Evaluate(context.Background(), g, c.p, c.opt.Precision, [][]float64{res.X})
	if err != nil {
		c.t.Fatal(err)
	}
	if math.Float64bits(f[0]) != math.Float64bits(res.F) {
		c.t.Errorf("the value is %x, and %x when it is evaluated again", res.F, f[0])
	}
	c.t.Logf("%d steps, %d evaluations, best %v, then %v", len(tr), last.Evaluations, tr[0].Best, last.Best)
}

// same checks that runs have the same bits when they are repeated, on more devices, with other shares of the devices,
// and with shorter launches.
func (c *contract) same(res *solvers.Result, tr []solvers.Sample) {
	c.t.Helper()
	for _, v := range []struct {
		what  string
		k     int
		group shard.Options
	}{
		{"repeated", 1, shard.Options{}},
		{"two devices, short launches", 2, shard.Options{LaunchTime: 1e-5}},
		{"three devices with unequal shares", 3, shard.Options{Weights: []float64{1, 5, 2}}},
		{"five devices", 5, shard.Options{}},
	} {
		if v.k > len(c.opt.Devices) {
			continue
		}
		other, trace := c.run(v.k, v.group, c.settings())
		if i := differ(tr, trace); i >= 0 {
			c.t.Errorf("%s: step %d is %+v, want %+v", v.what, i+1, at(trace, i), at(tr, i))
		}
		if !slices.Equal(other.X, res.X) || other.F != res.F {
			c.t.Errorf("%s: another point, with value %x; want %x", v.what, other.F, res.F)
		}
	}
}

// hosts checks that a run has the same bits when several ranks make it, each with some of the devices.
func (c *contract) hosts(res *solvers.Result, tr []solvers.Sample) {
	c.t.Helper()
	for _, ends := range shorttest.Rows(1, [][]int{{1, 3}, {2, 3, 4}}) {
		if ends[len(ends)-1] > len(c.opt.Devices) {
			continue
		}
		results, traces := make([]*solvers.Result, len(ends)), make([]samples, len(ends))
		if err := hoststest.Run(len(ends), func(h ranks.Hosts) (err error) {
			r, from := h.Rank(), 0
			if r > 0 {
				from = ends[r-1]
			}
			g, err := shard.NewDevices(c.opt.Devices[from:ends[r]], shard.Options{Hosts: h})
			if err != nil {
				return err
			}
			s := c.settings()
			s.Recorder = &traces[r]
			results[r], err = solvers.Minimize(context.Background(), c.p, g, s, c.method)
			return err
		}); err != nil {
			c.t.Errorf("%d ranks: %v", len(ends), err)
			continue
		}
		for r, got := range traces {
			if i := differ(tr, got.all); i >= 0 {
				c.t.Errorf("rank %d of %d: step %d is %+v, want %+v", r, len(ends), i+1, at(got.all, i), at(tr, i))
			}
		}
		if first := results[0]; !slices.Equal(first.X, res.X) || first.F != res.F || !first.Confirmed {
			c.t.Errorf("%d ranks: another point, with value %x; want %x", len(ends), first.F, res.F)
		}
	}
}

// differ returns the first sample in which two traces differ, or -1.
func differ(a, b []solvers.Sample) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) {
			return i
		}
		x, y := a[i], b[i]
		if math.IsNaN(x.F) && math.IsNaN(y.F) {
			x.F, y.F = 0, 0
		}
		if x != y {
			return i
		}
	}
	return -1
}

func at(tr []solvers.Sample, i int) any {
	if i < len(tr) {
		return tr[i]
	}
	return "none"
}

// repetitions checks that runs with other numbers make other draws, and that such a run repeats on two devices.
func (c *contract) repetitions(tr []solvers.Sample) {
	c.t.Helper()
	s := c.settings()
	s.Key.Run += 3
	_, third := c.run(1, shard.Options{}, s)
	if differ(tr, third) != 0 {
		c.t.Error("a run with another number has the same first sample")
	}
	if _, again := c.run(2, shard.Options{}, s); differ(third, again) >= 0 {
		c.t.Error("the same run has other samples on two devices")
	}
}

// target checks that a run ends with the first step that meets its target.
func (c *contract) target(tr []solvers.Sample) {
	c.t.Helper()
	goal := tr[len(tr)/2].Best
	first := slices.IndexFunc(tr, func(s solvers.Sample) bool { return s.Best <= goal })
	s := c.settings()
	s.Budget.Target = &goal
	res, got := c.run(1, shard.Options{}, s)
	if res.Status != solvers.Target || res.F > goal || differ(tr[:first+1], got) >= 0 {
		c.t.Errorf("target %v: ended by %v with %v after %d steps, want %d steps", goal, res.Status, res.F, len(got),
			first+1)
	}
}

// cancel checks that a cancelled run returns its best point so far and the error of the context.
func (c *contract) cancel(tr []solvers.Sample) {
	c.t.Helper()
	g := problemtest.Group(c.t, c.opt.Devices[:min(2, len(c.opt.Devices))], shard.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	last := int64(len(tr)/2 + 1)
	record := samples{do: func(s solvers.Sample) {
		if s.Step == last {
			cancel()
		}
	}}
	s := c.settings()
	s.Recorder = &record
	res, err := solvers.Minimize(ctx, c.p, g, s, c.method)
	if !errors.Is(err, context.Canceled) || res == nil {
		c.t.Fatalf("cancelled: %+v, %v; want a result and context.Canceled", res, err)
	}
	if res.Status != solvers.Cancelled || res.Steps != last || differ(tr[:last], record.all) >= 0 ||
		res.F != tr[last-1].Best || !res.Confirmed {
		c.t.Errorf("cancelled at step %d: status %v, value %v after %d steps, confirmed %v", last, res.Status, res.F,
			res.Steps, res.Confirmed)
	}
	// A run that is cancelled before it begins has no point to return.
	if res, err := solvers.Minimize(ctx, c.p, g, c.settings(), c.method); !errors.Is(err, context.Canceled) ||
		res != nil {
		c.t.Errorf("cancelled before the start: %+v, %v; want no result and context.Canceled", res, err)
	}
}
