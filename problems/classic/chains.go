package classic

import (
	"math"
)

// classicChains are sums whose terms have several neighbouring variables.
var classicChains = []classicKind{
	{
		name: "levy_montalvo", title: "Levy-Montalvo in y = 1 + (x+1)/4", dim: 10, lo: []float64{-10},
		hi:    []float64{10},
		reach: 1, part: "chains",
		component: func(n, k int, x, acc []float64) {
			y := 1 + (x[0]+1)/4
			if k == 0 {
				acc[0] += 10 * sin2Pi(y)
			}
			acc[0] += (y - 1) * (y - 1)
			if k < n-1 {
				acc[0] += (y - 1) * (y - 1) * 10 * sin2Pi(1+(x[1]+1)/4)
			}
		},
		objective:  func(n int, acc []float64) float64 { return math.Pi / float64(n) * acc[0] },
		factor:     func(n int) float64 { return math.Pi / float64(n) },
		minimizers: everywhere(-1),
	},
	{
		// The paper leaves out the square of x_i in the first term.
		name: "rosenbrock", title: "Rosenbrock: sum 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2", dim: 4, min: 2,
		lo: []float64{-2.048}, hi: []float64{2.048}, reach: 1, part: "chains",
		component: func(n, k int, x, acc []float64) {
			if k < n-1 {
				u, v := x[1]-x[0]*x[0], 1-x[0]
				acc[0] += 100*u*u + v*v
			}
		},
		minimizers: everywhere(1),
	},
	{
		// A paper prints minus signs as plus, and the start point as minimizer.
		name: "powell", title: "Powell singular, blocks of 4", dim: 24, min: 4, multiple: 4, lo: []float64{-4},
		hi: []float64{5}, stride: 4, reach: 3, blocks: true, part: "chains",
		component: func(_, _ int, x, acc []float64) {
			a := x[0] + 10*x[1]
			b := x[2] - x[3]
			c := x[1] - 2*x[2]
			d := x[0] - x[3]
			b *= b
			c *= c
			d *= d
			acc[0] += a*a + 5*b + c*c + 10*d*d
		},
		minimizers: everywhere(0),
	},
	{
		name: "dixon_price", title: "Dixon-Price: (x_1 - 1)^2 + sum i (2 x_i^2 - x_{i-1})^2", dim: 25, min: 2,
		lo: []float64{-10}, hi: []float64{10}, reach: 1, part: "chains",
		component: func(n, k int, x, acc []float64) {
			if k == 0 {
				acc[0] += (x[0] - 1) * (x[0] - 1)
			}
			if k < n-1 {
				u := 2*x[1]*x[1] - x[0]
				acc[0] += float64(k+2) * u * u
			}
		},
		// The exponent is (2^i-2)/2^i; the paper prints 2^(i-2)/2^i. The last sign is free.
		minimizers: func(n int) [][]float64 {
			x := make([]float64, n)
			for i := range x {
				x[i] = math.Exp2(math.Ldexp(2, -(i+1)) - 1)
			}
			y := append([]float64(nil), x...)
			y[n-1] = -y[n-1]
			return [][]float64{x, y}
		},
	},
	{
		// A paper leaves out the 1 + of the last factor, and quotes the minimum of
		// another function.
		name: "levy_chain", title: "Levy, chained form", dim: 30, lo: []float64{-10}, hi: []float64{10}, reach: 1,
		part: "chains",
		component: func(n, k int, x, acc []float64) {
			v, next := (x[0]-1)*(x[0]-1), x[0]
			if k == 0 {
				acc[0] += sin2Pi(x[0])
			}
			if k < n-1 {
				next = x[1]
			}
			acc[0] += v * (1 + 10*sin2Pi(next))
		},
		minimizers: everywhere(1),
	},
	{
		// After S. Lucidi, M. Piccioni (1989, doi:10.1007/BF00940056), there a maximization; a paper
		// prints another formula, whose minimizer is not 0 either.
		name: "piccioni", title: "Piccioni", dim: 30, lo: []float64{-10}, hi: []float64{10}, reach: 1, part: "chains",
		component: func(n, k int, x, acc []float64) {
			v := (x[0] - 1) * (x[0] - 1)
			if k == 0 {
				acc[0] += 10 * sin2Pi(x[0])
			}
			acc[0] += v
			if k < n-1 {
				acc[0] += v * 10 * sin2Pi(x[1])
			}
		},
		minimizers: everywhere(1),
	},
	{
		name: "f25f28", title: "F25aF28: sum x_i^2/2^(i-1) + x_i x_{i-1}/2^i", dim: 40, max: 1000, lo: []float64{-20},
		hi: []float64{7}, reach: 1, part: "chains",
		component: func(n, k int, x, acc []float64) {
			acc[0] += math.Ldexp(x[0]*x[0], -k)
			if k < n-1 {
				acc[0] += math.Ldexp(x[0]*x[1], -(k + 2))
			}
		},
		minimizers: everywhere(0),
	},
}

// plane is a function of two variables in one component.
func plane(name, title string, lo, hi float64, f func(x, y float64) float64, minimum float64,
	at ...[]float64) classicKind {
	return classicKind{
		name: name, title: title, dim: 2, min: 2, max: 2, lo: []float64{lo}, hi: []float64{hi}, stride: 2, reach: 1,
		blocks: true, part: "planes",
		component: func(_, _ int, x, acc []float64) { acc[0] += f(x[0], x[1]) },
		minimizers: func(int) [][]float64 {
			var all [][]float64
			for _, x := range at {
				all = append(all, append([]float64(nil), x...))
			}
			return all
		},
		minimum: value(minimum),
	}
}

var classicPlanes = []classicKind{
	// The paper knows three of the four minimizers in its box.
	plane("branin", "Branin", -20, 20, func(x, y float64) float64 {
		u := y - 5.1/(4*math.Pi*math.Pi)*x*x + 5/math.Pi*x - 6
		return u*u + 10*(1-1/(8*math.Pi))*math.Cos(x) + 10
	}, 0.3978873577297383, []float64{-math.Pi, 12.275}, []float64{math.Pi, 2.275}, []float64{3 * math.Pi, 2.475},
		[]float64{5 * math.Pi, 12.875}),
	plane("dekkers_aarts", "Dekkers-Aarts", -20, 20, func(x, y float64) float64 {
		r := x*x + y*y
		q := r * r
		return 1e5*x*x + y*y - q + 1e-5*q*q
	}, -24776.51834231769, []float64{0, 14.945112151891959}, []float64{0, -14.945112151891959}),
	plane("easom", "Easom", -10, 10, func(x, y float64) float64 {
		u, v := x-math.Pi, y-math.Pi
		return -math.Cos(x) * math.Cos(y) * math.Exp(-(u*u + v*v))
	}, -1, []float64{math.Pi, math.Pi}),
	// The paper has 3y² outside the first bracket.
	plane("goldstein_price", "Goldstein-Price", -2, 2, func(x, y float64) float64 {
		u, v := x+y+1, 2*x-3*y
		return (1 + u*u*(19-14*x+3*x*x-14*y+6*x*y+3*y*y)) * (30 + v*v*(18-32*x+12*x*x+48*y-36*x*y+27*y*y))
	}, 3, []float64{0, -1}),
	plane("himmelblau", "Himmelblau", -6, 6, func(x, y float64) float64 {
		u, v := x*x+y-11, x+y*y-7
		return u*u + v*v
	}, 0, []float64{3, 2}, []float64{-2.805118086952745, 3.131312518250573},
		[]float64{-3.779310253377747, -3.2831859912861696}, []float64{3.5844283403304917, -1.8481265269644036}),
	sixHump,
}

var sixHump = func() classicKind {
	k := plane("six_hump", "six-hump camel back, the second variable in [-2, 2]", 0, 0, func(x, y float64) float64 {
		u, v := x*x, y*y
		return (4-2.1*u+u*u/3)*u + x*y + (-4+4*v)*v
	}, -1.0316284534898774,
		[]float64{0.08984201310031806, -0.7126564030207396}, []float64{-0.08984201310031806, 0.7126564030207396})
	k.lo, k.hi = []float64{-3, -2}, []float64{3, 2}
	return k
}()
