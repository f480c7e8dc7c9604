package formats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/clopt/clopt/problems/formats/format"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/input"
)

// finish makes the model from the terms read.
func (p *parser) finish() error {
	if !p.scale() {
		what := [...]string{graph.Sides: "weights|, in units of the smallest decimal, is beyond 2^62",
			graph.Bits:  "coefficients|, in units of the smallest decimal, is beyond 2^60",
			graph.Spins: "coefficients|, in units of the smallest decimal, is beyond 2^60"}[p.kind]
		return p.Fail(p.Col, "the sum of all |%s, up to which values are exact. Scale or round them.", what)
	}
	if p.general {
		return p.triangles()
	}
	var twice *graph.Pair
	if p.kind != graph.Sides {
		p.model.Linear, twice = p.linearTerms()
	}
	if twice == nil {
		p.model.Pairs, twice = p.graph(&p.edges)
	}
	if twice != nil {
		return p.twice(*twice)
	}
	return nil
}

// mostPrinted is the bound of the sum of all |coefficients| where numbers are rounded or decimals cut off. Such
// problems can be converted, and sums still have more digits than float64 has.
const mostPrinted = 1 << 56

// scale gives all lists the same unit. Where the sum of all |coefficients| leaves the exact range, decimals are cut
// off. It returns false if there are none left.
func (p *parser) scale() bool {
	lists := []*graph.Edges{&p.edges, &p.lower, &p.linear}
	limit, digits, cut := uint64(input.MaxExact), 0, false
	if p.kind != graph.Sides {
		limit /= 4
	}
	for _, b := range lists {
		digits = max(digits, b.Digits)
		cut = cut || b.Cut()
	}
	if cut || p.notes.Near > 0 {
		limit = mostPrinted
	}
	for ; ; digits-- {
		sum, fits := uint64(0), true
		for _, b := range lists {
			b.CutTo(digits)
			fits = fits && b.Rescale(digits)
			sum += b.Sum
		}
		switch {
		case fits && sum < limit:
			if cut {
				p.notes.Cut = strconv.Itoa(digits + p.power)
			}
			return true
		case digits == 0:
			return false
		}
		limit, cut = mostPrinted, true
	}
}

// raise returns the power of ten by which small coefficients are multiplied, so that as many of their decimals as sums
// can have are read: 0, unless some have been rounded.
func (p *parser) raise() int {
	sum := p.near
	for _, b := range []*graph.Edges{&p.edges, &p.lower, &p.linear} {
		sum = max(sum, float64(b.Sum)/float64(input.Pow10[b.Digits]))
	}
	if p.notes.Near == 0 || sum == 0 {
		return 0
	}
	return max(0, -int(math.Ceil(math.Log10(sum))))
}

// roundOffset rounds the offset of the model to the unit of its sum where the decimals of the offset would leave no
// room for the sum, such as the 17 of a number that a program has printed.
func (p *parser) roundOffset() {
	unit, sum := p.model.UnitScale(), new(big.Int)
	for _, b := range []*graph.Edges{&p.edges, &p.lower, &p.linear} {
		sum.Add(sum, new(big.Int).SetUint64(b.Sum))
	}
	inUnits := new(big.Rat).Quo(p.model.Offset, unit)
	sum.Mul(sum, inUnits.Denom())
	sum.Add(sum, new(big.Int).Abs(inUnits.Num()))
	if inUnits.IsInt() || sum.BitLen() <= 60 { // the cut of a QUBO has up to four times as large a sum
		return
	}
	whole, _ := new(big.Rat).SetString(inUnits.FloatString(0))
	p.model.Offset = whole.Mul(whole, unit)
	p.notes.Near = max(p.notes.Near, 1) // it may be counted already
}

// tenTo returns a power of ten.
func tenTo(power int) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(power)), nil))
}

// graph makes the graph of a list of edges.
func (p *parser) graph(b *graph.Edges) (*graph.Graph, *graph.Pair) {
	g, zeros, merged, err := b.Graph(p.n, p.opt.MergeEdges)
	p.notes.Zeros += zeros
	p.notes.Merged += merged
	if e, ok := errors.AsType[*graph.RepeatedError](err); ok {
		return nil, &e.Pair
	} else if err != nil {
		panic("formats: a reader has kept an edge that no graph has")
	}
	return g, nil
}

// linearTerms returns the linear term of each variable, or one that has two. The reader of MPS files looks for these.
func (p *parser) linearTerms() (terms []int64, twice *graph.Pair) {
	terms = make([]int64, p.n)
	seen := make([]bool, p.n)
	for i, u := range p.linear.U {
		if seen[u] {
			if !p.opt.MergeEdges && p.format != format.MPS {
				return nil, &graph.Pair{U: int(u), V: int(u)}
			}
			p.notes.Merged++
		}
		seen[u] = true
		terms[u] += p.linear.W[i]
	}
	return terms, nil
}

// twice returns the error for a pair that is in two lines. It reads the file a second time to find them.
func (p *parser) twice(r graph.Pair) error {
	watch := graph.Pair{U: r.U + p.shift, V: r.V + p.shift}
	again, err := p.loader.parse(&watch)
	if err != nil {
		return err
	}
	seen := again.seen
	if len(seen) < 2 {
		seen = again.seenLower
	}
	what, where := fmt.Sprintf("the edge between vertices %d and %d", r.U+p.base, r.V+p.base), p.File
	if r.U == r.V {
		what = fmt.Sprintf("the linear term of %d", r.U+p.base)
	}
	if len(seen) < 2 { // the file has changed meanwhile
		return input.Errorf(where, 1, 1, "%s is there twice. Remove one, or use --merge-edges to add them.", what)
	}
	if p.kind == graph.Sides && seen[0].from != seen[1].from {
		return input.Errorf(where, seen[1].line, seen[1].col, "%s is in line %d already, in the other direction. If "+
			"every edge is in the file in both directions, keep one of the two lines: --merge-edges adds them, which "+
			"counts each edge twice.", what, seen[0].line)
	}
	return input.Errorf(where, seen[1].line, seen[1].col,
		"%s is in line %d already. Remove one, or use --merge-edges to add them.", what, seen[0].line)
}

// triangles makes the graph of a matrix that has both triangles. Those of a graph are equal; a dense matrix may also
// have one of them only. In a QUBO they are added.
func (p *parser) triangles() error {
	upper, twice := p.graph(&p.edges)
	if twice != nil {
		return p.twice(*twice)
	}
	notes := p.notes
	lower, twice := p.graph(&p.lower)
	if twice != nil {
		return p.twice(*twice)
	}
	both := p.format == format.Matrix || p.format == format.MPS ||
		p.format == format.METIS // triangles must be there, and equal
	differs := unequal(upper, lower)
	switch {
	case differs == nil:
		if p.notes = notes; p.format != format.Matrix && p.format != format.METIS {
			p.notes.Form = "symmetric"
		}
	case !both && lower.M() == 0:
		p.notes.Form = "upper triangular"
	case !both && upper.M() == 0:
		p.notes.Form, upper = "lower triangular", lower
	case !both && p.kind == graph.Bits:
		p.notes.Form = "not symmetric: both elements of a pair are added"
	default:
		return p.asymmetric(*differs)
	}
	if p.model.Pairs = upper; p.kind != graph.Bits {
		return nil
	}
	if p.terms {
		defer func() { p.notes.Form += "; if its lines are terms i, j, q, write blanks in place of the separators" }()
	}
	if len(p.linear.U) == 0 && upper.M() > 0 && p.format != format.MPS {
		defer func() {
			p.notes.Form += ", and its diagonal is 0; the matrix of a graph is named maxcut:" + p.File
		}()
	}
	p.model.Linear, _ = p.linearTerms()
	switch {
	case differs == nil && upper.M() > 0:
		p.notes.Form += ": both elements of a pair are added"
		for i := range upper.Weights {
			upper.Weights[i] *= 2
		}
	case p.notes.Form[0] == 'n':
		sum := graph.Edges{Digits: upper.Digits()}
		for _, g := range []*graph.Graph{upper, lower} {
			for u := range g.N() {
				for e := g.Offsets[u]; e < g.Offsets[u+1]; e++ {
					if v := int(g.Neighbors[e]); v > u {
						sum.Add(u, v, g.Weights[e], sum.Digits)
					}
				}
			}
		}
		p.model.Pairs, _, _, _ = sum.Graph(p.n, true)
	}
	return nil
}

// asymmetric returns the error for a pair whose elements differ.
func (p *parser) asymmetric(r graph.Pair) error {
	again, err := p.loader.parse(&r)
	if err != nil {
		return err
	}
	seen := append(again.seen, again.seenLower...)
	pair, cure := fmt.Sprintf("(%d, %d)", r.U+1, r.V+1), "write \"symmetric\" in the header"
	need := "Edges need"
	if p.format == format.METIS {
		return input.Errorf(p.File, p.head.line, p.head.col,
			"vertices %d and %d are neighbours in one of their lines only, "+
				"or with two weights. Correct them.", r.U+1, r.V+1)
	}
	if p.format == format.MPS {
		pair, cure = fmt.Sprintf("(%s, %s)", p.model.Names[r.U], p.model.Names[r.V]), "name the section QUADOBJ"
		need = "QMATRIX needs"
	}
	if len(seen) == 0 { // the file has changed meanwhile
		return input.Errorf(p.File, 1, 1, "the matrix is not symmetric at %s. %s a symmetric one.", pair, need)
	}
	at := slices.MaxFunc(seen, func(a, b position) int { return cmp.Or(a.line-b.line, a.col-b.col) })
	if len(again.seen) == 0 || len(again.seenLower) == 0 {
		return input.Errorf(p.File, at.line, at.col,
			"there is an entry for %s in one order only: the matrix is not symmetric. Add the other one, or %s.", pair,
			cure)
	}
	return input.Errorf(p.File, at.line, at.col,
		"the entry for %s differs from that in the other order: the matrix is not symmetric. %s a symmetric one.", pair,
		need)
}
