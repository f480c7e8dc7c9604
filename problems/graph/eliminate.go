package graph

import (
	"math/bits"
	"slices"
	"sync"
)

// Largest finds a largest cut by dynamic programming over the vertices (Bertelè and Brioschi 1972, Nonserial dynamic
// programming). It removes one vertex after the other: a table of the best value for each partition of the neighbours
// takes the place of the vertex, and joins the neighbours. So it is fast on trees, chains, ladders and narrow grids,
// whatever the weights, also if one vertex more is joined to all of them, as the root of a QUBO is: its side is 0. If
// all tables together would have more than about a number of entries, or one more than 2^widest, ok is false. The
// largest cut of a square needs no tables: a QUBO of the square of one sum and of linear terms, as a knapsack.
func (g *Graph) Largest(entries int) (best int64, side []uint8, ok bool) {
	if side, ok := g.square(); ok {
		return g.Cut(side), side, true
	}
	hub := g.hub()
	order, ok := g.elimination(hub, entries)
	if !ok {
		return 0, nil, false
	}
	place := make([]int, g.N())
	for k, r := range order {
		place[r.vertex] = k
	}
	waiting := make([][]table, g.N()) // tables, at the vertex of their scope that is removed first
	side = make([]uint8, g.N())
	for k := range order {
		t := order[k].solve(g, hub, waiting[order[k].vertex])
		waiting[order[k].vertex] = nil
		if len(t.scope) == 0 {
			best += t.value[0]
			continue
		}
		first := slices.MinFunc(t.scope, func(a, b uint32) int { return place[a] - place[b] })
		waiting[first] = append(waiting[first], t)
	}
	for _, r := range slices.Backward(order) {
		at := 0
		for j, u := range r.scope {
			at |= int(side[u]) << j
		}
		side[r.vertex] = uint8(r.choice[at>>6] >> (at & 63) & 1)
	}
	return best, side, true
}

// removal is the removal of a vertex.
type removal struct {
	vertex uint32
	scope  []uint32 // its neighbours then
	choice []uint64 // the side of the vertex for each partition of scope: bit j of its number is the side of scope[j]
}

// table has a value for each partition of scope.
type table struct {
	scope    []uint32
	value    []int64
	fraction []int64 // what fractions of weights add to it; nil: the graph has none
}

// solve sets the choices of a removal, and returns the table that takes the place of the vertex and of the tables that
// it is in. The hub is on side 0.
func (r *removal) solve(g *Graph, hub uint32, with []table) table {
	n := len(r.scope)
	t := table{scope: r.scope, value: make([]int64, 1<<n)}
	if g.fractions != nil {
		t.fraction = make([]int64, 1<<n)
	}
	r.choice = make([]uint64, max(1, 1<<n>>6))
	weight, total := make([]int64, n), int64(0)           // of the edges to scope; of those and of the one to the hub
	fraction, totalFraction := make([]int64, n), int64(0) // the fractions
	for e := g.Offsets[r.vertex]; e < g.Offsets[r.vertex+1]; e++ {
		if j, ok := slices.BinarySearch(r.scope, g.Neighbors[e]); ok {
			weight[j] = g.Weights[e]
			total += weight[j]
			fraction[j] = g.fractions.at(e)
			totalFraction += fraction[j]
		} else if g.Neighbors[e] == hub {
			total += g.Weights[e]
			totalFraction += g.fractions.at(e)
		}
	}
	bit, own := make([][]int, len(with)), make([]int, len(with)) // in the numbers of with
	for k, w := range with {
		bit[k] = make([]int, n)
		for i, u := range w.scope {
			if j, ok := slices.BinarySearch(r.scope, u); ok {
				bit[k][j] = 1 << i
			} else {
				own[k] = 1 << i
			}
		}
	}
	// fill sets the 2^low entries whose numbers begin with high.
	fill := func(high, low int) {
		code, at := high<<low, make([]int, len(with))
		cut, cutFraction := int64(0), int64(0) // of the edges to scope from side 0
		for j := range n {
			if code>>j&1 == 1 {
				cut += weight[j]
				cutFraction += fraction[j]
				for k := range with {
					at[k] |= bit[k][j]
				}
			}
		}
		for step := 1; ; step++ {
			zero, one := cut, total-cut
			for k := range with {
				zero += with[k].value[at[k]]
				one += with[k].value[at[k]|own[k]]
			}
			more := one > zero
			if t.fraction != nil {
				zeroFraction, oneFraction := cutFraction, totalFraction-cutFraction
				for k := range with {
					zeroFraction += with[k].fraction[at[k]]
					oneFraction += with[k].fraction[at[k]|own[k]]
				}
				if more = g.fractions.falls(zero-one, zeroFraction-oneFraction); more {
					zeroFraction = oneFraction
				}
				t.fraction[code] = zeroFraction
			}
			if more {
				zero = one
				r.choice[code>>6] |= 1 << (code & 63)
			}
			t.value[code] = zero
			if step == 1<<low {
				return
			}
			j := bits.TrailingZeros(uint(step)) // the next partition differs at one vertex
			code ^= 1 << j
			if code>>j&1 == 1 {
				cut += weight[j]
				cutFraction += fraction[j]
			} else {
				cut -= weight[j]
				cutFraction -= fraction[j]
			}
			for k := range with {
				at[k] ^= bit[k][j]
			}
		}
	}
	if n <= alone {
		fill(0, n)
		return t
	}
	var parts sync.WaitGroup // each writes its own entries and words of choice
	for high := range 1 << (n - alone) {
		parts.Go(func() { fill(high, alone) })
	}
	parts.Wait()
	return t
}

// alone is the number of neighbours up to which one core fills the table.
const alone = 16
