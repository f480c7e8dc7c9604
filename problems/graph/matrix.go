package graph

import (
	"bytes"
	"strings"

	"github.com/clopt/clopt/problems/input"
)

// matrix reads a MatrixMarket coordinate matrix of the weights of the edges. A
// symmetric matrix has each edge once. A general one has it twice, with equal
// weights; the entries of its lower triangle go to lower. Zeros on the diagonal are
// skipped.
func (p *parser) matrix(lower *parser) *input.Error {
	general, pattern, err := p.matrixKind()
	if err != nil {
		return err
	}
	var size, col [3]int
	fields := 0
	for done := false; !done; {
		kind, word, err := p.next()
		switch {
		case err != nil:
			return err
		case kind == endText:
			return p.fail(0, "no sizes. Write a line \"rows columns entries\" after the header.")
		case kind == endLine && fields < 3:
			return p.fail(p.col, "the sizes end after %d of 3 numbers. Write \"rows columns entries\".", fields)
		case kind == endLine:
			done = true
		case fields == 3:
			return p.fail(p.col, "the sizes have a fourth word, %s. Write \"rows columns entries\".", input.Shown(word))
		default:
			v, ok, large := index(word)
			if large {
				return p.fail(p.col, "%.40s is beyond the maximum of %d. Check the sizes.", word, maxVertices)
			}
			if !ok {
				return p.fail(p.col, "%s is not a whole number. Write \"rows columns entries\".", input.Shown(word))
			}
			size[fields], col[fields] = v, p.col
			fields++
		}
	}
	if size[0] != size[1] {
		return p.fail(col[0], "a matrix of %d rows and %d columns. Edges need a square one.", size[0], size[1])
	}
	half := size[2]
	if general {
		half /= 2
	}
	drop := p.opt
	p.opt.DropLoops = true // the number of entries includes the diagonal
	err = p.header(size[0], half, col[0], col[2], 4*size[2]/max(half, 1))
	p.opt = drop
	if err != nil {
		return err
	}
	p.reserve(size[2]) // in a general matrix all entries may be in one triangle
	p.general = general
	lower.scanner, lower.opt, lower.n, lower.watch = p.scanner, p.opt, p.n, p.watch
	if general {
		lower.reserve(half)
	}
	entries := 0
	for {
		kind, word, err := p.next()
		if err != nil {
			return err
		}
		if kind == endText {
			break
		}
		if entries == size[2] {
			line, col := p.line, p.col
			return input.Errorf(p.file, line, col,
				"the sizes announce %d entries, and %d follow; this is the first too many. Correct the sizes.", size[2],
				entries+p.countLines())
		}
		if err := p.entry(lower, word, general, pattern); err != nil {
			return err
		}
		entries++
	}
	if entries < size[2] {
		return p.fail(0, "the file ends after %d of %d entries. Correct the sizes, or fetch the file again.", entries,
			size[2])
	}
	return nil
}

// matrixKind reads the first line, the kind of the matrix.
func (p *parser) matrixKind() (general, pattern bool, err *input.Error) {
	const form = "Write \"%%MatrixMarket matrix coordinate real symmetric\"; integer, pattern and general are read " +
		"as well."
	i := bytes.IndexByte(p.buf[p.pos:p.end], '\n')
	if i < 0 {
		return false, false, p.fail(1, "the header has no end. %s", form)
	}
	line := string(p.buf[p.pos : p.pos+i])
	words := strings.Fields(strings.ToLower(line))
	bad := func(k int, what string) (bool, bool, *input.Error) {
		if k >= len(words) {
			return false, false, p.fail(len(line)+1, "the header ends without its %s. %s", what, form)
		}
		at := 0
		for i := range k + 1 {
			at += len(line[at:]) - len(strings.TrimLeft(line[at:], " \t\r"))
			if i < k {
				at += strings.IndexAny(line[at:]+" ", " \t\r")
			}
		}
		return false, false, p.fail(at+1, "the %s %q cannot be read. %s", what, strings.Fields(line[at:])[0], form)
	}
	word := func(k int) string {
		if k < len(words) {
			return words[k]
		}
		return ""
	}
	switch {
	case word(0) != "%%matrixmarket":
		return bad(0, "banner")
	case word(1) != "matrix":
		return bad(1, "object")
	case word(2) != "coordinate":
		return bad(2, "form")
	case word(3) != "real" && word(3) != "integer" && word(3) != "pattern":
		return bad(3, "field")
	case word(4) != "symmetric" && word(4) != "general":
		return bad(4, "symmetry")
	case len(words) > 5:
		return bad(5, "sixth word")
	}
	return words[4] == "general", words[3] == "pattern", nil
}

// entry reads the rest of a line "i j a" whose first field is word.
func (p *parser) entry(lower *parser, word []byte, general, pattern bool) *input.Error {
	col := p.col
	u, err := p.vertex(word, 1)
	if err != nil {
		return err
	}
	kind, word, err := p.next()
	if err != nil {
		return err
	}
	if kind == endLine {
		return p.fail(p.col, "the line ends after 1 number. Write an entry as \"i j a\".")
	}
	v, err := p.vertex(word, 1)
	if err != nil {
		return err
	}
	w, digits, form := int64(1), 0, "an entry of a pattern is \"i j\""
	if !pattern {
		form = "an entry is \"i j a\""
		if kind, word, err = p.next(); err != nil {
			return err
		}
		if kind == endLine {
			return p.fail(p.col, "the line ends after 2 numbers. Write an entry as \"i j a\".")
		}
		if w, digits, err = p.weight(word); err != nil {
			return err
		}
	}
	if err := p.endOfLine(form); err != nil {
		return err
	}
	if u == v && w == 0 {
		return nil
	}
	if general && u > v {
		err = lower.edge(u, v, w, digits, col, 1)
		p.notes.Loops += lower.notes.Loops
		lower.notes.Loops = 0
		return err
	}
	return p.edge(u, v, w, digits, col, 1)
}

// unequal returns the first edge that differs between the triangles of a general
// matrix, or nil.
func unequal(a, b *Graph) *repeated {
	for u := range a.N() {
		i, j := a.Offsets[u], b.Offsets[u]
		for i < a.Offsets[u+1] || j < b.Offsets[u+1] {
			switch {
			case j == b.Offsets[u+1] || i < a.Offsets[u+1] && a.Neighbors[i] < b.Neighbors[j]:
				return &repeated{u, int(a.Neighbors[i])}
			case i == a.Offsets[u+1] || a.Neighbors[i] > b.Neighbors[j]:
				return &repeated{u, int(b.Neighbors[j])}
			case a.Weights[i] != b.Weights[j]:
				return &repeated{u, int(a.Neighbors[i])}
			}
			i, j = i+1, j+1
		}
	}
	return nil
}
