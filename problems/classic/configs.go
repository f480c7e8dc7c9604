package classic

import (
	"math"
)

// classicConfigs are the configurations of the two papers, in their order.
var classicConfigs = []classicConfig{
	{"F0_a", "schwefel", 8, nil, nil}, {"F0_b", "schwefel", 16, nil, nil}, {"F0_c", "schwefel", 32, nil, nil},
	{"F0_d", "schwefel", 64, nil, nil}, {"F0_e", "schwefel", 128, nil, nil}, {"F0_f", "schwefel", 256, nil, nil},
	{"F0_g", "schwefel", 512, nil, nil},
	{"F1_a", "ackley", 30, nil, nil}, {"F1_b", "ackley", 100, nil, nil}, {"F1_c", "ackley", 200, nil, nil}, {"F1_d", "ackley", 400, nil, nil},
	{"F2", "branin", 2, nil, nil},
	{"F3_a", "cosine_mixture", 2, nil, nil}, {"F3_b", "cosine_mixture", 4, nil, nil},
	{"F4", "dekkers_aarts", 2, nil, nil},
	{"F5", "easom", 2, nil, nil},
	{"F6", "exponential", 4, nil, nil},
	{"F7", "goldstein_price", 2, nil, nil},
	{"F8_a", "griewank", 100, nil, nil}, {"F8_b", "griewank", 200, nil, nil}, {"F8_c", "griewank", 400, nil, nil},
	{"F9", "himmelblau", 2, nil, nil},
	{"F10_a", "levy_montalvo", 2, nil, nil}, {"F10_b", "levy_montalvo", 5, nil, nil}, {"F10_c", "levy_montalvo", 10, nil, nil},
	{"F11_a", "langermann", 2, nil, nil}, {"F11_b", "langermann", 5, nil, nil},
	{"F12_a", "michalewicz", 2, nil, nil}, {"F12_b", "michalewicz", 5, nil, nil}, {"F12_c", "michalewicz", 10, nil, nil},
	{"F13_a", "rastrigin", 100, nil, nil}, {"F13_b", "rastrigin", 400, nil, nil},
	{"F14", "rosenbrock", 4, nil, nil},
	{"F15", "salomon", 10, nil, nil},
	{"F16", "six_hump", 2, nil, nil},
	{"F17", "shubert", 2, nil, nil},
	{"F18_a", "shekel5", 4, nil, nil}, {"F18_b", "shekel7", 4, nil, nil}, {"F18_c", "shekel10", 4, nil, nil},
	{"F19_a", "foxholes", 2, nil, nil}, {"F19_b", "foxholes", 5, nil, nil},

	{"G1", "griewank", 20, []float64{-300}, []float64{600}},
	{"G2", "rastrigin", 20, []float64{-2.56}, []float64{5.12}},
	{"G3", "powell", 24, nil, nil},
	{"G4", "dixon_price", 25, nil, nil},
	{"G5", "sphere", 30, nil, nil},
	{"G6", "levy_chain", 30, nil, nil},
	{"G6_w", "levy_w", 30, nil, nil},
	{"G7", "piccioni", 30, nil, nil},
	{"G8", "f25f28", 40, nil, nil},
}

// LocationError is how far x is from the nearest global minimizer x*: the
// distance over |x*|, or the distance itself where x* is 0. ok is false where
// no minimizer is known.
func (c *Classic) LocationError(x []float64) (e float64, ok bool) {
	e = math.Inf(1)
	for _, at := range c.Minimizers() {
		distance, size := 0.0, 0.0
		for i, v := range at {
			distance = math.Hypot(distance, x[i]-v)
			size = math.Hypot(size, v)
		}
		if size > 0 {
			distance /= size
		}
		e = min(e, distance)
	}
	return e, !math.IsInf(e, 1)
}
