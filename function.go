package clopt

import (
	"context"
	"fmt"
	"math"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
)

// Func returns a function of n variables in Go as an objective. It needs Bounds or Box, and no OpenCL device or driver.
// f is called for one point at a time, and owns it. A value that is NaN or infinite counts as bad, however large others
// are. Minimize waits for a call to return when its context ends.
func Func(n int, f func(x []float64) float64) Objective {
	return called(n, f == nil, func(ctx context.Context, points [][]float64) ([]float64, error) {
		values := make([]float64, 0, len(points))
		for _, x := range points {
			if err := ctx.Err(); err != nil {
				return values, err
			}
			values = append(values, f(append([]float64(nil), x...)))
		}
		return values, nil
	})
}

// BatchFunc is Func for many points at a time, which f may evaluate in parallel: it returns the values of points in
// their order. It does not change or keep the points. There may be one point, or thousands.
func BatchFunc(n int, f func(points [][]float64) []float64) Objective {
	return called(n, f == nil, func(ctx context.Context, points [][]float64) ([]float64, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		values := f(points)
		if len(values) != len(points) {
			return nil, fmt.Errorf("clopt: the function of BatchFunc returned %d values for %d points", len(values),
				len(points))
		}
		return append([]float64(nil), values...), nil
	})
}

// called returns the objective of a function of the host.
func called(n int, missing bool, call problems.Call) Objective {
	return Objective{read: func(opt problems.Options) (problems.Problem, error) {
		switch {
		case missing:
			return nil, input.Errorf("", 0, 0, "the function is nil")
		case n < 1 || n > problems.MaxDim:
			return nil, input.Errorf("", 0, 0, "a function of %d variables; use 1 to %d", n, problems.MaxDim)
		case opt.Dim != 0 && opt.Dim != n:
			return nil, input.Errorf("", 0, 0, "the function has %d variables; N cannot make them %d", n, opt.Dim)
		}
		name := problems.Spec{Family: "function"}.With("n", fmt.Sprint(n))
		box := problems.Cube(n, math.NaN(), math.NaN())
		p, err := changed(problems.NewFunction(name, problems.Info{}, box, call), opt)
		if err != nil {
			return nil, err
		}
		if lo, _ := p.Domain().Box(); math.IsNaN(lo) {
			return nil, input.Errorf("", 0, 0, "the function has no bounds; give them with Bounds or Box")
		}
		return p, problems.Validate(p)
	}}
}
