package cmaes

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/clopt/clopt/problems/rng"
)

// strategy is one evolution strategy with an adapted covariance matrix, in the unit cube.
type strategy struct {
	shape
	plan
	points [][]float64 // of this generation
	steps  [][]float64 // (point - mean)/sigma, before they are folded
	long   []float64   // squared lengths of the steps, as the matrix measures them
}

// shape is what a strategy must remember.
type shape struct {
	Lambda       int // points of a generation
	Sigma        float64
	Mean         []float64
	PathC, PathS []float64 // evolution paths of the matrix and of the step size
	C            []float64 // the matrix, N rows of N numbers
	Axes, Roots  []float64 // its eigenvectors, as columns, and the roots of its eigenvalues
	Generation   int
	Decomposed   int       // the generation of Axes and Roots
	Bests        []float64 // the best value of each generation
	Medians      []float64 // and the median
}

// plan has what follows from the number of variables and of points (Hansen 2016, arXiv:1604.00772, table 1).
type plan struct {
	weights          []float64 // of the points in the order of their values; those of the worse half are negative
	mass             float64   // variance effective selection mass
	forC, forS       float64   // rates of the paths
	rankOne, rankAll float64   // learning rates of the matrix
	damping          float64
	length           float64 // expected length of a normal vector
	every            int     // generations after which the matrix is decomposed
}

func planOf(n, lambda int) plan {
	d, w := float64(n), make([]float64, lambda)
	var p plan
	var above, aboveSquares, below, belowSquares float64
	for i := range w {
		w[i] = math.Log((float64(lambda)+1)/2) - math.Log(float64(i+1))
		if w[i] >= 0 {
			above += w[i]
			aboveSquares += w[i] * w[i]
		} else {
			below -= w[i]
			belowSquares += w[i] * w[i]
		}
	}
	p.mass = above * above / aboveSquares
	p.forC = (4 + p.mass/d) / (d + 4 + 2*p.mass/d)
	p.forS = (p.mass + 2) / (d + p.mass + 5)
	p.rankOne = 2 / ((d+1.3)*(d+1.3) + p.mass)
	p.rankAll = min(1-p.rankOne, 2*(0.25+p.mass+1/p.mass-2)/((d+2)*(d+2)+p.mass))
	p.damping = 1 + 2*max(0, math.Sqrt((p.mass-1)/(d+1))-1) + p.forS
	p.length = math.Sqrt(d) * (1 - 1/(4*d) + 1/(21*d*d))
	// A decomposition takes about as long as so many generations. The matrix changes by a tenth at most until then.
	p.every = max(1, int(min(2*d/float64(lambda), 0.1/(p.rankOne+p.rankAll))))
	worse := min(1+p.rankOne/p.rankAll, 1+2*below*below/belowSquares/(p.mass+2),
		(1-p.rankOne-p.rankAll)/(d*p.rankAll))
	for i := range w {
		if w[i] >= 0 {
			w[i] /= above
		} else {
			w[i] *= worse / below
		}
	}
	p.weights = w
	return p
}

// defaultLambda is the usual number of points of a generation of n variables.
func defaultLambda(n int) int { return 4 + int(3*math.Log(float64(n))) }

// newStrategy begins at a mean, which it owns, with steps of sigma.
func newStrategy(mean []float64, lambda int, sigma float64) *strategy {
	n := len(mean)
	s := &strategy{shape: shape{Lambda: lambda, Sigma: sigma, Mean: mean, PathC: make([]float64, n),
		PathS: make([]float64, n), C: make([]float64, n*n), Axes: make([]float64, n*n), Roots: make([]float64, n)},
		plan: planOf(n, lambda)}
	for i := range n {
		s.C[i*n+i], s.Axes[i*n+i], s.Roots[i] = 1, 1, 1
	}
	return s
}

// draw makes the points of the next generation. when is a number that no other generation has.
func (s *strategy) draw(key rng.Key, when uint32) [][]float64 {
	n := len(s.Mean)
	if len(s.points) != s.Lambda {
		s.points, s.steps = make([][]float64, s.Lambda), make([][]float64, s.Lambda)
		for k := range s.points {
			s.points[k], s.steps[k] = make([]float64, n), make([]float64, n)
		}
		s.long = make([]float64, s.Lambda)
	}
	z := make([]float64, s.Lambda*n)
	for k := range s.Lambda {
		row := z[k*n : (k+1)*n]
		s.long[k] = 0
		for i := 0; i < n; i += 4 {
			w := key.Words(uint32(i/4), uint32(k), when, rng.Sample)
			for u := i; u < min(i+4, n); u++ {
				v := float64(rng.Normal(w, uint32(u-i)))
				row[u] = s.Roots[u] * v
				s.long[k] += v * v
			}
		}
	}
	y := make([]float64, s.Lambda*n)
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, general(s.Lambda, n, z), general(n, n, s.Axes), 0, general(s.Lambda, n, y))
	for k, x := range s.points {
		for i := range x {
			s.steps[k][i] = y[k*n+i]
			x[i] = folded(s.Mean[i] + s.Sigma*y[k*n+i])
		}
	}
	return s.points
}

// bend is the width of the bent ends of folded.
const bend = 0.05

// folded maps all numbers to [0, 1]. It is the identity from bend to 1 - bend, bends to a bound as a parabola does to
// its vertex, at -bend and at 1 + bend, and goes back beyond. So a function that has its minimum on a bound has one
// there, too, around which steps can become small.
func folded(v float64) float64 {
	const period = 2 * (1 + 2*bend)
	v = math.Mod(v+bend, period)
	if v < 0 {
		v += period
	}
	v = min(v, period-v) - bend // from -bend to 1 + bend
	switch {
	case v < bend:
		return (v + bend) * (v + bend) / (4 * bend)
	case v > 1-bend:
		return 1 - (1+bend-v)*(1+bend-v)/(4*bend)
	}
	return v
}

// unfolded returns the number from -bend to 1 + bend that folded maps to v.
func unfolded(v float64) float64 {
	switch {
	case v < bend:
		return math.Sqrt(4*bend*max(v, 0)) - bend
	case v > 1-bend:
		return 1 + bend - math.Sqrt(4*bend*max(1-v, 0))
	}
	return v
}

func general(rows, cols int, data []float64) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: data}
}

// learn takes the values of the points of this generation, and moves the mean, the step size and the matrix.
func (s *strategy) learn(values []float64) {
	n, lambda := len(s.Mean), s.Lambda
	order := make([]int, lambda)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(values[a], values[b]) })
	s.Generation++
	s.Bests = remember(s.Bests, values[order[0]])
	s.Medians = remember(s.Medians, values[order[lambda/2]])

	steps := make([][]float64, lambda) // by value
	for r, k := range order {
		steps[r] = s.steps[k]
	}
	shift := make([]float64, n)
	for r, w := range s.weights {
		if w > 0 {
			for i, y := range steps[r] {
				shift[i] += w * y
			}
		}
	}
	for i, y := range shift {
		s.Mean[i] += s.Sigma * y
	}

	white := s.white(shift)
	rate, norm := math.Sqrt(s.forS*(2-s.forS)*s.mass), 0.0
	for i, v := range white {
		s.PathS[i] = (1-s.forS)*s.PathS[i] + rate*v
		norm += s.PathS[i] * s.PathS[i]
	}
	norm = math.Sqrt(norm)
	faded := math.Sqrt(1 - math.Pow(1-s.forS, 2*float64(s.Generation)))
	held := 0.0 // 1 unless the step size grows fast
	if norm/faded < (1.4+2/float64(n+1))*s.length {
		held = 1
	}
	rate = held * math.Sqrt(s.forC*(2-s.forC)*s.mass)
	for i, y := range shift {
		s.PathC[i] = (1-s.forC)*s.PathC[i] + rate*y
	}

	total := 0.0
	at := make([]float64, lambda) // weights of this generation
	for r, w := range s.weights {
		total += w
		at[r] = w
		if w < 0 { // a worse step counts with the length that the matrix gives steps
			at[r] = w * float64(n) / max(s.long[order[r]], 1e-300)
		}
	}
	keep := 1 + (1-held)*s.rankOne*s.forC*(2-s.forC) - s.rankOne - s.rankAll*total
	weighted := make([]float64, (lambda+1)*n)
	all := make([]float64, (lambda+1)*n)
	for r, w := range at {
		for i, y := range steps[r] {
			all[r*n+i], weighted[r*n+i] = y, s.rankAll*w*y
		}
	}
	for i, y := range s.PathC {
		all[lambda*n+i], weighted[lambda*n+i] = y, s.rankOne*y
	}
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, general(lambda+1, n, weighted), general(lambda+1, n, all), keep,
		general(n, n, s.C))
	for i := range n { // rounding
		for j := range i {
			s.C[i*n+j] = (s.C[i*n+j] + s.C[j*n+i]) / 2
			s.C[j*n+i] = s.C[i*n+j]
		}
	}
	s.Sigma *= math.Exp(min(1, s.forS/s.damping*(norm/s.length-1)))
	if values[order[0]] == values[order[min(lambda-1, int(0.1+float64(lambda)/4))]] { // a plateau
		s.Sigma *= math.Exp(0.2 + s.forS/s.damping)
	}
	s.Sigma = min(s.Sigma, 1)
	if s.Generation-s.Decomposed >= s.every {
		s.decompose()
	}
}

// mostKept is the largest number of generations whose values a strategy remembers.
const mostKept = 4096

func remember(values []float64, v float64) []float64 {
	if len(values) == mostKept {
		values = slices.Delete(values, 0, mostKept/2)
	}
	return append(values, v)
}

// compare orders values; those that are not finite are last.
func compare(a, b float64) int {
	switch {
	case a < b, !math.IsNaN(a) && math.IsNaN(b):
		return -1
	case b < a, !math.IsNaN(b) && math.IsNaN(a):
		return 1
	}
	return 0
}

// white returns the inverse root of the matrix times v.
func (s *strategy) white(v []float64) []float64 {
	n := len(v)
	along, w := make([]float64, n), make([]float64, n)
	axes := general(n, n, s.Axes)
	blas64.Gemv(blas.Trans, 1, axes, blas64.Vector{N: n, Inc: 1, Data: v}, 0, blas64.Vector{N: n, Inc: 1, Data: along})
	for j, r := range s.Roots {
		along[j] /= r
	}
	blas64.Gemv(blas.NoTrans, 1, axes, blas64.Vector{N: n, Inc: 1, Data: along}, 0,
		blas64.Vector{N: n, Inc: 1, Data: w})
	return w
}

// decompose computes Axes and Roots.
func (s *strategy) decompose() {
	n := len(s.Mean)
	s.Decomposed = s.Generation
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(n, slices.Clone(s.C)), true) {
		return
	}
	values := e.Values(nil)
	var axes mat.Dense
	e.VectorsTo(&axes)
	for i := range n {
		copy(s.Axes[i*n:(i+1)*n], axes.RawRowView(i))
		s.Roots[i] = math.Sqrt(max(values[i], 1e-40))
	}
}

// ended reports whether the strategy has converged, or gains nothing.
func (s *strategy) ended() bool {
	n, g := float64(len(s.Mean)), s.Generation
	widest, narrowest := slices.Max(s.Roots), slices.Min(s.Roots)
	if s.Sigma*widest < 1e-13 || widest > 1e7*narrowest || !(s.Sigma > 0) {
		return true
	}
	if float64(g) > 100+150*(n+3)*(n+3)/math.Sqrt(float64(s.Lambda)) {
		return true
	}
	bests, medians := s.Bests, s.Medians
	if k := 10 + int(30*n/float64(s.Lambda)); len(bests) >= k {
		last := bests[len(bests)-k:]
		low, high := slices.Min(last), slices.Max(last)
		if !(high-low > 1e-13*max(math.Abs(low), math.Abs(high))) {
			return true
		}
	}
	k := min(max(120+int(30*n/float64(s.Lambda)), g/5), mostKept/2)
	if len(bests) < k {
		return false
	}
	return !better(bests[len(bests)-k:]) && !better(medians[len(medians)-k:])
}

// better reports whether the last values are lower than the first ones.
func better(v []float64) bool {
	k := max(1, len(v)*3/10)
	return median(v[len(v)-k:]) < median(v[:k])
}

func median(v []float64) float64 {
	v = slices.Clone(v)
	slices.SortFunc(v, compare)
	return v[len(v)/2]
}
