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

// pairFiles are the files of an objective whose components are pairs of points of the plane, with their distances.
func pairFiles(t *testing.T, pairs [][3]float64) fstest.MapFS {
	var table []float64
	var lists strings.Builder
	for _, p := range pairs {
		table = append(table, p[:]...)
		i, j := int(2*p[0]), int(2*p[1])
		fmt.Fprintln(&lists, i, i+1, j, j+1)
	}
	return fstest.MapFS{"pairs.npy": npy(t, table, len(pairs), 3), "variables.txt": {Data: []byte(lists.String())}}
}

// TestGalleryLocalization finds 100 sensors from exact distances. The places of every second one are known.
func TestGalleryLocalization(t *testing.T) {
	const sensors, size = 100, 10.0
	exact := 1e-14
	r := rand.New(rand.NewPCG(1, 1))
	var truth []float64
	var bounds strings.Builder
	for i := range sensors {
		for range 2 {
			v := size * r.Float64()
			truth = append(truth, v)
			if i%2 == 0 {
				fmt.Fprintln(&bounds, v, v)
			} else {
				fmt.Fprintln(&bounds, 0, size)
			}
		}
	}
	var pairs [][3]float64
	for i := range sensors {
		for j := range i {
			if d := math.Hypot(truth[2*i]-truth[2*j], truth[2*i+1]-truth[2*j+1]); d < 2.5 {
				pairs = append(pairs, [3]float64{float64(i), float64(j), d})
			}
		}
	}
	files := pairFiles(t, pairs)
	files["bounds.csv"] = &fstest.MapFile{Data: []byte(bounds.String())}
	res := minimizeGallery(t, "localization", files, 2*sensors, clopt.Options{Seed: 1, Evals: 5000, Target: &exact})
	for v, x := range res.X {
		if math.Abs(x-truth[v]) > 1e-6 {
			t.Fatalf("%s: a misfit of %v, and variable %d is %v, should be %v", res.Method, res.F, v, x, truth[v])
		}
	}
}

// TestGalleryDrawing draws a path of ten vertices as a straight line, which has no stress.
func TestGalleryDrawing(t *testing.T) {
	const vertices = 10
	var pairs [][3]float64
	for i := range vertices {
		for j := range i {
			pairs = append(pairs, [3]float64{float64(i), float64(j), float64(i - j)})
		}
	}
	res := minimizeGallery(t, "drawing", pairFiles(t, pairs), 2*vertices, clopt.Options{Seed: 1, Evals: 10000})
	if res.F > 1e-12 {
		t.Errorf("%s: a stress of %v", res.Method, res.F)
	}
}

// TestGalleryCluster finds the published energy of seven atoms.
func TestGalleryCluster(t *testing.T) {
	const atoms, published = 7, -16.505384
	var pairs, lists strings.Builder
	for i := range atoms {
		for j := range i {
			fmt.Fprintf(&pairs, "%d,%d\n", i, j)
			fmt.Fprintln(&lists, 3*i, 3*i+1, 3*i+2, 3*j, 3*j+1, 3*j+2)
		}
	}
	files := fstest.MapFS{"pairs.csv": {Data: []byte(pairs.String())}, "variables.txt": {Data: []byte(lists.String())}}
	found := published + 5e-7
	res := minimizeGallery(t, "cluster", files, 3*atoms, clopt.Options{Seed: 1, Evals: 60000, Target: &found})
	if math.Abs(res.F-published) > 1e-6 {
		t.Errorf("%s: an energy of %v, published is %v", res.Method, res.F, published)
	}
}
