package test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"testing/fstest"

	"github.com/clopt/clopt"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/opencl"
)

// picture is a square picture with noise and the function of docs/gallery/denoise.
type picture struct {
	size  int
	noisy []float64
}

// newPicture returns a bright disc on a dark ground.
func newPicture(size int) picture {
	r := rand.New(rand.NewPCG(1, 1))
	p := picture{size, make([]float64, size*size)}
	for k := range p.noisy {
		p.noisy[k] = 0.3 + 0.1*r.NormFloat64()
		if math.Hypot(float64(k%size-size/2), float64(k/size-size/2)) < float64(size)/4 {
			p.noisy[k] += 0.5
		}
	}
	return p
}

const (
	weight = 0.15 // of the variation
	smooth = 0.01 // the size of the differences that count less than in proportion
)

// differences returns the differences from cell k to the cells right of it and below.
func (p picture) differences(x []float64, k int) (right, down float64) {
	if k%p.size+1 < p.size {
		right = x[k+1] - x[k]
	}
	if k/p.size+1 < p.size {
		down = x[k+p.size] - x[k]
	}
	return right, down
}

// value returns f(x), its gradient, and a lower bound of f. The bound is the value of the dual problem at the
// multipliers that belong to x: for each cell h = sqrt(a² + b² + smooth²) is the largest value of
// u·a + v·b + smooth·sqrt(1 - u² - v²), at u = a/h and v = b/h. For fixed u and v the rest is a square.
func (p picture) value(x []float64) (f float64, gradient []float64, bound float64) {
	pull := make([]float64, len(x)) // the gradient of the variation
	for k := range x {
		a, b := p.differences(x, k)
		h := math.Sqrt(a*a + b*b + smooth*smooth)
		f += weight*h + 0.5*(x[k]-p.noisy[k])*(x[k]-p.noisy[k])
		bound += weight * smooth * smooth / h
		if a != 0 {
			pull[k+1] += weight * a / h
		}
		if b != 0 {
			pull[k+p.size] += weight * b / h
		}
		pull[k] -= weight * (a + b) / h
	}
	gradient = make([]float64, len(x))
	for k := range x {
		gradient[k] = x[k] - p.noisy[k] + pull[k]
		bound += pull[k]*p.noisy[k] - 0.5*pull[k]*pull[k]
	}
	return f, gradient, bound
}

// minimum returns the smallest value by Nesterov's method for strongly convex functions.
func (p picture) minimum(t *testing.T) float64 {
	const steep = 1 + 8*weight/smooth // the largest curvature; the smallest is 1
	momentum := (math.Sqrt(steep) - 1) / (math.Sqrt(steep) + 1)
	x, y := append([]float64{}, p.noisy...), append([]float64{}, p.noisy...)
	for range 1000 {
		_, gradient, _ := p.value(y)
		for k, g := range gradient {
			next := y[k] - g/steep
			y[k] = next + momentum*(next-x[k])
			x[k] = next
		}
	}
	f, _, bound := p.value(x)
	if f-bound > 1e-9*f || bound > f*(1+1e-12) {
		t.Fatalf("the reference has the value %v, and the bound is %v", f, bound)
	}
	return f
}

// npy returns the text of an array.
func npy(t *testing.T, x []float64, shape ...int) *fstest.MapFile {
	t.Helper()
	var text bytes.Buffer
	w := input.NewNpyWriter(&text, shape...)
	for _, v := range x {
		if err := w.Write(v); err != nil {
			t.Fatal(err)
		}
	}
	return &fstest.MapFile{Data: text.Bytes()}
}

// minimizeGallery minimizes docs/gallery/NAME/NAME.cl with other files. n is 0 if the file says it.
func minimizeGallery(t *testing.T, name string, files fstest.MapFS, n int, opt clopt.Options) *clopt.Result {
	t.Helper()
	text, err := os.Open("../docs/gallery/" + name + "/" + name + ".cl")
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	problem, err := opencl.Parse(text, files, n)
	if err != nil {
		t.Fatal(err)
	}
	res, err := clopt.Minimize(t.Context(), clopt.Problem(problem), opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestGalleryDenoise minimizes the function of the gallery for 64 x 64 cells and compares the value with the one of
// a reference, which is within 1e-9 of a lower bound.
func TestGalleryDenoise(t *testing.T) {
	p := newPicture(64)
	files := fstest.MapFS{"noisy.npy": npy(t, p.noisy, 64, 64)}
	res := minimizeGallery(t, "denoise", files, 0, clopt.Options{Seed: 1, Evals: 5e3})
	want := p.minimum(t)
	if math.Abs(res.F-want) > 1e-6*want {
		t.Errorf("%s: %v, the smallest value is %v", res.Method, res.F, want)
	}
}
