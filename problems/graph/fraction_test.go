package graph

import (
	"math"
	"testing"

	"github.com/clopt/clopt/problems/rng"
)

// Largest and Balanced find the largest cut of the whole weights where what rounding has taken decides, and Ascend one
// that no vertex makes larger.
func TestLargestCountsTerms(t *testing.T) {
	const n = 7
	key := rng.Key{Seed: 5}
	for trial := range uint32(60) {
		var edges Edges
		var terms []Term
		for i := range uint32(n) {
			for j := range i {
				word := key.Word(i, j, trial, rng.Check)
				if trial%2 == 0 && j != i/2 {
					continue // a tree, whose edges may all weigh 0
				}
				if w := int64(word%3) - 1; w != 0 {
					edges.Add(int(i), int(j), w, 0)
				}
				terms = append(terms, Term{i, j, float64(word>>8&1023)/1024 - 0.4995})
			}
		}
		g, _, _, err := edges.Graph(n, false)
		if err != nil {
			t.Fatal(err)
		}
		value := func(side []uint8) float64 {
			sum := float64(g.Cut(side))
			for _, c := range terms {
				if side[c.U] != side[c.V] {
					sum += c.C
				}
			}
			return sum
		}
		best := math.Inf(-1)
		for bits := range 1 << n {
			side := make([]uint8, n)
			for i := range side {
				side[i] = uint8(bits >> i & 1)
			}
			best = max(best, value(side))
		}
		h, off := g.With(terms)
		some := make([]uint8, n)
		h.Ascend(some)
		for v := range n {
			before := value(some)
			some[v] ^= 1
			if value(some) > before+1e-12 {
				t.Errorf("trial %d: Ascend has not moved vertex %d", trial, v)
			}
			some[v] ^= 1
		}
		_, side, ok := h.Balanced()
		if balanced := ok; !ok || trial%4 < 2 {
			if _, side, ok = h.Largest(1 << 20); !ok || trial%2 == 0 && !balanced {
				t.Fatalf("trial %d: no largest cut, or a tree with a conflict", trial)
			}
		}
		if v := value(side); v < best-1e-12 || off > 1e-12 {
			t.Errorf("trial %d: the largest cut is %v, want %v; off by %g", trial, v, best, off)
		}
	}
}
