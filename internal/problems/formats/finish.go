package formats

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/readers"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// finish makes the model from the terms read.
func (p *parser) finish() error {
	if p.repeats == readers.Equal && p.kind == graph.Sides && !p.opt.MergeEdges {
		dropped, differ := p.edges.Once(p.n)
		p.notes.Again = dropped
		if differ != nil {
			return p.twice(*differ)
		}
	}
	p.scale()
	p.rounding()
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

// lists returns the terms read.
func (p *parser) lists() []*graph.Edges { return []*graph.Edges{&p.edges, &p.lower, &p.linear} }

// scale gives all lists the same unit. Where the sum of all |coefficients| leaves the exact range, they are rounded to
// the nearest numbers of a larger unit, and the model has the rest.
func (p *parser) scale() {
	limit := new(big.Rat).SetInt(new(big.Int).SetUint64(input.MaxSum(p.kind == graph.Sides)))
	digits, size := 0, new(big.Rat)
	for _, b := range p.lists() {
		most, sum := b.Places()
		digits, size = max(digits, most), size.Add(size, sum)
	}
	if whole := new(big.Rat).Quo(size, input.Ratio(1, digits)); whole.Cmp(limit) >= 0 {
		digits = graph.Decimals(size, input.MaxRounded, digits-1)
		if digits < 0 && size.Cmp(limit) < 0 {
			digits = 0 // whole weights are exact
		}
	}
	for _, b := range p.lists() {
		if !b.Round(digits) {
			panic("formats: a sum of weights is larger than that of its terms")
		}
	}
	p.extra = digits - min(max(digits, 0), input.MaxDigits)
}

// rounding gives the model what rounding has taken from the terms.
func (p *parser) rounding() {
	lists := p.lists()
	if p.kind == graph.Sides && len(p.edges.U) > 0 {
		lists = lists[:1] // both triangles are the same
	}
	var terms []graph.Term
	for _, b := range lists {
		all, near, gone := b.Rest(terms)
		terms = all
		p.notes.Near, p.notes.Gone = p.notes.Near+near, p.notes.Gone+gone
	}
	if len(terms) > 0 {
		digits := p.edges.Digits + p.extra
		p.notes.Cut = fmt.Sprintf("%d decimals", digits)
		if digits < 0 {
			p.notes.Cut = "multiples of " + input.Decimal(input.Ratio(1, digits))
		}
		p.model.Rest = &graph.Rest{Kind: p.kind, Terms: terms, Unit: input.Ratio(1, digits+input.RestDigits),
			Offset: new(big.Rat)}
	}
}

// graph makes the graph of a list of edges.
func (p *parser) graph(b *graph.Edges) (*graph.Graph, *graph.Pair) {
	_, _, gone := b.Rest(nil)
	g, zeros, merged, err := b.Graph(p.n, p.opt.MergeEdges)
	p.notes.Zeros += max(0, zeros-gone)
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
	what, where := fmt.Sprintf("the edge between vertices %s and %s", p.called(r.U, p.base), p.called(r.V, p.base)),
		p.File
	if r.U == r.V {
		what = "the linear term of " + p.called(r.U, p.base)
	}
	if len(seen) < 2 { // the file has changed meanwhile
		return input.Errorf(where, 1, 1, "%s is there twice. Remove one, or use --merge-edges to add them.", what)
	}
	if p.repeats == readers.Equal && p.kind == graph.Sides {
		return input.Errorf(where, seen[1].line, seen[1].col, "%s has another weight in line %d. Correct one of them, "+
			"or use --merge-edges to add them.", what, seen[0].line)
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
	both := p.format == format.Matrix && p.kind == graph.Sides || p.format == format.MPS ||
		p.format == format.METIS // triangles must be there, and equal
	differs := unequal(upper, lower)
	switch {
	case differs == nil:
		p.notes = notes
		if !both {
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
	p.model.Pairs = upper
	if p.kind != graph.Bits {
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
