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
	if head[0] == 0 {
		return p.Fail(col[0], "0 vertices in the header \"n m\". Begin with the numbers of vertices and edges, and "+
			"count vertices from 1. (A list of couplings \"i j J\" without a header is read as ising:FILE.)")
	}
	if err := p.header(head[0], head[1], col[0], col[1], 4); err != nil {
		return err
	}
	return p.edgeLines("", "the line ends after 1 number. Write an edge as \"i j w\".", "an edge is \"i j w\"")
}

// dimacs reads "p edge n m" or "p col n m" and m lines "e i j w" like those of rudy.
func (p *parser) dimacs() error {
	var size, col [2]int
	if err := p.sizes("Write \"p edge n m\" with the numbers of vertices and edges.", size[:], col[:], "p",
		"edge edges col"); err != nil {
		return err
	}
	if err := p.header(size[0], size[1], col[0], col[1], 6); err != nil {
		return err
	}
	return p.edgeLines("e", "the line ends too early. Write an edge as \"e i j\".", "an edge is \"e i j w\"")
}

// edgeLines reads the edges. Each line begins with a word, unless that is "". short is the error for a line that ends
// before the second vertex, and form the form of a line.
func (p *parser) edgeLines(begin, short, form string) error {
	p.base = 1
	p.reserve(p.m)
	return p.announced(p.m, "header", "edges", func(word []byte) error {
		switch {
		case begin == "":
		case string(word) != begin:
			return p.Fail(p.Col, "%s does not begin an edge: %s.", input.Shown(word), form)
		default:
			kind, vertex, err := p.Next()
			if err == nil && kind != input.Field {
				err = p.Fail(p.Col, "%s", short)
			}
			if word = vertex; err != nil {
				return err
			}
		}
		u, v, col, err := p.ends(word, 1, short)
		if err != nil {
			return err
		}
		w, digits, err := p.lastWeight("", form)
		if err != nil {
			return err
		}
		return p.edge(u, v, w, digits, col, 1)
	})
}
