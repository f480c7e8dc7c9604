package host

import (
	"math"
	"math/bits"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
)

// Learn returns the linkage tree of the mutual information of all pairs of vertices in a population, or only of
// neighbours if sparse. Its sets have at most bound vertices; 0 means all. The rows of the population are in the order
// of vertices.
//
//	MI(i, j) = H(i) + H(j) - H(i, j),   in bits
func Learn(p *Population, g *graph.Graph, sparse bool, bound int, key rng.Key) *linkage.Model {
	n, words := g.N(), Words(p.N)
	cols := make([]uint64, n*words) // column v: bit i is individual i's side
	ones := make([]int, n)
	for i := range p.N {
		row := p.Row(i)
		for v := range n {
			cols[v*words+i>>6] |= Side(row, uint32(v)) << (i & 63)
		}
	}
	for v := range n {
		for _, w := range cols[v*words : (v+1)*words] {
			ones[v] += bits.OnesCount64(w)
		}
	}
	h := make([]float64, p.N+1) // at c: -c/n·log2(c/n), for n individuals
	for c := 1; c < p.N; c++ {
		q := float64(c) / float64(p.N)
		h[c] = -q * math.Log2(q)
	}
	information := func(u, v int) float64 {
		both := 0
		a, b := cols[u*words:(u+1)*words], cols[v*words:(v+1)*words]
		for k, w := range a {
			both += bits.OnesCount64(w & b[k])
		}
		x, y := ones[u], ones[v]
		return max(0, h[x]+h[p.N-x]+h[y]+h[p.N-y]-h[both]-h[x-both]-h[y-both]-h[p.N-x-y+both])
	}
	key.Seed ^= p.Generation*0x9E3779B9 + p.ID // another order among equals each time
	if sparse {
		sim := make([]float64, len(g.Neighbors))
		for v := range n {
			for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
				sim[e] = information(min(v, int(g.Neighbors[e])), max(v, int(g.Neighbors[e])))
			}
		}
		return linkage.Sparse(g, sim, bound, key)
	}
	sim := make([]float64, n*n)
	for u := range n {
		for v := range u {
			sim[u*n+v] = information(v, u)
			sim[v*n+u] = sim[u*n+v]
		}
	}
	return linkage.Dense(n, sim, bound, key)
}
