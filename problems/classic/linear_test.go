package classic

import (
	"math"
	"testing"
)

// Objective computes the linear form that Linear returns.
func TestClassicLinear(t *testing.T) {
	linear := 0
	for name, kind := range classicKinds {
		c, err := New(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		w := c.Linear()
		if w == nil {
			if kind.accs <= 1 && kind.objective == nil {
				t.Errorf("%s is a sum, and says it is not linear", name)
			}
			continue
		}
		linear++
		for _, v := range []float64{-3, 0, 1.5, 1e9} {
			if f := c.Objective([]float64{v}); len(w) != 1 || c.Accumulators() != 1 ||
				math.Abs(f-w[0]*v) > 1e-15*math.Abs(f) {
				t.Errorf("%s: f is %v at %v, coefficients %v", name, f, v, w)
			}
		}
	}
	if linear < 15 {
		t.Errorf("%d functions are linear in their sums", linear)
	}
}
