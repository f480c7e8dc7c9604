package graph

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/clopt/clopt/internal/problems/input"
)

// Edges is a list of edges in the order of the input. Vertices count from 0, and
// weights are in units of 10^-digits. Where their sum would leave the exact range, each weight has its own unit until
// Round gives all of them the same.
type Edges struct {
	U, V   []uint32
	W      []int64
	Digits int
	Sum    uint64 // of |w|, below input.MaxExact

	own  []int16 // the decimals of each weight; nil: Digits
	size float64 // with own: the sum of all |weights|
	most int     // with own: the most decimals of a weight that is not 0
	rest []float64
	near int // weights that have been rounded
	gone int // those of them that are 0 now
}

// Reserve allocates memory for m edges. The list must be empty.
func (b *Edges) Reserve(m int) {
	b.U = make([]uint32, 0, m)
	b.V = make([]uint32, 0, m)
	b.W = make([]int64, 0, m)
}

// Add adds an edge of weight w·10^-digits. It returns false, without adding the edge, if |w| is beyond the exact range,
// if the sum of all |weights| would be beyond that of float64, or if digits is not in -input.MaxPlaces to
// input.MaxPlaces. Graph checks the vertices.
func (b *Edges) Add(u, v int, w int64, digits int) bool {
	if max(digits, -digits) > input.MaxPlaces || magnitude(w) >= input.MaxExact {
		return false
	}
	if unit, ok := b.unit(w, digits); b.own == nil && ok {
		b.Sum += magnitude(unit)
		b.put(u, v, unit)
		return true
	}
	b.widen()
	size := b.size + math.Abs(float64(w))*math.Pow10(-digits)
	if math.IsInf(size, 0) {
		return false
	}
	b.size = size
	if w != 0 {
		b.most = max(b.most, digits)
	}
	b.put(u, v, w)
	b.own = append(b.own, int16(digits))
	return true
}

func (b *Edges) put(u, v int, w int64) {
	b.U, b.V, b.W = append(b.U, number(u)), append(b.V, number(v)), append(b.W, w)
}

// unit returns a weight in the unit of the list, which it makes smaller if need be. ok is false if that is not exact.
func (b *Edges) unit(w int64, digits int) (inUnits int64, ok bool) {
	switch {
	case b.own != nil:
		return 0, false
	case w == 0:
		return 0, true
	case digits > b.Digits && !b.rescale(digits):
		return 0, false
	case digits < b.Digits:
		if w = scaled(w, b.Digits-digits); w == math.MinInt64 {
			return 0, false
		}
	}
	return w, b.Sum+magnitude(w) < input.MaxExact
}

// widen gives each weight its own unit.
func (b *Edges) widen() {
	if b.own != nil {
		return
	}
	b.own = make([]int16, len(b.W), cap(b.W))
	for i := range b.own {
		b.own[i] = int16(b.Digits)
	}
	b.size, b.most = float64(b.Sum)/float64(input.Pow10[b.Digits]), 0
	if b.Sum > 0 {
		b.most = b.Digits
	}
}

// Places returns the most decimals of a weight, and the sum of all |weights|. That is a little too large where each
// weight has its own unit.
func (b *Edges) Places() (digits int, size *big.Rat) {
	if b.own != nil {
		return b.most, new(big.Rat).SetFloat64(b.size * (1 + 1e-9))
	}
	return b.Digits, new(big.Rat).SetFrac(new(big.Int).SetUint64(b.Sum), big.NewInt(input.Pow10[b.Digits]))
}

// Round gives all weights the unit 10^-digits, rounded to the nearest one, and remembers what that takes from them:
// see Rest. digits may be any number: weights are divided by 10^-digits where it is below 0, and units of less than
// 10^-input.MaxDigits are those of 10^extra times the weights. It returns false if the sum of all |weights| is beyond
// the exact range, which leaves the list useless.
func (b *Edges) Round(digits int) bool {
	if b.own == nil && digits >= b.Digits && digits <= input.MaxDigits {
		return b.rescale(digits)
	}
	b.widen()
	b.rest = make([]float64, len(b.W))
	b.Sum = 0
	b.near = 0
	b.gone = 0
	for i, w := range b.W {
		if own := int(b.own[i]); own <= digits {
			if w != 0 {
				if w = scaled(w, digits-own); w == math.MinInt64 {
					return false
				}
			}
		} else if w, b.rest[i] = rounded(w, own-digits); b.rest[i] != 0 {
			if b.near++; w == 0 {
				b.gone++
			}
		}
		b.W[i] = w
		if b.Sum+magnitude(w) >= input.MaxExact {
			return false
		}
		b.Sum += magnitude(w)
	}
	b.own, b.Digits = nil, min(max(digits, 0), input.MaxDigits)
	return true
}

// rounded returns w/10^by rounded to the nearest whole number, and 10^input.RestDigits times the rest.
func rounded(w int64, by int) (near int64, rest float64) {
	if by > input.MaxDigits {
		return 0, shifted(w, by) // below a half, since |w| is below 2^62
	}
	ten := input.Pow10[by]
	near, left := w/ten, w%ten
	switch {
	case left >= ten-left:
		near, left = near+1, left-ten
	case left <= -ten-left:
		near, left = near-1, left+ten
	}
	return near, shifted(left, by)
}

// shifted returns the float64 nearest to w/10^(by - input.RestDigits).
func shifted(w int64, by int) float64 {
	if by <= input.RestDigits {
		return float64(w) * float64(input.Pow10[input.RestDigits-by]) // |w| is at most a half of 10^by
	}
	f, _ := input.Ratio(w, by-input.RestDigits).Float64()
	return f
}

// Rest appends what Round has taken from the weights, in units times 10^-input.RestDigits. near counts these terms;
// gone, those of them of which nothing is left.
func (b *Edges) Rest(terms []Term) (all []Term, near, gone int) {
	for i, c := range b.rest {
		if c != 0 {
			terms = append(terms, Term{b.U[i], b.V[i], c})
		}
	}
	return terms, b.near, b.gone
}

// number returns a vertex as it is stored: the largest number, which no graph has, for what is none.
func number(v int) uint32 {
	if v < 0 || int64(v) > math.MaxUint32 {
		return math.MaxUint32
	}
	return uint32(v)
}

// rescale changes the unit to 10^-digits, which must not be larger than before. It returns false if there is no such
// unit, or if the sum of all |weights| would leave the exact range.
func (b *Edges) rescale(digits int) bool {
	if digits > input.MaxDigits {
		return false
	}
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

// scaled returns w·10^digits, or the smallest int64 if that is out of range.
func scaled(w int64, digits int) int64 {
	if digits >= len(input.Pow10) || magnitude(w) > uint64(input.MaxExact/input.Pow10[digits]) {
		return math.MinInt64
	}
	return w * input.Pow10[digits]
}

// Decimals returns the most decimals, up to wanted, with which a sum of a size is below limit, also where each of its
// terms is rounded. It is below 0 where only a multiple of ten is such a unit.
func Decimals(size *big.Rat, limit float64, wanted int) int {
	for most := new(big.Rat).SetFloat64(limit * (1 - 1e-6)); size.Sign() > 0; wanted-- {
		if most.Cmp(new(big.Rat).Quo(size, input.Ratio(1, wanted))) > 0 {
			break
		}
	}
	return wanted
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
// errors name an edge from a vertex to itself, or to one that is not below n, or say that the sum of all |weights| is
// beyond the exact range even without decimals. Weights that do not have the same unit are rounded first. The list is
// empty afterwards.
func (b *Edges) Graph(n int, merge bool) (g *Graph, zeros, merged int, err error) {
	if err := b.check(n); err != nil {
		return nil, 0, 0, err
	}
	if b.own != nil {
		_, size := b.Places()
		digits := min(Decimals(size, input.MaxExact, b.most), input.MaxDigits)
		if digits < 0 {
			return nil, 0, 0, errSum(Sides)
		}
		b.Round(digits)
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
