package lbfgs

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// twin is the method on the host in float64, serial and written from its description: whole vectors, and the two loops
// of the papers.
type twin struct {
	m   *LBFGS
	p   problems.Referenced
	key rng.Key

	on         bool
	descent    int
	fine       int
	hops       hops
	x, current []float64
	f, from    float64
	acc, g     []float64
	s, y       [][]float64 // good pairs, the oldest first
	last       []float64   // the change of x in the last step; nil: there was none
	slope      float64     // along it, at its beginning
	scale      float64     // of the last good pair; 0: there was none
	work       float64
}

// value returns the accumulators and the value of a point.
func (w *twin) value(x []float64) (acc []float64, f float64) {
	acc = make([]float64, w.p.Accumulators())
	for k := range w.p.Structure().Components() {
		w.p.HostComponent(k, 0, x, acc)
	}
	w.work++
	return acc, w.p.Objective(acc)
}

// begin makes the start point of a descent.
func (w *twin) begin() {
	d, s := w.p.Domain(), w.p.Structure()
	w.fine = usual
	if w.hops.Over {
		host.Uniform(d, w.key, w.descent, w.x)
		w.fine = 0
	} else if k := w.m.kick(&w.hops, w.key, w.descent, len(w.x)); k.Bodies == 0 {
		drawn := host.KickOf(w.key, w.descent, len(w.x))
		drawn.Share, drawn.Reach = k.Share, k.Reach
		drawn.Point(d, w.key, w.descent, w.current, w.x)
	} else {
		copy(w.x, w.current)
		for _, i := range k.bodies(s, w.key, w.descent) {
			w.x[i] = anew(d, w.key, w.descent, i)
		}
	}
	w.descent++
	w.acc, w.f = w.value(w.x)
	w.s, w.y, w.last, w.on, w.scale = nil, nil, nil, true, 0
}

// derivative returns the derivative of f by variable i.
func (w *twin) derivative(i int, slope []float64) float64 {
	lo, hi := w.p.Domain().Interval(i)
	v := w.x[i]
	h := max(byDifferences[w.fine].ofValue*max(math.Abs(v), 1e-3*(hi-lo)), byDifferences[w.fine].ofRange*(hi-lo))
	up, down := v+h, v-h
	if up > hi {
		up = v
	}
	if down < lo {
		down = v
	}
	rise := 0.0
	for _, k := range w.p.Structure().ComponentsOf(i, nil) {
		a, b := make([]float64, len(slope)), make([]float64, len(slope))
		w.x[i] = up
		w.p.HostComponent(k, 0, w.x, a)
		w.x[i] = down
		w.p.HostComponent(k, 0, w.x, b)
		for j, c := range slope {
			rise += c * (a[j] - b[j])
		}
	}
	w.x[i] = v
	return rise / (up - down)
}

func dot(a, b []float64) (v float64) {
	for i := range a {
		v += a[i] * b[i]
	}
	return v
}

// direction returns -H·g for the gradient without the variables that are stuck at a bound.
func (w *twin) direction() []float64 {
	d, alpha := make([]float64, len(w.g)), make([]float64, len(w.s))
	free := func(i int) bool {
		lo, hi := w.p.Domain().Interval(i)
		return !(w.x[i] <= lo && w.g[i] > 0) && !(w.x[i] >= hi && w.g[i] < 0)
	}
	for i := range d {
		if free(i) {
			d[i] = -w.g[i]
		}
	}
	for k, s := range slices.Backward(w.s) {
		alpha[k] = dot(s, d) / dot(s, w.y[k])
		for i := range d {
			d[i] -= alpha[k] * w.y[k][i]
		}
	}
	if n := len(w.s); n > 0 {
		scale := dot(w.s[n-1], w.y[n-1]) / dot(w.y[n-1], w.y[n-1])
		for i := range d {
			d[i] *= scale
		}
	}
	for k, s := range w.s {
		beta := dot(w.y[k], d) / dot(s, w.y[k])
		for i := range d {
			d[i] += (alpha[k] - beta) * s[i]
		}
	}
	for i := range d {
		if !free(i) {
			d[i] = 0
		}
	}
	return d
}

// step makes a step.
func (w *twin) step() {
	if !w.on {
		w.begin()
		return
	}
	slope := w.p.Linear()
	if slope == nil {
		slope = host.Slopes(w.p, w.acc)
	}
	g := make([]float64, len(w.x))
	for i := range g {
		g[i] = w.derivative(i, slope)
	}
	w.work += w.p.Structure().DifferencesWork()
	if w.last != nil {
		y := slices.Clone(g)
		for i := range y {
			y[i] -= w.g[i]
		}
		if dot(w.last, y) > flat*math.Abs(w.slope) {
			w.s, w.y = append(w.s, w.last), append(w.y, y)
			w.scale = dot(w.last, y) / dot(y, y)
		}
		if keep := w.m.rows() - 1; len(w.s) > keep {
			w.s, w.y = w.s[1:], w.y[1:]
		}
	}
	w.g = g
	for {
		d, t := w.direction(), 1.0
		if len(w.s) == 0 {
			lo, hi := w.p.Domain().Box()
			if t = w.scale; t == 0 {
				t = first * (hi - lo) / math.Sqrt(dot(d, d))
			}
		}
		for range halvings {
			if w.try(d, t) {
				return
			}
			t /= 2
		}
		steepest := len(w.s) == 0
		if w.s, w.y = nil, nil; steepest {
			w.stop()
			return
		}
	}
}

// try moves to the point at t along d if it is good, and reports whether it is.
func (w *twin) try(d []float64, t float64) bool {
	y, s := slices.Clone(w.x), make([]float64, len(w.x))
	for i := range y {
		lo, hi := w.p.Domain().Interval(i)
		y[i] = min(max(math.FMA(t, d[i], y[i]), lo), hi)
		s[i] = y[i] - w.x[i]
	}
	slope := dot(w.g, s)
	acc, f := w.value(y)
	if !(slope < 0 && f < w.f && f <= w.f+armijo*slope) {
		return false
	}
	falling := falls(w.f, f, byDifferences[w.fine])
	w.x, w.acc, w.f, w.last, w.slope = y, acc, f, s, slope
	if !falling {
		w.stop()
	}
	return true
}

// stop goes on with finer differences, or ends the descent.
func (w *twin) stop() {
	w.fine++
	w.on, w.s, w.y, w.last = w.fine < len(byDifferences), nil, nil, nil
}

// follow copies the state of a run on one device.
func (w *twin) follow(t *testing.T, r *run) {
	t.Helper()
	st, at, v, n := r.state, r.state.Descent, r.engine.on[0], len(w.x)
	read := func(from *shard.Reals, off int) []float64 {
		x := make([]float64, n)
		if err := from.Read(off, x); err != nil {
			t.Fatal(err)
		}
		return x
	}
	w.on, w.descent, w.f, w.from, w.acc, w.slope = at.On, st.Episode, at.F, at.From, at.Acc, at.Slope
	w.x, w.current, w.g = read(v.x, r.engine.skip), read(v.current, 0), read(v.gradient, 0)
	w.hops = st.Hops
	w.s, w.y, w.last, w.fine, w.scale = nil, nil, nil, at.Fine, at.Pairs.Scale
	w.work = st.Sample.Work
	for k := max(0, at.Pairs.Made-r.m.rows()+1); k < at.Pairs.Made; k++ {
		row := k % r.m.rows()
		w.s = append(w.s, read(v.pairs, row*n))
		w.y = append(w.y, read(v.pairs, (r.m.rows()+row)*n))
	}
	if at.Slope != 0 {
		w.last = read(v.pairs, at.Pairs.next()*n)
	}
}

// From the same state, a device and the host make the same step, up to rounding: through whole descents, from uniform
// points and after kicks.
func TestTwin(t *testing.T) {
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	for _, c := range shorttest.Rows(4, []struct {
		spec   string
		m      LBFGS
		steps  int
		within float64 // of the box
	}{
		{"classic/rosenbrock:n=1500", LBFGS{Pairs: 3}, 40, 1e-7}, // a chain over two tiles
		{"classic/griewank:n=40", LBFGS{Patience: 2}, 60, 1e-6},  // g is not linear
		{"classic/six_hump", LBFGS{}, 60, 1e-6},                  // intervals of their own
		{"classic/levy_chain:n=30", LBFGS{Pairs: 1}, 40, 1e-6},   // one pair
		{"cec2013/f12:n=2500,mode=paper", LBFGS{}, 20, 1e-7},     // variables at bounds
		{"cec2013/f13:n=1000", LBFGS{Kick: new(0.5)}, 10, 1e-7},  // groups with variables in common
		{"classic/rosenbrock:n=4", LBFGS{Reach: new(0.1)}, 90, 1e-6},
	}) {
		t.Run(c.spec, func(t *testing.T) {
			p := solvertest.ParseProblem(t, c.spec).(problems.Referenced)
			key := rng.Key{Seed: 5, Run: 1}
			run := solvertest.Start(t, &c.m, p, g, solvers.Setup{Key: key}).(*run)
			w := &twin{m: &c.m, p: p, key: key, x: make([]float64, p.Domain().N)}
			lo, hi := p.Domain().Box()
			for range c.steps {
				w.follow(t, run)
				start := w.f
				if _, ok, err := run.Step(context.Background(), solvers.Unlimited); err != nil {
					t.Fatal(err)
				} else if !ok {
					break
				}
				w.step()
				at := run.state.Descent
				got := make([]float64, len(w.x))
				if err := run.engine.on[0].x.Read(run.engine.skip, got); err != nil {
					t.Fatal(err)
				}
				step := run.state.Sample.Step
				if s := run.state.Sample; s.Evaluations != int64(s.Work) {
					t.Errorf("step %d: %d evaluations for work of %g", step, s.Evaluations, s.Work)
				}
				if !(math.Abs(at.F-w.f) <= 1e-6*math.Abs(w.f)+1e-12*math.Abs(start)+1e-12) {
					t.Errorf("step %d: value %v, host %v, from %v", step, at.F, w.f, start)
				}
				for i, v := range got {
					if !(math.Abs(v-w.x[i]) <= c.within*(hi-lo)) {
						t.Fatalf("step %d: variable %d is %v, host %v", step, i, v, w.x[i])
					}
				}
				// Near the minimum the values fall by less than their rounding errors, and decisions differ.
				if falling := start-w.f > 1e-9*max(1, math.Abs(start)); falling && (at.On != w.on ||
					run.state.Episode != w.descent || math.Abs(run.state.Sample.Work-w.work) > 1e-9*w.work ||
					min(at.Pairs.Made, c.m.rows()-1) != len(w.s)) {
					t.Fatalf("step %d: %+v after work of %g, host %v with %d pairs after %g", step, at,
						run.state.Sample.Work, w.on, len(w.s), w.work)
				}
			}
			t.Logf("%d descents, best %v", run.state.Episode, run.state.Sample.Best)
		})
	}
}
