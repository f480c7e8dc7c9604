package rng

import (
	"math"
	"math/big"
	"slices"
	"testing"
)

// The test vectors of Random123 for philox4x32-10 (kat_vectors).
func TestPhiloxPublished(t *testing.T) {
	const ones = 0xffffffff
	for _, v := range []struct {
		counter [4]uint32
		key     [2]uint32
		want    [4]uint32
	}{
		{[4]uint32{}, [2]uint32{}, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[4]uint32{ones, ones, ones, ones}, [2]uint32{ones, ones},
			[4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, [2]uint32{0xa4093822, 0x299f31d0},
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		if got := philox(v.counter, v.key); got != v.want {
			t.Errorf("Philox(%x, %x) = %x, want %x", v.counter, v.key, got, v.want)
		}
	}
}

func TestCounter(t *testing.T) {
	key := Key{Seed: 0xa4093822, Run: 0x299f31d0}
	if got := key.Words(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344); got[0] != 0xd16cfe09 {
		t.Errorf("words %x: the counter is (index, who, when, purpose), the key (seed, run)", got)
	}
	for i := range uint32(9) {
		if got, want := key.Word(i, 1, 2, Step), key.Words(i/4, 1, 2, Step)[i%4]; got != want {
			t.Errorf("word %d is %x, want %x", i, got, want)
		}
	}
}

func TestPurposes(t *testing.T) {
	seen := map[Purpose]string{}
	for name, p := range Names {
		if p == 0 || seen[p] != "" {
			t.Errorf("%s and %q share purpose %d", name, seen[p], p)
		}
		if p >= User {
			t.Errorf("%s is %d; purposes from %d on are for code outside this module", name, p, User)
		}
		seen[p] = name
	}
	if len(seen) != int(Regime) {
		t.Errorf("%d names of %d purposes", len(seen), Regime)
	}
}

func TestUniform(t *testing.T) {
	last := 0.0
	for _, w := range []uint32{0, 1 << 9, 1<<31 - 1<<9, 1 << 31, 0xffffffff} {
		u := Uniform(w)
		if u <= last || u >= 1 {
			t.Errorf("Uniform(%#x) = %g after %g", w, u, last)
		}
		if float64(float32(u)) != u {
			t.Errorf("Uniform(%#x) = %v is not a float32", w, u)
		}
		last = u
	}
	if Uniform(0)+Uniform(0xffffffff) != 1 || Uniform(511) != Uniform(0) || Uniform(512) == Uniform(0) {
		t.Error("uniforms are the upper 23 bits and a half")
	}
	key, sum := Key{Seed: 5}, 0.0
	for i := range uint32(1 << 16) {
		w := key.Word(i, 0, 0, Check)
		u := Uniform(w)
		if f := (float32(w>>9) + 0.5) * 1.1920928955078125e-7; float64(f) != u {
			t.Fatalf("word %#x: %v in float64, %v in float32", w, u, f)
		}
		sum += u
	}
	if mean := sum / (1 << 16); math.Abs(mean-0.5) > 0.005 {
		t.Errorf("mean %v", mean)
	}
}

func TestInt(t *testing.T) {
	if Int(0, 7) != 0 || Int(0xffffffff, 7) != 6 || Int(0xffffffff, 1) != 0 || Int(1<<31, 10) != 5 {
		t.Error("Int is the upper half of word times n")
	}
	var count [7]int
	for i := range uint32(70000) {
		count[Int(Key{}.Word(i, 0, 0, Check), 7)]++
	}
	for v, n := range count {
		if n < 9600 || n > 10400 {
			t.Errorf("%d is drawn %d times of 70000", v, n)
		}
	}
}

// Moments and tail of a million deviates. Each bound is four standard errors wide.
func TestNormal(t *testing.T) {
	const n = 1 << 20
	key := Key{Seed: 7, Run: 1}
	var m1, m2, m3, m4, last, neighbours float64
	beyond, top := [5]int{}, 0.0
	for b := range uint32(n / 4) {
		w := key.Words(b, 3, 4, Step)
		for i := range uint32(4) {
			v := float64(Normal(w, i))
			m1 += v
			m2 += v * v
			m3 += v * v * v
			m4 += v * v * v * v
			neighbours += v * last
			last = v
			top = max(top, math.Abs(v))
			for k := 1; k < len(beyond) && math.Abs(v) > float64(k); k++ {
				beyond[k]++
			}
		}
	}
	near := func(what string, got, want, variance float64) {
		if bound := 4 * math.Sqrt(variance/n); math.Abs(got-want) > bound {
			t.Errorf("%s is %.5f, want %g within %.5f", what, got, want, bound)
		}
	}
	near("mean", m1/n, 0, 1)
	near("variance", m2/n, 1, 2)
	near("third moment", m3/n, 0, 15)
	near("fourth moment", m4/n, 3, 96)
	near("product of neighbours", neighbours/n, 0, 1)
	for k := 1; k < len(beyond); k++ {
		p := math.Erfc(float64(k) / math.Sqrt2)
		near("share beyond", float64(beyond[k])/n, p, p*(1-p))
	}
	if top < 4.5 || top > 5.8 {
		t.Errorf("largest deviate %g", top)
	}
}

// Compares Normal with Box and Muller in float64, for words that give every quadrant
// and both ends of the logarithm.
func TestNormalFormula(t *testing.T) {
	edge := []uint32{0, 1 << 9, 0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xb504f333, 0xbfffffff, 0xc0000000,
		0xffffffff}
	for i := range uint32(2000) {
		edge = append(edge, Key{Seed: 9}.Word(i, 0, 0, Check))
	}
	for k, u := range edge {
		v := edge[(k*7+3)%len(edge)]
		r := math.Sqrt(-2 * math.Log(Uniform(u)))
		s, c := math.Sincos(2 * math.Pi * Uniform(v))
		for i, want := range []float64{r * c, r * s} {
			for _, w := range [][4]uint32{{u, v, 1, 2}, {1, 2, u, v}} {
				at := uint32(i)
				if w[0] == 1 && w[1] == 2 {
					at += 2
				}
				if got := float64(Normal(w, at)); math.Abs(got-want) > 1.5e-6 {
					t.Fatalf("Normal(%#x, %d) = %.9g, want %.9g", w, at, got, want)
				}
			}
		}
	}
}

// These bits must be the same on every machine, so that results repeat.
func TestGolden(t *testing.T) {
	key := Key{Seed: 1, Run: 2}
	var got []uint32
	for b := range uint32(4) {
		w := key.Words(b, 5, 6, Step)
		for i := range uint32(4) {
			got = append(got, math.Float32bits(Normal(w, i)))
		}
	}
	if !slices.Equal(got, golden) {
		t.Errorf("%#x\nwant %#x", got, golden)
	}
}

var golden = []uint32{
	0xbfaa030b, 0x3fc16db1, 0x3cde64c8, 0xbf3866db, 0x3f9da402, 0x3ef89512, 0xbe3c6c2a, 0x3f18bc11,
	0x3f892c97, 0xbe7849b8, 0xbf8ee7d5, 0xbbd387d4, 0xbf46afa4, 0x3fbcb637, 0xbfa50f37, 0xbfb4f5bb,
}

// Compares FMA32 with exact arithmetic, rounded once.
func TestFMA32(t *testing.T) {
	key := Key{Seed: 11}
	real := func(i, who uint32, spread int) float32 {
		w := key.Words(i, who, uint32(spread), Check)
		v := math.Ldexp(1+Uniform(w[0]), int(Int(w[1], uint32(2*spread)))-spread)
		f := math.Float32frombits(math.Float32bits(float32(v)) | w[2]&0xff)
		if w[3]&1 != 0 {
			f = -f
		}
		return f
	}
	check := func(a, b, c float32) {
		exact := func(v float32) *big.Float { return new(big.Float).SetPrec(600).SetFloat64(float64(v)) }
		sum := new(big.Float).SetPrec(600).Mul(exact(a), exact(b))
		want, _ := sum.Add(sum, exact(c)).Float32()
		if got := FMA32(a, b, c); got != want {
			t.Fatalf("FMA32(%x, %x, %x) = %x, want %x", a, b, c, got, want)
		}
	}
	for i := range uint32(100000) {
		a, b := real(i, 0, 12), real(i, 1, 12)
		check(a, b, real(i, 2, 12))
		check(a, b, real(i, 3, 60))
		// Sums that almost cancel, and ties of the second rounding.
		check(a, b, -a*b)
		check(a, b, math.Nextafter32(-a*b, 0))
		check(a, 1, a*0x1p-24)
		check(a, 1, math.Nextafter32(a*0x1p-25, 0))
	}
	if FMA32(3, 4, -12) != 0 || FMA32(0, 5, 7) != 7 || FMA32(1, 1, 0x1p-24) != 1 || FMA32(1+0x1p-23, 1,
		0x1p-24) != 1+0x1p-22 {
		t.Error("simple values are wrong")
	}
}
