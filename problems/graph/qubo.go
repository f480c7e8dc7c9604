package graph

import (
	"fmt"

	"github.com/clopt/clopt/problems/input"
)

// qubo reads "p qubo 0 N nodes couplers" and as many lines "i i a" and "i j q" with i < j < N. Indices count from 0.
func (p *parser) qubo() error {
	const form = "Write \"p qubo 0 N nodes couplers\"."
	var size, col [3]int
	fields, err := p.oneLine(func(k int, word []byte) error {
		switch {
		case k == 6:
			return p.fail(p.col, "the header has a seventh word, %s. %s", input.Shown(word), form)
		case k == 0 && string(word) != "p", k == 1 && string(word) != "qubo",
			k == 2 && string(word) != "0" && string(word) != "unconstrained":
			return p.fail(p.col, "the header has %s. %s", input.Shown(word), form)
		case k < 3:
			return nil
		}
		v, ok, large := index(word)
		if large {
			return p.fail(p.col, "%.40s is beyond the maximum of %d. Check the header.", word, maxVertices)
		}
		if !ok {
			return p.fail(p.col, "%s is not a whole number. %s", input.Shown(word), form)
		}
		size[k-3], col[k-3] = v, p.col
		return nil
	})
	switch {
	case err != nil:
		return err
	case fields == 0:
		return p.fail(0, "no header. %s", form)
	case fields < 6:
		return p.fail(p.col, "the header ends after %d of 6 words. %s", fields, form)
	case size[1] > size[0]:
		return p.fail(col[1], "%d nodes with a linear term, but there are only %d. Check the header.", size[1], size[0])
	}
	p.loops = true
	if err := p.header(size[0], size[2], col[0], col[2], 6); err != nil {
		return err
	}
	p.reserve(size[2])
	var count [2]int
	if err := p.lines(func(word []byte) error {
		line, at := p.line, p.col
		which, err := p.term(word, 0, true)
		if err != nil {
			return err
		}
		if count[which]++; count[which] > size[1+which] {
			return input.Errorf(p.file, line, at,
				"%s %d, but the header announces %d. Correct the header or remove it.",
				[...]string{"node", "coupler"}[which], count[which], size[1+which])
		}
		return nil
	}); err != nil {
		return err
	}
	for k, name := range []string{"nodes", "couplers"} {
		if count[k] < size[1+k] {
			return p.fail(0, "the file ends after %d of %d %s. Correct the header, or fetch the file again.", count[k],
				size[1+k], name)
		}
	}
	return nil
}

// term reads the rest of a line "i i a" or "i j q" whose first field is word. which is 0 for the former and 1 for the
// latter.
func (p *parser) term(word []byte, base int, ordered bool) (which int, err error) {
	const short = "the line ends after %d of 3 numbers. Write \"i i a\" or \"i j q\"."
	u, v, col, err := p.ends(word, base, fmt.Sprintf(short, 1))
	if err != nil {
		return 0, err
	}
	if ordered && u > v {
		return 0, p.fail(col, "a coupler of %d and %d. Write the smaller index first.", u+base, v+base)
	}
	w, digits, err := p.lastWeight(fmt.Sprintf(short, 2), "a term is \"i i a\" or \"i j q\"")
	if err != nil {
		return 0, err
	}
	if u != v {
		which = 1
	}
	return which, p.edge(u, v, w, digits, col, base)
}

// list reads lines "i i h" and "i j J" without a header. Spins count from base, which is 0 if there is a spin 0, else
// 1.
func (p *parser) list() (base int, err error) {
	p.loops, p.listed = true, true
	p.n = int(min(maxVertices, freeVertices+p.most))
	if err := p.lines(func(word []byte) error {
		_, err := p.term(word, 0, false)
		return err
	}); err != nil {
		return 0, err
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
