// Package graph implements weighted undirected graphs and the quadratic functions that are made of them, and generates
// instances.
//
//	Edges ───────────► Graph ── Cut, Balanced
//	Tile, Torus, … ──► Instance: a Graph, and its largest cut if it is proven
//	Quadratic ── QUBO, Ising: the same as a cut
//	Model: a cut, a QUBO or an Ising problem with offset, scale and names ── To: the same in other variables
//
// Package formats reads and writes them. Generated graphs are functions of their arguments and a seed.
package graph

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/clopt/clopt/internal/problems/input"
)

// Graph is an undirected graph of N() vertices with weighted edges, in
// compressed rows: the neighbours of vertex v are
// Neighbors[Offsets[v]:Offsets[v+1]], in increasing order. An edge is in the rows
// of both its ends. There are no loops and no repeated edges.
//
// Weights are integers, in units of Unit, so that cuts are summed exactly: an edge
// weighs Weights[e]·Unit. Unit is 1 for integer weights and a power of ten for
// decimal ones. The sum of |Weights| over all edges is below 2^62.
//
// Edges.Graph makes one, and Validate checks one that was made in another way. A Graph is immutable, safe for
// concurrent use, and not copied: WithWeights makes one with other weights.
type Graph struct {
	Offsets   []int    // of length N()+1
	Neighbors []uint32 // of length 2·M()
	Weights   []int64  // of length 2·M()
	Unit      float64

	fractions *fractions // nil: none
	reduce    sync.Once
	left      *Reduction // what Reduce returns
	once      sync.Once
	squared   []uint8 // the sides that square returns; nil: it has found none
}

// N returns the number of vertices.
func (g *Graph) N() int { return len(g.Offsets) - 1 }

// M returns the number of edges.
func (g *Graph) M() int { return len(g.Neighbors) / 2 }

// WithWeights returns a graph with the edges of g and other weights, which it keeps.
func (g *Graph) WithWeights(weights []int64) *Graph {
	return &Graph{Offsets: g.Offsets, Neighbors: g.Neighbors, Weights: weights, Unit: g.Unit}
}

// Cut returns the total weight, in units, of the edges whose ends are on different
// sides. side has 0 or 1 for each vertex.
func (g *Graph) Cut(side []uint8) (cut int64) {
	for v := range g.N() {
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			if u := int(g.Neighbors[e]); u > v && side[u] != side[v] {
				cut += g.Weights[e]
			}
		}
	}
	return cut
}

// Validate returns an error that names the first fault of a graph that was not made by this package.
func (g *Graph) Validate() error {
	if g == nil || len(g.Offsets) == 0 {
		return errors.New("graph: a graph without Offsets; use Edges.Graph to make one")
	}
	n, arcs := g.N(), len(g.Neighbors)
	switch {
	case n > math.MaxInt32:
		return fmt.Errorf("graph: %d vertices; use up to %d", n, math.MaxInt32)
	case g.Offsets[0] != 0 || g.Offsets[n] != arcs || !slices.IsSorted(g.Offsets):
		return fmt.Errorf("graph: Offsets go from %d to %d; use numbers from 0 to %d, the number of Neighbors, that "+
			"never fall", g.Offsets[0], g.Offsets[n], arcs)
	case len(g.Weights) != arcs:
		return fmt.Errorf("graph: %d Weights for %d Neighbors", len(g.Weights), arcs)
	case !slices.ContainsFunc(input.Pow10[:], func(p int64) bool { return g.Unit == 1/float64(p) }):
		return fmt.Errorf("graph: Unit is %g; use 1 for whole weights, or 0.1, 0.01, … for decimal ones", g.Unit)
	}
	// Rows are sorted, so the arcs to a vertex come in the order of its own row.
	at, sum := slices.Clone(g.Offsets[:n]), uint64(0)
	for v := range n {
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			u, w := g.Neighbors[e], g.Weights[e]
			switch {
			case int64(u) >= int64(n):
				return fmt.Errorf("graph: vertex %d has the neighbour %d, and vertices are below %d", v, u, n)
			case int(u) == v:
				return fmt.Errorf("graph: vertex %d is its own neighbour", v)
			case e > g.Offsets[v] && g.Neighbors[e-1] >= u:
				return fmt.Errorf("graph: the neighbours of vertex %d are not in increasing order", v)
			case w == 0:
				return fmt.Errorf("graph: the edge from vertex %d to %d weighs 0; leave it out", v, u)
			}
			k := at[u]
			if k == g.Offsets[u+1] || int(g.Neighbors[k]) != v || g.Weights[k] != w {
				return fmt.Errorf("graph: the edge from vertex %d to %d is not also in row %d with the weight %d", v, u,
					u, w)
			}
			at[u]++
			if sum += magnitude(w); sum >= 2*input.MaxExact || magnitude(w) >= input.MaxExact {
				return errSum(Sides)
			}
		}
	}
	return nil
}

// Digits returns the number of decimals of the unit.
func (g *Graph) Digits() int { return int(math.Round(-math.Log10(g.Unit))) }

// PerOne returns 1/Unit exactly, a power of ten. A number of units divided by it is
// a value.
func (g *Graph) PerOne() float64 { return float64(input.Pow10[g.Digits()]) }

// Scale returns the value of a number of units, of a cut or a sum of weights. It is
// the nearest float64 if |units| is below 2^53.
func (g *Graph) Scale(units int64) float64 { return float64(units) / g.PerOne() }
