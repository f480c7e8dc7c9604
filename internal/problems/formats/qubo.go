package formats

import (
	"fmt"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// qubo reads "p qubo 0 N nodes couplers" and as many lines "i i a" and "i j q" with i < j < N. Indices count from 0.
func (p *parser) qubo() error {
	const form = "Write \"p qubo 0 N nodes couplers\"."
	var size, col [3]int
	if err := p.sizes(form, size[:], col[:], "p", "qubo", "0 unconstrained"); err != nil {
		return err
	}
	if size[1] > size[0] {
		return p.Fail(col[1], "%d nodes with a linear term, but there are only %d. Check the header.", size[1], size[0])
	}
	if err := p.header(size[0], size[2], col[0], col[2], 6); err != nil {
		return err
	}
	p.reserve(size[2])
	var count [2]int
	if err := p.lines(func(word []byte) error {
		line, at := p.Line, p.Col
		which, err := p.term(word, 0, true)
		if err != nil {
			return err
		}
		if count[which]++; count[which] > size[1+which] {
			return input.Errorf(p.File, line, at,
				"%s %d, but the header announces %d. Correct the header or remove it.",
				[...]string{"node", "coupler"}[which], count[which], size[1+which])
		}
		return nil
	}); err != nil {
		return err
	}
	for k, name := range []string{"nodes", "couplers"} {
		if count[k] < size[1+k] {
			return p.Fail(p.Col, "the file ends after %d of %d %s. Correct the header, or fetch the file again.",
				count[k], size[1+k], name)
		}
	}
	return nil
}

// sizes reads a header of some words, each of which is one of a list with blanks, and of numbers.
func (p *parser) sizes(form string, size, col []int, words ...string) error {
	all := len(words) + len(size)
	fields, err := p.oneLine(func(k int, word []byte) error {
		switch {
		case k == all:
			return p.Fail(p.Col, "the header has a %s word, %s. %s", map[int]string{4: "fifth", 6: "seventh"}[k],
				input.Shown(word), form)
		case k < len(words) && !slices.Contains(strings.Fields(words[k]), string(word)):
			if k == 0 && words[1] == "qubo" {
				form += " If this is a heading above lines \"i j q\", delete it or begin it with #."
			}
			return p.Fail(p.Col, "the header has %s. %s", input.Shown(word), form)
		case k < len(words):
			return nil
		}
		v, ok, large := input.Index(word)
		if large {
			return p.Fail(p.Col, "%.40s is beyond the maximum of %d. Check the header.", word, input.MaxIndex)
		}
		if !ok {
			return p.Fail(p.Col, "%s is not a whole number. %s", input.Shown(word), form)
		}
		size[k-len(words)], col[k-len(words)] = v, p.Col
		return nil
	})
	switch {
	case err != nil:
		return err
	case fields == 0:
		return p.Fail(p.Col, "no header. %s", form)
	case fields < all:
		return p.Fail(p.Col, "the header ends after %d of %d words. %s", fields, all, form)
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
		return 0, p.Fail(col, "a coupler of %d and %d. Write the smaller index first.", u+base, v+base)
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

// list reads lines "i i h" and "i j J" without a header. Variables count from 0 if there is a variable 0, if a comment
// says so, or if a comment gives the kind of variables, as dimod does; else from 1.
func (p *parser) list() error {
	p.listed = true
	p.n = int(min(input.MaxIndex, freeVertices+p.most))
	lines := 0
	if err := p.lines(func(word []byte) error {
		lines++
		_, err := p.term(word, 0, false)
		return err
	}); err != nil {
		return err
	}
	if p.meta.N > p.n {
		return p.Fail(p.Col, "%d variables in a file of at most %d bytes cannot be right. Correct the comment.",
			p.meta.N, p.most)
	}
	p.n = p.meta.N
	p.notes.Rows = lines == 3 && p.kind == graph.Bits && !p.labels && p.n == 0
	p.base = 1
	if p.labels || p.n > 0 {
		p.base = 0
	}
	for _, b := range []*graph.Edges{&p.edges, &p.linear} {
		for i := range b.U {
			p.n = max(p.n, int(b.U[i])+1, int(b.V[i])+1)
			if b.U[i] == 0 || b.V[i] == 0 {
				p.base = 0
			}
		}
	}
	if p.n == 0 && p.watch == nil {
		return p.Fail(p.Col, "no terms. Write lines \"i i h\" and \"i j J\".")
	}
	p.n -= p.base
	p.countFrom(p.base)
	return nil
}
