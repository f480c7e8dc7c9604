package host

import (
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/graphtest"
)

// clone returns a state that shares nothing with s.
func (s TabuState) clone() *TabuState {
	s.Row, s.Best, s.Free = slices.Clone(s.Row), slices.Clone(s.Best), slices.Clone(s.Free)
	return &s
}

// A tabu search knows the cut of its partition and of the best one, and the edges that it has counted are those at the
// flipped vertices. It makes the same moves if it goes on from its state.
func TestTabuState(t *testing.T) {
	key := rng.Key{Seed: 3, Run: 2}
	for name, g := range graphtest.Small() {
		whole := NewTabu(g, key, &TabuState{})
		whole.Known(make([]uint64, Words(g.N())), 0)
		var moves, edges int64
		for range 12 {
			saved := whole.TabuState.clone()
			m, e := whole.Run(3000)
			moves, edges = moves+m, edges+e
			again := NewTabu(g, key, saved)
			if n, d := again.Run(3000); n != m || d != e || again.F != whole.F || again.Last != whole.Last ||
				!slices.Equal(again.Row, whole.Row) || !slices.Equal(again.Best, whole.Best) ||
				!slices.Equal(again.Free, whole.Free) || again.Cost != whole.Cost {
				t.Fatalf("%s: %d moves of %d edges, and from the state %d of %d", name, m, e, n, d)
			}
		}
		if g.N() < 2 {
			if moves != 0 {
				t.Errorf("%s: %d moves", name, moves)
			}
			continue
		}
		damaged := whole.TabuState.clone()
		if damaged.BestF++; NewTabu(g, key, damaged).Valid() {
			t.Errorf("%s: a state with another best partition is valid", name)
		}
		if f, best := CutOf(g, whole.Row), CutOf(g, whole.Best); f != whole.F || best != whole.BestF || f > best {
			t.Errorf("%s: the cut is %d, not %d; the best one %d, not %d", name, f, whole.F, best, whole.BestF)
		}
		if moves != whole.Moves || edges != whole.Flipped || !whole.Valid() {
			t.Errorf("%s: %d moves of %d edges, and %d of %d in the state", name, moves, edges, whole.Moves,
				whole.Flipped)
		}
	}
}

// A tabu search finds the optima of small graphs, from the empty cut, in a few starts.
func TestTabuOptima(t *testing.T) {
	for n := 2; n <= 13; n++ {
		for seed := range uint32(4) {
			var edges [][3]int
			for u := range n {
				for v := range u {
					if w := (rng.Key{Seed: seed}).Words(uint32(u*n+v), uint32(n), 0, rng.Check); w[0]&3 != 0 {
						edges = append(edges, [3]int{v, u, int(w[1]%41) - 20})
					}
				}
			}
			g := graphtest.Build(n, edges)
			best := int64(0)
			for k := range 1 << (n - 1) {
				best = max(best, CutOf(g, []uint64{uint64(k)}))
			}
			search := NewTabu(g, rng.Key{Seed: seed}, &TabuState{})
			search.Known([]uint64{0}, 0)
			if search.Run(200_000); search.BestF != best {
				t.Errorf("%d vertices, seed %d: %d, and the optimum is %d", n, seed, search.BestF, best)
			}
		}
	}
}
