package formats

import (
	"bytes"
	"math"
	"os"
	"regexp"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// element adds the element (i, j) of a square matrix of n rows.
func (p *parser) element(i, j int, c int64, digits int) error {
	if c == 0 {
		return nil
	}
	return p.edge(i, j, c, digits, p.Col, 0)
}

// square begins a dense matrix of n rows.
func (p *parser) square(n int) error {
	p.general = true
	return p.header(n, 0, p.Col, p.Col, 1)
}

// palubeckis reads "1 n" and the n² elements of a symmetric matrix, in any lines.
func (p *parser) palubeckis() error {
	var head [2]int
	if _, err := p.oneLine(func(k int, word []byte) error {
		v, ok, _ := input.Index(word)
		if !ok || k > 1 {
			return p.Fail(p.Col, "%s in the header. Write \"1 n\".", input.Shown(word))
		}
		head[k] = v
		return nil
	}); err != nil {
		return err
	}
	n := head[1]
	if err := p.square(n); err != nil {
		return err
	}
	return p.elements(n*n, func(k int) (i, j int) { return k / n, k % n })
}

// array reads "n n" and the elements of a MatrixMarket matrix in form array, column by column; of a symmetric one those
// from the diagonal on.
func (p *parser) array(symmetric bool) error {
	var size [2]int
	fields, err := p.oneLine(func(k int, word []byte) error {
		v, ok, _ := input.Index(word)
		if !ok || k > 1 {
			return p.Fail(p.Col, "%s in the sizes. Write \"rows columns\".", input.Shown(word))
		}
		size[k] = v
		return nil
	})
	n := size[0]
	switch {
	case err != nil:
		return err
	case fields < 2 || n != size[1]:
		return p.Fail(p.Col, "a matrix of %d rows and %d columns. Give a square one.", n, size[1])
	}
	if err := p.square(n); err != nil {
		return err
	}
	p.general = !symmetric
	p.double = symmetric && p.kind == graph.Bits
	if !symmetric {
		return p.elements(n*n, func(k int) (i, j int) { return k % n, k / n })
	}
	row, column := -1, 0
	return p.elements(n*(n+1)/2, func(int) (i, j int) {
		if row++; row == n {
			column++
			row = column
		}
		return row, column
	})
}

// elements reads the elements of a matrix, in any lines. place returns the place of each, which it is asked for once.
func (p *parser) elements(count int, place func(k int) (i, j int)) error {
	for k := 0; ; {
		kind, word, err := p.Next()
		switch {
		case err != nil:
			return err
		case kind == input.EndLine:
			continue
		case kind == input.EndText && k == count:
			return nil
		case kind == input.EndText:
			return p.Fail(p.Col, "the file ends after %d of %d elements. Correct the header, or fetch the file "+
				"again.", k, count)
		case k == count:
			return p.Fail(p.Col, "the header announces %d elements, and this is the first too many. Correct the "+
				"header.", count)
		}
		c, digits, err := p.weight(word)
		if err != nil {
			return err
		}
		i, j := place(k)
		if i != j && p.double {
			c, digits = twice(c, digits)
		}
		if err := p.element(i, j, c, digits); err != nil {
			return err
		}
		k++
	}
}

// csv reads a matrix with a row in each line, and commas between the elements, or semicolons or blanks where there are
// no commas. There may be labels.
func (p *parser) csv() error {
	w, err := p.whole()
	if err != nil {
		return err
	}
	rows, first := 0, []byte(nil)
	for line := range bytes.Lines(w.text) {
		if input.IsComment(line) {
			if err := w.remark(bytes.TrimLeft(bytes.TrimSpace(line), "#%")); err != nil {
				return err
			}
			continue
		}
		if rows++; rows == 1 {
			first = line
		}
	}
	w.separator = input.Separator(first)
	labels := input.LabelsOf(w.text, w.separator, false)
	n := 0
	i := 0
	if labels.Fault != "" {
		return w.fail(labels.At, "%s. Write the same names in the same order in the heading and before the rows, "+
			"or none.", labels.Fault)
	}
	if labels.Names != nil {
		rows--
		i = -1 // the heading comes first
		p.model.Names = labels.Names
	}
	for start, next := 0, 0; start < len(w.text); start = next {
		line, _, _ := bytes.Cut(w.text[start:], []byte("\n"))
		next = start + len(line) + 1
		if input.IsComment(line) {
			continue
		}
		if i++; i == 0 {
			continue
		}
		if labels.Index {
			_, line, _ = input.Element(bytes.TrimLeft(line, " \t"), w.separator)
			start = next - 1 - len(line)
		}
		if n == 0 {
			if i := bytes.IndexByte(bytes.TrimSpace(line), '\r'); i > 0 {
				return w.fail(start+i, input.LoneReturn)
			}
			if n = input.CountElements(line, w.separator); n != rows {
				return w.fail(0, "%d x %d elements. Give a square matrix. If the rows are edges, write a heading "+
					"such as source,target,weight above their columns.", rows, n)
			}
			w.at(0)
			if err := p.square(n); err != nil {
				return err
			}
		}
		if err := w.row(i-1, line, start); err != nil {
			return err
		}
	}
	p.terms = n == 3 && threeTerms.Match(w.text)
	return nil
}

// threeTerms matches three lines that may be terms i, j, q of a QUBO as well as the rows of a matrix.
var threeTerms = regexp.MustCompile(`^\s*(?:[0-9]+\s*[,;]\s*[0-9]+\s*[,;][^,;\n]+\s*){3}$`)

// row reads the elements of row i, whose line is at an offset.
func (w whole) row(i int, line []byte, offset int) error {
	j := 0
	if w.separator == ' ' {
		begin := len(line) - len(bytes.TrimLeft(line, " \t"))
		line, offset = bytes.TrimSpace(line), offset+begin
	}
	for {
		word, rest, more := input.Element(line, w.separator)
		at := offset + len(word) - len(bytes.TrimLeft(word, " \t"))
		number := bytes.Trim(bytes.TrimSpace(word), "\"")
		if j == w.n || len(number) == 0 {
			return w.fail(at, "element %d of a row of %d: %s. Write %d numbers, all with the same separator.", j+1, w.n,
				input.Shown(number), w.n)
		}
		c, digits, err := w.number(number, at)
		if err != nil {
			return err
		}
		if c != 0 {
			if err := w.add(i, j, c, digits, at); err != nil {
				return err
			}
		}
		if j++; !more {
			break
		}
		offset += len(word) + 1
		line = rest
	}
	if j < w.n {
		return w.fail(offset, "the row ends after %d of %d elements. Give a square matrix.", j, w.n)
	}
	return nil
}

// npy reads a square matrix of numpy. Elements are the shortest decimal numbers that are read as the same
// binary ones.
func (p *parser) npy() error {
	f, err := os.Open(p.Source.Name)
	if err != nil {
		return input.FileError(p.Source.Name, err)
	}
	defer f.Close()
	a, err := input.ReadNpyHeader(f, p.Source.Size, "f8", "f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1")
	if err != nil {
		return input.Errorf(p.File, 1, 1, "%v.", err)
	}
	n := int(math.Sqrt(float64(a.Count)))
	if !a.IsSquare() {
		return input.Errorf(p.File, 1, 1, "not a square matrix: the last element is (%s). Give a matrix of n rows "+
			"and n columns.", a.Position(a.Count-1))
	}
	p.Line, p.Col = 1, 1
	if err := p.square(n); err != nil {
		return err
	}
	return a.EachWord(f, func(k int, word []byte) error {
		bad := func(what any) error {
			return input.Errorf(p.File, 1, 1, "element (%s) is %s, which %v.", a.Position(k), word, what)
		}
		if last := word[len(word)-1]; last < '0' || last > '9' {
			return bad("is not finite. Correct it")
		}
		c, digits, err := p.exact(word)
		if err != nil {
			return bad(err)
		}
		if c == 0 {
			return nil
		}
		return p.element(k/n, k%n, c, digits)
	})
}
