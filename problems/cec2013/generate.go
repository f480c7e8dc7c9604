package cec2013

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/clopt/clopt/problems/rng"
)

// The arrays of a generated instance, as the counter "who" of their draws.
const (
	cecWhoShift uint32 = iota
	cecWhoPerm
	cecWhoWeight
	cecWhoRotation // + 25, 50, 100: the size
)

// Generate returns the project's own data of function f, 1 to 15, with the structure and sizes of the official ones:
// shifts uniform in 80 % of the box around its middle, permutations by sorting draws, weights 10^(3·N(0,1)), and
// rotations Q of A = LQ with A of normals and L lower triangular with a positive diagonal. Draws have key (seed 2013,
// run f) and purpose Generate.
//
// The numbers have the same bits on every machine. Normals are rounded to multiples of 2^-20 and weights to 9 digits,
// which hides differences between libraries in the last bits of logarithms; no other rounding depends on the machine.
func Generate(f int) *Data {
	if f < 1 || f > 15 {
		panic("problems: cec2013 has functions 1 to 15")
	}
	kind, key := kinds[f], rng.Key{Seed: cecSeed, Run: uint32(f)}
	d := &Data{F: f, Source: "generated"}
	vars := defaultDim(f)
	shifts := vars
	if f == 14 {
		shifts = cecBlock
	}
	for i := range shifts {
		d.Shift = append(d.Shift, cecDrawShift(key, uint32(i), cecWhoShift, rng.Generate, kind.Box))
	}
	if kind.groups == 0 {
		return d
	}
	d.Sizes = []int{50, 25, 25, 100, 50, 25, 25}
	if kind.groups == 20 {
		d.Sizes = []int{50, 50, 25, 25, 100, 100, 25, 25, 50, 25, 100, 25, 100, 50, 25, 25, 25, 100, 50, 25}
	}
	for i := range vars {
		d.Perm = append(d.Perm, i)
	}
	slices.SortStableFunc(d.Perm, func(a, b int) int {
		return cmp.Compare(key.Word(uint32(a), cecWhoPerm, 0, rng.Generate),
			key.Word(uint32(b), cecWhoPerm, 0, rng.Generate))
	})
	for g := range d.Sizes {
		d.Weights = append(d.Weights, rounded(math.Pow(10, 3*cecNormal(key, uint32(g), cecWhoWeight))))
	}
	d.R = map[int][]float64{}
	for _, s := range cecSizes {
		a := make([]float64, s*s)
		for i := range a {
			a[i] = cecNormal(key, uint32(i), cecWhoRotation+uint32(s))
		}
		orthonormalise(a, s)
		d.R[s] = a
	}
	return d
}

// cecNormal returns a deviate of N(0,1) by the polar method of Marsaglia and Bray (1964, doi:10.1137/1006063), rounded
// to a multiple of 2^-20.
func cecNormal(key rng.Key, index, who uint32) float64 {
	for try := uint32(0); ; try++ {
		w := key.Words(index, who, try, rng.Generate)
		a, b := 2*rng.Uniform(w[0])-1, 2*rng.Uniform(w[1])-1
		s := float64(a*a) + float64(b*b)
		if s > 0 && s < 1 {
			return math.Round(a*math.Sqrt(-2*math.Log(s)/s)*(1<<20)) / (1 << 20)
		}
	}
}

// rounded returns v rounded to 9 digits.
func rounded(v float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 8, 64), 64)
	if err != nil {
		panic("problems: a weight that is no number")
	}
	return v
}

// orthonormalise applies the method of Gram and Schmidt twice to the rows of the s×s matrix a, which leaves R Rᵀ = 1 up
// to rounding. Conversions separate products from sums, so that no machine fuses them.
func orthonormalise(a []float64, s int) {
	dot := func(x, y []float64) float64 {
		sum := 0.0
		for i := range x {
			sum += float64(x[i] * y[i])
		}
		return sum
	}
	for i := range s {
		row := a[i*s : (i+1)*s]
		for range 2 {
			for j := range i {
				q := a[j*s : (j+1)*s]
				p := dot(row, q)
				for k := range row {
					row[k] -= float64(p * q[k])
				}
			}
		}
		norm := math.Sqrt(dot(row, row))
		for k := range row {
			row[k] /= norm
		}
	}
}
