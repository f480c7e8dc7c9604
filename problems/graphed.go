package problems

import (
	"github.com/clopt/clopt/problems/graph"
)

// Binary is a Problem whose variables are 0 or 1. Its box is [0, 1]; its
// device text and its host reference take a variable above 1/2 as 1, so that a
// uniform point of the box stands for uniform bits. Methods that move real
// variables refuse it.
type Binary interface {
	Problem
	Binary()
}

// Graphed is a Binary problem stated as a maximum cut. The first Dim() vertices
// of its graph are the variables; one more vertex, the root, may follow, whose
// side gives the linear terms of QUBO and Ising problems.
type Graphed interface {
	Binary
	// Graph is what is cut: N() is Dim(), or Dim()+1 with a root, the last
	// vertex. A method may put the root on either side.
	Graph() *graph.Graph
	// Value is what is minimised, for a cut in units of the graph: falling in
	// cut, and the float64 nearest to the exact value while the cut is below
	// 2^53 units. Objective and the devices give the same for a point of that cut.
	Value(cut int64) float64
	// Point writes the point of a partition to x: len(side) is Graph().N(),
	// each 0 or 1, and len(x) is Dim().
	Point(side []uint8, x []float64)
	// Side writes the partition of a point to side; Point gives x back.
	Side(x []float64, side []uint8)
}
