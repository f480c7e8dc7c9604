package slope

import (
	"math"

	text "github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
)

const (
	// fallWork is how many operations a value may take whose fall along the gradient is looked for.
	fallWork  = text.PointWork >> 8
	fallTry   = 64    // points along the gradient, each at a quarter of the distance of the one before
	fallLeast = 1e-10 // of the value, that a fall is
	fallNoise = 10    // so many rounding errors a fall is at least
)

// Falls reports whether the value f of p at x falls by more than rounding errors where x follows the gradient down,
// within the bounds: the point is none at which a descent of a smooth function has to end, however small its slope is.
// It is false where the host does not read the text, or needs long for a value.
func Falls(p problems.Problem, x, sums []float64, f float64) bool {
	ref, err := problems.OnHost(p, problems.FP64)
	if err != nil || len(sums) == 0 {
		return false
	}
	m := p.Tiling().M
	if _, _, err := ref.Sum(m, x, fallWork); err != nil {
		return false
	}
	gradient, err := Gradient(p, x, host.Slopes(p, sums), text.PointWork)
	if err != nil {
		return false
	}
	d := p.Domain()
	norm := heldNorm(d, x, gradient)
	lo, hi := d.Box()
	least, y := fallLeast*math.Abs(f), make([]float64, len(x))
	noise := math.NaN() // not known yet
	for k, t := 0, (hi-lo)/norm; k < fallTry && host.Finite(t); k, t = k+1, t/4 {
		for i, v := range x {
			a, b := d.Interval(i)
			y[i] = min(max(v-t*gradient[i], a), b)
		}
		s, _, err := ref.Sum(m, y, text.PointWork)
		if err != nil {
			continue
		}
		fall := f - p.Objective(s)
		if !(fall > least) {
			continue
		}
		if math.IsNaN(noise) {
			noise = ref.Rounding(m, x, fallWork, f, p.Objective)
		}
		if fall > fallNoise*noise {
			return true
		}
	}
	return false
}
