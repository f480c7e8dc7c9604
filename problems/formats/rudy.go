package formats

import (
	"github.com/clopt/clopt/problems/input"
)

// rudy reads "n m" and m lines "i j w", with i and j counting from 1. The weight of a line without w is 1.
func (p *parser) rudy() error {
	var head, col [2]int
	fields, err := p.oneLine(func(k int, word []byte) error {
		if k == 2 {
			return p.Fail(p.Col, "the header has a third word, %s. Write the numbers of vertices and edges, "+
				"\"n m\", then one edge a line. (A list of couplings without a header is read as ising:FILE.)",
				input.Shown(word))
		}
		v, ok, large := input.Index(word)
		name := [...]string{"vertices", "edges"}[k]
		if large {
			return p.Fail(p.Col, "%.40s %s are beyond the maximum of %d. Check the header.", word, name, input.MaxIndex)
		}
		if !ok {
			return p.Fail(p.Col, "%s is not a number of %s. Begin with a header \"n m\" of two whole numbers.",
				input.Shown(word), name)
		}
		head[k], col[k] = v, p.Col
		return nil
	})
	switch {
	case err != nil:
		return err
	case fields == 0:
		return p.Fail(p.Col, "no header. Begin with the numbers of vertices and edges, \"n m\".")
	case fields == 1:
		return p.Fail(p.Col, "the header ends after 1 number. Write the numbers of vertices and edges, \"n m\".")
	}
	if err := p.header(head[0], head[1], col[0], col[1], 4); err != nil {
		return err
	}
	p.base = 1
	p.reserve(p.m)
	return p.announced(p.m, "header", "edges", func(word []byte) error {
		return p.weightedEdge(word, "the line ends after 1 number. Write an edge as \"i j w\".", "an edge is \"i j w\"")
	})
}

// weightedEdge reads the rest of a line, from the first vertex in word on. The weight may be missing. short is the error
// for a line with one vertex, and form the form of the line.
func (p *parser) weightedEdge(word []byte, short, form string) error {
	u, v, col, err := p.ends(word, 1, short)
	if err != nil {
		return err
	}
	w, digits, err := p.lastWeight("", form)
	if err != nil {
		return err
	}
	return p.edge(u, v, w, digits, col, 1)
}
