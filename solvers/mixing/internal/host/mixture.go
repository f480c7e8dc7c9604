// Package host implements mixing and annealing of partitions of a graph on the host: populations, gene-pool
// optimal mixing by linkage sets and by components, and the schedule and the words of annealing. The serial
// variant of the methods runs it, the devices are compared with it, and they take their tables from it.
//
// A partition is a row of words, 64 vertices each; cuts are whole numbers in the unit of the weights. The individual
// and the generation are in the counter of every draw, so that the order of work does not matter.
package host

import (
	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
)

// Mixture is a graph in the leaf order of a linkage model. Vertices are numbered by their places in that order.
type Mixture struct {
	Graph *graph.Graph
	Model *linkage.Model
	Hash  []uint64 // by vertex; the hash of a partition is the exclusive or of those of the vertices on side 1
	Whole uint64   // hash of the partition with all vertices on side 1
	Worst int64    // the most edges that are evaluated in one pass over all sets

	field field
}

// NewMixture puts g into the order of m. The hashes are draws of key, by the vertices' numbers in g, so that they are
// the same in every order.
func NewMixture(g *graph.Graph, m *linkage.Model, key rng.Key) *Mixture {
	x := &Mixture{Graph: linkage.Relabel(g, m.Order), Model: m, Hash: make([]uint64, g.N())}
	x.field = newField(x.Graph)
	for p, v := range m.Order {
		w := key.Words(v, 0, 0, rng.Zobrist)
		x.Hash[p] = uint64(w[0])<<32 | uint64(w[1])
		x.Whole ^= x.Hash[p]
	}
	for _, s := range m.Sets {
		x.Worst += min(int64(x.Graph.Offsets[s.Hi]-x.Graph.Offsets[s.Lo]), int64(g.M()))
	}
	return x
}

// Cost returns the number of edges that count for an evaluation from scratch: those of g, or 1 if there are none, so
// that a run on such a graph also comes to the end of its budget.
func Cost(g *graph.Graph) int64 { return int64(max(g.M(), 1)) }

// Words returns the number of words for the bits of n vertices, or of n individuals.
func Words(n int) int { return (n + 63) / 64 }

// HashOf returns the hash of a partition.
func (x *Mixture) HashOf(o []uint64) (h uint64) {
	for v, z := range x.Hash {
		if Side(o, uint32(v)) != 0 {
			h ^= z
		}
	}
	return h
}

// Elite is the best partition of a run, the elitist. A partition and its complement are the same cut. The caller
// allocates Row, with Words(n) words.
type Elite struct {
	Row   []uint64 // bit v: the side of vertex v
	F     int64    // its cut
	Hash  uint64
	Found bool // false: there is none yet
}

// Is reports whether a partition with that cut and hash is the elitist or its complement.
func (e *Elite) Is(f int64, hash, whole uint64) bool {
	return f == e.F && e.Found && (hash == e.Hash || hash == e.Hash^whole)
}

// Offer makes o the elitist if it is better.
func (e *Elite) Offer(o []uint64, f int64, hash uint64) {
	if !e.Found || f > e.F {
		copy(e.Row, o)
		e.F = f
		e.Hash = hash
		e.Found = true
	}
}
