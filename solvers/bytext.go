package solvers

import (
	"fmt"
	"math"

	text "github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
)

// byText evaluates the best point x by the text of the problem, which the host reads, and reports whether it could.
// Else WhyDevice says why not.
func (r *Result) byText(p problems.Problem, ran problems.Precision, x []float64) bool {
	ref, err := problems.OnHost(p, problems.FP64)
	var sums, sizes []float64
	if err == nil {
		sums, sizes, err = ref.Sum(p.Tiling().M, x, text.PointWork)
	}
	switch {
	case text.IsTooLong(err):
		r.WhyDevice = fmt.Sprintf("a value takes more than %d operations", text.PointWork)
		return false
	case err != nil:
		r.WhyDevice = err.Error()
		return false
	}
	r.Confirmer = "host (from the text)"
	r.Sums, r.Again = sums, p.Objective(sums)
	r.HostF = r.Again
	if ran == problems.FP64 {
		if off := roundingOf(p, ref, x, r.Again); math.Abs(r.F) < off {
			r.Rounding = max(r.Rounding, off)
		}
	}
	if off := math.Abs(r.F - r.Again); !Agree(r.F, r.Again, r.Tolerance) && off <= math.MaxFloat64 {
		r.Confirmed = off <= r.mayBeOff(p, ref, ran, x, sizes)
	}
	return true
}

// roundingOf returns the size of the rounding errors of the text in the value f at x, or 0. Where a function has steps,
// a rounding error may be as large as one.
func roundingOf(p problems.Problem, ref *text.Reference, x []float64, f float64) float64 {
	if class, known := problems.ClassOf(p); known && len(class.Steps) > 0 || f == 0 {
		return 0
	}
	return ref.Rounding(p.Tiling().M, x, roundingWork, f, p.Objective)
}

// roundingWork is how many operations a value may take whose rounding errors are looked at, three times.
const roundingWork = text.PointWork / 16

// mayBeOff returns how far a device in a precision may be off at x, where the host has computed the sums. sizes are
// those of what is added.
func (r *Result) mayBeOff(p problems.Problem, ref *text.Reference, ran problems.Precision, x,
	sizes []float64) (off float64) {
	for j, slope := range host.Slopes(p, r.Sums) {
		off += r.Tolerance * math.Abs(slope) * sizes[j]
	}
	if ran == problems.FP32 {
		var err error
		if ref, err = problems.OnHost(p, ran); err != nil {
			return off
		}
	}
	for _, c := range ref.Blurred() {
		sums, _, err := c.Sum(p.Tiling().M, x, text.PointWork)
		if err == nil {
			off = max(off, text.SpreadFactor*math.Abs(p.Objective(sums)-r.Again))
		}
	}
	return off
}
