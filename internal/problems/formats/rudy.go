package formats

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/metis"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// rudy reads "n m" and m lines "i j w", with i and j counting from 1. The weight of a line without w is 1.
func (p *parser) rudy() error {
	var head, col [2]int
	fields, err := p.oneLine(func(k int, word []byte) error {
		if k == 2 {
			cure := noHeader
			if p.kind == graph.Sides && len(bytes.Trim(word, "01")) == 0 { // as "n m 001" of METIS
				cure += neighbours
			}
			return p.Fail(p.Col, "the header has a third word, %s. Write the numbers of vertices and edges, "+
				"\"n m\", then one edge a line.%s", input.Shown(word), cure)
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
			"count vertices from 1."+noHeader)
	}
	if err := p.header(head[0], head[1], col[0], col[1], 4); err != nil {
		return err
	}
	if err := p.edgeLines("", "the line ends after 1 number. Write an edge as \"i j w\"."+p.hint(),
		"an edge is \"i j w\""); err != nil {
		return err
	}
	return p.eitherForm()
}

// noHeader says which lists have no header.
const noHeader = " (A list of terms \"i i a\" and \"i j q\" without a header is named qubo:FILE if its variables " +
	"are 0 " +
	"and 1, and ising:FILE if they are -1 and 1.)"

// hint says when a graph after "n m" is in another form.
func (p *parser) hint() string {
	if p.format != format.Rudy || p.kind != graph.Sides {
		return ""
	}
	return neighbours
}

// neighbours says how a file in METIS form is named.
const neighbours = " If line i after the header has the neighbours of vertex i, as METIS writes them, name the " +
	"file .graph."

// eitherForm refuses a list of edges that may as well be the neighbours of all vertices, in METIS form, unless the
// extension decides: n lines of two vertices, in which i is in the lines of both vertices of line i.
func (p *parser) eitherForm() error {
	u, v := p.edges.U, p.edges.V
	ext := strings.ToLower(filepath.Ext(strings.TrimSuffix(p.Source.Name, ".gz")))
	if p.kind != graph.Sides || p.bare != p.n || len(u) != p.n || p.n <= 3 ||
		slices.Contains(format.Rudy.Trait().Exts, ext) {
		return nil
	}
	for i := range uint32(p.n) {
		has := func(k uint32) bool { return k != i && (u[k] == i || v[k] == i) }
		if !has(u[i]) || !has(v[i]) {
			return nil
		}
	}
	return input.Errorf(p.File, p.head.line, p.head.col, "is a list of %d edges, or in METIS form, in which line i "+
		"after "+
		"the header has the neighbours of vertex i. Name it .rud if it is the former, and .graph if the latter.", p.n)
}

// metis reads a graph in the format of METIS.
func (p *parser) metis() error {
	w, err := p.whole()
	if err != nil {
		return err
	}
	p.general, p.base = true, 1
	err = metis.Each(w.text, w.size, func(u, v int, weight []byte, at int) error {
		c, digits := int64(1), 0
		if weight != nil {
			if c, digits, err = w.number(weight, at); err != nil {
				return err
			}
		}
		return w.add(u, v, c, digits, at)
	})
	if f, ok := errors.AsType[*metis.Fault](err); ok {
		return w.fail(f.At, "%s", f.Msg)
	}
	return err
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
		if u != v && p.kind == graph.Bits && p.opt.Pairs == "twice" {
			w, digits = twice(w, digits)
		}
		return p.edge(u, v, w, digits, col, 1)
	})
}
