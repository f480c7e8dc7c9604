package graph

import (
	"maps"
	"math/bits"
	"slices"
	"sync"
)

// Largest finds a largest cut by dynamic programming over the vertices (Bertelè and Brioschi 1972, Nonserial dynamic
// programming). It removes one vertex after the other: a table of the best value for each partition of the neighbours
// takes the place of the vertex, and joins the neighbours. So it is fast on trees, chains, ladders and narrow grids,
// whatever the weights. If all tables together would have more than about a number of entries, or one more than
// 2^widest, ok is false.
func (g *Graph) Largest(entries int) (best int64, side []uint8, ok bool) {
	order, ok := g.elimination(entries)
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
		t := order[k].solve(g, waiting[order[k].vertex])
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

// perRemoval is the number of entries that take as long as the removal of a vertex itself.
const perRemoval = 64

// widest is the largest number of neighbours of a vertex that is removed: tables have 8 bytes an entry.
const widest = 26

// elimination returns the removals without choices: always a vertex with at most two neighbours if there is one, since
// that joins at most two others, and else the first one in breadth-first order from an end of the graph.
func (g *Graph) elimination(entries int) (order []removal, ok bool) {
	if g.N() > entries/perRemoval {
		return nil, false
	}
	removed, near := make([]bool, g.N()), make([]map[uint32]bool, g.N()) // nil: the neighbours are those of g
	neighbours := func(v uint32) map[uint32]bool {
		if near[v] == nil {
			near[v] = map[uint32]bool{}
			for _, u := range g.Neighbors[g.Offsets[v]:g.Offsets[v+1]] {
				near[v][u] = true
			}
		}
		return near[v]
	}
	var few []uint32
	for v := range g.N() {
		if g.Offsets[v+1]-g.Offsets[v] <= 2 {
			few = append(few, uint32(v))
		}
	}
	for rest := g.fromEnd(); len(order) < g.N(); {
		list := &few
		if len(few) == 0 {
			list = &rest
		}
		v := (*list)[0]
		*list = (*list)[1:]
		if removed[v] {
			continue
		}
		removed[v] = true
		scope := slices.Sorted(maps.Keys(neighbours(v)))
		if entries -= perRemoval + 1<<min(len(scope), 61); entries < 0 || len(scope) > widest {
			return nil, false
		}
		for _, u := range scope {
			delete(neighbours(u), v)
			for _, w := range scope {
				if w != u {
					near[u][w] = true
				}
			}
			if len(near[u]) <= 2 {
				few = append(few, u)
			}
		}
		near[v] = nil
		order = append(order, removal{vertex: v, scope: scope})
	}
	return order, true
}

// fromEnd returns the vertices in breadth-first order, in each connected component from one of those that are farthest
// from the first vertex of the component.
func (g *Graph) fromEnd() (order []uint32) {
	reached := make([]uint8, g.N()) // by how many searches
	search := func(from uint32, list []uint32) []uint32 {
		reached[from]++
		list = append(list, from)
		for k := len(list) - 1; k < len(list); k++ {
			for _, u := range g.Neighbors[g.Offsets[list[k]]:g.Offsets[list[k]+1]] {
				if reached[u] < reached[from] {
					reached[u]++
					list = append(list, u)
				}
			}
		}
		return list
	}
	for v := range g.N() {
		if reached[v] == 0 {
			first := search(uint32(v), nil)
			order = search(first[len(first)-1], order)
		}
	}
	return order
}

// solve sets the choices of a removal, and returns the table that takes the place of the vertex and of the tables that
// it is in.
func (r *removal) solve(g *Graph, with []table) table {
	n := len(r.scope)
	t := table{scope: r.scope, value: make([]int64, 1<<n)}
	if g.fractions != nil {
		t.fraction = make([]int64, 1<<n)
	}
	r.choice = make([]uint64, max(1, 1<<n>>6))
	weight, total := make([]int64, n), int64(0)           // of the edges to scope
	fraction, totalFraction := make([]int64, n), int64(0) // the fractions
	for e := g.Offsets[r.vertex]; e < g.Offsets[r.vertex+1]; e++ {
		if j, ok := slices.BinarySearch(r.scope, g.Neighbors[e]); ok {
			weight[j] = g.Weights[e]
			total += weight[j]
			fraction[j] = g.fractions.at(e)
			totalFraction += fraction[j]
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
