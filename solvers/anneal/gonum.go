package anneal

import (
	"errors"
	"math"
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers/internal/host"
	"gonum.org/v1/gonum/optimize"
)

// gonum is a method of gonum's package optimize that can be paused. It runs on its own goroutine, which
// runs only while advance waits for it. Points are clamped to the box: a point outside has the value of the
// nearest point inside.
type gonum struct {
	p      problems.Referenced
	lo, hi []float64
	kept   *problems.DeltaEvaluator
	at     []float64 // clamped point of the current evaluation
	x      []float64 // the best point so far
	f      float64

	give            chan int64    // evaluations of a turn; closed to stop the method
	back            chan struct{} // end of a turn; closed at the end of the method
	left            int64         // evaluations left in this turn
	points, changes int64         // made in this turn
	over, stopped   bool
}

// errStopped ends a method whose run was closed.
var errStopped = errors.New("stopped")

// newGonum prepares a method. It waits until the first advance.
func newGonum(p problems.Referenced, x []float64, method func(g *gonum, x []float64)) *gonum {
	g := &gonum{p: p, x: slices.Clone(x), at: make([]float64, len(x)), give: make(chan int64),
		back: make(chan struct{})}
	g.lo, g.hi = bounds(p)
	g.kept = problems.NewDeltaEvaluator(p, x)
	g.f = g.kept.Value()
	go func() {
		defer close(g.back)
		if n, ok := <-g.give; ok {
			g.left = n
			method(g, slices.Clone(x))
		}
		g.over = true
	}()
	return g
}

// room waits for a turn that has n evaluations left, and uses them. It returns false once the run is
// closed.
func (g *gonum) room(n int64) bool {
	for g.left < n && !g.stopped {
		g.back <- struct{}{}
		more, ok := <-g.give
		g.left, g.stopped = more, !ok
	}
	g.left -= n
	return !g.stopped
}

func (g *gonum) advance(n int64) (points, changes int64) {
	if g.over || n <= 0 {
		return 0, 0
	}
	g.points, g.changes = 0, 0
	g.give <- n
	<-g.back
	return g.points, g.changes
}

func (g *gonum) best() ([]float64, float64) { return g.x, g.f }
func (g *gonum) done() bool                 { return g.over }

func (g *gonum) close() {
	if g.give != nil {
		close(g.give)
		for range g.back { // until the method has ended
		}
		g.give = nil
	}
}

// clamp sets at to the point of the box that is nearest to x.
func (g *gonum) clamp(x []float64) {
	for i, v := range x {
		g.at[i] = min(max(v, g.lo[i]), g.hi[i])
	}
}

// value makes one evaluation. It replaces values that are not finite by the largest float64, which methods
// can compare.
func (g *gonum) value(x []float64) float64 {
	if !g.room(1) {
		return math.MaxFloat64
	}
	g.points++
	g.clamp(x)
	f, err := problems.Eval(g.p, g.at)
	if err != nil || !host.Finite(f) {
		return math.MaxFloat64
	}
	if f < g.f {
		g.f = f
		copy(g.x, g.at)
	}
	return f
}

// gradient computes the gradient by central differences inside the box, with two changes for each variable.
func (g *gonum) gradient(grad, x []float64) {
	clear(grad)
	if !g.room(2 * int64(len(x))) {
		return
	}
	g.changes += 2 * int64(len(x))
	g.clamp(x)
	g.kept.Set(g.at)
	for i, v := range g.at {
		// The step is the cube root of the precision, times the larger of the variable and a fraction of its
		// interval.
		h := 6e-6 * max(math.Abs(v), (g.hi[i]-g.lo[i])/100)
		a, b := max(v-h, g.lo[i]), min(v+h, g.hi[i])
		if x[i] == v { // the clamped function is flat outside
			grad[i] = (g.kept.Try(i, b) - g.kept.Try(i, a)) / (b - a)
		}
	}
}

// Record ends the method once the run is closed. It implements optimize.Recorder.
func (g *gonum) Record(*optimize.Location, optimize.Operation, *optimize.Stats) error {
	if g.stopped {
		return errStopped
	}
	return nil
}

// Init implements optimize.Recorder.
func (g *gonum) Init() error { return nil }

// nelderMead runs the method of Nelder and Mead with the standard coefficients. The simplex is x and x + s
// e_i, where s is two thousandths of the interval. It ends after 100 n steps without improvement.
func nelderMead(g *gonum, x []float64) {
	n := len(x)
	vertices, values := [][]float64{x}, []float64{g.value(x)}
	for i := range x {
		y := slices.Clone(x)
		s := 0.002 * (g.hi[i] - g.lo[i])
		if y[i]+s > g.hi[i] {
			s = -s
		}
		y[i] += s
		vertices, values = append(vertices, y), append(values, g.value(y))
	}
	if g.stopped {
		return
	}
	g.run(optimize.Problem{Func: g.value}, x, 1e-14, 100*n, &optimize.NelderMead{
		InitialVertices: vertices, InitialValues: values, Reflection: 1, Expansion: 2, Contraction: 0.5, Shrink: 0.5,
	})
}

// lbfgs runs L-BFGS with gradients by differences. It ends after 20 steps without improvement.
func lbfgs(g *gonum, x []float64) {
	g.run(optimize.Problem{Func: g.value, Grad: g.gradient}, x, 1e-15, 20, &optimize.LBFGS{})
}

// run minimises p from x, until no step of the given number improves f by the relative difference.
func (g *gonum) run(p optimize.Problem, x []float64, relative float64, steps int, method optimize.Method) {
	// A method that cannot continue, such as a line search at the limit of the precision, has ended. The best
	// point is stored separately.
	optimize.Minimize(p, x, &optimize.Settings{
		Converger: &optimize.FunctionConverge{Absolute: 1e-300, Relative: relative, Iterations: steps}, Recorder: g,
	}, method)
}
