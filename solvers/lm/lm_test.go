package lm

import (
	"context"
	"math"
	"reflect"
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

// withoutSlopes is a problem whose derivatives lm has to find by differences.
type withoutSlopes struct{ problems.Referenced }

func (p withoutSlopes) Structure() problems.Structure {
	return p.Referenced.Structure().WithSlopes(false)
}

// start starts a run and returns it with a uniform point.
func start(t *testing.T, spec string) (problems.Referenced, *run, []float64) {
	t.Helper()
	return startOn(t, solvertest.ParseProblem(t, spec).(problems.Referenced))
}

func startOn[P problems.Problem](t *testing.T, p P) (P, *run, []float64) {
	t.Helper()
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	key := rng.Key{Seed: 7}
	started := solvertest.Start(t, &LM{}, p, g, solvers.Setup{Key: key})
	x := make([]float64, p.Domain().N)
	host.Uniform(p.Domain(), key, 3, x)
	return p, started.(*run), x
}

// differentiate computes the equations of all parts at x. The answers have also the products that a device keeps.
func differentiate(t *testing.T, r *run, x []float64) {
	t.Helper()
	r.chooseOf(nil, derivatives, func(k int) bool { return r.engine.c.stack[k] > 0 })
	r.chosen.parameter = func(int) float64 { return 1e-6 }
	if err := r.compute(context.Background(), x); err != nil {
		t.Fatal(err)
	}
	e, of := r.engine, &r.chosen
	var answers []float64
	for k, own := range e.c.own {
		need, from := e.c.need(k, derivatives), len(answers)
		answers = append(answers, make([]float64, need.answers+need.kept)...)
		if own {
			if err := e.on[0].product.Read(e.equations[k], answers[from:]); err != nil {
				t.Fatal(err)
			}
		} else {
			copy(answers[from:], of.answers[of.at[k]:])
		}
		of.at[k] = from
	}
	of.answers = answers
	r.normal = r.order.matrix(r.wave, r.waves, none)
	for _, q := range r.order.parts {
		r.normal.clear(q, r.gradient)
		for _, k := range r.order.components(q) {
			if r.engine.c.stack[k] > 0 {
				r.normal.add(r.engine.c.variables(k), r.chosen.answers[r.chosen.at[k]+1:], r.gradient)
			}
		}
	}
}

func none(part) bool { return false }

// The squares of the residuals of a component add up to the component on the host, and their derivatives give the
// gradient that differences of the host give.
func TestResiduals(t *testing.T) {
	for _, spec := range shorttest.Rows(4, []string{
		"cec2013/f13:n=2000", "cec2013/f15", "cec2013/f12:n=2000", "cec2013/f4:n=2000,mode=distinct",
		"cec2013/f1", "cec2013/f7", "cec2013/f8", "cec2013/f11", "cec2013/f14",
	}) {
		t.Run(spec, func(t *testing.T) {
			p, r, x := start(t, spec)
			differentiate(t, r, x)
			for k := range p.Structure().Components() {
				var want [1]float64
				p.HostComponent(k, 0, x, want[:])
				if got := r.chosen.answers[r.chosen.at[k]]; !(math.Abs(got-want[0]) <= 1e-9*want[0]) {
					t.Fatalf("component %d is %v, host %v", k, got, want[0])
				}
			}
			largest := 0.0
			for _, g := range r.gradient {
				largest = max(largest, math.Abs(2*g))
			}
			for i := 0; i < len(x); i += 97 {
				v, rise := x[i], 0.0
				up, down := r.engine.around(i, v, 1e-6)
				for _, k := range p.Structure().ComponentsOf(i, nil) {
					var a, b [1]float64
					x[i] = up
					p.HostComponent(k, 0, x, a[:])
					x[i] = down
					p.HostComponent(k, 0, x, b[:])
					rise += a[0] - b[0]
				}
				x[i] = v
				if want := rise / (up - down); !(math.Abs(2*r.gradient[i]-want) <= 1e-4*math.Abs(want)+1e-6*largest) {
					t.Errorf("the derivative by variable %d is %v, host %v", i, 2*r.gradient[i], want)
				}
			}
		})
	}
}

// Differences by every variable and the slopes of the device text give the same equations.
func TestSlopes(t *testing.T) {
	for _, spec := range shorttest.Rows(1, []string{"cec2013/f4:n=2000,mode=distinct", "cec2013/f8", "cec2013/f11",
		"cec2013/f12", "cec2013/f13", "cec2013/f1", "cec2013/f7"}) {
		p, r, x := start(t, spec)
		_, plain, _ := startOn(t, withoutSlopes{p})
		if !p.Structure().Slopes() || plain.p.Structure().Slopes() {
			t.Fatalf("%s: slopes are not declared", spec)
		}
		differentiate(t, r, x)
		differentiate(t, plain, x)
		diagonal := func(r *run, i int) float64 {
			row := r.normal.row(r.order.place[i])
			return math.Sqrt(row[len(row)-1])
		}
		for i := range x {
			row := r.normal.row(r.order.place[i])
			for c, got := range row {
				h := r.order.at[r.order.first[r.order.place[i]]+c]
				want := plain.normal.row(plain.order.place[i])[c]
				if !(math.Abs(got-want) <= 1e-3*diagonal(plain, i)*diagonal(plain, h)) {
					t.Fatalf("%s: the product for variables %d and %d is %v, by differences %v", spec, i, h, got, want)
				}
			}
		}
		if work, all := float64(r.chosen.used.cost)/float64(r.engine.c.cost), 3.0; work != all {
			t.Errorf("%s: derivatives are the work of %v values, want %v", spec, work, all)
		}
	}
}

// A device that has room for few components at a time computes the same products.
func TestRoom(t *testing.T) {
	for _, spec := range []string{"cec2013/f4:n=2000", "cec2013/f12"} {
		_, r, x := start(t, spec)
		differentiate(t, r, x)
		want := slices.Clone(r.chosen.answers)
		for _, o := range r.engine.on {
			o.room.residuals /= 3
			o.room.answers /= 2
		}
		differentiate(t, r, x)
		for i, v := range r.chosen.answers {
			if math.Float64bits(v) != math.Float64bits(want[i]) {
				t.Fatalf("%s: product %d is %v, with room for all components %v", spec, i, v, want[i])
			}
		}
	}
}

// The direction solves the equations of the residuals' derivatives, with variables in any order.
func TestDirection(t *testing.T) {
	for _, spec := range []string{"cec2013/f13:n=2000", "cec2013/f12"} {
		_, r, x := start(t, spec)
		differentiate(t, r, x)
		const lambda = 1e-3
		var l factor
		d := r.direction
		for c, q := range r.order.parts {
			if !l.of(r.normal, q, lambda) {
				t.Fatalf("the equations of part %d are not positive", c)
			}
			l.solve(r.gradient, d)
		}
		// JᵀJd + λ diag(JᵀJ)d + g, and the size of its terms
		left, scale := make([]float64, len(x)), make([]float64, len(x))
		for i, g := range r.gradient {
			left[i], scale[i] = g, math.Abs(g)
		}
		add := func(i int, v float64) {
			left[i] += v
			scale[i] += math.Abs(v)
		}
		for i := range r.order.at {
			row, to := r.normal.row(i), r.order.at[i]
			for c, v := range row[:len(row)-1] {
				from := r.order.at[r.order.first[i]+c]
				add(to, v*d[from])
				add(from, v*d[to])
			}
			add(to, (1+lambda)*row[len(row)-1]*d[to])
		}
		for i, e := range left {
			if !(math.Abs(e) <= 1e-6*scale[i]) {
				t.Fatalf("%s: the equation of variable %d is missed by %v of %v", spec, i, e, scale[i])
			}
		}
	}
}

// The order keeps the envelope of a chain and of chained groups narrow, and every connected part in one range.
func TestOrder(t *testing.T) {
	chain := newOrder(problems.Windows(1000, 999, 1, 0, 1))
	if n := chain.size(); n != 1999 {
		t.Errorf("the envelope of a chain of 1000 variables has %d cells, want 1999", n)
	}
	for spec, most := range map[string]int{"cec2013/f13": 905 * 200, "cec2013/f13:n=3000": 3 * 905 * 200} {
		s := solvertest.ParseProblem(t, spec).Structure()
		o := newOrder(s)
		if n := o.size(); n > most+s.Variables() {
			t.Errorf("%s: the envelope has %d cells, want at most %d", spec, n, most)
		}
		seen := make([]bool, len(o.place))
		for _, at := range o.place {
			seen[at] = true
		}
		for at, ok := range seen {
			if !ok {
				t.Errorf("%s: no variable has place %d", spec, at)
			}
		}
	}
}

// Copies of a structure side by side have the order and the components of the whole.
func TestRepeated(t *testing.T) {
	for _, spec := range []string{"cec2013/f4:n=3000", "cec2013/f13:n=3000", "cec2013/f8:n=2000",
		"cec2013/f12:n=2000"} {
		s := solvertest.ParseProblem(t, spec).Structure()
		if got, want := newOrder(s), orderOf(s); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the order of the copies is another one", spec)
		}
		got, want := newComponents(s, byDifferences, 0), componentsOf(s, byDifferences, 0)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the components of the copies are others", spec)
		}
	}
}

// Descents end at the minimum of functions on which the second derivatives of other methods fail.
func TestReaches(t *testing.T) {
	for _, c := range shorttest.Rows(1, []struct {
		spec   string
		evals  int64
		target float64
	}{
		{"cec2013/f13", 1e4, 1}, {"cec2013/f15", 1e5, 1}, {"cec2013/f8", 2e4, 1}, {"cec2013/f4", 2e4, 1e-8},
		{"cec2013/f11", 1e4, 1e-8},
	}) {
		g := solvertest.OpenDevices(t, 1, shard.Options{})
		p := solvertest.ParseProblem(t, c.spec)
		r, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Key: rng.Key{Seed: 1},
			Budget: solvers.Budget{Evaluations: c.evals, Target: &c.target}}, &LM{})
		if err != nil || !(r.F <= c.target) {
			t.Errorf("%s: %v after %d evaluations, %v", c.spec, r.F, r.Evaluations, err)
		}
	}
}

// A step makes no part worse, and each part has a λ of its own.
func TestParts(t *testing.T) {
	_, r, _ := start(t, "cec2013/f13:n=3000")
	if n := len(r.order.parts); n < 3 {
		t.Fatalf("%d parts, want one for each block at least", n)
	}
	own := false
	for range 4 {
		before := r.state.Descent.At.F
		if _, ok, err := r.Step(context.Background(), solvers.Unlimited); err != nil || !ok {
			t.Fatal(ok, err)
		}
		parts := r.state.Descent.Parts
		for c, f := range r.state.Descent.At.F {
			if f > before[c] {
				t.Errorf("part %d rises from %v to %v", c, before[c], f)
			}
			own = own || parts[c].Damping != parts[0].Damping
		}
	}
	if !own {
		t.Error("all parts have the same λ")
	}
}

// A step moves the parts of one wave. Each part is in one wave, and every wave has parts on all devices.
func TestWaves(t *testing.T) {
	_, r, _ := start(t, "cec2013/f8:n=3000")
	wave, waves := r.order.waves(r.order.size() / 3)
	if waves < 3 {
		t.Fatalf("%d waves, want 3 or more", waves)
	}
	cells := make([]int, waves)
	for c, q := range r.order.parts {
		cells[wave[c]] += r.order.cells(q)
	}
	for w, n := range cells {
		if mean := r.order.size() / waves; n < mean/2 || n > 2*mean {
			t.Errorf("wave %d has %d numbers, the mean is %d", w, n, mean)
		}
	}
	r.wave, r.waves, r.normal = wave, waves, r.order.matrix(wave, waves, none)
	ctx := context.Background()
	if err := r.begin(ctx, math.Inf(1)); err != nil {
		t.Fatal(err)
	}
	clone := func(d descent) descent {
		return descent{point{slices.Clone(d.At.X), slices.Clone(d.At.F)}, slices.Clone(d.Parts), d.From}
	}
	start := clone(r.state.Descent)
	for w := range waves {
		before := clone(r.state.Descent)
		if _, ok, err := r.Step(ctx, solvers.Unlimited); err != nil || !ok {
			t.Fatal(ok, err)
		}
		for c, f := range r.state.Descent.At.F {
			if wave[c] != w && f != before.At.F[c] {
				t.Errorf("part %d of wave %d moves with wave %d", c, wave[c], w)
			}
		}
	}
	for c, f := range r.state.Descent.At.F {
		if f >= start.At.F[c] {
			t.Errorf("part %d has not moved", c)
		}
	}
	for _, sh := range r.engine.pl.Shards() {
		lo, hi := r.engine.components(sh)
		seen := make([]bool, waves)
		for _, c := range r.order.of[lo:hi] {
			seen[wave[c]] = true
		}
		if slices.Contains(seen, false) {
			t.Errorf("the components from %d to %d are in some of the waves only", lo, hi)
		}
	}
}

// Parts that have ended their descent are not computed again, and cost nothing.
func TestEndedParts(t *testing.T) {
	_, r, _ := start(t, "cec2013/f8:n=2000")
	ctx := context.Background()
	if err := r.begin(ctx, math.Inf(1)); err != nil {
		t.Fatal(err)
	}
	for c := range r.state.Descent.Parts {
		r.state.Descent.Parts[c].On = c == 1
	}
	s, ok, err := r.Step(ctx, solvers.Unlimited)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	all := r.p.Structure().DifferencesWork()
	if !(s.Work < all/4) || s.Evaluations != int64(s.Work) {
		t.Errorf("a step of one part of 40 is the work of %v values, and %d evaluations; all parts make %v", s.Work,
			s.Evaluations, all)
	}
}

// The direction does not move variables at a bound beyond which the value falls.
func TestHold(t *testing.T) {
	p, r, x := start(t, "cec2013/f8")
	q := r.order.parts[0]
	own := r.order.variables(q)
	for _, i := range own[:len(own)/2] {
		_, x[i] = p.Domain().Interval(i)
	}
	differentiate(t, r, x)
	before := slices.Clone(r.gradient)
	r.hold(x, q)
	var l factor
	if !l.of(r.normal, q, 1e-3) {
		t.Fatal("the equations are not positive")
	}
	l.solve(r.gradient, r.direction)
	held := 0
	for k, i := range own {
		if out := k < len(own)/2 && before[i] < 0; out {
			held++
			if r.direction[i] != 0 {
				t.Errorf("variable %d moves by %v beyond its bound", i, r.direction[i])
			}
		} else if r.gradient[i] != before[i] || r.direction[i] == 0 {
			t.Errorf("variable %d moves by %v", i, r.direction[i])
		}
	}
	if held == 0 || held == len(own)/2 {
		t.Errorf("%d of %d variables at a bound are held", held, len(own)/2)
	}
}

// A step that fails, wherever it does, leaves the state as it was, and the next one is the step that would have been.
func TestFailedStep(t *testing.T) {
	_, r, _ := start(t, "cec2013/f8:n=2000")
	_, other, _ := start(t, "cec2013/f8:n=2000")
	for step := range 4 {
		x, f := slices.Clone(r.state.Descent.At.X), slices.Clone(r.state.Best.F)
		failed := 0
		for ; ; failed++ {
			if _, ok, err := r.Step(solvertest.AfterLooks(failed), solvers.Unlimited); ok {
				break
			} else if err == nil {
				t.Fatal("the run has ended")
			}
			if !slices.Equal(r.state.Descent.At.X, x) || !slices.Equal(r.state.Best.F, f) {
				t.Fatal("a step that fails moves a point")
			}
		}
		if _, ok, err := other.Step(context.Background(), solvers.Unlimited); err != nil || !ok {
			t.Fatal(ok, err)
		}
		if got, want := r.state, other.state; got.Sample != want.Sample || !slices.Equal(got.Best.X, want.Best.X) ||
			!slices.Equal(got.Descent.At.F, want.Descent.At.F) || !slices.Equal(got.Descent.Parts, want.Descent.Parts) {
			t.Errorf("step %d, after %d that failed: %+v, want %+v", step, failed, got.Sample, want.Sample)
		}
		if failed < 3 {
			t.Errorf("step %d failed at %d places", step, failed)
		}
	}
}
