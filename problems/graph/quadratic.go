package graph

import "slices"

// Quadratic is the function Σ_i Linear[i]·z_i + Σ w_ij·z_i·z_j, with the second sum
// over the edges of Pairs, in units of Pairs.Unit. It is a QUBO for z in {0, 1} and
// an Ising problem for z in {-1, 1}. The sum of all |coefficients| is below 2^60.
type Quadratic struct {
	Linear []int64
	Pairs  *Graph // nil: there are none, and the unit is 1
}

// paired returns q with a graph of pairs, which has no edges if q has none.
func (q Quadratic) paired() Quadratic {
	if q.Pairs == nil {
		q.Pairs = &Graph{Offsets: make([]int, len(q.Linear)+1), Unit: 1}
	}
	return q
}

// Negated changes the sign of all coefficients of q, and returns q.
func (q *Quadratic) Negated() *Quadratic {
	for i := range q.Linear {
		q.Linear[i] = -q.Linear[i]
	}
	if q.Pairs == nil {
		return q
	}
	for i := range q.Pairs.Weights {
		q.Pairs.Weights[i] = -q.Pairs.Weights[i]
	}
	return q
}

// QUBO turns a QUBO into a maximum cut with a root as last vertex: z_i is 1 if i is
// not on the side of the root, and the value is minus half the cut. The weights
// w_ij = q_ij and w_ir = -(2a_i + Σ_j q_ij) follow from
// y_i·y_j = (y_i + y_j - [y_i≠y_j])/2.
func (q *Quadratic) QUBO() *Graph {
	root := make([]int64, len(q.Linear))
	g := q.paired().Pairs
	for i, a := range q.Linear {
		root[i] = -2 * a
		for e := g.Offsets[i]; e < g.Offsets[i+1]; e++ {
			root[i] -= g.Weights[e]
		}
	}
	return g.withRoot(root)
}

// Ising turns an Ising problem into a maximum cut: z_i is 1 if i is on the side of
// the root, and the value is constant - 2·cut. The root is the last vertex; there is
// none if all linear terms are 0. The weights are w_ij = J_ij and w_ir = h_i.
func (q *Quadratic) Ising() (g *Graph, constant int64) {
	for _, h := range q.Linear {
		constant += h
	}
	pairs := q.paired().Pairs
	for u := range pairs.N() {
		for e := pairs.Offsets[u]; e < pairs.Offsets[u+1]; e++ {
			if int(pairs.Neighbors[e]) > u {
				constant += pairs.Weights[e]
			}
		}
	}
	if !slices.ContainsFunc(q.Linear, func(h int64) bool { return h != 0 }) {
		return pairs, constant
	}
	return pairs.withRoot(q.Linear), constant
}

// withRoot returns g with one more vertex, whose edge to v weighs root[v].
func (g *Graph) withRoot(root []int64) *Graph {
	degree := 0
	for _, w := range root {
		if w != 0 {
			degree++
		}
	}
	n := g.N()
	h := &Graph{
		Offsets: make([]int, 0, n+2), Unit: g.Unit,
		Neighbors: make([]uint32, 0, len(g.Neighbors)+2*degree),
		Weights:   make([]int64, 0, len(g.Neighbors)+2*degree),
	}
	for v := range n {
		h.Offsets = append(h.Offsets, len(h.Neighbors))
		lo, hi := g.Offsets[v], g.Offsets[v+1]
		h.Neighbors, h.Weights = append(h.Neighbors, g.Neighbors[lo:hi]...), append(h.Weights, g.Weights[lo:hi]...)
		if root[v] != 0 {
			h.Neighbors, h.Weights = append(h.Neighbors, uint32(n)), append(h.Weights, root[v])
		}
	}
	h.Offsets = append(h.Offsets, len(h.Neighbors))
	for v, w := range root {
		if w != 0 {
			h.Neighbors, h.Weights = append(h.Neighbors, uint32(v)), append(h.Weights, w)
		}
	}
	h.Offsets = append(h.Offsets, len(h.Neighbors))
	return h
}
