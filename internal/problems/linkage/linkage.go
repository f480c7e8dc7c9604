// Package linkage learns which vertices of a graph belong together. It makes families of sets for gene-pool optimal
// mixing, and classes of sets and of vertices that do not touch.
//
//	graph, similarity ──► Sparse or Dense ──► Model ──► Relabel ──► Color ──► Classes
//	                      (UPGMA)             intervals of          (Welsh-Powell)
//	                                          a leaf order
//
// A linkage tree of l vertices has 2l-2 sets, whose sizes add up to between l·log2(l) and l²/2. The members of sets are
// not stored: vertices are numbered by the leaves of the tree from left to right, so that every set is an interval of
// positions. The same arguments give the same result; draws break ties.
package linkage

import (
	"slices"

	"github.com/clopt/clopt/problems/graph"
)

// Set is the interval [Lo, Hi) of positions in a Model's leaf order.
type Set struct{ Lo, Hi uint32 }

// Len returns the number of vertices in the set.
func (s Set) Len() int { return int(s.Hi - s.Lo) }

// Model is a laminar family of sets of vertices: any two sets are disjoint, or one
// contains the other. The set of all vertices is never part of it.
type Model struct {
	// Order is the leaf order: Order[p] is the vertex at position p.
	Order []uint32
	// Sets lists the singletons first, set p being [p, p+1), then the others, each
	// after the sets that it contains. A graph of one vertex has no sets.
	Sets []Set
	// Parent is, for each set, the smallest set that contains it, or -1.
	Parent []int32
}

// Univariate returns the model of n singletons, in the order of vertices.
func Univariate(n int) *Model {
	m := &Model{Order: count(n)}
	m.singletons()
	return m
}

func (m *Model) singletons() {
	n := len(m.Order)
	if n < 2 {
		return
	}
	m.Sets, m.Parent = make([]Set, n, 2*n), make([]int32, n, 2*n)
	for p := range n {
		m.Sets[p], m.Parent[p] = Set{uint32(p), uint32(p + 1)}, -1
	}
}

// Depth returns the largest number of sets that contain one vertex.
func (m *Model) Depth() (depth int) {
	level := make([]int, len(m.Sets))
	for s := len(m.Sets) - 1; s >= 0; s-- { // parents come after their sets
		level[s] = 1
		if p := m.Parent[s]; p >= 0 {
			level[s] = level[p] + 1
		}
		depth = max(depth, level[s])
	}
	return depth
}

// Relabel returns g with other numbers of vertices: vertex p of the result is
// vertex order[p] of g. It returns g itself if all vertices keep their numbers.
func Relabel(g *graph.Graph, order []uint32) *graph.Graph {
	if slices.IsSorted(order) {
		return g
	}
	n := g.N()
	place := make([]uint32, n)
	for p, v := range order {
		place[v] = uint32(p)
	}
	r := &graph.Graph{Offsets: make([]int, n+1), Neighbors: make([]uint32, len(g.Neighbors)),
		Weights: make([]int64, len(g.Weights)), Unit: g.Unit}
	for p, v := range order {
		r.Offsets[p+1] = r.Offsets[p] + g.Offsets[v+1] - g.Offsets[v]
	}
	// Edges are distributed in the order of their other end, so that rows are sorted.
	next := slices.Clone(r.Offsets[:n])
	for p, v := range order {
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			u := place[g.Neighbors[e]]
			r.Neighbors[next[u]], r.Weights[next[u]] = uint32(p), g.Weights[e]
			next[u]++
		}
	}
	return r
}
