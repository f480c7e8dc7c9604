package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestGraphRules checks that describe says which rules a QUBO has, that a run without a setting keeps them, and that
// the optimum of a knapsack is proven.
func TestGraphRules(t *testing.T) {
	t.Chdir(t.TempDir())
	const m = 6
	tour, sack := "# vartype=BINARY\n# offset=1200\n", "# vartype=BINARY\n# offset=4000\n"
	for i := range m * m {
		tour += fmt.Sprintln(i, i, -200)
		for j := range i {
			a, b, at, to := j/m, i/m, j%m, i%m
			switch {
			case a == b, at == to:
				tour += fmt.Sprintln(j, i, 200)
			case (at+1)%m == to, (to+1)%m == at: // the cities are in a row
				tour += fmt.Sprintln(j, i, b-a)
			}
		}
	}
	sizes := []int{3, 4, 5, 9, 14, 1, 2, 4, 8, 5} // the last five are room that stays
	for i, a := range sizes {
		value := 0
		if i < 5 {
			value = a + i%2
		}
		sack += fmt.Sprintln(i, i, 10*a*(a-40)-value)
		for j, b := range sizes[:i] {
			sack += fmt.Sprintln(j, i, 20*a*b)
		}
	}
	file(t, "tour.coo", tour)
	file(t, "sack.coo", sack)
	file(t, "sacks.coo", twoSums())
	for _, c := range []struct{ args, want string }{
		{"describe tour.coo", "12 times 1 of 6 variables, as a penalty of 100"},
		{"describe tour.coo --json", `"rules":[{"rows":12,"size":6,"ones":1,"price":100}]`},
		{"describe sack.coo", "best known  -20"},
		{"describe sacks.coo", "2 numbers of several bits: set to their best values in one step"},
		{"check sack.coo", "the optimum is -20, proven"},
		{"run tour.coo --seed 1 --evals 2e5 --target 10", "target 10 met"},
		{"run sack.coo --seed 1 --evals 1e4", "best      -20   the optimum"},
	} {
		code, out, errs := call(t, strings.Fields(c.args)...)
		if code != 0 || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: exit %d, no %q\n%s%s", c.args, code, c.want, out, errs)
		}
	}
}

// twoSums returns a QUBO of (the sum of sizes and bits - 9)² for two kinds of sizes of the same five variables.
func twoSums() string {
	q := [13][13]int{}
	for k, sizes := range [][]int{{3, 4, 5, 6, 7}, {5, 2, 8, 4, 3}} {
		all, factors := []int{0, 1, 2, 3, 4, 5 + 4*k, 6 + 4*k, 7 + 4*k, 8 + 4*k}, append(sizes, 1, 2, 4, 2)
		for a, i := range all {
			q[i][i] += factors[a] * (factors[a] - 18)
			for b, j := range all[:a] {
				q[j][i] += 2 * factors[a] * factors[b]
			}
		}
	}
	text := "# vartype=BINARY\n"
	for i, row := range q {
		for j, w := range row {
			if w != 0 {
				text += fmt.Sprintln(i, j, w)
			}
		}
	}
	return text
}
