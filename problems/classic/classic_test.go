package classic

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/test/datatest"
)

// classicReference is the part of reference.json that the tests read.
type classicReference struct {
	ID         string
	Function   string
	Dim        int
	Lower      []float64
	Upper      []float64
	Fmin       float64
	Minimizers [][]float64
	AtMin      []float64 `json:"f_at_minimizers"`
	AtZero     *float64  `json:"f_at_zero"`
	AtCenter   *float64  `json:"f_at_center"`
	Points     []struct {
		Seed   string
		XFirst []float64 `json:"x_first"`
		XLast  float64   `json:"x_last"`
		F      float64
	}
}

// classicReferences reads the reference values. It skips the test if there are none.
func classicReferences(t *testing.T) []classicReference {
	t.Helper()
	file := datatest.File(t, "classic", "reference.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Problems []classicReference }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Problems) != 50 {
		t.Fatalf("%d configurations in %s", len(all.Problems), file)
	}
	return all.Problems
}

// classicPoint is a point of the reference values.
func classicPoint(t *testing.T, seed string, lo, hi []float64) []float64 {
	t.Helper()
	state, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, len(lo))
	for i := range x {
		state += 0x9E3779B97F4A7C15
		z := state
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		z ^= z >> 31
		u := float64(z>>11) * 0x1p-53
		x[i] = lo[i] + float64((hi[i]-lo[i])*u)
	}
	return x
}

func TestClassicReference(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range classicReferences(t) {
		seen[r.ID] = true
		p, err := New(r.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		c := p
		if c.classicKind.name != r.Function || c.Domain().N != r.Dim {
			t.Errorf("%s is %s of %d, want %s of %d", r.ID, c.classicKind.name, c.Domain().N, r.Function, r.Dim)
		}
		for i := range r.Dim {
			if lo, hi := c.Domain().Interval(i); lo != r.Lower[i] || hi != r.Upper[i] {
				t.Errorf("%s: variable %d in [%v, %v], want [%v, %v]", r.ID, i, lo, hi, r.Lower[i], r.Upper[i])
			}
		}
		worst := 0.0
		check := func(what string, x []float64, want float64) {
			t.Helper()
			f, err := problems.Eval(c, x)
			if err != nil {
				t.Fatal(err)
			}
			e := math.Abs(f-want) / max(1, math.Abs(want))
			if !(e <= 1e-12) {
				t.Errorf("%s at %s is %v, want %v", r.ID, what, f, want)
			}
			worst = max(worst, e)
		}
		if f, ok := c.Info().BestKnown(); !ok || math.Abs(f-r.Fmin) > 1e-15*math.Abs(r.Fmin) {
			t.Errorf("%s: minimum %v, want %v", r.ID, f, r.Fmin)
		}
		ours := c.Minimizers()
		if len(ours) != len(r.Minimizers) {
			t.Errorf("%s: %d minimizers, want %d", r.ID, len(ours), len(r.Minimizers))
		}
		for k, x := range r.Minimizers {
			check("minimizer "+strconv.Itoa(k), x, r.AtMin[k])
			if e, ok := c.Info().LocationError(x); !ok || e > 2e-16 {
				t.Errorf("%s: minimizer %v is %v from ours %v", r.ID, x, e, ours)
			}
		}
		center, zero := make([]float64, r.Dim), make([]float64, r.Dim)
		for i := range center {
			center[i] = (r.Lower[i] + r.Upper[i]) / 2
		}
		if r.AtZero != nil {
			check("zero", zero, *r.AtZero)
		}
		if r.AtCenter != nil {
			check("the centre", center, *r.AtCenter)
		}
		for _, pt := range r.Points {
			x := classicPoint(t, pt.Seed, r.Lower, r.Upper)
			if !slices.Equal(x[:2], pt.XFirst) || x[len(x)-1] != pt.XLast {
				t.Fatalf("%s: point %s begins with %v and ends with %v, want %v and %v", r.ID, pt.Seed, x[:2],
					x[len(x)-1], pt.XFirst, pt.XLast)
			}
			check("point "+pt.Seed, x, pt.F)
		}
		t.Logf("%s: largest error %.1e", r.ID, worst)
	}
	for _, f := range classicConfigs {
		if !seen[f.name] {
			t.Errorf("%s has no reference values", f.name)
		}
	}
}

func TestClassicSizes(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		ok   bool
	}{
		{"F0_a", 0, true}, {"f0_A", 8, true}, {"F0_a", 9, false}, {"schwefel", 1, true}, {"branin", 3, false},
		{"powell", 26, false},
		{"powell", 28, true}, {"langermann", 11, false}, {"rosenbrock", 1, false}, {"F20", 0, false},
		{"michalewicz", 1000, true},
	} {
		p, err := New(c.name, c.n)
		if e := (*input.Error)(nil); (err == nil) != c.ok || err != nil && !errors.As(err, &e) {
			t.Errorf("%s of %d: %v, %v", c.name, c.n, p, err)
		}
	}
}
