package formats

import (
	"bytes"
	"errors"
	"strings"

	"github.com/clopt/clopt/internal/problems/formats/meta"
	"github.com/clopt/clopt/internal/problems/formats/readers"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// whole is a text that is in memory as a whole, for formats whose parts may be in any order.
type whole struct {
	*parser
	text      []byte
	separator byte // of a matrix: a comma, a semicolon, or a blank for any number of them
}

// whole reads the rest of the text.
func (p *parser) whole() (whole, error) {
	text, err := p.All()
	if err != nil {
		return whole{}, err
	}
	if i := bytes.IndexByte(text, 0); i >= 0 {
		line, col := input.Place(text, i)
		return whole{}, input.Errorf(p.File, line, col, "a NUL byte. Give a text file in UTF-8 or ASCII.")
	}
	return whole{parser: p, text: text}, nil
}

// binary reads the rest of the file, which may be no text.
func (p *parser) binary() (whole, error) {
	text, err := p.All()
	return whole{parser: p, text: text}, err
}

// through reads the rest of the file with a reader of texts.
func (w whole) through(read readers.Reader) error {
	facts, err := read(w.text, w)
	if f, ok := errors.AsType[*readers.Fault](err); ok {
		return w.fail(f.At, "%s", f.Msg)
	}
	if e, ok := errors.AsType[*input.Error](err); ok && e.File == "" {
		e.File = w.File
	}
	if err != nil {
		return err
	}
	w.model.Maximize = w.model.Maximize || facts.Maximize
	if facts.Offset != nil {
		w.model.Offset.Set(facts.Offset)
	}
	if facts.Bare && w.kind != graph.Sides {
		return w.holds("a list of edges without weights", graph.Sides)
	}
	if err := w.constrainNumbered(facts.Rows); err != nil {
		return err
	}
	w.notes.Others = strings.Join(facts.Others, ", ")
	w.repeats = facts.Repeats
	w.opt.MergeEdges = w.opt.MergeEdges || facts.Repeats == readers.Summed
	return nil
}

// Size sets the number of variables, from which number they count, and their names.
func (w whole) Size(n, base int, names []string, at int) error {
	w.model.Names, w.base = names, base
	return w.size(n, at)
}

// Term adds a term.
func (w whole) Term(u, v int, c int64, digits, at int) error { return w.add(u, v, c, digits, at) }

// remark reads a comment of a format in which no offset is read.
func (w whole) remark(text []byte) error {
	known, err := w.meta.Comment(text)
	if !known && err == nil {
		err = w.around.Comment(text, meta.None)
	}
	return err
}

// at moves the place of errors to an offset.
func (w whole) at(offset int) { w.Line, w.Col = input.Place(w.text, offset) }

// fail returns an error at an offset.
func (w whole) fail(offset int, format string, args ...any) error {
	w.at(offset)
	return w.Fail(w.Col, format, args...)
}

// number reads the decimal number at an offset.
func (w whole) number(word []byte, offset int) (v int64, digits int, err error) {
	if v, digits, err = w.exact(word); err != nil {
		w.at(offset)
		return w.weight(word)
	}
	return v, digits, nil
}

// add adds a term of variables u and v that begins at an offset.
func (w whole) add(u, v int, c int64, digits, offset int) error {
	if w.watch != nil {
		if u == w.watch.U && v == w.watch.V || u == w.watch.V && v == w.watch.U {
			w.at(offset)
		}
		return w.edge(u, v, c, digits, w.Col, w.base)
	}
	err := w.edge(u, v, c, digits, 0, w.base)
	if err != nil {
		w.at(offset) // places are expensive, so that only faults find theirs
		err = w.edge(u, v, c, digits, w.Col, w.base)
	}
	return err
}

// size sets the number of variables. offset is the place of what says so.
func (w whole) size(n, offset int) error {
	w.at(offset)
	if n == 0 {
		return w.Fail(w.Col, "no variables. Give at least one.")
	}
	return w.header(n, 0, w.Col, w.Col, 1)
}
