package host

import (
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/graphtest"
)

// Hubs with large weights take no memory at the places beside them: there are at most as many edges of padding as of
// the graph.
func TestSumsOfHubs(t *testing.T) {
	const n, hubs = 2000, 4
	var edges [][3]int
	for v := hubs; v < n; v++ {
		for h := range hubs {
			edges = append(edges, [3]int{h, v, 5000 + v})
		}
	}
	g := graphtest.Build(n, edges)
	s := NewAnnealing(ShapeOf(g), 10, rng.Key{}).Sliced
	if s.Sums == nil {
		t.Fatal("gains are not added up")
	}
	if most := 2 * len(g.Neighbors); len(s.Sums.Edges) > most || len(s.Sums.Weights) != len(s.Sums.Edges) {
		t.Errorf("%d edges are stored, want at most %d", len(s.Sums.Edges), most)
	}
}
