package cec2013

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// newCEC is a generated instance.
func newCEC(t testing.TB, f, n int, mode string) *CEC2013 {
	t.Helper()
	c, err := New(f, n, mode, Generate(f))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// pointOf draws a point of the box.
func pointOf(p problems.Problem, who uint32) []float64 {
	lo, hi := p.Domain().Box()
	x := make([]float64, p.Domain().N)
	for i := range x {
		x[i] = lo + (hi-lo)*rng.Uniform(rng.Key{Seed: 1}.Word(uint32(i), who, 0, rng.Check))
	}
	return x
}

func mustEval(t testing.TB, p problems.Referenced, x []float64) float64 {
	t.Helper()
	v, err := problems.Eval(p, x)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCEC2013Optimum(t *testing.T) {
	for f := 1; f <= 15; f++ {
		for _, mode := range modes {
			n := 3000
			if mode == ModePaper && cecStretches(f) {
				n = 1234
			}
			c := newCEC(t, f, n, mode)
			best, known := c.Info().BestKnown()
			x, ok := c.Info().Optimum()
			if known != ok || ok != (f != 14 || mode == ModePaper) {
				t.Errorf("%s: known %v, point %v", c.Spec(), known, ok)
			}
			if !ok {
				continue
			}
			lo, hi := c.Domain().Box()
			for i, v := range x {
				if v < lo || v > hi {
					t.Fatalf("%s: x[%d] = %v lies outside the box", c.Spec(), i, v)
				}
			}
			got := mustEval(t, c, x)
			if got != best && !(f == 12 && math.Abs(got) < 1e-20) {
				t.Errorf("%s: f(optimum) = %v, want %v", c.Spec(), got, best)
			}
			for _, i := range []int{0, 500, 1000} {
				x[i] += 1e-3
				if v := mustEval(t, c, x); !(v > got) && !(cecOverlaps(f) && i%1000 >= 905) {
					t.Errorf("%s: f = %v beside the optimum at %d", c.Spec(), v, i)
				}
				x[i] -= 1e-3
			}
		}
	}
}

// The last 95 variables of a block of F13 and F14 are ignored, and a block is
// the function of 905 variables.
func TestCEC2013Ignored(t *testing.T) {
	for _, f := range []int{13, 14} {
		c, alone := newCEC(t, f, 2000, ""), newCEC(t, f, 905, "")
		x := pointOf(c, 1)
		v := mustEval(t, c, x)
		for b := 0; b < 2000; b += 1000 {
			for i := 905; i < 1000; i++ {
				x[b+i] = 1e3
			}
		}
		if got := mustEval(t, c, x); got != v {
			t.Errorf("f%d: ignored variables change %v to %v", f, v, got)
		}
		if got := mustEval(t, alone, x[:905]) + mustEval(t, alone, x[1000:1905]); got != v {
			t.Errorf("f%d: blocks %v, alone %v", f, v, got)
		}
	}
}

// Block 0 of mode distinct is that of mode blocks. All other blocks differ.
func TestCEC2013Distinct(t *testing.T) {
	for f := 1; f <= 15; f++ {
		c, plain := newCEC(t, f, 3000, ModeDistinct), newCEC(t, f, 1000, "")
		x := pointOf(plain, 2)
		var v [3]float64
		for b := range v {
			acc := []float64{0}
			c.HostTile(b, x, acc)
			v[b] = acc[0]
		}
		if want := mustEval(t, plain, x); v[0] != want || v[1] == v[0] || v[2] == v[0] || v[1] == v[2] {
			t.Errorf("f%d: blocks %v, mode blocks %v", f, v, want)
		}
		_, hi := c.Domain().Box()
		for p := range c.from {
			if s := c.shiftAt(2, p); math.Abs(s) > 0.8*hi {
				t.Fatalf("f%d: shift %v", f, s)
			}
		}
	}
	// F13 has a shift for each variable, F14 one for each position.
	for _, f := range []int{13, 14} {
		c := newCEC(t, f, 2000, ModeDistinct)
		if c.from[45] != c.from[50] {
			t.Fatalf("f%d: positions 45 and 50 do not share a variable", f)
		}
		if same := c.shiftAt(1, 45) == c.shiftAt(1, 50); same != (f == 13) {
			t.Errorf("f%d: shared variable has one shift: %v", f, same)
		}
	}
}

// Means and medians of random points with zero shift, known for one block to
// a few percent; rotations and weights of the instance do not matter for F1,
// F2, F3, F12, F15.
func TestCEC2013Distribution(t *testing.T) {
	for f, want := range map[int]float64{1: 2.452e11, 2: 6.012e4, 3: 21.72, 12: 1.998e12, 15: 3.39e15} {
		c := newCEC(t, f, 1000, ModePaper)
		sum := 0.0
		const points = 100
		for i := range uint32(points) {
			sum += mustEval(t, c, pointOf(c, i))
		}
		if mean := sum / points; math.Abs(mean/want-1) > 0.06 {
			t.Errorf("f%d: mean %.4g of random points, want %.4g", f, mean, want)
		}
	}
}

// A stretched function of 1000 variables is one block; the tiles of more
// variables add up to the base function over all of them.
func TestCEC2013Stretched(t *testing.T) {
	for _, f := range []int{1, 2, 3, 12} {
		c := newCEC(t, f, 1000, ModePaper)
		x := pointOf(c, 3)
		if got, want := mustEval(t, c, x), c.value(kinds[f].base, x); math.Abs(got/want-1) > 1e-12 {
			t.Errorf("f%d: stretched %v, block %v", f, got, want)
		}
		for _, n := range []int{2, 3, 999, 1001, 1002, 2500} {
			c := newCEC(t, f, n, ModePaper)
			if v := mustEval(t, c, pointOf(c, 4)); math.IsNaN(v) || v <= 0 {
				t.Errorf("%s: %v", c.Spec(), v)
			}
		}
	}
	c := newCEC(t, 12, 2500, ModePaper)
	x := pointOf(c, 5)
	if got, want := mustEval(t, c, x), c.value(cecRosenbrock, x); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("f12 of 2500 variables: %v, want %v", got, want)
	}
}

func TestCEC2013Dimension(t *testing.T) {
	for _, test := range []struct {
		f, n int
		mode string
		want string // piece of the error, empty if none
	}{
		{1, 0, "", ""}, {1, 2000, "", ""}, {13, 905, "", ""}, {14, 0, ModeDistinct, ""}, {13, 3000, ModePaper, ""},
		{3, 2, ModePaper, ""}, {12, 12345, ModePaper, ""},
		{1, 1500, "", "n is 1500; use a multiple of 1000, such as 1000 or 2000"},
		{1, 7, "", "such as 1000"},
		{1, -7, "", "such as 1000"},
		{4, 905, "", "multiple of 1000"},
		{13, 1810, "", "multiple of 1000 or 905"},
		{4, 1001, ModePaper, "multiple of 1000"},
		{1, 1, ModePaper, "use 2 or more"},
		{1, 1000, "papre", "use paper"},
	} {
		c, err := New(test.f, test.n, test.mode, Generate(test.f))
		if test.want == "" {
			if err != nil {
				t.Errorf("%+v: %v", test, err)
			} else if tiling := c.Tiling(); tiling.N != c.Domain().N ||
				tiling.Tiles() != max(1, (c.Domain().N+999)/1000) {
				t.Errorf("%+v: tiling %+v", test, tiling)
			}
			continue
		}
		var fault *input.Error
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

func TestCEC2013Precision(t *testing.T) {
	for f := 1; f <= 15; f++ {
		_, err := newCEC(t, f, 0, "").Text(problems.FP32, problems.Tile)
		var p *problems.PrecisionError
		if refused := errors.As(err, &p); refused != (f == 7 || f == 11 || f == 13 || f == 14) {
			t.Errorf("f%d in fp32: %v", f, err)
		} else if refused && !strings.Contains(err.Error(), "overflows in fp32; use fp64") {
			t.Error(err)
		}
	}
}

// Tables fit the components that the device text counts.
func TestCEC2013Components(t *testing.T) {
	for f, want := range map[int]int{1: 1000, 2: 1000, 3: 1, 4: 707, 5: 707, 6: 8, 7: 707, 8: 20, 9: 20, 10: 20, 11: 20,
		12: 999, 13: 20, 14: 20, 15: 1} {
		c := newCEC(t, f, 2000, "")
		if m := c.Tiling().M; m != 2*want {
			t.Errorf("f%d: %d components of 2 blocks, want %d", f, m, 2*want)
		}
		text, err := c.Text(problems.FP64, problems.Tile)
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for _, table := range text.Tables {
			if (len(table.Real) > 0) == (len(table.Uint) > 0) || names[table.Name] {
				t.Errorf("f%d: table %s", f, table.Name)
			}
			names[table.Name] = true
		}
		if twin, err := c.Text(problems.FP64, problems.Item); err != nil || twin.Cooperative || !text.Cooperative {
			t.Errorf("f%d: forms %v %v, %v", f, text.Cooperative, twin.Cooperative, err)
		}
	}
}

func BenchmarkCEC2013Host(b *testing.B) {
	for _, f := range []int{1, 4, 11, 12} {
		c := newCEC(b, f, 1000, "")
		x := pointOf(c, 1)
		b.Run(c.Spec().String(), func(b *testing.B) {
			for b.Loop() {
				c.HostTile(0, x, []float64{0})
			}
		})
	}
}

// TestWithoutTransforms compares F3, F6 and F10 without transformations with Ackley's function of the shifted and
// rotated variables, and checks that no other function has the key.
func TestWithoutTransforms(t *testing.T) {
	for _, f := range []int{3, 6, 10} {
		for _, mode := range []string{ModeBlocks, ModePaper} {
			c, err := newCEC(t, f, 2000, mode).withoutTransforms()
			if err != nil {
				t.Fatal(err)
			}
			x, want := pointOf(c, uint32(f)), 0.0
			if c.stretched() {
				want = ackley(x)
			} else {
				for b := range 2 {
					for _, g := range c.groups {
						want += g.weight * ackley(c.group(b, g, 0, x))
					}
				}
			}
			if got := mustEval(t, c, x); math.Abs(got/want-1) > 1e-12 {
				t.Errorf("%s: %v, want %v", c.Spec(), got, want)
			}
			if got := mustEval(t, c, c.optimum()); got != 0 {
				t.Errorf("%s: %v at the optimum", c.Spec(), got)
			}
			again, err := Family.Parse(c.Spec(), "")
			spec := c.Spec().String()
			if err != nil || again.Spec().String() != spec || !strings.Contains(spec, "transform=none") {
				t.Errorf("%s is read as %v, %v", c.Spec(), again, err)
			}
		}
	}
	_, err := newCEC(t, 4, 1000, "").withoutTransforms()
	if err == nil || !strings.Contains(err.Error(), "f3, f6 and f10") {
		t.Errorf("f4: %v", err)
	}
}

// ackley is the usual form of Ackley's function.
func ackley(y []float64) float64 {
	squares, waves, n := 0.0, 0.0, float64(len(y))
	for _, v := range y {
		squares += v * v
		waves += math.Cos(2 * math.Pi * v)
	}
	return -20*math.Exp(-0.2*math.Sqrt(squares/n)) - math.Exp(waves/n) + 20 + math.E
}
