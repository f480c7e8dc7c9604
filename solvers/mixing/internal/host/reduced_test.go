package host

import (
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/test/graphtest"
)

// The largest cut of a graph without conflict, or of one of which such a graph is left, is known before a search: every
// partition of what is left stands for it.
func TestReducedSolved(t *testing.T) {
	// A complete bipartite graph. Vertices 2 and 7 are on other sides, so that the signs of their edges are others.
	var edges [][3]int
	for u := range 6 {
		for v := 6; v < 12; v++ {
			w := 1 + (u+v)%3
			if (u == 2) != (v == 7) {
				w = -w
			}
			edges = append(edges, [3]int{u, v, w})
		}
	}
	triangle := append([][3]int{{0, 12, 2}, {12, 13, 3}, {13, 0, 4}}, edges...)
	conflict := append([][3]int{{0, 1, 9}}, edges...)
	for name, c := range map[string]struct {
		edges  [][3]int
		n      int
		solved bool
	}{
		"no conflict": {edges, 12, true}, "a triangle, which is removed": {triangle, 14, true},
		"a conflict": {conflict, 12, false}, "no edges": {nil, 5, false},
	} {
		p := problems.Cut(cut.NewMaxCut(graphtest.Build(c.n, c.edges)))
		q := Reduced(p)
		if _, ok := q.(solved); ok != c.solved {
			t.Errorf("%s: solved %v", name, ok)
		}
		if !c.solved {
			continue
		}
		least := 0.0 // over all partitions
		for bits := range 1 << c.n {
			side := make([]uint8, c.n)
			for v := range side {
				side[v] = uint8(bits >> v & 1)
			}
			least = min(least, p.Value(p.Graph().Cut(side)))
		}
		x, side := make([]float64, c.n), []uint8{0, 1}
		q.Point(side, x)
		if f, err := problems.Eval(p, x); err != nil || f != least || q.Value(q.Graph().Cut(side)) != least {
			t.Errorf("%s: a value of %v, said to be %v, of all partitions %v; %v", name, f,
				q.Value(q.Graph().Cut(side)), least, err)
		}
	}
}
