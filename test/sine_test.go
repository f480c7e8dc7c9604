package test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/test/problemtest"
)

const sineKernel = `
kernel void sine_check(global const real *v, global real *sine)
{
    const uint i = get_global_id(0);
    sine[i] = sine_root(v[i]);
}
`

// exactSineRoot is sin(sqrt(v)) to an ulp: the root and its distance from a
// multiple of π in 200 bits.
func exactSineRoot(v float64) float64 {
	r := new(big.Float).SetPrec(200).SetFloat64(v)
	r.Sqrt(r)
	angle, _ := r.Float64()
	n := math.RoundToEven(angle / math.Pi)
	rest, _ := r.Sub(r, new(big.Float).SetPrec(200).Mul(bigPi, big.NewFloat(n))).Float64()
	if math.Mod(n, 2) != 0 {
		rest = -rest
	}
	return math.Sin(rest)
}

// sinePoints cover [0, 4096]: small numbers by powers of two, others evenly, and both sides of every zero and extremum.
func sinePoints[T float32 | float64]() (v []T) {
	v = append(v, 0, 4096)
	for e := -160; e < 12; e++ {
		for _, m := range []float64{1, 1.2345, 1.7} {
			v = append(v, T(math.Ldexp(m, e)))
		}
	}
	for i := range 40000 {
		v = append(v, T(4096*(float64(i)+0.37)/40000))
	}
	for q := 1; q <= 40; q++ {
		a := float64(q) * math.Pi / 2
		for _, off := range []float64{-1e-3, -1e-6, 0, 1e-6, 1e-3} {
			v = append(v, T(a*a*(1+off)))
		}
	}
	return v
}

func checkSine[T float32 | float64](t *testing.T, d *cl.Device, bound float64) {
	v := sinePoints[T]()
	out, err := onDevice(d, false, []string{"lib/sine.cl"}, "sine_check", sineKernel, v, 1)
	if err != nil {
		t.Fatal(err)
	}
	worst, where := 0.0, T(0)
	for i, s := range out[0] {
		if e := math.Abs(float64(s) - exactSineRoot(float64(v[i]))); !(e <= worst) {
			worst, where = e, v[i]
		}
	}
	if !(worst <= bound) {
		t.Errorf("sine_root is off by %.2g at %v, bound %.2g", worst, where, bound)
	}
	t.Logf("%d points, off by at most %.3g at %v", len(v), worst, where)
}

// The errors that sine.cl claims, over the whole range.
func TestSine(t *testing.T) {
	for _, d := range problemtest.Kinds(t) {
		info := d.Info()
		t.Run(fmt.Sprint(info.Index), func(t *testing.T) {
			t.Run(problems.FP32.String(), func(t *testing.T) { checkSine[float32](t, d, 1.3e-7) })
			if info.FP64 {
				t.Run(problems.FP64.String(), func(t *testing.T) { checkSine[float64](t, d, 4e-16) })
			}
		})
	}
}
