package test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/clopt/clopt"
)

// TestGalleryLogistic minimizes the function of the gallery for 200 rows and 50 weights. No value is below
// f - |gradient|²/2, since the curvature is at least 1 in every direction.
func TestGalleryLogistic(t *testing.T) {
	const rows, weights, entries = 200, 50, 5
	r := rand.New(rand.NewPCG(1, 1))
	var a [rows][weights]float64
	var label [rows]float64
	var matrix, labels, reads strings.Builder
	fmt.Fprintf(&matrix, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", rows, weights, rows*entries)
	for i := range a {
		for _, c := range r.Perm(weights)[:entries] {
			a[i][c] = r.NormFloat64()
			fmt.Fprintln(&matrix, i+1, c+1, a[i][c])
			fmt.Fprint(&reads, c, " ")
		}
		label[i] = float64(2*r.IntN(2) - 1)
		fmt.Fprintln(&labels, label[i])
		fmt.Fprintln(&reads)
	}
	for c := range weights {
		fmt.Fprintln(&reads, c)
	}
	res := minimizeGallery(t, "logistic", fstest.MapFS{
		"rows.mtx":   {Data: []byte(matrix.String())},
		"labels.csv": {Data: []byte(labels.String())},
		"reads.txt":  {Data: []byte(reads.String())},
	}, 0, clopt.Options{Seed: 1, Evals: 3000})

	f, gradient := 0.0, append([]float64{}, res.X...)
	for _, w := range res.X {
		f += 0.5 * w * w
	}
	for i := range a {
		m := 0.0
		for c, v := range a[i] {
			m += label[i] * v * res.X[c]
		}
		f += math.Log1p(math.Exp(-m))
		for c, v := range a[i] {
			gradient[c] -= label[i] * v / (1 + math.Exp(m))
		}
	}
	bound := f
	for _, g := range gradient {
		bound -= 0.5 * g * g
	}
	if math.Abs(res.F-f) > 1e-12*f || res.F-bound > 1e-9*f {
		t.Errorf("%s: %v at a point of value %v; no value is below %v", res.Method, res.F, f, bound)
	}
}
