package formats

import (
	"fmt"
	"math/big"
	"strconv"

	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/meta"
	"github.com/clopt/clopt/internal/problems/formats/readers"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// freeVertices is the number of vertices that the header of any file may announce.
// For more vertices, a file must have at least one byte for each of the others.
const freeVertices = 1 << 20

// parser reads one text into edges. If a fault involves two lines, the file is
// parsed a second time with watch set, to find them.
type parser struct {
	*input.Scanner
	loader
	format format.Format
	kinds  []graph.Kind // that the file may hold
	most   int64        // largest number of bytes of the text
	loops  bool         // loops are linear terms, in a list of their own

	n, m   int // from the header
	bare   int // edges without a weight
	head   position
	edges  graph.Edges
	lower  graph.Edges // the edges (i, j) with i > j of a general matrix
	linear graph.Edges // the linear terms
	model  *graph.Model
	fixed  map[int]*big.Rat // the values of variables that bounds or constraints fix
	meta   meta.Data
	said   position // of the last comment of the meta
	notes  Notes
	extra  int         // 10^extra times the coefficients are in the units of the lists
	around meta.Around // of a .qubo

	convention format.Convention // of a QUBO after "n m"
	repeats    readers.Repeats

	layout
	lookout
}

// layout says how the text names vertices and edges.
type layout struct {
	base      int      // of the indices in the file
	shift     int      // of the indices in a list, which has no header to say so before
	general   bool     // a matrix that has both triangles
	listed    bool     // a list without a header
	labels    bool     // a list whose indices count from 0
	either    bool     // indices from 0 to n are read, which count from 0 or from 1
	zero, top position // the first places of 0 and of n, if they are either
	double    bool     // the term of a pair counts twice
	terms     bool     // a matrix of three rows, which may as well be three terms "i,j,q"

	saysBits bool // a comment says that a list after "n m" is a QUBO
}

// lookout finds the two lines of a fault, which are those of the same edge.
type lookout struct {
	watch           *graph.Pair // look for this pair only; nil: for none
	seen, seenLower []position  // the first two places of the pair, in each triangle
}

type position struct{ line, col, from int } // from: the first vertex of a pair

// header compares the numbers of a header with the size of the file, before
// anything is allocated. least is the smallest number of bytes of a line.
func (p *parser) header(n, m, colN, colM, least int) error {
	p.head = position{line: p.Line, col: colN}
	switch {
	case n < 1:
		return p.Fail(colN, "%d vertices, and a graph has at least 1. Correct the header.", n)
	case int64(n) > freeVertices+p.most:
		return p.Fail(colN, "%d vertices in a file of at most %d bytes: the header cannot be right. Check it.", n,
			p.most)
	case m > 0 && int64(m) > (p.most-p.Offset()+1)/int64(least):
		return p.Fail(colM, "%d edges, for which the file has too few bytes (at most %d). Check the header, or fetch "+
			"the file again.%s", m, p.most, p.headerLine())
	}
	p.n, p.m = n, m
	return nil
}

// reserve allocates memory for m edges, at most four times the size of the text.
func (p *parser) reserve(m int) {
	if p.watch == nil {
		p.edges.Reserve(m)
	}
}

// vertex reads an index that counts from base.
func (p *parser) vertex(word []byte, base int) (int, error) {
	v, ok, large := input.Index(word)
	first := base // as far as errors say
	if p.either {
		first = 1
	}
	switch {
	case p.listed && (large || ok && v >= p.n):
		return 0, p.Fail(p.Col, "spin %.20s in a file of at most %d bytes cannot be right. Correct it.", word, p.most)
	case ok && p.either && v <= p.n:
		p.notice(v)
	case large, ok && v > p.n-1+base:
		return 0, p.Fail(p.Col,
			"vertex %.20s is beyond %d, the last one. Correct it, or the number of vertices in the header.%s", word,
			p.n-1+first, p.headerLine())
	case ok && v < base:
		return 0, p.Fail(p.Col, "vertex 0, but vertices count from 1 here. Is the file 0-based? Add 1 to every index.")
	case !ok && p.listed:
		return 0, p.Fail(p.Col, "%s is not the index of a spin or a bit. Write whole numbers from 0 on.",
			input.Shown(word))
	case !ok:
		if len(word) > 1 && word[0] == '-' {
			if _, ok, _ := input.Index(word[1:]); ok {
				return 0, p.Fail(p.Col, "vertex %.20s is below %d, the first one. Correct it.", word, first)
			}
		}
		return 0, p.Fail(p.Col, "%s is not the index of a vertex. Write whole numbers from %d to %d.",
			input.Shown(word), first, p.n-1+first)
	}
	return v - base, nil
}

// notice remembers the first places of the vertices 0 and n.
func (p *parser) notice(v int) {
	switch at := (position{line: p.Line, col: p.Col}); {
	case v == 0 && p.zero.line == 0:
		p.zero = at
	case v == p.n && p.top.line == 0:
		p.top = at
	}
}

// countFrom sets the number of the first index of a list whose indices have been read as they are.
func (p *parser) countFrom(base int) {
	p.base, p.shift = base, base
	if base == 0 {
		return
	}
	for _, b := range p.lists() {
		for i := range b.U {
			b.U[i]--
			b.V[i]--
		}
	}
}

// headerLine says which line is taken for the header of a list of edges.
func (p *parser) headerLine() string {
	if p.format != format.Rudy || p.listed {
		return ""
	}
	return fmt.Sprintf(" (Line %d is the header \"n m\": if it is an edge, name the file .edges.)", p.head.line)
}

// exact reads a decimal number, and counts those that have more digits than are read.
func (p *parser) exact(word []byte) (w int64, digits int, err error) {
	if w, digits, err = input.Exact(word); digits < 0 {
		if all, ok := new(big.Rat).SetString(string(word)); ok && all.Cmp(input.Ratio(w, digits)) != 0 {
			p.notes.Long++
		}
	}
	return w, digits, err
}

// weight reads a weight.
func (p *parser) weight(word []byte) (w int64, digits int, err error) {
	if w, digits, err = p.exact(word); err != nil {
		hint := ""
		switch {
		case err.Error() == "is not a decimal number":
			hint = ". Write weights like 3, -1 or 0.25"
		}
		return 0, 0, p.Fail(p.Col, "%s %v%s.", input.Shown(word), err, hint)
	}
	return w, digits, nil
}

// countLines returns the number of lines with fields from the current one on.
func (p *parser) countLines() (n int) {
	for {
		switch kind, _, err := p.Next(); {
		case err != nil || kind == input.EndText:
			return n
		case kind == input.EndLine:
			n++
		}
	}
}

// oneLine calls read with the fields of the next line that has any, and returns their number. It is 0 at the end of the
// text.
func (p *parser) oneLine(read func(k int, word []byte) error) (fields int, err error) {
	for {
		kind, word, err := p.Next()
		if err != nil || kind != input.Field {
			return fields, err
		}
		if err := read(fields, word); err != nil {
			return 0, err
		}
		fields++
	}
}

// lines calls read with the first field of each line that follows. read reads the rest of the line.
func (p *parser) lines(read func(word []byte) error) error {
	for {
		kind, word, err := p.Next()
		if err != nil || kind == input.EndText {
			return err
		}
		if err := read(word); err != nil {
			return err
		}
	}
}

// announced is lines for the n lines that a header announces. head is "header", or "sizes" if it has that name; what
// are the contents of the lines.
func (p *parser) announced(n int, head, what string, read func(word []byte) error) error {
	lines := 0
	err := p.lines(func(word []byte) error {
		if lines++; lines <= n {
			return read(word)
		}
		line, col := p.Line, p.Col
		verb := map[string]string{"header": "announces", "sizes": "announce"}[head]
		return input.Errorf(p.File, line, col,
			"the %s %s %d %s, and %d follow; this is the first too many. Correct the %s.%s", head, verb, n, what,
			n+p.countLines(), head, p.headerLine())
	})
	if err == nil && lines < n {
		hint := ""
		if lines == p.n {
			hint = p.hint()
		}
		return p.Fail(p.Col, "the file ends after %d of %d %s. Correct the %s, or fetch the file again.%s", lines, n,
			what, head, hint)
	}
	return err
}

// ends reads the two vertices at the beginning of a line whose first field is word. short is the error for a line that
// has only one. col is the column of the first.
func (p *parser) ends(word []byte, base int, short string) (u, v, col int, err error) {
	col = p.Col
	if u, err = p.vertex(word, base); err != nil {
		return 0, 0, 0, err
	}
	kind, word, err := p.Next()
	switch {
	case err != nil:
		return 0, 0, 0, err
	case kind == input.EndLine:
		return 0, 0, 0, p.Fail(p.Col, "%s", short)
	}
	v, err = p.vertex(word, base)
	return u, v, col, err
}

// lastWeight reads the weight at the end of a line. short is the error for a line without it; if it is "", the weight
// is then 1. form is the form of the line, for the error if another field follows.
func (p *parser) lastWeight(short, form string) (w int64, digits int, err error) {
	kind, word, err := p.Next()
	switch {
	case err != nil:
		return 0, 0, err
	case kind == input.EndLine && short == "":
		p.bare++
		return 1, 0, nil
	case kind == input.EndLine:
		return 0, 0, p.Fail(p.Col, "%s", short)
	}
	if w, digits, err = p.weight(word); err != nil {
		return 0, 0, err
	}
	return w, digits, p.endOfLine(form)
}

// endOfLine returns an error if another field follows.
func (p *parser) endOfLine(form string) error {
	col := p.Col
	kind, word, err := p.Next()
	if err != nil {
		return err
	}
	if kind == input.Field {
		return p.Fail(p.Col, "%s is one word too many: %s. Remove it.%s", input.Shown(word), form, p.hint())
	}
	p.Col = col // the last word, for faults of the line
	return nil
}

// called returns the name of a vertex for an error, or its number counted from base.
func (p *parser) called(u, base int) string {
	if u < len(p.model.Names) {
		return input.Shown([]byte(p.model.Names[u]))
	}
	return strconv.Itoa(u + base)
}

// edge adds an edge of the current line. col is the column of its first vertex;
// base is the number of the first vertex in the file.
func (p *parser) edge(u, v int, w int64, digits, col, base int) error {
	into, seen := &p.edges, &p.seen
	if p.general && u > v {
		into, seen = &p.lower, &p.seenLower
	}
	if p.watch != nil { // the first reading has checked everything else
		if len(*seen) < 2 && (u == p.watch.U && v == p.watch.V || u == p.watch.V && v == p.watch.U) {
			*seen = append(*seen, position{p.Line, col, u})
		}
		return nil
	}
	if u == v {
		switch {
		case p.saysBits && p.kind == graph.Spins:
			return p.refuse()
		case p.loops:
			into = &p.linear
		case p.opt.DropLoops:
			p.notes.Loops++
			return nil
		default:
			return p.Fail(col, "an edge from vertex %s to itself, which no cut counts. If the file is a QUBO, whose "+
				"linear terms look like this, name it as qubo:%s. In a graph, remove it, or leave all of them out "+
				"with --drop-loops.", p.called(u, base), p.File)
		}
	}
	if !into.Add(u, v, w, digits) {
		return p.Fail(p.Col, "with this weight the sum of all |weights| is beyond float64. Scale them down.")
	}
	return nil
}
