package graph

import (
	"github.com/clopt/clopt/problems/input"
)

// maxVertices is the largest number of vertices: indices have 31 bits on devices.
const maxVertices = 1<<31 - 1

// freeVertices is the number of vertices that the header of any file may announce.
// For more vertices, a file must have at least one byte for each of the others.
const freeVertices = 1 << 20

// parser reads one text into edges. If a fault involves two lines, the file is
// parsed a second time with watch set, to find them.
type parser struct {
	*scanner
	opt   Options
	most  int64 // largest number of bytes of the text
	loops bool  // loops are linear terms, in a list of their own

	n, m   int // from the header
	edges  edges
	linear edges // the linear terms
	notes  Notes

	general bool // a matrix that has both triangles
	listed  bool // a list without a header

	watch *repeated  // look for this pair only
	seen  []position // the first two places of the pair
}

type position struct{ line, col int }

// header compares the numbers of a header with the size of the file, before
// anything is allocated. least is the smallest number of bytes of a line.
func (p *parser) header(n, m, colN, colM, least int) error {
	switch {
	case n < 1:
		return p.fail(colN, "%d vertices. A graph has at least 1.", n)
	case int64(n) > freeVertices+p.most:
		return p.fail(colN, "%d vertices in a file of at most %d bytes: the header cannot be right. Check it.", n,
			p.most)
	case m > 0 && int64(m) > (p.most-p.offset()+1)/int64(least):
		return p.fail(colM, "%d edges, for which the file has too few bytes (at most %d). Check the header, or fetch "+
			"the file again.", m, p.most)
	}
	p.n, p.m = n, m
	return nil
}

// reserve allocates memory for m edges, at most four times the size of the text.
func (p *parser) reserve(m int) {
	if p.watch == nil {
		p.edges.u, p.edges.v, p.edges.w = make([]uint32, 0, m), make([]uint32, 0, m), make([]int64, 0, m)
	}
}

// vertex reads an index that counts from base.
func (p *parser) vertex(word []byte, base int) (int, error) {
	v, ok, large := index(word)
	switch {
	case p.listed && (large || ok && v >= p.n):
		return 0, p.fail(p.col, "spin %.20s in a file of at most %d bytes cannot be right. Correct it.", word, p.most)
	case large, ok && v > p.n-1+base:
		return 0, p.fail(p.col,
			"vertex %.20s is beyond %d, the last one. Correct it, or the number of vertices in the header.", word,
			p.n-1+base)
	case ok && v < base:
		return 0, p.fail(p.col, "vertex 0, but vertices count from 1 here. Is the file 0-based? Add 1 to every index.")
	case !ok:
		if len(word) > 1 && word[0] == '-' {
			if _, ok, _ := index(word[1:]); ok {
				return 0, p.fail(p.col, "vertex %.20s is below %d, the first one. Correct it.", word, base)
			}
		}
		return 0, p.fail(p.col, "%s is not the index of a vertex. Write whole numbers from %d to %d.",
			input.Shown(word), base, p.n-1+base)
	}
	return v - base, nil
}

// weight reads a weight.
func (p *parser) weight(word []byte) (w int64, digits int, err error) {
	if w, digits, err = decimal(word); err != nil {
		hint := ""
		if err.Error() == "is not a decimal number" {
			hint = ". Write weights like 3, -1 or 0.25"
		}
		return 0, 0, p.fail(p.col, "%s %v%s.", input.Shown(word), err, hint)
	}
	return w, digits, nil
}

// countLines returns the number of lines with fields from the current one on.
func (p *parser) countLines() (n int) {
	for {
		switch kind, _, err := p.next(); {
		case err != nil || kind == endText:
			return n
		case kind == endLine:
			n++
		}
	}
}

// oneLine calls read with the fields of the next line that has any, and returns their number. It is 0 at the end of the
// text.
func (p *parser) oneLine(read func(k int, word []byte) error) (fields int, err error) {
	for {
		kind, word, err := p.next()
		if err != nil || kind != field {
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
		kind, word, err := p.next()
		if err != nil || kind == endText {
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
		line, col := p.line, p.col
		verb := map[string]string{"header": "announces", "sizes": "announce"}[head]
		return input.Errorf(p.file, line, col,
			"the %s %s %d %s, and %d follow; this is the first too many. Correct the %s.", head, verb, n, what,
			n+p.countLines(), head)
	})
	if err == nil && lines < n {
		return p.fail(0, "the file ends after %d of %d %s. Correct the %s, or fetch the file again.", lines, n, what,
			head)
	}
	return err
}

// ends reads the two vertices at the beginning of a line whose first field is word. short is the error for a line that
// has only one. col is the column of the first.
func (p *parser) ends(word []byte, base int, short string) (u, v, col int, err error) {
	col = p.col
	if u, err = p.vertex(word, base); err != nil {
		return 0, 0, 0, err
	}
	kind, word, err := p.next()
	switch {
	case err != nil:
		return 0, 0, 0, err
	case kind == endLine:
		return 0, 0, 0, p.fail(p.col, "%s", short)
	}
	v, err = p.vertex(word, base)
	return u, v, col, err
}

// lastWeight reads the weight at the end of a line. short is the error for a line without it; if it is "", the weight
// is then 1. form is the form of the line, for the error if another field follows.
func (p *parser) lastWeight(short, form string) (w int64, digits int, err error) {
	kind, word, err := p.next()
	switch {
	case err != nil:
		return 0, 0, err
	case kind == endLine && short == "":
		return 1, 0, nil
	case kind == endLine:
		return 0, 0, p.fail(p.col, "%s", short)
	}
	if w, digits, err = p.weight(word); err != nil {
		return 0, 0, err
	}
	return w, digits, p.endOfLine(form)
}

// endOfLine returns an error if another field follows.
func (p *parser) endOfLine(form string) error {
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

// edge adds an edge of the current line. col is the column of its first vertex;
// base is the number of the first vertex in the file.
func (p *parser) edge(u, v int, w int64, digits, col, base int) error {
	if p.watch != nil { // the first reading has checked everything else
		if len(p.seen) < 2 && (u == p.watch.u && v == p.watch.v || u == p.watch.v && v == p.watch.u) {
			p.seen = append(p.seen, position{p.line, col})
		}
		return nil
	}
	into := &p.edges
	if u == v {
		switch {
		case p.loops:
			into = &p.linear
		case p.opt.DropLoops:
			p.notes.Loops++
			return nil
		default:
			return p.fail(col, "an edge from vertex %d to itself, which no cut counts. Remove it, or use --drop-loops.",
				u+base)
		}
	}
	if !into.add(u, v, w, digits) {
		return p.fail(p.col, "with this weight the sum of all |weights|, in units of the smallest decimal, is beyond "+
			"2^62, up to which cuts are exact. Scale or round the weights.")
	}
	return nil
}

// twice returns the error for a pair that is in two lines. p has read the file a
// second time to find them.
func (p *parser) twice(r repeated, base int) error {
	if len(p.seen) < 2 {
		return input.Errorf(p.file, 0, 0,
			"an edge between vertices %d and %d is there twice. Remove one, or use --merge-edges.", r.u+base, r.v+base)
	}
	first, second := p.seen[0], p.seen[1]
	what := "the edge between vertices %d and %d"
	a, b := r.u, r.v
	if a == b {
		what, b = "the linear term of %d", -1
	}
	args := []any{a + base}
	if b >= 0 {
		args = append(args, b+base)
	}
	args = append(args, first.line)
	return input.Errorf(p.file, second.line, second.col,
		what+" is in line %d already. Remove one, or use --merge-edges to add them.", args...)
}
