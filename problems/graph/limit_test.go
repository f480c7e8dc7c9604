package graph

import "testing"

// A model whose coefficients fill the exact range becomes one of another kind with the same values: the rest has what
// the other kind has no room for.
func TestToOfLargeSums(t *testing.T) {
	const large = 1<<57 + 12345
	for from := Sides; from <= Spins; from++ {
		edges := Edges{}
		edges.Add(0, 1, large, 0)
		edges.Add(1, 2, -7, 0)
		m := NewModel(from, Quadratic{})
		if from != Sides {
			m.Linear = []int64{3 - large, 1, large}
		}
		m.Pairs, _, _, _ = edges.Graph(3, false)
		for to := Sides; to <= Spins; to++ {
			other, err := m.To(to)
			if err == nil {
				err = other.Validate()
			}
			if err != nil {
				t.Fatalf("%v to %v: %v", from, to, err)
			}
			for point := range uint8(8) {
				x := []uint8{point & 1, point >> 1 & 1, point >> 2}
				if f, g := m.Value(x), other.Value(x); f.Cmp(g) != 0 {
					t.Errorf("%v to %v: %s at %v, want %s", from, to, g.FloatString(20), x, f.FloatString(20))
				}
			}
		}
	}
}
