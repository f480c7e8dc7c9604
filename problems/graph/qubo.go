package graph

import (
	"github.com/clopt/clopt/problems/input"
)

// qubo reads "p qubo 0 N nodes couplers" and as many lines "i i a" and "i j q" with
// i < j < N. Indices count from 0.
func (p *parser) qubo() *input.Error {
	const form = "Write \"p qubo 0 N nodes couplers\"."
	var size [3]int
	var col [3]int
	fields := 0
	for done := false; !done; {
		kind, word, err := p.next()
		switch {
		case err != nil:
			return err
		case kind == endText:
			return p.fail(0, "no header. %s", form)
		case kind == endLine && fields < 6:
			return p.fail(p.col, "the header ends after %d of 6 words. %s", fields, form)
		case kind == endLine:
			done = true
			continue
		case fields == 6:
			return p.fail(p.col, "the header has a seventh word, %s. %s", input.Shown(word), form)
		case fields == 0 && string(word) != "p", fields == 1 && string(word) != "qubo",
			fields == 2 && string(word) != "0" && string(word) != "unconstrained":
			return p.fail(p.col, "the header has %s. %s", input.Shown(word), form)
		case fields >= 3:
			v, ok, large := index(word)
			if large {
				return p.fail(p.col, "%.40s is beyond the maximum of %d. Check the header.", word, maxVertices)
			}
			if !ok {
				return p.fail(p.col, "%s is not a whole number. %s", input.Shown(word), form)
			}
			size[fields-3], col[fields-3] = v, p.col
		}
		fields++
	}
	if size[1] > size[0] {
		return p.fail(col[1], "%d nodes with a linear term, but there are only %d. Check the header.", size[1], size[0])
	}
	p.loops = true
	if err := p.header(size[0], size[2], col[0], col[2], 6); err != nil {
		return err
	}
	p.reserve(size[2])
	var count [2]int
	for {
		kind, word, err := p.next()
		if err != nil {
			return err
		}
		if kind == endText {
			break
		}
		line, at := p.line, p.col
		which, err := p.term(word, 0, true)
		if err != nil {
			return err
		}
		if count[which]++; count[which] > size[1+which] {
			return input.Errorf(p.file, line, at, "%s %d, but the header announces %d. Correct the header or remove it.",
				[...]string{"node", "coupler"}[which], count[which], size[1+which])
		}
	}
	for k, name := range []string{"nodes", "couplers"} {
		if count[k] < size[1+k] {
			return p.fail(0, "the file ends after %d of %d %s. Correct the header, or fetch the file again.", count[k],
				size[1+k], name)
		}
	}
	return nil
}

// term reads the rest of a line "i i a" or "i j q" whose first field is word. which
// is 0 for the former and 1 for the latter.
func (p *parser) term(word []byte, base int, ordered bool) (which int, err *input.Error) {
	col := p.col
	u, err := p.vertex(word, base)
	if err != nil {
		return 0, err
	}
	var v int
	for i := range 2 {
		kind, word, err := p.next()
		if err != nil {
			return 0, err
		}
		if kind == endLine {
			return 0, p.fail(p.col, "the line ends after %d of 3 numbers. Write \"i i a\" or \"i j q\".", i+1)
		}
		if i == 0 {
			if v, err = p.vertex(word, base); err != nil {
				return 0, err
			}
			if ordered && u > v {
				return 0, p.fail(col, "a coupler of %d and %d. Write the smaller index first.", u+base, v+base)
			}
			continue
		}
		w, digits, err := p.weight(word)
		if err != nil {
			return 0, err
		}
		if err := p.endOfLine("a term is \"i i a\" or \"i j q\""); err != nil {
			return 0, err
		}
		if err := p.edge(u, v, w, digits, col, base); err != nil {
			return 0, err
		}
	}
	if u != v {
		which = 1
	}
	return which, nil
}

// list reads lines "i i h" and "i j J" without a header. Spins count from base,
// which is 0 if there is a spin 0, else 1.
func (p *parser) list() (base int, err *input.Error) {
	p.loops, p.listed = true, true
	p.n = int(min(maxVertices, freeVertices+p.most))
	for {
		kind, word, err := p.next()
		if err != nil {
			return 0, err
		}
		if kind == endText {
			break
		}
		if _, err := p.term(word, 0, false); err != nil {
			return 0, err
		}
	}
	p.n, base = 0, 1
	for _, b := range []*edges{&p.edges, &p.linear} {
		for i := range b.u {
			p.n = max(p.n, int(b.u[i])+1, int(b.v[i])+1)
			if b.u[i] == 0 || b.v[i] == 0 {
				base = 0
			}
		}
	}
	if p.n == 0 && p.watch == nil {
		return 0, p.fail(0, "no terms. Write lines \"i i h\" and \"i j J\".")
	}
	if base == 1 {
		p.n--
		for _, b := range []*edges{&p.edges, &p.linear} {
			for i := range b.u {
				b.u[i]--
				b.v[i]--
			}
		}
	}
	return base, nil
}

// linearTerms returns the linear term of each vertex, or a vertex that has two
// terms.
func (p *parser) linearTerms() (terms []int64, twice *repeated) {
	terms = make([]int64, p.n)
	seen := make([]bool, p.n)
	for i, u := range p.linear.u {
		if seen[u] {
			if !p.opt.MergeEdges {
				return nil, &repeated{int(u), int(u)}
			}
			p.notes.Merged++
		}
		seen[u] = true
		terms[u] += p.linear.w[i]
	}
	return terms, nil
}
