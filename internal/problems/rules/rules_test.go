package rules_test

import (
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/problems/rules"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/graphtest"
)

// edges are those of a graph that is being made.
type edges map[[2]int]int

func (e edges) add(u, v, w int) { e[[2]int{min(u, v), max(u, v)}] += w }

// clique adds a weight between any two of the vertices.
func (e edges) clique(w int, members ...int) {
	for k, u := range members {
		for _, v := range members[:k] {
			e.add(u, v, w)
		}
	}
}

func (e edges) graph(n int) *graph.Graph {
	var list [][3]int
	for p, w := range e {
		if w != 0 {
			list = append(list, [3]int{p[0], p[1], w})
		}
	}
	return graphtest.Build(n, list)
}

func word(k, what int) int {
	return int(rng.Key{Seed: 5}.Word(uint32(k), uint32(what), 0, rng.Check) >> 8)
}

// table returns m rows of m vertices and m columns of them, with small edges between the cells that are next to each
// other, and a root.
func table(m int) *graph.Graph {
	e := edges{}
	for i := range m {
		var row, column []int
		for j := range m {
			row, column = append(row, i*m+j), append(column, j*m+i)
			e.add(i*m+j, m*m, -7-word(i*m+j, 0)%9)
			for k := range m {
				if k != i {
					e.add(i*m+j, k*m+(j+1)%m, 1+word(i*m+j, k+1)%5)
				}
			}
		}
		e.clique(100, row...)
		e.clique(100, column...)
	}
	return e.graph(m*m + 1)
}

// noisy returns a graph of n vertices and a root, in which any two have an edge of about the same weight.
func noisy(n, weight, noise, part int) *graph.Graph {
	e := edges{}
	for u := range n {
		e.add(u, n, -word(u, 1)%1000)
		for v := range u {
			e.add(u, v, weight)
			if k := u*n + v; word(k, 2)%100 < part {
				e.add(u, v, word(k, 3)%(2*noise+1)-noise)
			}
		}
	}
	return e.graph(n + 1)
}

// sparse returns a random graph.
func sparse(n, m int, weight func(k int) int) *graph.Graph {
	e := edges{}
	for k := range m {
		if u, v := word(k, 4)%n, word(k, 5)%n; u != v {
			e[[2]int{min(u, v), max(u, v)}] = weight(k)
		}
	}
	return e.graph(n)
}

var cases = []struct {
	name   string
	g      *graph.Graph
	rows   int
	weight int64 // of the first
	whole  bool
}{
	{"a table", table(6), 12, 100, false},
	{"pairs of about one weight", noisy(40, 50, 20, 10), 1, 50, true},
	{"pairs of many weights", noisy(40, 50, 40, 100), 1, 0, true},
	{"pairs of very different weights", noisy(40, 5, 500, 100), 0, 0, false},
	{"a random graph", sparse(60, 400, func(int) int { return 1 }), 0, 0, false},
	{"a graph with both signs", sparse(60, 1500, func(k int) int { return 1 - 2*(word(k, 6)&1) }), 0, 0, false},
	{"no edges", graphtest.Build(5, nil), 0, 0, false},
	{"two vertices", graphtest.Build(2, [][3]int{{0, 1, 3}}), 0, 0, false},
}

// Find finds the rows that are there, and none in random graphs.
func TestFind(t *testing.T) {
	for _, c := range cases {
		r := rules.Of(c.g, c.g.N()-1).Rows
		if len(r.Rows) != c.rows || r.Whole != c.whole || len(r.Rows) > 0 && r.Rows[0].Weight != c.weight {
			t.Errorf("%s: %d rows of weight %d, whole %v; there are %d of %d, %v", c.name, len(r.Rows), r.Weight(0),
				r.Whole, c.rows, c.weight, c.whole)
		}
	}
}

// The weights of the rows and what is left of the graph without them give the cuts of the graph, for random partitions.
func TestRest(t *testing.T) {
	for _, c := range cases {
		n := c.g.N()
		r := rules.Of(c.g, n-1).Rows
		rest := r.Rest(c.g, n-1)
		if err := rest.Validate(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		sides := make([]uint8, n)
		for k := range 1000 {
			for v := range sides {
				sides[v] = uint8(word(k*n+v, 7) & 1)
			}
			cut := rest.Cut(sides)
			for _, row := range r.Rows {
				ones := int64(0)
				for _, v := range row.Members {
					ones += int64(sides[v])
				}
				cut += row.Weight * ones * (int64(len(row.Members)) - ones)
			}
			if whole := c.g.Cut(sides); cut != whole {
				t.Fatalf("%s: the cut is %d, and %d of its parts", c.name, whole, cut)
			}
		}
	}
}

// Rows know their vertices, and vertices their rows.
func TestRows(t *testing.T) {
	for _, c := range cases {
		r := rules.Of(c.g, c.g.N()-1).Rows
		for k, row := range r.Rows {
			for _, v := range row.Members {
				if of := r.Of[v]; of[0] != int32(k) && of[1] != int32(k) {
					t.Errorf("%s: vertex %d is in row %d, and knows %v", c.name, v, k, of)
				}
			}
		}
		for v, of := range r.Of {
			if k := len(r.Rows); of[1] != int32(k) && r.Cross[int(of[1])*k+int(of[0])] != int32(v) {
				t.Errorf("%s: vertex %d is not where its rows cross", c.name, v)
			}
		}
	}
}

// Counts are those of the penalties, whatever the aim adds to the terms of single variables.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name  string
		rows  [][]int
		ones  []int
		aim   func(e edges, i int) // of variable i
		n     int
		whole bool
	}{
		{"columns", [][]int{{0, 1, 2, 3}, {4, 5, 6, 7, 8}}, []int{1, 3}, func(edges, int) {}, 9, false},
		{"costs", [][]int{{0, 1, 2, 3}, {4, 5, 6, 7, 8}}, []int{2, 1}, func(e edges, i int) { e.term(i, 9, i*3) }, 9,
			false},
		{"a bisection", [][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}, []int{6}, func(e edges, i int) {
			e.term(i, 12, 20)
			e.product(i, (i+1)%12, 12, -20)
		}, 12, true},
	} {
		e := edges{}
		for k, row := range c.rows {
			for a, i := range row {
				e.term(i, c.n, 30*(1-2*c.ones[k]))
				for _, j := range row[:a] {
					e.product(i, j, c.n, 60)
				}
			}
		}
		for i := range c.n {
			c.aim(e, i)
		}
		g := e.graph(c.n + 1)
		r := rules.Of(g, c.n).Rows
		if got := r.Counts(g, c.n); !slices.Equal(got, c.ones) || r.Whole != c.whole {
			t.Errorf("%s: counts %v, want %v", c.name, got, c.ones)
		}
	}
}

// term adds a linear term of a QUBO, and product a coupling, to the cut whose largest value is twice its smallest one.
func (e edges) term(i, root, a int) { e.add(i, root, -2*a) }

func (e edges) product(i, j, root, q int) {
	e.add(i, j, q)
	e.add(i, root, -q)
	e.add(j, root, -q)
}
