package linkage

import (
	"slices"

	"github.com/clopt/clopt/problems/graph"
)

// Classes is a coloring of the vertices of a graph. The vertices of one class are
// not neighbours, so that they may flip at the same time. Class k is
// Vertices[Offsets[k]:Offsets[k+1]], in increasing order.
type Classes struct {
	Offsets  []int
	Vertices []uint32
}

// N returns the number of classes.
func (c *Classes) N() int { return len(c.Offsets) - 1 }

// Of returns class k. The caller must not change it.
func (c *Classes) Of(k int) []uint32 { return c.Vertices[c.Offsets[k]:c.Offsets[k+1]] }

// VertexClasses returns two classes if the graph is bipartite. Otherwise it takes
// the vertices in the smallest-last order of Matula and Beck (1983,
// doi:10.1145/2402.322385) and puts each into the first class without a neighbour.
// The number of classes is then at most one more than the degeneracy of the graph.
func VertexClasses(g *graph.Graph) *Classes {
	color := bipartite(g)
	if color == nil {
		color = smallestLast(g)
	}
	colors := 0
	for _, c := range color {
		colors = max(colors, int(c)+1)
	}
	classes := &Classes{Offsets: make([]int, colors+1), Vertices: make([]uint32, g.N())}
	for _, c := range color {
		classes.Offsets[c+1]++
	}
	for k := range colors {
		classes.Offsets[k+1] += classes.Offsets[k]
	}
	next := slices.Clone(classes.Offsets)
	for v, c := range color {
		classes.Vertices[next[c]] = uint32(v)
		next[c]++
	}
	return classes
}

// bipartite returns a coloring with two colors, or nil if there is none.
func bipartite(g *graph.Graph) []int32 {
	color := make([]int32, g.N())
	for v := range color {
		color[v] = -1
	}
	var queue []uint32
	for start := range color {
		if color[start] >= 0 {
			continue
		}
		color[start] = 0
		queue = append(queue[:0], uint32(start))
		for len(queue) > 0 {
			v := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			for _, u := range g.Neighbors[g.Offsets[v]:g.Offsets[v+1]] {
				switch color[u] {
				case -1:
					color[u] = 1 - color[v]
					queue = append(queue, u)
				case color[v]:
					return nil
				}
			}
		}
	}
	return color
}

// smallestLast repeatedly removes a vertex of the smallest remaining degree, and
// colors the vertices in the opposite order.
func smallestLast(g *graph.Graph) []int32 {
	n := g.N()
	degree, most := make([]int, n), 0
	for v := range n {
		degree[v] = g.Offsets[v+1] - g.Offsets[v]
		most = max(most, degree[v])
	}
	buckets := make([][]uint32, most+1) // vertices by degree; an entry is out of date if the degree has changed
	for v := n - 1; v >= 0; v-- {
		buckets[degree[v]] = append(buckets[degree[v]], uint32(v))
	}
	order := make([]uint32, 0, n)
	for k := 0; len(order) < n; {
		b := buckets[k]
		if len(b) == 0 {
			k++
			continue
		}
		v := b[len(b)-1]
		buckets[k] = b[:len(b)-1]
		if degree[v] != k {
			continue
		}
		degree[v] = -1
		order = append(order, v)
		for _, u := range g.Neighbors[g.Offsets[v]:g.Offsets[v+1]] {
			if degree[u] > 0 {
				degree[u]--
				buckets[degree[u]] = append(buckets[degree[u]], u)
				k = min(k, degree[u])
			}
		}
	}
	color := make([]int32, n)
	for v := range color {
		color[v] = -1
	}
	taken := make([]int, most+2) // by color: v+1 for the last vertex v with a neighbour of this color
	for i := n - 1; i >= 0; i-- {
		v := order[i]
		for _, u := range g.Neighbors[g.Offsets[v]:g.Offsets[v+1]] {
			if color[u] >= 0 {
				taken[color[u]] = int(v) + 1
			}
		}
		for taken[color[v]+1] == int(v)+1 {
			color[v]++
		}
		color[v]++
	}
	return color
}
