package host

import (
	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/graph"
)

// Dense is a graph that has many of all possible edges, as a matrix for annealing chains whose fields are kept. A
// partition and its complement are the same cut, so the anchor, the vertex of the largest weights, never flips. Without
// it the weights often fit into bytes, also those of a QUBO with large linear terms.
type Dense struct {
	Row    int    // elements of a row: a multiple of PackSize, with zeros at the end
	Anchor uint32 // the vertex that never flips
	Wide   bool   // fields need 64 bits
	// Matrix has the weights row after row, and zeros for the anchor: []uint8 with int8 in them, or else []int32 or, if
	// Wide, []int64. Anchored has those of the anchor's edges: []int32 or, if Wide, []int64.
	Matrix, Anchored any
	Signs            *Signs // instead of Matrix and Anchored if all weights have one magnitude
	Total            int64  // sum of all weights or, with Signs, of what they are larger than -Magnitude
}

// PackSize is the number of consecutive vertices whose fields are kept together.
const PackSize = 16

func newDense(s *Shape) *Dense {
	g := s.Graph
	d := &Dense{Row: (g.N() + PackSize - 1) / PackSize * PackSize, Anchor: uint32(s.Fixed), Wide: s.Most >= 1<<30}
	small := true
	for v := range g.N() {
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			w := g.Weights[e]
			if g.Neighbors[e] > uint32(v) {
				d.Total += w
			}
			small = small && (w == int64(int8(w)) || uint32(v) == d.Anchor || g.Neighbors[e] == d.Anchor)
		}
	}
	if s.Signs {
		d.Signs = newSigns(g)
		d.Total += int64(g.M()) * d.Signs.Magnitude
		return d
	}
	if d.Wide {
		d.Matrix, d.Anchored = matrix[int64](d, g), anchored[int64](d, g)
	} else {
		d.Matrix, d.Anchored = matrix[int32](d, g), anchored[int32](d, g)
	}
	if small {
		d.Matrix = matrix[uint8](d, g)
	}
	return d
}

// FieldWords returns the number of uint32s that the fields of a chain take.
func (d *Dense) FieldWords() int {
	switch {
	case d.Signs != nil:
		return d.Signs.Digits * d.Signs.Row
	case d.Wide:
		return 2 * d.Row
	}
	return d.Row
}

// matrix returns the weights of g without those of the anchor.
func matrix[T uint8 | int32 | int64](d *Dense, g *graph.Graph) []T {
	m := make([]T, g.N()*d.Row)
	for v := range g.N() {
		if uint32(v) == d.Anchor {
			continue
		}
		row := m[v*d.Row : (v+1)*d.Row]
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			row[g.Neighbors[e]] = T(g.Weights[e])
		}
		row[d.Anchor] = 0
	}
	return m
}

// anchored returns the weights of the anchor's edges.
func anchored[T int32 | int64](d *Dense, g *graph.Graph) []T {
	row := make([]T, d.Row)
	for e := g.Offsets[d.Anchor]; e < g.Offsets[d.Anchor+1]; e++ {
		row[g.Neighbors[e]] = T(g.Weights[e])
	}
	return row
}

// classes returns classes of one vertex each, in order, without the anchor.
func (d *Dense) classes(n int) *linkage.Classes {
	c := &linkage.Classes{Offsets: []int{0}}
	for v := range uint32(n) {
		if v != d.Anchor {
			c.Members = append(c.Members, v)
			c.Offsets = append(c.Offsets, len(c.Members))
		}
	}
	return c
}
