package test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/test/problemtest"
)

const toszKernel = `
kernel void tosz_check(global const real *z, global real *osz, global real *asy, global real *waves, const real u)
{
    const uint i = get_global_id(0);
#if WIDE
    const real8 v = vload8(i, z);
    vstore8(tosz(v), i, osz);
    vstore8(tosz_asy(v, (real8)(u)), i, asy);
    vstore8(sin2_pi(v), i, waves);
#else
    osz[i] = tosz(z[i]);
    asy[i] = tosz_asy(z[i], u);
    waves[i] = sin2_pi(z[i]);
#endif
}
`

func bigFloat(s string) *big.Float {
	f, _, err := big.ParseFloat(s, 10, 200, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return f
}

var (
	bigPi  = bigFloat("3.14159265358979323846264338327950288419716939937510582097494459")
	bigLn2 = bigFloat("0.693147180559945309417232121458176568075500134360255254120680009")
)

// exactOsz is T_osz to 1e-16, with phases in 200 bits: the logarithm of a
// float64 alone would cost 5e-14 at 1e-300.
func exactOsz(z float64) float64 {
	if z == 0 {
		return 0
	}
	m, e := math.Frexp(math.Abs(z))
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	l := new(big.Float).SetPrec(200).SetInt64(int64(e))
	l.Mul(l, bigLn2).Add(l, big.NewFloat(math.Log(m)))
	sine := func(c float64) float64 {
		p := new(big.Float).SetPrec(200).SetFloat64(c)
		p.Mul(p, l).Quo(p, bigPi)
		whole, _ := p.Float64()
		n := math.RoundToEven(whole)
		r, _ := p.Sub(p, big.NewFloat(n)).Float64()
		if math.Mod(n, 2) != 0 {
			r = -r
		}
		return math.Sin(math.Pi * r)
	}
	c1, c2 := 10.0, 7.9
	if z < 0 {
		c1, c2 = 5.5, 3.1
	}
	return z * math.Exp(0.049*(sine(c1)+sine(c2)))
}

// toszPoints are both signs of log-spaced numbers, of numbers near every power
// of two and of the ends, rounded to T.
func toszPoints[T float32 | float64](from, to float64) (z []T) {
	both := func(v float64) { z = append(z, T(v), T(-v)) }
	const n = 200000
	for i := range n {
		both(math.Exp(math.Log(from) + (math.Log(to)-math.Log(from))*float64(i)/(n-1)))
	}
	for i := range n {
		both(math.Exp(math.Log(1e-6) + math.Log(1e9)*float64(i)/(n-1)))
	}
	_, lo := math.Frexp(from)
	for e := lo + 1; e < 10; e++ {
		for _, m := range []float64{1, math.Sqrt2} {
			for d := -4; d <= 4; d++ {
				both(math.Ldexp(m*(1+float64(d)*1e-7), e))
			}
		}
	}
	return z
}

// checkTosz compares the forms of the functions, one after the other, with the same exact values.
func checkTosz[T float32 | float64](t *testing.T, d *cl.Device, prec problems.Precision, from, tiny, eps float64,
	forms []bool) {
	t.Helper()
	z := toszPoints[T](from, 1e3)
	exact := make([]float64, len(z))
	for i, v := range z {
		exact[i] = exactOsz(float64(v))
	}
	for _, wide := range forms {
		t.Run(fmt.Sprintf("%v/%t", prec, wide),
			func(t *testing.T) { compareTosz(t, d, slices.Clone(z), exact, tiny, eps, wide) })
	}
}

// compareTosz compares tosz at the points z with its exact values, and functions that follow from it.
func compareTosz[T float32 | float64](t *testing.T, d *cl.Device, z []T, exact []float64, tiny, eps float64,
	wide bool) {
	t.Helper()
	// Special numbers: 0, subnormal, infinite and NaN.
	inf, nan := math.Inf(1), math.NaN()
	special := []float64{0, math.Copysign(0, -1), tiny, -tiny, 3 * tiny, -3 * tiny, 1000 * tiny, -1000 * tiny, inf,
		-inf, nan}
	ordinary := len(z)
	for _, v := range special {
		z = append(z, T(v))
	}
	// sin² far away, where every number is an integer, and where the last halves are.
	far := len(z)
	digits := 23
	if _, ok := any(z).([]float64); ok {
		digits = 52
	}
	for e := digits - 4; e < digits+8; e++ {
		for k := range 8 {
			z = append(z, T(math.Ldexp(1, e)+float64(k)/2), T(-math.Ldexp(1, e)-float64(k)/2))
		}
	}
	z = append(z, T(math.Ldexp(1, 120)), T(math.Ldexp(-1, 126)))
	end := len(z)
	for len(z)%8 > 0 {
		z = append(z, 0)
	}
	const u = 0.625
	got, err := onDevice(d, wide, []string{"lib/tosz.cl", "lib/eight.cl", "lib/tosz.cl"}, "tosz_check", toszKernel, z,
		3, u)
	if err != nil {
		t.Fatal(err)
	}
	var worst, where [3]float64
	fails := 0
	note := func(what int, z, got, want, bound float64) {
		diff := math.Abs(got-want) / bound
		if want != 0 {
			diff /= math.Abs(want)
		}
		if diff > worst[what] {
			worst[what], where[what] = diff, z
		}
		if !(diff <= 1) && fails < 10 {
			fails++
			t.Errorf("%s of %g: %g, want %g: %.2g of the bound", []string{"tosz", "tosz_asy", "sin2_pi"}[what], z, got,
				want, diff)
		}
	}
	for i := range ordinary {
		v := float64(z[i])
		want := exact[i]
		bound := eps * (1 + math.Abs(math.Log2(math.Abs(v)))/4)
		note(0, v, float64(got[0][i]), want, bound)
		if want > 0 {
			p := 0.2 * u * math.Sqrt(want)
			// the error of T to the power, and of the exponent p·log2(T)
			bound = (1+2*p)*bound + eps*(1+3*math.Abs(p*math.Log2(want)))
			want *= math.Pow(want, p)
		}
		note(1, v, float64(got[1][i]), want, bound)
		s := math.Sin(math.Pi * (v - math.RoundToEven(v)))
		if s *= s; s > tiny/eps {
			note(2, v, float64(got[2][i]), s, 3*eps)
		}
	}
	t.Logf("%d points, worst share of the bounds: tosz %.2f at %.3g, tosz_asy %.2f at %.3g, sin2_pi %.2f at %.3g",
		ordinary, worst[0], where[0], worst[1], where[1], worst[2], where[2])
	for i, v := range z[far:end] {
		_, part := math.Modf(float64(v))
		want := 2 * math.Abs(part) // 0 or 1: of integers and of halves
		if g := float64(got[2][far+i]); math.Abs(g-want) > 3*eps {
			t.Errorf("sin2_pi of %g: %g, want %g", v, g, want)
		}
	}
	for i, v := range special {
		for what := range 2 {
			g := float64(got[what][ordinary+i])
			switch {
			case math.IsNaN(v):
				if !math.IsNaN(g) {
					t.Errorf("form %d of NaN: %g", what, g)
				}
			case v == 0 || math.IsInf(v, 0):
				if g != v {
					t.Errorf("form %d of %g: %g", what, v, g)
				}
			case g != 0 && !(math.Abs(g/v-1) < 0.25): // some devices flush
				t.Errorf("form %d of %g: %g", what, v, g)
			}
		}
	}
}

// The errors that tosz.cl claims, over the whole range of z, from 1e-300 (in
// float32 1e-37) to 1e3, both signs.
func TestCECTosz(t *testing.T) {
	for _, d := range problemtest.Kinds(t) {
		info := d.Info()
		t.Run(fmt.Sprint(info.Index), func(t *testing.T) {
			forms := []bool{false}
			if info.Type == cl.CPU {
				forms = append(forms, true) // wide
			}
			checkTosz[float32](t, d, problems.FP32, 1e-37, 1e-42, 2.4e-7, forms)
			if info.FP64 {
				checkTosz[float64](t, d, problems.FP64, 1e-300, 1e-310, 5e-16, forms)
			}
		})
	}
}
