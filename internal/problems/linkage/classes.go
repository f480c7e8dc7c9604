package linkage

import (
	"slices"

	"github.com/clopt/clopt/problems/graph"
)

// Classes divides numbers, of vertices or of sets, into classes. Class k is Members[Offsets[k]:Offsets[k+1]].
type Classes struct {
	Offsets []int
	Members []uint32
}

// N returns the number of classes.
func (c *Classes) N() int { return len(c.Offsets) - 1 }

// Of returns class k. The caller must not change it.
func (c *Classes) Of(k int) []uint32 { return c.Members[c.Offsets[k]:c.Offsets[k+1]] }

// Divide returns the classes of members: member m is in class class[m], and the members of a class keep their order.
// If members is nil, they are 0, 1, … len(class)-1.
func Divide(members []uint32, class []int32) *Classes {
	if members == nil {
		members = count(len(class))
	}
	n := int32(0)
	for _, m := range members {
		n = max(n, class[m]+1)
	}
	c := &Classes{Offsets: make([]int, n+1), Members: make([]uint32, len(members))}
	for _, m := range members {
		c.Offsets[class[m]+1]++
	}
	for k := range n {
		c.Offsets[k+1] += c.Offsets[k]
	}
	next := slices.Clone(c.Offsets)
	for _, m := range members {
		c.Members[next[class[m]]] = m
		next[class[m]]++
	}
	return c
}

// count returns 0, 1, … n-1.
func count(n int) []uint32 {
	c := make([]uint32, n)
	for i := range c {
		c[i] = uint32(i)
	}
	return c
}

// VertexClasses divides the vertices of a graph into classes of vertices that are not neighbours, so that those of a
// class may flip at the same time. There are two classes if the graph is bipartite. Otherwise it takes the vertices in
// the smallest-last order of Matula and Beck (1983, doi:10.1145/2402.322385) and puts each into the first class without
// a neighbour. The number of classes is then at most one more than the degeneracy of the graph. The vertices of a class
// are in increasing order.
func VertexClasses(g *graph.Graph) *Classes {
	color := make([]int32, g.N())
	if side, ok := g.Sides(func(int64) bool { return true }); ok {
		for v, s := range side {
			color[v] = int32(s)
		}
	} else {
		color = smallestLast(g)
	}
	return Divide(nil, color)
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
