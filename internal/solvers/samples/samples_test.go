package samples_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/solvers/samples"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
)

// problem returns an Ising problem of couplings J and fields h.
func problem(t *testing.T, n int, pairs [][3]int, linear []int64) *cut.Cut {
	t.Helper()
	var list graph.Edges
	for _, e := range pairs {
		list.Add(e[0], e[1], int64(e[2]), 0)
	}
	g, _, _, err := list.Graph(n, true)
	if err != nil {
		t.Fatal(err)
	}
	if linear == nil {
		linear = make([]int64, n)
	}
	c, err := cut.New(graph.NewModel(graph.Spins, graph.Quadratic{Pairs: g, Linear: linear}))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ring returns n antiferromagnetic couplings in a ring.
func ring(n int) (pairs [][3]int) {
	for i := range n {
		pairs = append(pairs, [3]int{i, (i + 1) % n, 1})
	}
	return pairs
}

// check checks the form and the values of samples.
func check(t *testing.T, c *cut.Cut, got []samples.Sample, w samples.Wanted) (text string) {
	t.Helper()
	for i, s := range got {
		x := make([]float64, len(s.X))
		for j, v := range s.X {
			x[j] = float64(v)
		}
		if c.ExactValue(x).Cmp(s.Value) != 0 || s.Count < 1 {
			t.Errorf("sample %d: value %v, counted %d", i, s.Value, s.Count)
		}
		if i > 0 && s.Value.Cmp(got[i-1].Value) < 0 {
			t.Errorf("sample %d of value %v follows one of %v", i, s.Value, got[i-1].Value)
		}
		for _, o := range got[:i] {
			d := 0
			for j, v := range s.X {
				d += int(v ^ o.X[j])
			}
			if d < max(w.Distance, 1) {
				t.Errorf("sample %d differs in %d variables from another one", i, d)
			}
		}
		text += s.Value.RatString() + " "
	}
	return text
}

// TestRings finds all ground states of frustrated rings: 2n of n spins, also where not all points are seen.
func TestRings(t *testing.T) {
	for _, n := range []int{5, 9, 25, 31} {
		c := problem(t, n, ring(n), nil)
		w := samples.Wanted{Points: 2*n + 1}
		got := samples.Best(c, make([]float64, n), w, rng.Key{Seed: 1})
		text := check(t, c, got, w)
		want := ""
		for range 2 * n {
			want += fmt.Sprint(2-n, " ")
		}
		if text != want+fmt.Sprint(6-n, " ") {
			t.Errorf("%d spins: %s", n, text)
		}
	}
}

// TestDistance keeps points that differ in several variables, the best first.
func TestDistance(t *testing.T) {
	for _, n := range []int{9, 25} {
		c := problem(t, n, ring(n), nil)
		w := samples.Wanted{Points: 4, Distance: 4}
		got := samples.Best(c, make([]float64, n), w, rng.Key{Seed: 1})
		if check(t, c, got, w); len(got) != 4 || got[0].Value.RatString() != fmt.Sprint(2-n) {
			t.Errorf("%d spins: %v", n, got)
		}
	}
}

// TestWalksSeeAll compares the walks on a random QUBO with all of its points.
func TestWalksSeeAll(t *testing.T) {
	const small, n = 16, 22
	key := rng.Key{Seed: 3}
	var pairs [][3]int
	linear := make([]int64, small, n)
	for i := range small {
		linear[i] = int64(key.Word(uint32(i), 0, 0, rng.Check)%21) - 10
		for j := range i {
			pairs = append(pairs, [3]int{j, i, int(key.Word(uint32(i*small+j), 1, 0, rng.Check)%21) - 10})
		}
	}
	w := samples.Wanted{Points: 30}
	all := problem(t, small, pairs, linear)
	want := check(t, all, samples.Best(all, make([]float64, small), w, key), w)
	for i := small; i < n; i++ { // more variables, which are set by their large fields
		linear = append(linear, 1000)
	}
	more := problem(t, n, pairs, linear)
	got := samples.Best(more, make([]float64, n), w, key)
	for i := range got {
		if slices.Contains(got[i].X[small:], 1) {
			t.Errorf("sample %d: %v", i, got[i].X)
		}
	}
	text := ""
	for _, s := range got {
		v := s.Value.Num().Int64() + 1000*(n-small)
		text += fmt.Sprint(v, " ")
	}
	if text != want {
		t.Errorf("walks found %s, want %s", text, want)
	}
	again := samples.Best(more, make([]float64, n), w, key)
	if fmt.Sprint(again) != fmt.Sprint(got) {
		t.Error("a second search is not the same")
	}
}
