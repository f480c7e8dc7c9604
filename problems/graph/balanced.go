package graph

// Balanced reports whether a partition cuts every edge of positive weight and no edge of negative weight. This is so in
// bipartite graphs with positive weights, in trees, and if all weights are negative. The partition is then a largest
// cut, and best is the sum of the positive weights.
func (g *Graph) Balanced() (best int64, side []uint8, ok bool) {
	side, ok = g.sides(func(e int) bool { return g.fractions.falls(-g.Weights[e], -g.fractions.at(e)) })
	if !ok {
		return 0, nil, false
	}
	for _, w := range g.Weights {
		best += max(w, 0)
	}
	return best / 2, side, true
}

// Sides returns the partition that cuts exactly the edges whose weight is in cut, with the first vertex of each
// connected component on side 0. ok is false if there is no such partition.
func (g *Graph) Sides(cut func(weight int64) bool) (side []uint8, ok bool) {
	return g.sides(func(e int) bool { return cut(g.Weights[e]) })
}

// sides is Sides for the numbers of the edges.
func (g *Graph) sides(cut func(e int) bool) (side []uint8, ok bool) {
	const open = 2
	side = make([]uint8, g.N())
	for v := range side {
		side[v] = open
	}
	var stack []uint32
	for root := range side {
		if side[root] != open {
			continue
		}
		side[root] = 0
		stack = append(stack, uint32(root))
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
				u, want := g.Neighbors[e], side[v]
				if cut(e) {
					want ^= 1
				}
				switch side[u] {
				case open:
					side[u] = want
					stack = append(stack, u)
				case want:
				default:
					return nil, false
				}
			}
		}
	}
	return side, true
}
