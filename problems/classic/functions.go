package classic

import (
	"math"
)

// classicKinds are the functions by name. Indices in comments count from 1.
var classicKinds = map[string]*classicKind{}

func init() {
	for _, list := range [][]classicKind{classicSums, classicChains, classicPlanes, classicWells} {
		for i := range list {
			k := &list[i]
			if k.stride == 0 {
				k.stride = 1
			}
			if k.min == 0 {
				k.min = 1
			}
			classicKinds[k.name] = k
		}
	}
}

// sin2Pi is sin²(πy); the angle is reduced exactly.
func sin2Pi(y float64) float64 {
	s := math.Sin(math.Pi * (y - math.Round(y)))
	return s * s
}

// cosPi is cos(πy).
func cosPi(y float64) float64 {
	y -= 2 * math.Round(y/2) // exact, within [-1, 1]
	if y > 0.5 || y < -0.5 {
		return -math.Cos(math.Pi * (1 - math.Abs(y)))
	}
	return math.Cos(math.Pi * y)
}

// addFactor adds a factor of a product to acc[0:3]: log|v| to the sum, 1 to the count of negative factors, and 1 to the
// count of zeros.
func addFactor(v, logarithm float64, acc []float64) {
	if math.Abs(v) < 1e-300 {
		acc[2]++
		return
	}
	acc[0] += logarithm
	if v < 0 {
		acc[1]++
	}
}

// product returns the sign and the logarithm of a product from addFactor; sign is 0 where a factor is zero.
func product(acc []float64) (sign, logarithm float64) {
	switch {
	case acc[2] > 0.5:
		return 0, 0
	case math.Mod(math.Round(math.Abs(acc[1])), 2) == 1:
		return -1, acc[0]
	}
	return 1, acc[0]
}

func everywhere(v float64) func(n int) [][]float64 {
	return func(n int) [][]float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = v
		}
		return [][]float64{x}
	}
}

func value(f float64) func(int) (float64, bool) {
	return func(int) (float64, bool) { return f, true }
}

// only returns v for n variables, and unknown for another number.
func only(n int, v float64) func(int) (float64, bool) {
	return func(m int) (float64, bool) { return v, m == n }
}

// michalewiczAt is the minimizer of term i = 1 … 10 of Michalewicz's function.
var michalewiczAt = []float64{
	2.2029055201726093, math.Pi / 2, 1.2849915705529245, 1.9230584698663629, 1.7204697725658413,
	math.Pi / 2, 1.454413971362379, 1.7560865209450263, 1.6557174168210291, math.Pi / 2,
}

func michalewicz(n, k int, x, acc []float64) {
	v := math.Sin(float64(k+1) * x[0] * x[0] / math.Pi)
	v *= v // sin²
	w := v * v
	acc[0] -= math.Sin(x[0]) * w * w * w * w * w // twice, four times: sin²⁰ = ((sin²)²)⁵
}

// classicSums are functions of sums with one variable a term.
var classicSums = []classicKind{
	{
		name: "schwefel", title: "normalised Schwefel: -(1/n) sum x sin(sqrt|x|)", dim: 512, lo: []float64{-512},
		hi: []float64{512}, part: "sums",
		component:  func(_, _ int, x, acc []float64) { acc[0] -= x[0] * math.Sin(math.Sqrt(math.Abs(x[0]))) },
		objective:  func(n int, acc []float64) float64 { return acc[0] / float64(n) },
		factor:     func(n int) float64 { return 1 / float64(n) },
		scale:      func(_, _ int, x, acc []float64) { acc[0] += math.Abs(x[0]) + 1 },
		minimizers: everywhere(420.96874635998205), minimum: value(-418.9828872724337),
	},
	{
		name: "ackley", title: "Ackley", dim: 100, lo: []float64{-30}, hi: []float64{30}, accs: 2, part: "sums",
		// With cos 2πx = 1 - 2 sin² πx nothing cancels near 0.
		component: func(_, _ int, x, acc []float64) {
			acc[0] += x[0] * x[0]
			acc[1] += sin2Pi(x[0])
		},
		objective: func(n int, acc []float64) float64 {
			return -20*math.Expm1(-0.2*math.Sqrt(max(acc[0], 0)/float64(n))) - math.E*math.Expm1(-2*acc[1]/float64(n))
		},
		shape:      concave,
		minimizers: everywhere(0),
	},
	{
		// The paper prints the maximization form.
		name: "cosine_mixture", title: "cosine mixture: sum x^2 - 0.1 cos 5 pi x", dim: 4, lo: []float64{-1},
		hi: []float64{1}, part: "sums",
		component:  func(_, _ int, x, acc []float64) { acc[0] += x[0]*x[0] - 0.1*cosPi(5*x[0]) },
		minimizers: everywhere(0), minimum: func(n int) (float64, bool) { return -0.1 * float64(n), true },
	},
	{
		name: "exponential", title: "exponential: -exp(-|x|^2/2)", dim: 4, lo: []float64{-1}, hi: []float64{1},
		part:       "sums",
		component:  func(_, _ int, x, acc []float64) { acc[0] += x[0] * x[0] },
		objective:  func(_ int, acc []float64) float64 { return -math.Exp(-acc[0] / 2) },
		shape:      concave,
		minimizers: everywhere(0), minimum: value(-1),
	},
	{
		// The papers print the product inside the sum, and a 1 inside the product.
		name: "griewank", title: "Griewank: 1 + |x|^2/4000 - prod cos(x_i/sqrt i)", dim: 100, lo: []float64{-600},
		hi: []float64{600}, accs: 4, part: "sums",
		component: func(_, k int, x, acc []float64) {
			u := x[0] / math.Sqrt(float64(k+1))
			c, s := math.Cos(u), math.Sin(u)
			acc[0] += x[0] * x[0]
			logarithm := math.Log1p(-s*s) / 2
			if math.Abs(c) < 0.5 {
				logarithm = math.Log(math.Abs(c))
			}
			addFactor(c, logarithm, acc[1:])
		},
		objective: func(_ int, acc []float64) float64 {
			sign, l := product(acc[1:])
			if sign > 0 {
				return acc[0]/4000 - math.Expm1(l)
			}
			return acc[0]/4000 + 1 - sign*math.Exp(l)
		},
		scale: func(_, k int, x, acc []float64) {
			u := x[0] / math.Sqrt(float64(k+1))
			acc[0] += x[0]*x[0] + 1
			acc[1] += math.Abs(math.Log(math.Abs(math.Cos(u)))) + math.Abs(u*math.Tan(u)) + 1
			acc[2]++
			acc[3]++
		},
		minimizers: everywhere(0),
	},
	{
		name: "michalewicz", title: "Michalewicz, m = 10: -sum sin x sin^20(i x^2/pi)", dim: 10, lo: []float64{0},
		hi: []float64{math.Pi}, part: "sums",
		component: michalewicz,
		scale:     func(_, k int, x, acc []float64) { acc[0] += 1 + float64(k+1) },
		minimizers: func(n int) [][]float64 {
			if n > len(michalewiczAt) {
				return nil
			}
			return [][]float64{append([]float64(nil), michalewiczAt[:n]...)}
		},
		minimum: func(n int) (float64, bool) {
			if n > len(michalewiczAt) {
				return 0, false
			}
			acc := []float64{0}
			for k := range n {
				michalewicz(n, k, michalewiczAt[k:], acc)
			}
			return acc[0], true
		},
	},
	{
		name: "rastrigin", title: "Rastrigin: sum x^2 - 10 cos(2 pi x) + 10", dim: 400, lo: []float64{-5.12},
		hi: []float64{5.12}, part: "sums",
		component:  func(_, _ int, x, acc []float64) { acc[0] += x[0]*x[0] + 20*sin2Pi(x[0]) },
		minimizers: everywhere(0),
	},
	{
		name: "salomon", title: "Salomon: 1 - cos(2 pi |x|) + |x|/10", dim: 10, lo: []float64{-100}, hi: []float64{100},
		part:      "sums",
		component: func(_, _ int, x, acc []float64) { acc[0] += x[0] * x[0] },
		objective: func(_ int, acc []float64) float64 {
			r := math.Sqrt(max(acc[0], 0))
			return 2*sin2Pi(r) + r/10
		},
		minimizers: everywhere(0),
	},
	{
		name: "sphere", title: "sphere: |x|^2", dim: 30, lo: []float64{-2.56}, hi: []float64{5.12}, part: "sums",
		component:  func(_, _ int, x, acc []float64) { acc[0] += x[0] * x[0] },
		minimizers: everywhere(0),
	},
	{
		name: "levy_w", title: "Levy, usual form in w = 1 + (x-1)/4", dim: 30, lo: []float64{-10}, hi: []float64{10},
		part: "sums",
		component: func(n, k int, x, acc []float64) {
			w := 1 + (x[0]-1)/4
			if k == 0 {
				acc[0] += sin2Pi(w)
			}
			if k < n-1 {
				// sin(πw + 1) is of the angle, not of w + 1.
				s := math.Sin(math.Pi*w + 1)
				acc[0] += (w - 1) * (w - 1) * (1 + 10*s*s)
			} else {
				acc[0] += (w - 1) * (w - 1) * (1 + sin2Pi(2*w))
			}
		},
		minimizers: everywhere(1),
	},
	{
		name: "shubert", title: "Shubert: prod_i sum_j j cos((j+1) x_i + j), j = 1 … 5", dim: 2, lo: []float64{-10},
		hi: []float64{10}, accs: 3, part: "sums",
		component: func(_, _ int, x, acc []float64) {
			v, _ := shubert(x[0])
			addFactor(v, math.Log(math.Abs(v)), acc)
		},
		objective: func(_ int, acc []float64) float64 {
			sign, l := product(acc)
			return sign * math.Exp(l)
		},
		scale: func(_, _ int, x, acc []float64) {
			v, slope := shubert(x[0])
			acc[0] += math.Abs(math.Log(math.Abs(v))) + slope/math.Abs(v) + 1
			acc[1]++
			acc[2]++
		},
		minimizers: func(n int) [][]float64 {
			if n != 2 {
				return nil
			}
			// One coordinate of each, in both orders.
			a := []float64{-7.0835064076515595, -0.8003211004719731, 5.482864206707613}
			b := []float64{-7.708313735499347, -1.425128428319761, 4.858056878859825}
			var all [][]float64
			for _, u := range a {
				for _, v := range b {
					all = append(all, []float64{u, v}, []float64{v, u})
				}
			}
			return all
		},
		minimum: only(2, -186.73090883102384),
	},
}

// shubert returns a factor, and how much a relative change of all terms and angles can change it.
func shubert(x float64) (v, slope float64) {
	for j := 1.0; j <= 5; j++ {
		v += j * math.Cos((j+1)*x+j)
		slope += j * (1 + math.Abs((j+1)*x) + j)
	}
	return v, slope
}

// classicWells are functions of the distances to points, one accumulator each.
var classicWells = []classicKind{
	langermann, shekel("shekel5", 5), shekel("shekel7", 7), shekel("shekel10", 10), foxholesKind,
}

var langermann = classicKind{
	name: "langermann", title: "modified Langermann, 5 points", dim: 5, max: 10, lo: []float64{0}, hi: []float64{10},
	accs: 5, part: "wells",
	tables: foxholes.first(5).tables, component: foxholes.first(5).component,
	objective: func(_ int, acc []float64) (f float64) {
		for k, d := range acc {
			f -= foxholes.c[k] * math.Exp(-d/math.Pi) * cosPi(d)
		}
		return f
	},
	minimizers: func(n int) [][]float64 {
		switch n {
		case 2:
			return [][]float64{{9.681070709803492, 0.6666515426659633}}
		case 5:
			return [][]float64{{8.07399988883404, 8.777000850760208, 3.467003736541576, 1.8630130631494475,
				6.7079951359164225}}
		}
		return nil
	},
	minimum: func(n int) (float64, bool) {
		f := map[int]float64{2: -1.0809384576510117, 5: -0.9649999197933317}[n]
		return f, f != 0
	},
}

// inverse returns -Σ 1/(d_k + c_k).
func (w wells) inverse(_ int, acc []float64) (f float64) {
	for k, d := range acc {
		f -= 1 / (d + w.c[k])
	}
	return f
}

func shekel(name string, m int) classicKind {
	w := shekelWells.first(m)
	at := map[int][]float64{
		5:  {4.000037152819676, 4.00013327659156, 4.000037152819676, 4.00013327659156},
		7:  {4.000572916185823, 4.000689366185305, 3.9994897088591506, 3.9996061588586316},
		10: {4.000746531592046, 4.000592934138532, 3.9996633980403224, 3.9995098005868077},
	}[m]
	f := map[int]float64{5: -10.153199679058227, 7: -10.40294056681866, 10: -10.536409816692043}[m]
	return classicKind{
		name: name, title: "Shekel: -sum 1/(|x - a_k|^2 + c_k), " +
			name[len("shekel"):] + " points", dim: 4, min: 4, max: 4, lo: []float64{0}, hi: []float64{10}, accs: m,
		part:   "wells",
		tables: w.tables, component: w.component, objective: w.inverse, shape: concave,
		minimizers: func(int) [][]float64 { return [][]float64{append([]float64(nil), at...)} }, minimum: value(f),
	}
}

var foxholesKind = classicKind{
	name: "foxholes", title: "modified Shekel foxholes, 30 points", dim: 5, max: 10, lo: []float64{-5},
	hi:   []float64{15},
	accs: 30, part: "wells",
	tables: foxholes.tables, component: foxholes.component, objective: foxholes.inverse, shape: concave,
	minimizers: func(n int) [][]float64 {
		switch n {
		case 2:
			return [][]float64{{8.024065319604416, 9.1465340423957}}
		case 5:
			return [][]float64{{8.024914887173145, 9.15172575596666, 5.11392781172782, 7.620860956996112,
				4.564088393301033}}
		}
		return nil
	},
	minimum: func(n int) (float64, bool) {
		f := map[int]float64{2: -12.119008379753586, 5: -10.405617238992438}[n]
		return f, f != 0
	},
}
