package stats

import (
	"math"
	"math/bits"
	"testing"
)

// TestWilcoxonExact compares the probability with an enumeration of all signs, also with ties and zeros.
func TestWilcoxonExact(t *testing.T) {
	for _, d := range [][]float64{{1, 2, 3, 4, 5, 6, 7}, {1, 1, -1, 2, 2, 3, -4}, {0, 1, 2, -2, 5}, {0, 0, 3, 3, -3, 9},
		{0, 0}, {4}} {
		a := make([]float64, len(d))
		w := Wilcoxon(a, d)
		var ranks, size []float64
		zeros := 0.0
		for _, v := range d {
			size = append(size, math.Abs(v))
		}
		for i, r := range Ranks(size) {
			if d[i] == 0 {
				zeros += r / 2
			} else {
				ranks = append(ranks, r)
			}
		}
		count := 0
		for signs := range 1 << len(ranks) {
			sum := zeros
			for i, r := range ranks {
				if signs>>i&1 == 1 {
					sum += r
				}
			}
			if sum <= min(w.Plus, w.Minus) {
				count++
			}
		}
		if want := min(1, 2*float64(count)/float64(int(1)<<len(ranks))); !near(w.P, want, 1e-12) {
			t.Errorf("%v: p = %v, want %v", d, w.P, want)
		}
	}
}

// TestMannWhitney compares the exact probability with an enumeration of all subsets.
func TestMannWhitney(t *testing.T) {
	for _, c := range [][2][]float64{{{1, 2, 3}, {4, 5, 6}}, {{1, 2, 2, 5}, {2, 3, 5, 5, 9}}, {{3}, {3, 3}},
		{{9, 7, 8}, {1, 8, 2, 4}}} {
		a, b := c[0], c[1]
		got := MannWhitney(a, b)
		better := 0.0
		for _, x := range a {
			for _, y := range b {
				switch {
				case x < y:
					better++
				case x == y:
					better += 0.5
				}
			}
		}
		if want := better / float64(len(a)*len(b)); !near(got.A12, want, 1e-12) {
			t.Errorf("%v %v: A12 = %v, want %v", a, b, got.A12, want)
		}
		ranks := Ranks(append(append([]float64{}, a...), b...))
		middle := float64(len(a)*(len(ranks)+1)) / 2
		far := func(set int) float64 {
			sum := 0.0
			for i, r := range ranks {
				if set>>i&1 == 1 {
					sum += r
				}
			}
			return math.Abs(sum - middle)
		}
		as, all := 0, 0
		for set := range 1 << len(ranks) {
			if bits.OnesCount(uint(set)) == len(a) {
				all++
				if far(set) >= far(1<<len(a)-1)-1e-9 {
					as++
				}
			}
		}
		if want := float64(as) / float64(all); !near(got.P, want, 1e-12) {
			t.Errorf("%v %v: p = %v, want %v", a, b, got.P, want)
		}
	}
	// From mostExact runs on the normal approximation is near the exact value.
	var a, b []float64
	for i := range mostExact / 2 {
		a, b = append(a, float64(3*i)), append(b, float64(3*i+20))
	}
	exact := MannWhitney(a, b).P
	if p := MannWhitney(append(a, 1000), append(b, 1000)).P; math.Abs(p-exact) > 0.01 || exact < 0.01 || exact > 0.9 {
		t.Errorf("p = %v, exact for one run less %v", p, exact)
	}
	if p := MannWhitney(make([]float64, 60), make([]float64, 60)).P; p != 1 {
		t.Errorf("equal values: p = %v", p)
	}
}

func TestExpectedTime(t *testing.T) {
	if got := ExpectedTime([]float64{1, 5, 10, 10}, []bool{true, true, false, false}); got != 13 {
		t.Errorf("%v, want 13", got)
	}
	if got := ExpectedTime([]float64{1}, []bool{false}); !math.IsInf(got, 1) {
		t.Errorf("%v, want +Inf", got)
	}
}
