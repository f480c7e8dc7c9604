package host

import (
	"math"

	"github.com/clopt/clopt/problems/graph"
)

// Gains says how annealing finds out what the flips of vertices gain.
type Gains uint8

const (
	Fields  Gains = iota // each chain keeps the gains of all vertices: Dense
	Counted              // they are counted for 32 chains at once, one binary digit after the other: Counters
	Added                // they are added up for 32 chains, one sum for each: Sums
)

// Shape is a graph and how it is annealed, which follows from the graph alone.
type Shape struct {
	Graph *graph.Graph
	Gains Gains
	Signs bool // all weights have one magnitude
	// Fixed is the vertex that never flips, or -1 if all do. A partition and its complement are the same cut, so one
	// vertex may stay. On a dense graph that of the largest weights does, without which they often fit into bytes. In
	// words the root does, unless its sum is small enough for counters.
	Fixed int
	// Heavy is the vertex whose weights say nothing about temperatures, or -1: the fixed vertex of a dense graph, and
	// else the root. It pulls at its neighbours, but couples none of them.
	Heavy int
	Most  float64 // the largest sum of |weights| at a vertex
	Sum   float64 // that of all edges
}

// ShapeOf returns the shape of g.
func ShapeOf(g *graph.Graph) *Shape {
	s, heaviest := shapeOfWords(g)
	if s.dense() {
		s.Gains = Fields
		s.Fixed = heaviest
		s.Heavy = heaviest
	}
	return s
}

// Of returns the shape of g, which is the graph of s, perhaps with other numbers of its vertices.
func (s *Shape) Of(g *graph.Graph) *Shape {
	if g == s.Graph {
		return s
	}
	return ShapeOf(g)
}

// shapeOfWords returns the shape of g if 32 chains are annealed in each word, and the first vertex of those with the
// largest sum of |weights|. This vertex is the root if it is a hub, as the root of a QUBO is.
func shapeOfWords(g *graph.Graph) (s *Shape, heaviest int) {
	s = &Shape{Graph: g, Gains: Counted, Signs: onlySigns(g), Fixed: -1, Heavy: -1}
	large, total := 0, int64(0) // vertices whose sum is too large for counters; all sums
	for v := range g.N() {
		sum, units := 0.0, int64(0)
		for _, w := range g.Weights[g.Offsets[v]:g.Offsets[v+1]] {
			sum += math.Abs(float64(w))
			units += min(max(w, -w), maxSum+1)
		}
		if sum > s.Most {
			heaviest, s.Most = v, sum
		}
		s.Sum += sum / 2
		if units > maxSum {
			large++
		}
		total += units
	}
	if g.N() > 0 && g.Offsets[heaviest+1]-g.Offsets[heaviest] > hubDegree(g) {
		s.Heavy = heaviest
	}
	if large > 0 || total > math.MaxUint32 {
		s.Fixed = s.Heavy
	}
	if large > 1 || large == 1 && s.Fixed < 0 || total > math.MaxUint32 {
		s.Gains = Added
	}
	return s, heaviest
}

// mostDense is the largest number of vertices of a matrix. Keeping fields pays if at least one of sparsest pairs of
// vertices is an edge, or one of sparsestCounted if gains could be counted. With real weights and 2000 vertices, both
// ways find about as large cuts on a processor if a share of 0.09 to 0.17 of the pairs are edges. Adding up finds
// larger ones below, and fields above.
const (
	mostDense       = 1 << 14
	sparsest        = 16
	sparsestCounted = 4
)

// dense reports whether fields are kept rather than words of chains.
func (s *Shape) dense() bool {
	n := s.Graph.N()
	all, least := n*(n-1)/2, sparsest
	if s.Gains == Counted {
		least = sparsestCounted
	}
	return n >= 2 && n <= mostDense && s.Graph.M() >= all/least
}

// FitsGains reports whether the gains of vertices fit 32 bits, also while they are updated.
func (s *Shape) FitsGains() bool { return s.Most < 1<<29 }

// FitsComponents reports whether the gains of components fit 32 bits for all partitions.
func (s *Shape) FitsComponents() bool { return s.Sum < 1<<30 }

// fewEdges is the largest number of edges for each vertex at which populations are not selected. Annealed partitions
// of such a graph differ in many small components, and mixing needs partitions that do not descend from each other.
const fewEdges = 2

// Selective reports whether populations are selected while they are annealed.
func (s *Shape) Selective() bool { return s.Graph.M() > fewEdges*s.Graph.N() }

// ofHubs reports whether a tenth of the ends of all edges are at hubs other than the heavy vertex.
func (s *Shape) ofHubs() bool {
	g := s.Graph
	ends := 0
	most := hubDegree(s.Graph)
	for v := range g.N() {
		if d := g.Offsets[v+1] - g.Offsets[v]; d > most && v != s.Heavy {
			ends += d
		}
	}
	return ends > 0 && 10*ends >= 2*g.M()
}

// hubDegree returns the number of edges beyond which a vertex is a hub, as for bunches of entries: twice the mean, but
// at least leastEach.
func hubDegree(g *graph.Graph) int { return max(leastEach, 4*g.M()/g.N()) }

// onlySigns reports whether the weights of g differ only in their signs.
func onlySigns(g *graph.Graph) bool {
	for _, w := range g.Weights {
		if w != g.Weights[0] && w != -g.Weights[0] {
			return false
		}
	}
	return g.M() > 0 && g.Weights[0] != 0
}
