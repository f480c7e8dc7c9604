// Package graph holds weighted undirected graphs: their compressed form, the
// files they come in, and generators of instances.
//
//	Read ────────────► Graph ── Cut, Balanced, WriteRudy
//	Tile, Torus, … ──► Instance: a Graph, and its largest cut where that is proven
//	ReadQUBO, ReadIsing ──► Quadratic ── QUBO, Ising: the same as a cut
//	ReadAssignments, ReadBest: what stands beside a graph
//
// Readers believe nothing: sizes in headers are compared with the file's size
// before anything is allocated, and a fault is an *Error with file, line and
// column. Generated graphs are functions of their arguments and a seed.
package graph

// Graph is an undirected graph of N() vertices with weighted edges, in
// compressed rows: the neighbours of vertex v are
// Neighbors[Offsets[v]:Offsets[v+1]], in increasing order, and an edge stands
// in the rows of both its ends. There are no loops and no repeated edges.
//
// Weights are whole numbers of Unit, so that cuts are summed exactly: an edge
// weighs Weights[e]·Unit. Unit is 1 for whole weights and a power of ten for
// decimal ones. The sum of all |Weights| over edges is below 2^62.
//
// A Graph is immutable and safe for concurrent use.
type Graph struct {
	Offsets   []int    // N()+1 of them
	Neighbors []uint32 // 2·M() of them
	Weights   []int64  // as many
	Unit      float64
}

// N is the number of vertices.
func (g *Graph) N() int { return len(g.Offsets) - 1 }

// M is the number of edges.
func (g *Graph) M() int { return len(g.Neighbors) / 2 }

// Cut is the weight, in units, of the edges whose ends differ in side, which
// holds 0 or 1 for each vertex.
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
