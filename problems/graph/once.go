package graph

// Once removes from the list each edge that is there before, in any direction, with the same weight, and returns how
// many these are. differ is the first pair of vertices with edges of different weights, or nil; then the list is as it
// was. Vertices must be below n.
func (b *Edges) Once(n int) (dropped int, differ *Pair) {
	begin := make([]int, n+1) // of the edges of each smaller end
	for i := range b.U {
		begin[min(b.U[i], b.V[i])]++
	}
	sum := 0
	for u, d := range begin {
		begin[u] = sum
		sum += d
	}
	order := make([]uint32, len(b.U))
	for i := range b.U {
		u := min(b.U[i], b.V[i])
		order[begin[u]] = uint32(i)
		begin[u]++
	}
	first := make([]uint32, n) // 1 + the first edge from the present u to each vertex
	again := make([]bool, len(b.U))
	for k, i := range order {
		u, v := min(b.U[i], b.V[i]), max(b.U[i], b.V[i])
		if f := first[v]; f > 0 && min(b.U[f-1], b.V[f-1]) == u {
			if b.W[f-1] != b.W[i] || b.own != nil && b.own[f-1] != b.own[i] {
				return 0, &Pair{int(u), int(v)}
			}
			again[i] = true
			dropped++
			continue
		}
		first[v] = order[k] + 1
	}
	if dropped == 0 {
		return 0, nil
	}
	keep := 0
	for i, drop := range again {
		if drop {
			if b.own == nil {
				b.Sum -= magnitude(b.W[i])
			}
			continue
		}
		b.U[keep], b.V[keep], b.W[keep] = b.U[i], b.V[i], b.W[i]
		if b.own != nil {
			b.own[keep] = b.own[i]
		}
		keep++
	}
	b.U, b.V, b.W = b.U[:keep], b.V[:keep], b.W[:keep]
	if b.own != nil {
		b.own = b.own[:keep]
	}
	return dropped, nil
}
