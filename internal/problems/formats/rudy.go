package formats

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/readers"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// headed reads a list after "n m": a graph, a QUBO or an Ising problem. Only for a QUBO has the name of the file, its
// comments or Options.Pairs to say what the lines mean.
func (p *parser) headed() error {
	switch known := p.convention.Name != ""; {
	case p.kind == graph.Sides && known, p.kind == graph.Spins && known, // it says QUBO
		p.kind == graph.Bits && !known && p.opt.Pairs == "":
		return p.refuse()
	case p.kind == graph.Bits && p.opt.Pairs == "":
		p.double = p.convention.Twice
		p.general = !p.convention.Twice // both elements of a pair may be there
	default:
		p.double = p.opt.Pairs == "twice"
	}
	return p.rudy()
}

// edgeList reads a list without a header as a graph. The beginning of a graph in METIS form looks the same.
func (p *parser) edgeList() error {
	if head := p.Head(format.Sniffed); metisHeader.Match(head) || !edgeLine.Match(head) {
		return p.rudy() // which reports the fault
	}
	w, err := p.whole()
	if err != nil {
		return err
	}
	return w.through(readers.Edges)
}

// edgeLine matches a first line of two or three numbers, after comments.
var edgeLine = regexp.MustCompile(`\A(?:\s*(?:[#%].*)?\n)*[ \t]*\S+[ \t]+\S+([ \t]+\S+)?[ \t\r]*(\n|\z)`)

// metisHeader matches a header of METIS with the word that says which weights there are.
var metisHeader = regexp.MustCompile(`\A\s*[0-9]+[ \t]+[0-9]+[ \t]+0?[01]{2}[ \t\r]*\n`)

// rudy reads "n m" and m lines "i j w". Vertices count from 0 if there is a vertex 0, else from 1. The weight of a line
// without w is 1.
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
	p.either = true
	if err := p.edgeLines("", "the line ends after 1 number. Write an edge as \"i j w\"."+p.hint(),
		"an edge is \"i j w\""); err != nil {
		return err
	}
	switch at := p.zero; {
	case at.line == 0:
		p.countFrom(1)
	case p.top.line == 0:
		p.countFrom(0)
	default:
		if p.top.line > at.line || p.top.line == at.line && p.top.col > at.col {
			at = p.top
		}
		return input.Errorf(p.File, at.line, at.col, "there are the vertices 0 and %d, and the header announces %[1]d "+
			"vertices, which are 0 to %d or 1 to %[1]d. Correct a vertex or the header.", p.n, p.n-1)
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
	ext := format.Ext(p.Source.Name)
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
	base := 1
	if p.either {
		base = 0
	}
	p.base = base
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
		u, v, col, err := p.ends(word, base, short)
		if err != nil {
			return err
		}
		w, digits, err := p.lastWeight("", form)
		if err != nil {
			return err
		}
		if u != v && p.double {
			w, digits = twice(w, digits)
		}
		return p.edge(u, v, w, digits, col, base)
	})
}
