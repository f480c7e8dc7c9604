package graph

import (
	"cmp"
	"math"
	"slices"
)

// fractions are fixed-point numbers that are to be added to the weights of a graph, in units of 2^-bits of its unit.
// Balanced, Largest and Ascend count them.
type fractions struct {
	weights []int64 // as Weights
	bits    int     // at most 62
}

// With returns the graph with the terms added to the weights of its edges, in units, and with the vertices that they
// have besides. Edges may weigh 0, and only Balanced, Largest and Ascend count the terms. off is the largest error of a
// cut, in units, which comes from the rounding of the terms.
func (g *Graph) With(terms []Term) (h *Graph, off float64) {
	type arc struct {
		from, to uint32
		weight   int64
		fraction float64
	}
	n, sum := g.N(), 0.0
	arcs := make([]arc, 0, len(g.Weights)+2*len(terms))
	for v := range n {
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			arcs = append(arcs, arc{uint32(v), g.Neighbors[e], g.Weights[e], 0})
		}
	}
	for _, t := range terms {
		arcs = append(arcs, arc{t.U, t.V, 0, t.C}, arc{t.V, t.U, 0, t.C})
		n = max(n, int(t.U)+1, int(t.V)+1)
		sum += math.Abs(t.C)
	}
	slices.SortStableFunc(arcs, func(a, b arc) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	f := &fractions{bits: 60}
	for f.bits > 0 && math.Ldexp(sum+float64(len(terms)), f.bits) >= 1<<61 {
		f.bits--
	}
	h = &Graph{Offsets: make([]int, n+1), Unit: g.Unit, fractions: f}
	for i := 0; i < len(arcs); {
		a := arcs[i]
		for i++; i < len(arcs) && arcs[i].from == a.from && arcs[i].to == a.to; i++ {
			a.weight, a.fraction = a.weight+arcs[i].weight, a.fraction+arcs[i].fraction
		}
		h.Neighbors, h.Weights = append(h.Neighbors, a.to), append(h.Weights, a.weight)
		f.weights = append(f.weights, int64(math.Round(math.Ldexp(a.fraction, f.bits))))
		h.Offsets[a.from+1] = len(h.Neighbors)
	}
	for v := range n {
		h.Offsets[v+1] = max(h.Offsets[v+1], h.Offsets[v])
	}
	return h, float64(len(terms))*math.Ldexp(1, -f.bits) + sum*0x1p-50
}

// falls reports whether w units and a number of units of fractions are less than 0 in all.
func (f *fractions) falls(w, fraction int64) bool {
	if f == nil || w == 0 {
		return w < 0 || fraction < 0
	}
	if room := int64(1) << (62 - f.bits); w >= room || w <= -room {
		return w < 0
	}
	return w<<f.bits+fraction < 0
}

// at returns the fraction of an edge.
func (f *fractions) at(e int) int64 {
	if f == nil {
		return 0
	}
	return f.weights[e]
}

// mostPasses is the number of passes over all vertices after which Ascend ends.
const mostPasses = 100

// Ascend moves vertices to the other side, one by one in their order, where that makes the cut larger. It ends when no
// such vertex is left, or after 100 passes.
func (g *Graph) Ascend(side []uint8) {
	for pass, moved := 0, true; moved && pass < mostPasses; pass++ {
		moved = false
		for v := range g.N() {
			loss, fraction := int64(0), int64(0)
			for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
				if w, f := g.Weights[e], g.fractions.at(e); side[g.Neighbors[e]] == side[v] {
					loss, fraction = loss-w, fraction-f
				} else {
					loss, fraction = loss+w, fraction+f
				}
			}
			if g.fractions.falls(loss, fraction) {
				side[v] ^= 1
				moved = true
			}
		}
	}
}
