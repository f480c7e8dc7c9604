package host

import (
	"testing"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/test/graphtest"
)

// How a graph is annealed follows from its density and its weights: gains are counted as long as the weights at a
// vertex add up to 4095, unless it is the root, which is fixed then. The root is heavy, and so is the vertex of a dense
// graph with the largest weights.
func TestShape(t *testing.T) {
	// star returns a path whose vertices each have an edge to one more, the last one.
	star := func(n, path, edge int) *graph.Graph {
		var edges [][3]int
		for v := range n {
			edges = append(edges, [3]int{v, n, edge})
			if v > 0 {
				edges = append(edges, [3]int{v - 1, v, path})
			}
		}
		return graphtest.Build(n+1, edges)
	}
	ring := func(n, w int) *graph.Graph {
		var edges [][3]int
		for v := range n {
			edges = append(edges, [3]int{v, (v + 1) % n, w})
		}
		return graphtest.Build(n, edges)
	}
	two := func(w int) *graph.Graph { // two paths that share no vertex, without hubs
		return graphtest.Build(200, [][3]int{{0, 1, w}, {1, 2, -1}, {100, 101, -w}})
	}
	// between returns a graph of n vertices, in which the first m/2 have edges to the next m/2.
	between := func(m, n, w int) *graph.Graph {
		var edges [][3]int
		for u := range m / 2 {
			for v := m / 2; v < m; v++ {
				edges = append(edges, [3]int{u, v, w})
			}
		}
		return graphtest.Build(n, edges)
	}
	for name, c := range map[string]struct {
		g            *graph.Graph
		gains        Gains
		fixed, heavy int
		signs        bool
	}{
		"small weights":                {two(4094), Counted, -1, -1, false},
		"large weights":                {two(4095), Added, -1, -1, false},
		"huge weights":                 {two(1 << 62), Added, -1, -1, false},
		"too many weights":             {ring(1<<20+1<<10, 2047), Added, -1, -1, true},
		"one magnitude":                {two(1), Counted, -1, -1, true},
		"root":                         {star(200, 1, -20), Counted, -1, 200, false},
		"root, 4000":                   {star(200, 1, 20), Counted, -1, 200, false},
		"root, 4200":                   {star(200, 1, 21), Counted, 200, 200, false},
		"root, with large others":      {star(200, 4000, 200), Added, 200, 200, false},
		"dense":                        {graphtest.Complete(50, 9, 90), Fields, 5, 5, false},
		"a fourth, counted":            {between(64, 64, 9), Fields, 0, 0, true},
		"less than a fourth, counted":  {between(64, 100, 9), Counted, -1, -1, true},
		"less than a fourth, added up": {between(64, 100, 900), Fields, 0, 0, true},
	} {
		if s := ShapeOf(c.g); s.Gains != c.gains || s.Fixed != c.fixed || s.Heavy != c.heavy || s.Signs != c.signs {
			t.Errorf("%s: %d, vertex %d fixed, %d heavy, one magnitude %v; want %d, %d, %d, %v", name, s.Gains, s.Fixed,
				s.Heavy, s.Signs, c.gains, c.fixed, c.heavy, c.signs)
		}
	}
}
