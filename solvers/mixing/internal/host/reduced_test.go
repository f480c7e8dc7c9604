package host

import (
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/graph"
)

// onGraph is a cut of a graph, of which only the graph is asked for.
type onGraph struct {
	problems.Cut
	g *graph.Graph
}

func (p onGraph) Graph() *graph.Graph { return p.g }

// Work is counted in edges, so some are left, whatever the graph is.
func TestReducedHasEdges(t *testing.T) {
	for _, c := range []struct {
		n     int
		edges [][2]int
	}{{3, nil}, {6, [][2]int{{0, 1}, {2, 3}}}, {5, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}}}} {
		var edges graph.Edges
		for _, e := range c.edges {
			edges.Add(e[0], e[1], -5, 0)
		}
		g, _, _, _ := edges.Graph(c.n, false)
		if left := Reduced(onGraph{g: g}).Graph(); left.M() == 0 && g.M() > 0 {
			t.Errorf("%v: no edge is left", c.edges)
		}
	}
}
