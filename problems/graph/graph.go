// Package graph implements weighted undirected graphs: their compressed form,
// readers of their file formats, and generators of instances.
//
//	Read ────────────► Graph ── Cut, Balanced, WriteRudy
//	Tile, Torus, … ──► Instance: a Graph, and its largest cut if it is proven
//	ReadQUBO, ReadIsing ──► Quadratic ── QUBO, Ising: the same as a cut
//	ReadAssignments, ReadBest: partitions and best values of a graph
//
// Readers do not trust files: they compare the sizes in a header with the size of
// the file before they allocate anything, and report a fault as an *input.Error
// with file, line and column. Generated graphs are functions of their arguments
// and a seed.
package graph

// Graph is an undirected graph of N() vertices with weighted edges, in
// compressed rows: the neighbours of vertex v are
// Neighbors[Offsets[v]:Offsets[v+1]], in increasing order. An edge is in the rows
// of both its ends. There are no loops and no repeated edges.
//
// Weights are integers, in units of Unit, so that cuts are summed exactly: an edge
// weighs Weights[e]·Unit. Unit is 1 for integer weights and a power of ten for
// decimal ones. The sum of |Weights| over all edges is below 2^62.
//
// A Graph is immutable and safe for concurrent use.
type Graph struct {
	Offsets   []int    // of length N()+1
	Neighbors []uint32 // of length 2·M()
	Weights   []int64  // of length 2·M()
	Unit      float64
}

// N returns the number of vertices.
func (g *Graph) N() int { return len(g.Offsets) - 1 }

// M returns the number of edges.
func (g *Graph) M() int { return len(g.Neighbors) / 2 }

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
