// Package stats compares methods with the tests that are common in the field. For
// two methods over several problems it has Wilcoxon's signed-rank test, and for
// several methods Friedman's test, the correction of Iman and Davenport, and Holm's
// procedure against the best method; it follows J. Demšar (2006), Statistical
// Comparisons of Classifiers over Multiple Data Sets, J. Mach. Learn. Res. 7:1-30.
// For the runs of two methods on one problem it has the test of Mann and Whitney.
//
// Smaller values are always better. Nothing is random.
package stats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"
)

// Summary describes a sample of values.
type Summary struct {
	N         int
	Mean      float64
	Std       float64 // sample standard deviation, with N-1; NaN for one value
	Best      float64
	Q1        float64 // quartiles, interpolated between order statistics
	Median    float64
	Q3, Worst float64
}

// Summarise describes one or more values. If one of them is NaN, so are all fields
// but N.
func Summarise(x []float64) Summary {
	s := slices.Clone(x)
	slices.Sort(s)
	n := Summary{N: len(s), Mean: stat.Mean(s, nil), Std: math.NaN(), Best: s[0], Worst: s[len(s)-1]}
	if len(s) > 1 {
		n.Std = stat.StdDev(s, nil)
	}
	n.Q1, n.Median, n.Q3 = Quantile(s, 0.25), Quantile(s, 0.5), Quantile(s, 0.75)
	if math.IsNaN(n.Mean) && math.IsNaN(s[0]) {
		nan := math.NaN()
		n.Std = nan
		n.Best = nan
		n.Q1 = nan
		n.Median = nan
		n.Q3 = nan
		n.Worst = nan
	}
	return n
}

// Quantile returns the quantile p, 0 <= p <= 1, of one or more sorted values. It
// interpolates between neighbours (type 7 of R).
func Quantile(sorted []float64, p float64) float64 {
	h := p * float64(len(sorted)-1)
	i := int(h)
	if h == float64(i) || sorted[i] == sorted[i+1] { // otherwise an infinite neighbour would make it NaN
		return sorted[i]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}

// Ranks returns the rank of each value, counting from 1. Equal values have their
// average rank. NaN ranks last.
func Ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	less := func(a, b float64) int {
		switch {
		case math.IsNaN(a) && math.IsNaN(b):
			return 0
		case math.IsNaN(a):
			return 1
		case math.IsNaN(b):
			return -1
		}
		return cmp.Compare(a, b)
	}
	slices.SortStableFunc(order, func(a, b int) int { return less(x[a], x[b]) })
	r := make([]float64, len(x))
	for i := 0; i < len(x); {
		k := i + 1
		for k < len(x) && less(x[order[i]], x[order[k]]) == 0 {
			k++
		}
		for _, at := range order[i:k] {
			r[at] = float64(i+1+k) / 2
		}
		i = k
	}
	return r
}

// Friedmans is the result of Friedman's test of K methods on N problems.
type Friedmans struct {
	N, K  int
	Ranks []float64 // mean rank of each method; 1 is best
	Chi2  float64
	P     float64 // p-value of Chi2 with K-1 degrees of freedom
	F     float64 // of Iman and Davenport; +Inf if all problems have the same ranks
	PF    float64 // p-value of F with K-1 and (K-1)(N-1) degrees of freedom; NaN if F is infinite
	Holm  []Step  // comparisons with the best method, by increasing P
}

// Step is one comparison of Holm's procedure.
type Step struct {
	Method   int // index of the method
	Z        float64
	P        float64 // two-sided
	Adjusted float64 // P adjusted for the number of comparisons
}

// Friedman compares methods. values[i][j] is the value of method j on problem i.
// There must be at least two methods and two problems.
func Friedman(values [][]float64) (*Friedmans, error) {
	n := len(values)
	if n < 2 || len(values[0]) < 2 {
		return nil, errors.New("stats: Friedman's test takes at least two problems and two methods")
	}
	k := len(values[0])
	f := &Friedmans{N: n, K: k, Ranks: make([]float64, k)}
	for i, row := range values {
		if len(row) != k {
			return nil, fmt.Errorf("stats: problem %d has %d values, the first has %d", i, len(row), k)
		}
		for j, r := range Ranks(row) {
			f.Ranks[j] += r / float64(n)
		}
	}
	nf, kf := float64(n), float64(k)
	sum := 0.0
	for _, r := range f.Ranks {
		sum += r * r
	}
	f.Chi2 = max(0, 12*nf/(kf*(kf+1))*(sum-kf*(kf+1)*(kf+1)/4))
	f.P = mathext.GammaIncRegComp((kf-1)/2, f.Chi2/2)
	f.F, f.PF = math.Inf(1), math.NaN()
	if d := nf*(kf-1) - f.Chi2; d > 1e-9*nf*kf {
		f.F = (nf - 1) * f.Chi2 / d
		d1, d2 := kf-1, (kf-1)*(nf-1)
		f.PF = mathext.RegIncBeta(d2/2, d1/2, d2/(d2+d1*f.F))
	}
	f.Holm = holm(f.Ranks, n)
	return f, nil
}

// holm compares the methods with the one of the smallest mean rank, the first among
// equals.
func holm(ranks []float64, n int) []Step {
	control := 0
	for j, r := range ranks {
		if r < ranks[control] {
			control = j
		}
	}
	k := float64(len(ranks))
	var steps []Step
	for j, r := range ranks {
		if j == control {
			continue
		}
		z := (r - ranks[control]) / math.Sqrt(k*(k+1)/(6*float64(n)))
		steps = append(steps, Step{Method: j, Z: z, P: math.Erfc(z / math.Sqrt2)})
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return cmp.Compare(a.P, b.P) })
	worst := 0.0
	for i := range steps {
		worst = max(worst, min(1, float64(len(steps)-i)*steps[i].P))
		steps[i].Adjusted = worst
	}
	return steps
}
