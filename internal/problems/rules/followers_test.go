package rules_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/problems/rules"
	"github.com/clopt/clopt/problems/graph"
)

// square adds weight·(the sum of factors times variables - right)², without its constant.
func (e edges) square(weight, right, root int, sum [][2]int) {
	for k, a := range sum {
		e.term(a[0], root, weight*a[1]*(a[1]-2*right))
		for _, b := range sum[:k] {
			e.product(a[0], b[0], root, 2*weight*a[1]*b[1])
		}
	}
}

// sacks returns two sums of the same ten variables, each with a limit and four slack bits, the last of which is 6.
func sacks() *graph.Graph {
	e, root := edges{}, 18
	for c := range 2 {
		var sum [][2]int
		for i := range 10 {
			sum = append(sum, [2]int{i, 1 + word(i, 20+c)%9})
		}
		for k, f := range []int{1, 2, 4, 6} {
			sum = append(sum, [2]int{10 + 4*c + k, f})
		}
		e.square(50, 13, root, sum)
	}
	for i := range 10 {
		e.term(i, root, -1-word(i, 22)%20)
	}
	return e.graph(root + 1)
}

// chain returns variables, and one for the product of each with the next one, with couplings between all products.
func chain(n int) *graph.Graph {
	e, root := edges{}, 2*n-1
	for i := range n - 1 {
		z := n + i
		e.product(i, i+1, root, 200)
		e.product(z, i, root, -400)
		e.product(z, i+1, root, -400)
		e.term(z, root, 600)
		for k := range i {
			e.product(z, n+k, root, word(z, 40+k)%21-10)
		}
	}
	return e.graph(root + 1)
}

// Followers are the slack bits of sums, and the variables that stand for products. Random graphs, tables and sets of
// which some are chosen have none.
func TestFollowers(t *testing.T) {
	for _, c := range slices.Concat([]struct {
		name string
		g    *graph.Graph
		want string
	}{
		{"two sums", sacks(), "[13 12 11 10] [6 4 2 1] 100 of 10, [17 16 15 14] [6 4 2 1] 100 of 10, "},
		{"products", chain(5), "[5] [1] 0 of 2, [6] [1] 0 of 2, [7] [1] 0 of 2, [8] [1] 0 of 2, "},
		{"a random graph of few edges", sparse(200, 500, func(int) int { return 1 }), ""},
		{"a random graph of many weights", sparse(200, 800, func(k int) int { return word(k, 6)%1000 - 500 }), ""},
	}, none()) {
		f := rules.Of(c.g, c.g.N()-1).Followers
		got := ""
		for _, g := range f.Groups {
			got += fmt.Sprint(g.Members, " ", g.Factors, " ", g.Self, " of ", len(g.Leaders), ", ")
		}
		if got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
		for v, k := range f.Of {
			if k >= 0 && !slices.Contains(f.Groups[k].Members, int32(v)) {
				t.Errorf("%s: vertex %d is not in its group", c.name, v)
			}
			for _, k := range f.By[v] {
				if !slices.Contains(f.Groups[k].Leaders, int32(v)) {
					t.Errorf("%s: vertex %d does not lead the group that follows it", c.name, v)
				}
			}
		}
	}
}

// none are the graphs of other tests, which have no followers.
func none() (all []struct {
	name string
	g    *graph.Graph
	want string
}) {
	for _, c := range cases {
		all = append(all, struct {
			name string
			g    *graph.Graph
			want string
		}{c.name, c.g, ""})
	}
	return all
}
