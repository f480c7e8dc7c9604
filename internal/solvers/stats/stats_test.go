package stats

import (
	"math"
	"slices"
	"testing"
)

func near(a, b, rel float64) bool { return math.Abs(a-b) <= rel*math.Abs(b) }

func TestRanks(t *testing.T) {
	got := Ranks([]float64{3, 1, 3, math.NaN(), 2, 3, math.Inf(1)})
	if want := []float64{4, 1, 4, 7, 2, 4, 6}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestSummarise(t *testing.T) {
	s := Summarise([]float64{4, 1, 3, 2})
	if s.N != 4 || s.Mean != 2.5 || !near(s.Std, math.Sqrt(5.0/3), 1e-15) || s.Q1 != 1.75 || s.Median != 2.5 ||
		s.Q3 != 3.25 || s.Best != 1 || s.Worst != 4 {
		t.Errorf("%+v", s)
	}
	if q := Quantile([]float64{1, 2, 3, 4, math.Inf(1)}, 0.75); q != 4 {
		t.Errorf("a quartile beside an infinite value is %g, not 4", q)
	}
	if s := Summarise([]float64{7}); s.Median != 7 || s.Q1 != 7 || !math.IsNaN(s.Std) {
		t.Errorf("%+v", s)
	}
	if s := Summarise([]float64{1, math.Inf(1), math.Inf(1)}); s.Median != math.Inf(1) || s.Q3 != math.Inf(1) {
		t.Errorf("%+v", s)
	}
	if s := Summarise([]float64{1, math.NaN()}); !math.IsNaN(s.Median) || !math.IsNaN(s.Best) {
		t.Errorf("%+v", s)
	}
}

// The two-sided critical values of tables, for 0.05 and 0.01.
func TestCriticalValues(t *testing.T) {
	for n, want := range map[int][2]int{5: {-1, -1}, 6: {0, -1}, 8: {3, 0}, 10: {8, 3}, 15: {25, 15}, 20: {52, 37},
		25: {89, 68}} {
		w := Wilcoxon(make([]float64, n), make([]float64, n))
		if w.T05 != want[0] || w.T01 != want[1] {
			t.Errorf("n = %d: %d and %d, tables have %v", n, w.T05, w.T01, want)
		}
	}
}

func TestWilcoxon(t *testing.T) {
	a := []float64{1, 2, 3, 4, 5, 6}
	b := []float64{2, 4, 2, 4, 9, 11}
	// Differences 1, 2, -1, 0, 4, 5: ranks of |d| 2.5, 4, 2.5, 1, 5, 6.
	w := Wilcoxon(a, b)
	if w.Plus != 2.5+4+0.5+5+6 || w.Minus != 3 || w.N != 6 {
		t.Errorf("%+v", w)
	}
	if want := 2 * 3.0 / 32; !near(w.P, want, 1e-12) { // of 32 signs three leave 0 or 2.5 to the smaller sum
		t.Errorf("p = %v, want %v", w.P, want)
	}
	if v := Wilcoxon(b, a); v.Plus != w.Minus || v.Minus != w.Plus || v.P != w.P {
		t.Errorf("the other way: %+v", v)
	}
	inf := math.Inf(1)
	if w := Wilcoxon([]float64{inf, 1, 2}, []float64{inf, 2, 4}); w.Plus != 5.5 || w.Minus != 0.5 {
		t.Errorf("equal infinite values are equal: %+v", w)
	}
	if w := Wilcoxon(nil, nil); w.P != 1 {
		t.Errorf("%+v", w)
	}
	if w := Wilcoxon(make([]float64, 60), make([]float64, 60)); w.P != 1 || w.Plus != w.Minus {
		t.Errorf("%+v", w)
	}
}

func TestFriedman(t *testing.T) {
	f, err := Friedman([][]float64{{1, 2, 3}, {1, 3, 2}, {1, 2, 2}, {2, 1, 3}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{5.0 / 4, 8.5 / 4, 10.5 / 4}; !near(f.Ranks[0], want[0], 1e-15) || !near(f.Ranks[1], want[1],
		1e-15) || !near(f.Ranks[2], want[2], 1e-15) {
		t.Errorf("ranks %v, want %v", f.Ranks, want)
	}
	if f.Holm[0].Method != 2 || f.Holm[0].Adjusted < f.Holm[0].P || f.Holm[1].Adjusted < f.Holm[0].Adjusted {
		t.Errorf("%+v", f.Holm)
	}
	// All problems agree: F is infinite.
	if f, _ := Friedman([][]float64{{1, 2}, {3, 4}, {5, 6}}); !math.IsInf(f.F, 1) || !math.IsNaN(f.PF) ||
		!near(f.Chi2, 3, 1e-12) {
		t.Errorf("%+v", f)
	}
	// No difference at all.
	if f, _ := Friedman([][]float64{{1, 1}, {2, 2}}); f.Chi2 != 0 || f.P != 1 || f.F != 0 || f.PF != 1 {
		t.Errorf("%+v", f)
	}
	for _, bad := range [][][]float64{nil, {{1, 2}}, {{1}, {2}}, {{1, 2}, {1}}} {
		if _, err := Friedman(bad); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}
