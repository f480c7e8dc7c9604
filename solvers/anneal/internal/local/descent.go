package local

import (
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
)

// asker is a method of local search that asks for one evaluation after the other. It is a pointer to a struct that
// checkpoint.Encode accepts, which is all of its state.
type asker interface {
	// ask returns the point of the next evaluation, and whether its gradient is wanted, not its value. The point is
	// nil at the end.
	ask() (x []float64, gradient bool)
	// tell passes the value or the gradient of that point, which has been evaluated as it was asked.
	tell(f float64, gradient []float64)
	// found returns the best point so far.
	found() *found
	// fits reports whether a state that was loaded is one of n variables.
	fits(n int) bool
}

// found is a point and its value.
type found struct {
	X []float64
	F float64
}

// descent makes the evaluations that a method asks for. Points are clamped to the box: a point outside has the value
// of the nearest point inside.
type descent struct {
	method   asker
	p        problems.Referenced
	lo, hi   []float64
	kept     *problems.DeltaEvaluator // for gradients
	at       []float64                // clamped point of the current evaluation
	gradient []float64
}

// newDescent returns a descent from x. begin prepares its method from the best point so far, which is x.
func newDescent(p problems.Referenced, x []float64, begin func(f found, lo, hi []float64) asker) *descent {
	d := &descent{p: p, kept: problems.NewDeltaEvaluator(p, x), at: make([]float64, len(x)),
		gradient: make([]float64, len(x))}
	d.lo, d.hi = bounds(p)
	d.method = begin(found{slices.Clone(x), d.kept.Value()}, d.lo, d.hi)
	return d
}

func (d *descent) Advance(n int64, work float64) (made int64, done float64) {
	t := newTally(d.p)
	for {
		x, gradient := d.method.ask()
		changes := 2 * int64(len(x)) // of a gradient
		switch {
		case x == nil:
			return t.made, t.work
		case gradient && t.fit(0, changes, n, work):
			t.add(0, changes)
			d.slopes(x)
			d.method.tell(0, d.gradient)
		case !gradient && t.fit(1, 0, n, work):
			t.add(1, 0)
			d.method.tell(d.value(x), nil)
		default:
			return t.made, t.work
		}
	}
}

// clamp sets at to the point of the box that is nearest to x.
func (d *descent) clamp(x []float64) {
	for i, v := range x {
		d.at[i] = min(max(v, d.lo[i]), d.hi[i])
	}
}

// value evaluates a point. It replaces values that are not finite by the largest float64, which methods can compare.
func (d *descent) value(x []float64) float64 {
	d.clamp(x)
	f, err := problems.Eval(d.p, d.at)
	if err != nil || !host.Finite(f) {
		return math.MaxFloat64
	}
	if best := d.method.found(); f < best.F {
		best.F = f
		copy(best.X, d.at)
	}
	return f
}

// slopes computes the gradient by central differences inside the box, with two changes for each variable.
func (d *descent) slopes(x []float64) {
	clear(d.gradient)
	d.clamp(x)
	d.kept.Set(d.at)
	for i, v := range d.at {
		// The step is the cube root of the precision, times the larger of the variable and a fraction of its
		// interval.
		h := 6e-6 * max(math.Abs(v), (d.hi[i]-d.lo[i])/100)
		a, b := max(v-h, d.lo[i]), min(v+h, d.hi[i])
		if x[i] == v { // the clamped function is flat outside
			d.gradient[i] = (d.kept.Try(i, b) - d.kept.Try(i, a)) / (b - a)
		}
	}
}

func (d *descent) Best() ([]float64, float64) { f := d.method.found(); return f.X, f.F }

func (d *descent) Done() bool {
	x, _ := d.method.ask()
	return x == nil
}

func (d *descent) State() any { return d.method }

func (d *descent) Restored() error {
	if !d.method.fits(len(d.at)) {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a local minimizer of other than %d variables", len(d.at))}
	}
	return nil
}

// progress finds that a method no longer improves f.
type progress struct {
	Begun bool
	F     float64 // at the latest improvement
	Idle  int     // steps since then
}

// ended counts a step that leads to the value f. It returns true after the given number of steps that do not improve f
// by the relative difference.
func (p *progress) ended(f, relative float64, steps int) bool {
	if !p.Begun || p.F-f > relative*max(math.Abs(f), math.Abs(p.F))+1e-300 {
		*p = progress{true, f, 0}
		return false
	}
	p.Idle++
	return p.Idle >= steps
}
