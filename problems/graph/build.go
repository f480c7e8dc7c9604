package graph

import (
	"math"
	"slices"
)

// edges is a list of edges in the order of the input. Vertices count from 0, and
// weights are in units of 10^-digits.
type edges struct {
	u, v   []uint32
	w      []int64
	digits int
	sum    uint64 // of |w|, below maxSum
}

// add adds an edge of weight w·10^-digits. It returns false, without adding it, if
// the sum of all |weights| would leave the exact range.
func (b *edges) add(u, v int, w int64, digits int) bool {
	if digits != b.digits && w != 0 {
		if digits > b.digits {
			if !b.rescale(digits) {
				return false
			}
		} else if w = scaled(w, b.digits-digits); w == math.MinInt64 {
			return false
		}
	}
	sum := b.sum + magnitude(w)
	if sum >= maxSum {
		return false
	}
	b.sum = sum
	b.u, b.v, b.w = append(b.u, uint32(u)), append(b.v, uint32(v)), append(b.w, w)
	return true
}

// rescale changes the unit to 10^-digits, which must not be larger than before. It
// returns false if the sum of all |weights| would leave the exact range.
func (b *edges) rescale(digits int) bool {
	factor := uint64(pow10[digits-b.digits])
	if b.sum > (maxSum-1)/factor {
		return false
	}
	for i := range b.w {
		b.w[i] *= int64(factor)
	}
	b.sum, b.digits = b.sum*factor, digits
	return true
}

// scaled returns w·10^digits, or the smallest int64 if that is out of range.
func scaled(w int64, digits int) int64 {
	if magnitude(w) > uint64(maxSum/pow10[digits]) {
		return math.MinInt64
	}
	return w * pow10[digits]
}

func magnitude(w int64) uint64 {
	if w < 0 {
		return uint64(-w)
	}
	return uint64(w)
}

// unit returns 10^-digits, for the field Graph.Unit.
func unit(digits int) float64 { return 1 / float64(pow10[digits]) }

// repeated is a pair of vertices with more than one edge.
type repeated struct{ u, v int }

// graph makes the compressed form and drops edges of weight 0, which zeros counts.
// If merge is set, it adds the weights of repeated edges, which merged counts; else
// it returns the first repeated pair. The list is empty afterwards.
func (b *edges) graph(n int, merge bool) (g *Graph, zeros, merged int, twice *repeated) {
	g = &Graph{Offsets: make([]int, n+1), Unit: unit(b.digits)}
	at := g.Offsets
	for i := range b.u {
		at[b.u[i]]++
		at[b.v[i]]++
	}
	sum := 0
	for i, d := range at { // the beginning of each row
		at[i] = sum
		sum += d
	}
	g.Neighbors, g.Weights = make([]uint32, sum), make([]int64, sum)
	put := func(u, v uint32, w int64) {
		g.Neighbors[at[u]], g.Weights[at[u]] = v, w
		at[u]++
	}
	for i, w := range b.w {
		put(b.u[i], b.v[i], w)
		put(b.v[i], b.u[i], w)
	}
	*b = edges{digits: b.digits, sum: b.sum}
	copy(at[1:], at[:n]) // at[u] is now the end of row u
	at[0] = 0
	g.sortRows()

	keep := 0
	for v := range n {
		lo, hi := at[v], at[v+1]
		at[v] = keep
		for e := lo; e < hi; {
			u, w := g.Neighbors[e], g.Weights[e]
			next := e + 1
			for ; next < hi && g.Neighbors[next] == u; next++ {
				if !merge {
					return nil, 0, 0, &repeated{v, int(u)}
				}
				w += g.Weights[next]
				merged++
			}
			e = next
			if w == 0 {
				zeros++
				continue
			}
			g.Neighbors[keep], g.Weights[keep] = u, w
			keep++
		}
	}
	at[n] = keep
	g.Neighbors, g.Weights = g.Neighbors[:keep], g.Weights[:keep]
	return g, zeros / 2, merged / 2, nil
}

// sortRows sorts the neighbours of each vertex. In most files they are sorted.
func (g *Graph) sortRows() {
	type arc struct {
		v uint32
		w int64
	}
	var row []arc
	for v := range g.N() {
		lo, hi := g.Offsets[v], g.Offsets[v+1]
		if slices.IsSorted(g.Neighbors[lo:hi]) {
			continue
		}
		row = row[:0]
		for e := lo; e < hi; e++ {
			row = append(row, arc{g.Neighbors[e], g.Weights[e]})
		}
		// The sort need not be stable, since the weights of repeated edges are added.
		slices.SortFunc(row, func(a, b arc) int { return int(a.v) - int(b.v) })
		for i, a := range row {
			g.Neighbors[lo+i], g.Weights[lo+i] = a.v, a.w
		}
	}
}
