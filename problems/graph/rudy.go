package graph

import (
	"github.com/clopt/clopt/problems/input"
)

// rudy reads "n m" and m lines "i j w", with i and j counting from 1. The weight of
// a line without w is 1.
func (p *parser) rudy() *input.Error {
	var head [2]int
	var col [2]int
	fields := 0
	for done := false; !done; {
		kind, word, err := p.next()
		switch {
		case err != nil:
			return err
		case kind == endText:
			return p.fail(0, "no header. Begin with the numbers of vertices and edges, \"n m\".")
		case kind == endLine && fields < 2:
			return p.fail(p.col, "the header ends after 1 number. Write the numbers of vertices and edges, \"n m\".")
		case kind == endLine:
			done = true
		case fields == 2:
			return p.fail(p.col, "the header has a third word, %s. Write the numbers of vertices and edges, \"n m\", then "+
				"one edge a line. (A list of couplings without a header is read as ising:FILE.)", input.Shown(word))
		default:
			v, ok, large := index(word)
			name := [...]string{"vertices", "edges"}[fields]
			if large {
				return p.fail(p.col, "%.40s %s are beyond the maximum of %d. Check the header.", word, name, maxVertices)
			}
			if !ok {
				return p.fail(p.col, "%s is not a number of %s. Begin with a header \"n m\" of two whole numbers.",
					input.Shown(word), name)
			}
			head[fields], col[fields] = v, p.col
			fields++
		}
	}
	if err := p.header(head[0], head[1], col[0], col[1], 4); err != nil {
		return err
	}
	p.reserve(p.m)
	edges := 0
	for {
		kind, word, err := p.next()
		if err != nil {
			return err
		}
		if kind == endText {
			break
		}
		if edges == p.m {
			line, col := p.line, p.col
			return input.Errorf(p.file, line, col,
				"the header announces %d edges, and %d follow; this is the first too many. Correct the header.", p.m,
				edges+p.countLines())
		}
		if err := p.rudyEdge(word, 1); err != nil {
			return err
		}
		edges++
	}
	if edges < p.m {
		return p.fail(0, "the file ends after %d of %d edges. Correct the header, or fetch the file again.", edges, p.m)
	}
	return nil
}

// rudyEdge reads the rest of a line "i j w" whose first field is word.
func (p *parser) rudyEdge(word []byte, base int) *input.Error {
	col := p.col
	u, err := p.vertex(word, base)
	if err != nil {
		return err
	}
	kind, word, err := p.next()
	if err != nil {
		return err
	}
	if kind == endLine {
		return p.fail(p.col, "the line ends after 1 number. Write an edge as \"i j w\".")
	}
	v, err := p.vertex(word, base)
	if err != nil {
		return err
	}
	w, digits := int64(1), 0
	if kind, word, err = p.next(); err != nil {
		return err
	}
	if kind == field {
		if w, digits, err = p.weight(word); err != nil {
			return err
		}
		if err := p.endOfLine("an edge is \"i j w\""); err != nil {
			return err
		}
	}
	return p.edge(u, v, w, digits, col, base)
}

// endOfLine returns an error if another field follows.
func (p *parser) endOfLine(form string) *input.Error {
	col := p.col
	kind, word, err := p.next()
	if err != nil {
		return err
	}
	if kind == field {
		return p.fail(p.col, "%s is one word too many: %s. Remove it.", input.Shown(word), form)
	}
	p.col = col // the last word, for faults of the line
	return nil
}
