package graph

import (
	"math"
	"strings"
	"testing"
)

// TestEdgesRefuse gives lists that are no graphs.
func TestEdgesRefuse(t *testing.T) {
	for _, c := range []struct {
		n     int
		edges [][2]int
		want  string
	}{
		{3, [][2]int{{0, 1}, {1, 3}}, "edge 1 goes from vertex 1 to 3, and 3 vertices have the numbers 0 to 2"},
		{3, [][2]int{{-1, 1}}, "edge 0 goes from vertex 4294967295"},
		{3, [][2]int{{0, 1 << 40}}, "edge 0 goes from vertex 0 to 4294967295"},
		{3, [][2]int{{2, 2}}, "edge 0 goes from vertex 2 to itself"},
		{3, [][2]int{{0, 1}, {1, 0}}, "the edge from vertex 0 to 1 is repeated"},
		{0, nil, "0 vertices"},
		{-4, nil, "-4 vertices"},
		{math.MaxInt, nil, "vertices; use 1 to"},
	} {
		var edges Edges
		for _, e := range c.edges {
			edges.Add(e[0], e[1], 1, 0)
		}
		g, _, _, err := edges.Graph(c.n, false)
		if g != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want an error with %q", c.edges, err, c.want)
		}
	}
	for _, digits := range []int{-351, 351, 1000} {
		if edges := (&Edges{}); edges.Add(0, 1, 1, digits) {
			t.Errorf("%d decimals are taken", digits)
		}
	}
	uneven := Edges{U: []uint32{0}, V: []uint32{1, 2}}
	_, _, _, err := uneven.Graph(3, false)
	if err == nil || !strings.Contains(err.Error(), "U has 1 numbers, V has 2") {
		t.Error(err)
	}
}

// TestValidateNamesFaults makes graphs by hand.
func TestValidateNamesFaults(t *testing.T) {
	row := func(change func(g *Graph)) *Graph { // 0 - 1 - 2
		g := &Graph{Offsets: []int{0, 1, 3, 4}, Neighbors: []uint32{1, 0, 2, 1}, Weights: []int64{5, 5, 7, 7}, Unit: 1}
		change(g)
		return g
	}
	for _, c := range []struct {
		g    *Graph
		want string
	}{
		{row(func(g *Graph) {}), ""},
		{row(func(g *Graph) { g.Unit = 0.01 }), ""},
		{nil, "without Offsets"},
		{&Graph{}, "without Offsets"},
		{row(func(g *Graph) { g.Unit = 0 }), "Unit is 0"},
		{row(func(g *Graph) { g.Unit = 3 }), "Unit is 3"},
		{row(func(g *Graph) { g.Offsets[3] = 9 }), "Offsets go from 0 to 9"},
		{row(func(g *Graph) { g.Offsets[1] = -1 }), "Offsets"},
		{row(func(g *Graph) { g.Weights = nil }), "0 Weights for 4 Neighbors"},
		{row(func(g *Graph) { g.Neighbors[0] = 3 }), "vertex 0 has the neighbour 3"},
		{row(func(g *Graph) { g.Neighbors[0] = 0 }), "vertex 0 is its own neighbour"},
		{row(func(g *Graph) { g.Neighbors[1], g.Neighbors[2] = 2, 0 }), "not also in row 1"},
		{row(func(g *Graph) { g.Neighbors[2] = 0 }), "increasing order"},
		{row(func(g *Graph) { g.Weights[0], g.Weights[1] = 0, 0 }), "weighs 0"},
		{row(func(g *Graph) { g.Weights[0] = 6 }), "not also in row 1"},
		{row(func(g *Graph) { g.Neighbors[3] = 0 }), "not also in row 2"},
		{row(func(g *Graph) { g.Weights = []int64{math.MinInt64, math.MinInt64, 7, 7} }), "beyond 2^62"},
		{row(func(g *Graph) { g.Weights = []int64{1 << 61, 1 << 61, 1 << 61, 1 << 61} }), "beyond 2^62"},
	} {
		err := c.g.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.g, err, c.want)
		}
	}
}
