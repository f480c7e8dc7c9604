package graph

import (
	"cmp"
	"slices"

	"github.com/clopt/clopt/internal/problems/input"
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
// weights have been doubled once. The graph keeps the result for later calls.
func (g *Graph) Reduce() *Reduction {
	g.reduce.Do(func() { g.left = g.reduced() })
	return g.left
}

func (g *Graph) reduced() *Reduction {
	r := reducer{whole: g, factor: 1, weights: slices.Clone(g.Weights), joined: make([][]uint32, g.N()),
		degree: make([]int32, g.N()), gone: make([]bool, g.N()), left: g.N()}
	var sum uint64 // of all weights, twice
	for _, w := range g.Weights {
		sum += magnitude(w)
	}
	if sum < input.MaxExact {
		r.factor = 2
		for e := range r.weights {
			r.weights[e] *= 2
		}
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
	factor  int64      // of all weights
	weights []int64    // of the edges of whole, at both ends; 0: no edge any more
	added   []addition // edges that are not in whole
	joined  [][]uint32 // numbers of those that end at a vertex
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

// addition is an edge in place of removed ones.
type addition struct {
	ends   uint32 // exclusive or of both
	weight int64  // 0: no edge any more
}

// near calls f for the neighbours of v and the weights of the edges, first for those in whole.
func (r *reducer) near(v uint32, f func(u uint32, w int64)) {
	g := r.whole
	for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
		if u, w := g.Neighbors[e], r.weights[e]; w != 0 && !r.gone[u] {
			f(u, w)
		}
	}
	joined := r.joined[v]
	slices.SortFunc(joined, func(a, b uint32) int { return cmp.Compare(r.added[a].ends^v, r.added[b].ends^v) })
	for _, k := range joined {
		if u, w := r.added[k].ends^v, r.added[k].weight; w != 0 && !r.gone[u] {
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
	a, b := r.places(u, v)
	before := *a
	*a, *b = before+w, before+w
	switch {
	case before == 0:
		r.degree[u]++
		r.degree[v]++
	case before+w == 0:
		r.degree[u]--
		r.degree[v]--
	}
}

// places returns where the weight of the edge between two vertices stands, at both ends or twice the same. It is 0 if
// there was none.
func (r *reducer) places(u, v uint32) (a, b *int64) {
	if e, ok := r.whole.edge(u, v); ok {
		f, _ := r.whole.edge(v, u)
		return &r.weights[e], &r.weights[f]
	}
	few := r.joined[u]
	if len(r.joined[v]) < len(few) {
		few = r.joined[v]
	}
	for _, k := range few {
		if at := &r.added[k]; at.ends == u^v {
			return &at.weight, &at.weight
		}
	}
	k := uint32(len(r.added))
	r.added = append(r.added, addition{ends: u ^ v})
	r.joined[u], r.joined[v] = append(r.joined[u], k), append(r.joined[v], k)
	return &r.added[k].weight, &r.added[k].weight
}

// edge returns the number of the edge between two vertices in the row of the first one.
func (g *Graph) edge(u, v uint32) (e int, ok bool) {
	k, ok := slices.BinarySearch(g.Neighbors[g.Offsets[u]:g.Offsets[u+1]], v)
	return g.Offsets[u] + k, ok
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
	arcs := 0
	for _, v := range out.Vertices {
		arcs += int(r.degree[v])
	}
	g := &Graph{Offsets: make([]int, 1, len(out.Vertices)+1), Neighbors: make([]uint32, 0, arcs),
		Weights: make([]int64, 0, arcs), Unit: r.whole.Unit}
	type arc struct {
		to     uint32
		weight int64
	}
	var row []arc
	odd := int64(0)
	for _, v := range out.Vertices {
		row = row[:0]
		r.near(v, func(u uint32, w int64) { row = append(row, arc{number[u], w}) })
		slices.SortFunc(row, func(a, b arc) int { return cmp.Compare(a.to, b.to) })
		for _, a := range row {
			g.Neighbors, g.Weights = append(g.Neighbors, a.to), append(g.Weights, a.weight)
			odd |= a.weight
		}
		g.Offsets = append(g.Offsets, len(g.Neighbors))
	}
	if out.factor == 2 && odd&1 == 0 {
		for e := range g.Weights {
			g.Weights[e] /= 2
		}
		out.factor, out.base = 1, out.base/2
	}
	out.Graph = g
	return out
}
