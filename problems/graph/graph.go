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
	"fmt"
	"math"
	"sync"

	"github.com/clopt/clopt/problems/input"
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
// A Graph is immutable, safe for concurrent use, and not copied: WithWeights makes one with other weights.
type Graph struct {
	Offsets   []int    // of length N()+1
	Neighbors []uint32 // of length 2·M()
	Weights   []int64  // of length 2·M()
	Unit      float64

	reduce sync.Once
	left   *Reduction // what Reduce returns
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

// Validate returns an error that names the first fault of the form: a row that is not sorted, a loop, a neighbour that
// does not exist, a weight of 0, or an edge that is not in both rows with one weight.
func (g *Graph) Validate() error {
	arcs := map[[2]uint32]int64{}
	for v := range g.N() {
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			u := g.Neighbors[e]
			if int(u) >= g.N() || int(u) == v || g.Weights[e] == 0 || e > g.Offsets[v] && g.Neighbors[e-1] >= u {
				return fmt.Errorf("row %d has %v, %v", v, g.Neighbors[g.Offsets[v]:g.Offsets[v+1]],
					g.Weights[g.Offsets[v]:g.Offsets[v+1]])
			}
			arcs[[2]uint32{uint32(v), u}] = g.Weights[e]
		}
	}
	for a, w := range arcs {
		if arcs[[2]uint32{a[1], a[0]}] != w {
			return fmt.Errorf("edge %v weighs %d, and not the other way", a, w)
		}
	}
	if len(arcs) != len(g.Neighbors) || len(g.Weights) != len(g.Neighbors) || g.Offsets[g.N()] != len(g.Neighbors) {
		return fmt.Errorf("%d arcs, %d neighbours", len(arcs), len(g.Neighbors))
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
