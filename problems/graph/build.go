package graph

import (
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/problems/input"
)

// Edges is a list of edges in the order of the input. Vertices count from 0, and
// weights are in units of 10^-digits.
type Edges struct {
	U, V   []uint32
	W      []int64
	Digits int
	Sum    uint64 // of |w|, below input.MaxExact

	cut bool // decimals have been cut off, and there are no more than Digits from then on
}

// Cut reports whether decimals have been cut off.
func (b *Edges) Cut() bool { return b.cut }

// Reserve allocates memory for m edges. The list must be empty.
func (b *Edges) Reserve(m int) {
	b.U, b.V, b.W = make([]uint32, 0, m), make([]uint32, 0, m), make([]int64, 0, m)
}

// Add adds an edge of weight w·10^-digits. If the sum of all |weights| would leave the exact range, it cuts decimals
// off. It returns false, without adding the edge, if there are none left, or if digits is not in 0 to
// input.MaxDigits. Graph checks the vertices.
func (b *Edges) Add(u, v int, w int64, digits int) bool {
	if digits < 0 || digits >= len(input.Pow10) {
		return false
	}
	for w != 0 && digits != b.Digits {
		switch {
		case digits > b.Digits && (b.cut || !b.Rescale(digits)):
			if !b.cut {
				b.refine(digits)
			}
			w, digits = w/input.Pow10[digits-b.Digits], b.Digits
		case digits < b.Digits:
			more := scaled(w, b.Digits-digits)
			if more == math.MinInt64 {
				b.CutTo(b.Digits - 1)
				continue
			}
			w, digits = more, b.Digits
		}
	}
	for b.Sum+magnitude(w) >= input.MaxExact {
		if b.Digits == 0 {
			return false
		}
		b.CutTo(b.Digits - 1)
		w /= 10
	}
	b.Sum += magnitude(w)
	b.U, b.V, b.W = append(b.U, number(u)), append(b.V, number(v)), append(b.W, w)
	return true
}

// number returns a vertex as it is stored: the largest number, which no graph has, for what is none.
func number(v int) uint32 {
	if v < 0 || int64(v) > math.MaxUint32 {
		return math.MaxUint32
	}
	return uint32(v)
}

// CutTo cuts decimals off: they are not rounded, so that it does not matter how often that is done.
func (b *Edges) CutTo(digits int) {
	if digits >= b.Digits {
		return
	}
	by := input.Pow10[b.Digits-digits]
	b.Sum = 0
	for i := range b.W {
		b.W[i] /= by
		b.Sum += magnitude(b.W[i])
	}
	b.Digits, b.cut = digits, true
}

// Rescale changes the unit to 10^-digits, which must not be larger than before. It
// returns false if the sum of all |weights| would leave the exact range.
func (b *Edges) Rescale(digits int) bool {
	factor := uint64(input.Pow10[digits-b.Digits])
	if b.Sum > (input.MaxExact-1)/factor {
		return false
	}
	for i := range b.W {
		b.W[i] *= int64(factor)
	}
	b.Sum, b.Digits = b.Sum*factor, digits
	return true
}

// refine rescales to as many decimals below digits as the exact range has room for. Those of later weights are cut off.
func (b *Edges) refine(digits int) {
	for digits--; digits > b.Digits && !b.Rescale(digits); digits-- {
	}
	b.cut = true
}

// scaled returns w·10^digits, or the smallest int64 if that is out of range.
func scaled(w int64, digits int) int64 {
	if magnitude(w) > uint64(input.MaxExact/input.Pow10[digits]) {
		return math.MinInt64
	}
	return w * input.Pow10[digits]
}

func magnitude(w int64) uint64 {
	if w < 0 {
		return uint64(-w)
	}
	return uint64(w)
}

// unit returns 10^-digits, for the field Graph.Unit.
func unit(digits int) float64 { return 1 / float64(input.Pow10[digits]) }

// Pair is a pair of vertices with more than one edge.
type Pair struct{ U, V int }

// RepeatedError means that a list has two edges between the same vertices.
type RepeatedError struct{ Pair }

func (e *RepeatedError) Error() string {
	return fmt.Sprintf("graph: the edge from vertex %d to %d is repeated; leave one out, or merge them", e.U, e.V)
}

// Graph makes the compressed form of n vertices and drops edges of weight 0, which zeros counts. If merge is set, it
// adds the weights of repeated edges, which merged counts; else the error is a *RepeatedError for the first pair. Other
// errors name an edge from a vertex to itself, or to one that is not below n. The list is empty afterwards.
func (b *Edges) Graph(n int, merge bool) (g *Graph, zeros, merged int, err error) {
	if err := b.check(n); err != nil {
		return nil, 0, 0, err
	}
	g = &Graph{Offsets: make([]int, n+1), Unit: unit(b.Digits)}
	at := g.Offsets
	for i := range b.U {
		at[b.U[i]]++
		at[b.V[i]]++
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
	for i, w := range b.W {
		put(b.U[i], b.V[i], w)
		put(b.V[i], b.U[i], w)
	}
	*b = Edges{Digits: b.Digits, Sum: b.Sum}
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
					return nil, 0, 0, &RepeatedError{Pair{v, int(u)}}
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

// check returns an error for a list that is no graph of n vertices.
func (b *Edges) check(n int) error {
	if n < 1 || n > math.MaxInt32 {
		return fmt.Errorf("graph: %d vertices; use 1 to %d", n, math.MaxInt32)
	}
	if len(b.V) != len(b.U) || len(b.W) != len(b.U) {
		return fmt.Errorf("graph: Edges.U has %d numbers, V has %d and W has %d", len(b.U), len(b.V), len(b.W))
	}
	for i, u := range b.U {
		switch v := b.V[i]; {
		case int64(max(u, v)) >= int64(n):
			return fmt.Errorf("graph: edge %d goes from vertex %d to %d, and %d vertices have the numbers 0 to %d", i,
				u, v, n, n-1)
		case u == v:
			return fmt.Errorf("graph: edge %d goes from vertex %d to itself", i, u)
		}
	}
	return nil
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
