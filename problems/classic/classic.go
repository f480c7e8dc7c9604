// Package classic has the classic test functions, and the configurations of them that papers use.
package classic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/curvature"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
)

// Classic is one of the classic test functions, or one of the configurations
// (a function with its number of variables and box) that two papers compare
// methods on:
//
//	F0_a … F19_b   A. M. Ferreiro, J. A. García, J. G. López-Salas, C. Vázquez:
//	               An efficient implementation of parallel simulated annealing
//	               algorithm in GPUs, J. Glob. Optim. 57:863–890, 2013,
//	               doi:10.1007/s10898-012-9979-z
//	G1 … G8        L. M. M. dos Santos Andrade, R. B. Xavier, L. dos A. F.
//	               Cabral, A. de A. Formiga: Parallel construction for
//	               continuous GRASP optimization on GPUs, XLIV SBPO, 2012
//
// Both papers misprint several formulas. The functions here follow the original ones, and comments note the
// differences. Every function is a sum of components, each with a window of variables. A product is a sum of logarithms
// with a count of signs and of zeros, so a change of one variable costs the same for any number of variables.
type Classic struct {
	*classicKind
	name   string // after "classic/"
	n      int
	lo, hi []float64 // one bound for all variables, or one for each
	tiling problems.Tiling
}

var (
	_ problems.Referenced = (*Classic)(nil)
	_ problems.Shaped     = (*Classic)(nil)
)

// concave is the shape of an objective that is smooth, and bends down and is monotone in accumulators that occur.
var concave = curvature.Shape{Concave: true, Monotone: true, Smooth: true, Everywhere: true, FromZero: true}

// classicKind is a function for any number of variables.
type classicKind struct {
	name, title string
	dim         int // the default n
	min, max    int // of n; max 0: none
	multiple    int // n is a multiple of it; 0: 1
	lo, hi      []float64
	accs        int // accumulators; 0: 1
	// Component k reads the variables stride*k … stride*k+reach. There are n components, or one for each whole window
	// if blocks is set.
	stride, reach int
	blocks        bool
	part          string // the device text: problems/classic/PART.cl
	tables        func(n int) []problems.Table
	// component adds c_k to acc; x are the variables from stride*k on.
	component func(n, k int, x, acc []float64)
	// objective is g; nil: g is the only accumulator.
	objective func(n int, acc []float64) float64
	// shape is what is known of objective for accumulators that occur.
	shape curvature.Shape
	// factor returns c where objective is c times the only accumulator; nil: it is not of that form.
	factor func(n int) float64
	// scale adds the sizes to which the tolerance is relative, for functions
	// whose terms cancel; nil: |c_k| + 1.
	scale func(n, k int, x, acc []float64)
	// minimizers returns all global minimizers for n variables; nil: they are unknown.
	minimizers func(n int) [][]float64
	// minimum returns the least value; nil: 0 where there are minimizers.
	minimum func(n int) (float64, bool)
}

// classicConfig is one configuration of a paper.
type classicConfig struct {
	name, kind string
	n          int
	lo, hi     []float64 // nil: the function's
}

// New returns the function or configuration of a name, which is given without "classic/" and in any case, for n
// variables; n = 0 means its default. Errors are *input.Error.
func New(name string, n int) (*Classic, error) {
	name = strings.ToLower(name)
	c := &Classic{}
	if i := slices.IndexFunc(classicConfigs,
		func(f classicConfig) bool { return strings.ToLower(f.name) == name }); i >= 0 {
		f := classicConfigs[i]
		if n != 0 && n != f.n {
			return nil, input.Errorf("", 0, 0, "classic/%s has %d variables, n is %d; for other numbers use classic/%s",
				f.name, f.n, n, f.kind)
		}
		c.classicKind = classicKinds[f.kind]
		c.name = f.name
		c.n = f.n
		c.lo, c.hi = f.lo, f.hi
	} else if kind, ok := classicKinds[name]; ok {
		c.classicKind = kind
		c.name = kind.name
		c.n = n
	} else {
		return nil, input.Errorf("", 0, 0, "there is no classic/%s", name)
	}
	if c.n == 0 {
		c.n = c.dim
	}
	if c.lo == nil {
		c.lo, c.hi = c.classicKind.lo, c.classicKind.hi
	}
	switch multiple := max(1, c.multiple); {
	case c.n < c.min || c.max > 0 && c.n > c.max || c.n%multiple != 0:
		return nil, input.Errorf("", 0, 0, "n is %d; classic/%s takes %s", c.n, c.name, c.sizes())
	case c.n > problems.MaxDim:
		return nil, input.Errorf("", 0, 0, "n is %d; use at most %d", c.n, problems.MaxDim)
	}
	c.tiling = c.Structure().Tiling()
	return c, nil
}

// sizes describes the values that n may have.
func (c *classicKind) sizes() string {
	switch {
	case c.min == c.max:
		return fmt.Sprintf("n = %d only", c.min)
	case c.max > 0:
		return fmt.Sprintf("%d to %d", c.min, c.max)
	case c.multiple > 1:
		return fmt.Sprintf("multiples of %d", c.multiple)
	}
	return fmt.Sprintf("any n from %d on", c.min)
}

func (c *Classic) components() int {
	if c.blocks {
		return c.n / c.stride
	}
	return c.n
}

// Spec is "classic/NAME:n=N".
func (c *Classic) Spec() problems.Spec {
	return problems.Spec{Family: family, Name: c.name}.With("n", strconv.Itoa(c.n))
}

// Name returns the name without "classic/".
func (c *Classic) Name() string { return c.name }

// Info returns the global minimum and all minimizers where they are known for n variables.
func (c *Classic) Info() problems.Info {
	i := problems.Info{Title: c.title, Complete: c.minimizers != nil}
	if c.minimizers != nil {
		i.Optima = c.Minimizers
	}
	if c.minimum == nil && c.minimizers != nil {
		i.Best = new(float64)
	} else if c.minimum != nil {
		if f, ok := c.minimum(c.n); ok {
			i.Best = &f
		}
	}
	return i
}

// Domain returns the box. Only six_hump has different intervals.
func (c *Classic) Domain() problems.Domain { return problems.Domain{N: c.n, Lo: c.lo, Hi: c.hi} }

// Tiling cuts the windows into tiles of about a thousand variables.
func (c *Classic) Tiling() problems.Tiling { return c.tiling }

// Structure returns the windows.
func (c *Classic) Structure() problems.Structure {
	return problems.Windows(c.n, c.components(), c.stride, 0, c.reach)
}

// Accumulators returns 1 for plain sums, and more for products and wells.
func (c *Classic) Accumulators() int { return max(1, c.accs) }

// Objective returns g(acc).
func (c *Classic) Objective(acc []float64) float64 {
	if c.objective == nil {
		return acc[0]
	}
	return c.objective(c.n, acc)
}

// Linear returns the coefficient of the only accumulator, or nil where g is not linear.
func (c *Classic) Linear() []float64 {
	switch {
	case c.objective == nil:
		return []float64{1}
	case c.factor != nil:
		return []float64{c.factor(c.n)}
	}
	return nil
}

// Shape returns what is known of g.
func (c *Classic) Shape() curvature.Shape {
	if c.Linear() != nil {
		return curvature.Affine
	}
	return c.shape
}

// HostTile adds the components of tile t to acc; x holds the variables that it reads.
func (c *Classic) HostTile(t int, x, acc []float64) { problems.AddTile(c, t, x, acc) }

// HostComponent adds component k to acc; x begins at variable first.
func (c *Classic) HostComponent(k, first int, x, acc []float64) {
	c.component(c.n, k, x[c.stride*k-first:], acc)
}

// ErrorScale adds |c_k| + 1 for each component, or the sizes that the function defines.
func (c *Classic) ErrorScale(from, to, first int, x, acc []float64) {
	part := make([]float64, len(acc))
	for k := from; k < to; k++ {
		if c.scale != nil {
			c.scale(c.n, k, x[c.stride*k-first:], acc)
			continue
		}
		clear(part)
		c.component(c.n, k, x[c.stride*k-first:], part)
		for j, v := range part {
			acc[j] += max(v, -v) + 1
		}
	}
}

// Tolerance is that of the published reference values: 1e-12 in fp64, 2e-5 in
// fp32, relative to 1 and to the terms that were added (ErrorScale). Plain
// float64 loses 8e-14 at the reference points.
func (c *Classic) Tolerance(p problems.Precision) float64 {
	if p == problems.FP32 {
		return 2e-5
	}
	return 1e-12
}

// Text returns the file with the function and a define that selects it. All forms are the same, items and the
// objective; there is none with residuals.
func (c *Classic) Text(prec problems.Precision, form problems.Form) (problems.Text, error) {
	if err := problems.CheckText(prec, form); err != nil {
		return problems.Text{}, err
	}
	if form == problems.Residuals {
		return problems.Text{}, problems.ErrNoForm
	}
	t := problems.Text{
		Parts:   []string{"problems/classic/" + c.part + ".cl"},
		Defines: []problems.Define{{Name: "CLASSIC_" + strings.ToUpper(c.classicKind.name), Value: "1"}},
	}
	if c.part == "sums" {
		t.Parts = append([]string{"lib/sine.cl"}, t.Parts...)
	}
	if c.accs > 3 {
		t.Defines = append(t.Defines, problems.Define{Name: "WELLS", Value: fmt.Sprintf("%du", c.accs)})
	}
	if c.tables != nil {
		t.Tables = c.tables(c.n)
	}
	return t, nil
}

// Minimizers returns all global minimizers, nil where they are not known. The
// caller owns the points.
func (c *Classic) Minimizers() [][]float64 {
	if c.minimizers == nil {
		return nil
	}
	return c.minimizers(c.n)
}
