package graph

import (
	"slices"

	"github.com/clopt/clopt/problems/input"
)

// Reduction is a graph without the vertices that have at most three neighbours, which have been removed one after the
// other. Edges between the neighbours of a vertex take its place: for any sides of the neighbours, they add as much to
// the cut as the vertex does on its better side, apart from a constant. For three neighbours this is the star-triangle
// transformation of the Ising model. The largest cut of the whole graph follows from that of what is left.
type Reduction struct {
	Graph    *Graph   // what is left, at least two vertices
	Vertices []uint32 // those that are left, of the whole graph; in increasing order

	vertices int        // of the whole graph
	factor   int64      // the weights of Graph are in units of Unit/factor, where factor is 1 or 2
	base     int64      // in these units: what is added to a cut of Graph
	removed  []neighbor // in the order in which they were removed
}

// neighbor is a vertex with its edges to at most three neighbours; a weight of 0 is no edge.
type neighbor struct {
	vertex uint32
	near   [3]uint32
	weight [3]int64
}

// gains returns what the vertex adds to the largest cut if its neighbours are all on one side, and if the first, second
// or third is on the other side.
func (v *neighbor) gains() (same int64, other [3]int64) {
	sum := v.weight[0] + v.weight[1] + v.weight[2]
	for k, w := range v.weight {
		other[k] = max(w, sum-w)
	}
	return max(0, sum), other
}

// Whole returns the cut of the whole graph for a cut of what is left.
func (r *Reduction) Whole(cut int64) int64 { return (cut + r.base) / r.factor }

// Expand returns the partition of the whole graph that has the largest cut of those with the given sides of the
// vertices that are left.
func (r *Reduction) Expand(side []uint8) []uint8 {
	whole := make([]uint8, r.vertices)
	for k, v := range r.Vertices {
		whole[v] = side[k]
	}
	for _, v := range slices.Backward(r.removed) {
		gain := int64(0) // of side 1 over side 0
		for k, u := range v.near {
			gain += v.weight[k] * (1 - 2*int64(whole[u]))
		}
		if gain > 0 {
			whole[v.vertex] = 1
		}
	}
	return whole
}

// Reduce removes vertices that have at most three neighbours, until there are none or two vertices are left. It returns
// nil if there are none. A vertex with three neighbours stays if its removal would make edges of half a unit, after all
// weights have been doubled once.
func (g *Graph) Reduce() *Reduction {
	r := reducer{whole: g, factor: 1, left: g.N(), changed: map[[2]uint32]int64{}, joined: map[uint32][]uint32{},
		degree: make([]int32, g.N()), gone: make([]bool, g.N())}
	var sum uint64 // of all weights, twice
	for _, w := range g.Weights {
		sum += magnitude(w)
	}
	if sum < input.MaxExact {
		r.factor = 2
	}
	for v := range g.N() {
		r.degree[v] = int32(g.Offsets[v+1] - g.Offsets[v])
		r.consider(uint32(v))
	}
	for r.left > 2 && len(r.few) > 0 {
		v := r.few[0]
		r.few = r.few[1:]
		if !r.gone[v] && r.degree[v] <= 3 {
			r.remove(v)
		}
	}
	if len(r.removed) == 0 {
		return nil
	}
	return r.rest()
}

// reducer is a graph in which vertices are being removed.
type reducer struct {
	whole   *Graph
	factor  int64               // of all weights
	changed map[[2]uint32]int64 // weights of edges that are not those of whole, smaller vertex first; 0: no edge
	joined  map[uint32][]uint32 // neighbours that a vertex did not have in whole, some more than once
	degree  []int32
	gone    []bool
	few     []uint32 // vertices that have had at most three neighbours
	left    int
	base    int64
	removed []neighbor
}

func (r *reducer) consider(v uint32) {
	if r.degree[v] <= 3 {
		r.few = append(r.few, v)
	}
}

// weight returns the weight of the edge between two vertices, 0 if there is none.
func (r *reducer) weight(u, v uint32) int64 {
	if w, ok := r.changed[[2]uint32{min(u, v), max(u, v)}]; ok {
		return w
	}
	return r.factor * r.whole.weight(u, v)
}

// weight returns the weight of the edge between two vertices, 0 if there is none.
func (g *Graph) weight(u, v uint32) int64 {
	row := g.Neighbors[g.Offsets[u]:g.Offsets[u+1]]
	if e, ok := slices.BinarySearch(row, v); ok {
		return g.Weights[g.Offsets[u]+e]
	}
	return 0
}

// near calls f for the neighbours of v and the weights of the edges.
func (r *reducer) near(v uint32, f func(u uint32, w int64)) {
	g := r.whole
	for _, u := range g.Neighbors[g.Offsets[v]:g.Offsets[v+1]] {
		if w := r.weight(v, u); w != 0 && !r.gone[u] {
			f(u, w)
		}
	}
	joined := r.joined[v]
	slices.Sort(joined)
	for _, u := range slices.Compact(joined) {
		if w := r.weight(v, u); w != 0 && !r.gone[u] {
			f(u, w)
		}
	}
}

// remove removes v, unless edges of half a unit would take its place.
func (r *reducer) remove(v uint32) {
	n, size := neighbor{vertex: v}, 0
	r.near(v, func(u uint32, w int64) {
		n.near[size], n.weight[size] = u, w
		size++
	})
	same, other := n.gains()
	all := other[0] + other[1] + other[2] - same
	if all&1 != 0 {
		return
	}
	r.gone[v] = true
	r.left--
	r.base += same
	r.removed = append(r.removed, n)
	for k := range size {
		r.degree[n.near[k]]--
	}
	for k := range 3 { // the edge of the other two
		if w := all/2 - other[k]; w != 0 {
			r.add(n.near[(k+1)%3], n.near[(k+2)%3], w)
		}
	}
	for k := range size {
		r.consider(n.near[k])
	}
}

// add adds an edge, or its weight to that of an edge.
func (r *reducer) add(u, v uint32, w int64) {
	u, v = min(u, v), max(u, v)
	before := r.weight(u, v)
	r.changed[[2]uint32{u, v}] = before + w
	switch {
	case before == 0:
		r.degree[u]++
		r.degree[v]++
		if r.whole.weight(u, v) == 0 {
			r.joined[u], r.joined[v] = append(r.joined[u], v), append(r.joined[v], u)
		}
	case before+w == 0:
		r.degree[u]--
		r.degree[v]--
	}
}

// rest returns what is left, with weights as small as can be.
func (r *reducer) rest() *Reduction {
	out := &Reduction{vertices: r.whole.N(), factor: r.factor, base: r.base, removed: r.removed}
	number := make([]uint32, r.whole.N())
	for v, gone := range r.gone {
		if !gone {
			number[v] = uint32(len(out.Vertices))
			out.Vertices = append(out.Vertices, uint32(v))
		}
	}
	var edges Edges
	odd := int64(0)
	for _, v := range out.Vertices {
		r.near(v, func(u uint32, w int64) {
			if u > v {
				edges.Add(int(number[v]), int(number[u]), w, 0)
				odd |= w
			}
		})
	}
	if out.factor == 2 && odd&1 == 0 {
		for e := range edges.W {
			edges.W[e] /= 2
		}
		out.factor, out.base = 1, out.base/2
	}
	out.Graph, _, _, _ = edges.Graph(len(out.Vertices), false)
	out.Graph.Unit = r.whole.Unit
	return out
}
