package problems_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"

	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/classic"
)

// ComponentsOf is the inverse of Reads, whatever the structure.
func TestStructure(t *testing.T) {
	all := map[string]problems.Structure{
		"each": problems.Windows(7, 7, 1, 0, 0), "chain": problems.Windows(7, 7, 1, 0, 1),
		"from": problems.Windows(20, 5, 3, 2, 6), "blocks": problems.Windows(12, 3, 4, 0, 3),
		"gaps": problems.Windows(20, 4, 5, 1, 2), "all": problems.Everything(4, 3),
		"cut":  problems.Windows(7, 7, 1, 0, 3),
		"grid": problems.Offsets(30, 30, 1, []int{0, 1, 6}), "apart": problems.Offsets(50, 7, 3, []int{1, 2, 9, 11}),
		"plane": problems.Grid([3]int{1, 4, 5}, [3]int{}, [3]int{0, 0, 1}, [3]int{0, 1, 0}),
		"cross": problems.Grid([3]int{3, 2, 4}, [3]int{}, [3]int{0, 0, 1}, [3]int{0, -1, 0}, [3]int{1, 0, 0},
			[3]int{-1, 0, 0}, [3]int{0, 1, -1}),
		"column": problems.Grid([3]int{1, 5, 1}, [3]int{0, 0, 1}, [3]int{0, 1, 0}),
		"late":   problems.Offsets(9, 4, 2, []int{1, 8}),
		"short":  problems.Windows(3, 1, 1, 0, 0),
		"lists":  problems.Lists(6, []uint32{0, 2, 5, 5, 6}, []uint32{3, 0, 5, 3, 3, 1}),
	}
	for name, s := range all {
		want := make([][]int, s.Variables())
		for k := range s.Components() {
			for _, i := range s.Reads(k, nil) {
				if n := len(want[i]); n == 0 || want[i][n-1] != k {
					want[i] = append(want[i], k)
				}
			}
		}
		total := 0
		for i := range want {
			total += len(want[i])
			if got := s.ComponentsOf(i, nil); !slices.Equal(got, want[i]) || s.Touched(i) != len(want[i]) {
				t.Errorf("%s: variable %d touches %v, %d; want %v", name, i, got, s.Touched(i), want[i])
			}
		}
		if mean := float64(total) / float64(s.Variables()); math.Abs(s.MeanTouched()-mean) > 1e-15*mean {
			t.Errorf("%s: a variable touches %v components on average, want %v", name, s.MeanTouched(), mean)
		}
	}
}

// A structure is its period again and again.
func TestPeriod(t *testing.T) {
	lists := problems.RepeatedLists(5, 3, []uint32{0, 1, 4}, []uint32{2, 0, 1, 2})
	for name, c := range map[string]struct {
		s    problems.Structure
		want int
	}{
		"lists": {lists, 5}, "costs": {lists.Costing(1, 9).Squared(3), 5}, "other costs": {lists.Costing(1, 2, 3), 1},
		"other squares": {lists.Squared(1, 2, 3, 4), 1}, "blocks": {problems.Windows(12, 3, 4, 0, 3).Squared(4), 3},
		"offsets": {problems.Offsets(12, 3, 4, []int{0, 3}), 3}, "rest": {problems.Windows(13, 3, 4, 0, 3), 1},
		"chain": {problems.Windows(7, 7, 1, 0, 1), 1}, "all": {problems.Everything(4, 3), 1},
		"grid": {problems.Grid([3]int{1, 5, 1}, [3]int{0, 0, 1}, [3]int{0, 1, 0}), 1},
	} {
		one, periods := c.s.Period()
		if periods != c.want {
			t.Errorf("%s: %d periods, want %d", name, periods, c.want)
			continue
		}
		for k := range c.s.Components() {
			of, copies := k%one.Components(), k/one.Components()
			want := one.Reads(of, nil)
			for j := range want {
				want[j] += copies * one.Variables()
			}
			if got := c.s.Reads(k, nil); !slices.Equal(got, want) || c.s.Cost(k) != one.Cost(of) ||
				c.s.Squares(k) != one.Squares(of) {
				t.Errorf("%s: component %d reads %v, want %v as in the period", name, k, got, want)
			}
		}
	}
}

// Differences cost two evaluations of every component for each variable that it reads.
func TestDifferencesWork(t *testing.T) {
	for _, c := range []struct {
		s    problems.Structure
		want float64
	}{
		{problems.Windows(7, 7, 1, 0, 1), 2 * 13. / 7}, // the last component reads one variable
		{problems.Everything(4, 3), 8},
		{problems.RepeatedLists(5, 3, []uint32{0, 1, 4}, []uint32{2, 0, 1, 2}).Costing(1, 9), 2 * (1 + 27.) / 10},
		{problems.Lists(3, []uint32{0, 1, 4}, []uint32{2, 0, 1, 2}), 4},
		{problems.Windows(9, 3, 4, 1, 3).Costing(5), 2 * 6. / 3},
		{problems.Offsets(9, 9, 1, []int{0, 3, 8}), 2 * (9 + 6 + 1.) / 9},
		{problems.Grid([3]int{1, 3, 4}, [3]int{}, [3]int{0, 0, 1}, [3]int{0, -1, 1}), 2 * (12 + 9 + 6.) / 12},
		{problems.Grid([3]int{1, 3, 4}, [3]int{}, [3]int{1, 0, 0}).Costing(1, 2), 2},
	} {
		if got := c.s.DifferencesWork(); got != c.want {
			t.Errorf("differences cost %v values, want %v", got, c.want)
		}
	}
}

// The functions that declare squares are those that have a text with residuals.
func TestSquares(t *testing.T) {
	declared := 0
	for _, e := range catalog.List() {
		if !strings.HasPrefix(e.Name, "classic/") && !strings.HasPrefix(e.Name, "cec2013/") {
			continue
		}
		p, err := catalog.Parse(e.Name, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		squares := p.Structure().Squares(0)
		if _, err := p.Text(problems.FP64, problems.Residuals); (err == nil) != (squares > 0) {
			t.Errorf("%s: %d squares, and the text with residuals says %v", e.Name, squares, err)
		}
		declared += problems.Flag(squares > 0)
	}
	if declared != 9 { // F1, F4, F7, F8, F11 to F15
		t.Errorf("%d functions declare squares, want 9", declared)
	}
}

// A value that is updated by differences does not drift: after a million moves it is that of a full evaluation, for
// every function.
func TestKeptDrift(t *testing.T) {
	moves := 1000000
	if testing.Short() {
		moves = 1000
	}
	for _, e := range catalog.List() {
		name, ok := strings.CutPrefix(e.Name, "classic/")
		if !ok {
			continue
		}
		c, err := classic.New(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		n := c.Domain().N
		x := make([]float64, n)
		next := uint64(1)
		draw := func() float64 {
			next = next*6364136223846793005 + 1442695040888963407
			return float64(next>>11) * 0x1p-53
		}
		for i := range x {
			lo, hi := c.Domain().Interval(i)
			x[i] = lo + (hi-lo)*draw()
		}
		k := problems.NewDeltaEvaluator(c, x)
		largest := 0.0
		for range moves {
			i := int(draw() * float64(n))
			lo, hi := c.Domain().Interval(i)
			f := k.Try(i, lo+(hi-lo)*draw())
			k.Take()
			largest = max(largest, f, -f)
		}
		kept, full := k.Value(), k.Refresh()
		// Each move rounds sums of at most the largest size a few times; the
		// signs are as good as random.
		if d := max(kept-full, full-kept); d > 1e-16*300*20*max(1, largest) {
			t.Errorf("%s: kept %v, full %v, after %d moves up to %v", name, kept, full, moves, largest)
		}
	}
}
