package lm

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/diff"
	text "github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/internal/clc/smooth"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// derivation is how devices compute derivatives of residuals.
type derivation int

const (
	byDifferences derivation = iota
	bySlopes                 // the device text has them
	byTangents               // exact, for one variable at a time
	byAdjoints               // exact, of one residual at a time
)

// exact reports whether derivatives are those of the text of an objective.
func (by derivation) exact() bool { return by >= byTangents }

// The work of exact derivatives, in values of the component.
const (
	tangentWork = 2 // by a variable
	adjointWork = 3 // of a residual
)

// jacobian is how the derivatives of a problem are computed.
type jacobian struct {
	by      derivation
	work    float64 // as a multiple of that of a value
	text    string  // of exact ones
	tape    int     // numbers that the adjoint of a residual keeps in global memory
	weights int     // residuals of an adjoint
}

const (
	mostWeights = 256     // residuals of a component that has adjoints
	mostTape    = 1 << 24 // numbers of all tapes
)

// jacobianOf returns how the derivatives of a problem are computed. They are exact where its text is understood and has
// no steps, on which they would be 0: by tangents where components have many residuals and read few variables, else by
// adjoints.
func jacobianOf(p problems.Problem, prec problems.Precision) jacobian {
	s := p.Structure()
	if s.Slopes() {
		return jacobian{by: bySlopes, work: slopes}
	}
	plain := jacobian{work: s.DifferencesWork()}
	found := problems.SquaresOf(p, prec)
	class, known := problems.ClassOf(p)
	if found.Residuals == nil || prec != problems.FP64 || !known || class.Kind() == smooth.Stepped {
		return plain
	}
	squares := 0
	for _, n := range found.Counts {
		squares += n
	}
	tangents := tangentWork * s.DifferencesWork() / 2
	adjoints := adjointWork * float64(squares) / float64(len(found.Counts))
	if adjoints < tangents && found.Residuals.Out.Len <= mostWeights {
		if made, err := diff.Adjoint(found.Residuals, host.Sizes(p, prec)); err == nil {
			j := jacobian{by: byAdjoints, work: 1 + adjoints, text: written(made),
				weights: found.Residuals.Out.Len}
			for _, v := range made.Vars {
				if v.Global {
					j.tape += v.Len
				}
			}
			if j.tape <= mostTape {
				return j
			}
		}
	}
	made, err := diff.Tangent(found.Residuals)
	if err != nil {
		return plain
	}
	return jacobian{by: byTangents, work: 1 + tangents, text: written(made)}
}

// written returns the text of derivatives.
func written(t *clc.Tree) string {
	w := clc.Writer{Global: true}
	w.Undefine(t)
	w.Tree(t)
	return w.String()
}

// part is the text of exact derivatives as a part of a program.
func (j jacobian) part(p problems.Problem) []kernels.Part {
	if !j.by.exact() {
		return nil
	}
	return []kernels.Part{kernels.Get("solvers/lm/exact.cl"),
		{Name: problems.SourceOf(p) + " (derivatives of squares)", Text: j.text}}
}

// stages returns the number of stages of a descent: exact derivatives need no finer ones, but one in which variables at
// a bound are left out.
func (j jacobian) stages() int {
	if j.by.exact() {
		return 2
	}
	return len(differences)
}

// tapes returns the numbers that the adjoints of all items keep.
func (j jacobian) tapes() int { return j.tape * j.items(mostTape) }

// items returns how many items compute derivatives at a time, of so many.
func (j jacobian) items(most int) int {
	if j.tape == 0 {
		return most
	}
	return max(1, min(most, mostTape/j.tape))
}

const (
	triedVariables  = 16      // derivatives that are compared
	triedOperations = 1 << 24 // of a value of the host
	agrees          = 1e-3    // relative difference of a derivative and a difference of values
)

// try compares the exact derivatives of a component of each shard at a point with differences of values of the host. It
// returns whether all agree.
func (e *engine) try(ctx context.Context, r *run, x []float64) (bool, error) {
	flags := make([]uint8, len(e.on))
	ref, err := problems.OnHost(e.p, e.s.Precision)
	if err != nil { // the host does not know better
		return true, nil
	}
	if err := e.write(0, x); err != nil {
		return false, err
	}
	if err := e.pl.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		lo, hi := e.components(sh)
		for lo < hi && e.c.stack[lo] == 0 {
			lo++
		}
		if lo == hi {
			return nil
		}
		r.chooseOf(nil, derivatives, func(k int) bool { return k == lo })
		r.chosen.parameter = func(int) float64 { return 0 }
		e.on[s].kept = 0
		e.fill(e.on[s], &r.chosen, 0, 1, x)
		if err := e.on[s].write(); err != nil {
			return err
		}
		if err := e.launch(ctx, s, d, derivatives); err != nil {
			return err
		}
		size := int(e.c.stack[lo] * int32(e.c.of[lo].squares))
		own := make([]float64, e.on[s].list.used.residuals)
		if err := e.on[s].residual.Read(0, own); err != nil {
			return err
		}
		flags[s] = uint8(problems.Flag(!e.agree(ref, lo, x, own, size)))
		return nil
	}); err != nil {
		return false, err
	}
	failed, err := e.agreed(e.pl, !slices.Contains(flags, 1))
	return !failed, err
}

// agree reports whether the derivatives of component k by some variables, of which the rows have so many residuals, are
// those of differences of its squares on the host: Σ 2·r·∂r, of the sum.
func (e *engine) agree(ref *text.Reference, k int, x, rows []float64, size int) bool {
	vars := e.c.variables(k)
	squares := int(e.c.of[k].squares)
	on := ref.NewEvaluator()
	value := func(x []float64) float64 {
		acc := make([]float64, e.p.Accumulators())
		if _, err := on.Add(k, 0, x, triedOperations, acc); err != nil {
			return math.NaN()
		}
		if len(acc) == 1 {
			return acc[0]
		}
		sum := 0.0
		for j, w := range e.p.Linear() {
			sum += w * acc[j]
		}
		return sum
	}
	y := append([]float64(nil), x...)
	f, largest := value(x), 0.0
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return true
	}
	slope := func(v int) (g float64) {
		for j := range squares {
			g += 2 * rows[j] * rows[(1+v)*size+j]
		}
		return g
	}
	for v := range vars {
		largest = max(largest, math.Abs(slope(v)))
	}
	step := max(1, len(vars)/triedVariables)
	for v := 0; v < len(vars); v += step {
		i := vars[v]
		lo, hi := e.p.Domain().Interval(i)
		found := false
		for _, size := range []float64{1e-4, 1e-6, 1e-8} {
			h := size * max(math.Abs(x[i]), 1e-3*(hi-lo))
			up, down := x[i]+h, x[i]-h
			y[i] = up
			rise := value(y)
			y[i] = down
			rise -= value(y)
			y[i] = x[i]
			want := rise / (up - down)
			noise := 1e-13 * math.Abs(f) / h
			if math.IsNaN(want) || math.Abs(slope(v)-want) <= agrees*max(math.Abs(want), 1e-6*largest)+noise {
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}
