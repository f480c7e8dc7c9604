package formats

import "github.com/clopt/clopt/problems/input"

// dimacs reads "p edge n m" or "p col n m" and m lines "e i j" or "e i j w", with i and j counting from 1. The weight of
// a line without w is 1.
func (p *parser) dimacs() error {
	const form = "Write \"p edge n m\" with the numbers of vertices and edges."
	var size, col [2]int
	fields, err := p.oneLine(func(k int, word []byte) error {
		switch {
		case k < 2: // Sniff has seen them
			return nil
		case k > 3:
			return p.Fail(p.Col, "the header has a fifth word, %s. %s", input.Shown(word), form)
		}
		v, ok, large := input.Index(word)
		if large {
			return p.Fail(p.Col, "%.40s is beyond the maximum of %d. Check the header.", word, input.MaxIndex)
		}
		if !ok {
			return p.Fail(p.Col, "%s is not a whole number. %s", input.Shown(word), form)
		}
		size[k-2], col[k-2] = v, p.Col
		return nil
	})
	switch {
	case err != nil:
		return err
	case fields < 4:
		return p.Fail(p.Col, "the header ends after %d of 4 words. %s", fields, form)
	}
	if err := p.header(size[0], size[1], col[0], col[1], 6); err != nil {
		return err
	}
	p.base = 1
	p.reserve(p.m)
	return p.announced(p.m, "header", "edges", func(word []byte) error {
		if string(word) != "e" {
			return p.Fail(p.Col, "%s does not begin an edge. Write \"e i j\" or \"e i j w\"; vertices have no weights "+
				"in a cut.", input.Shown(word))
		}
		kind, word, err := p.Next()
		switch {
		case err != nil:
			return err
		case kind != input.Field:
			return p.Fail(p.Col, "the line ends after \"e\". Write an edge as \"e i j\".")
		}
		return p.weightedEdge(word, "the line ends after 1 vertex. Write an edge as \"e i j\".", "an edge is \"e i j w\"")
	})
}
