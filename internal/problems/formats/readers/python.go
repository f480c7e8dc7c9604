package readers

import (
	"bytes"
	"math/big"

	"github.com/clopt/clopt/internal/problems/input"
)

// python reads dictionaries as Python prints them.
type python struct {
	text   []byte
	at     int
	known  *vertices
	terms  []pythonTerm
	offset *big.Rat
}

// pythonTerm is a weight and the one or two names of its key.
type pythonTerm struct {
	names  [][]byte
	weight []byte
	at     int // of the weight
}

// Python reads a quadratic function as Python prints it: {(a, b): 2.5, …}, where (a, a), (a,) or a is linear and () is
// constant, or several of them and the offset, as to_qubo and to_ising of dimod return them: ({…}, 1.5). Terms of the
// same pair are added.
func Python(text []byte, to Sink) (Facts, error) {
	p := &python{text: text, known: newVertices(max(1<<20, len(text))), offset: new(big.Rat)}
	if err := p.all(); err != nil {
		return Facts{}, err
	}
	if len(p.known.names)+len(p.known.numbers) == 0 {
		return Facts{}, fault(len(text), "no variables. Write a dictionary like {(0, 0): -1, (0, 1): 2}.")
	}
	base, names := p.known.arrange(0)
	if err := to.Size(p.known.n, base, names, 0); err != nil {
		return Facts{}, err
	}
	for _, t := range p.terms {
		c, digits, err := number(t.weight, t.at)
		if err != nil {
			return Facts{}, err
		}
		if err := to.Term(p.known.of(t.names[0]), p.known.of(t.names[len(t.names)-1]), c, digits, t.at); err != nil {
			return Facts{}, err
		}
	}
	return Facts{Repeats: Summed, Offset: p.offset}, nil
}

// all reads the whole text: a dictionary, or a tuple of dictionaries and the offset.
func (p *python) all() error {
	p.at = len(p.text) - len(bytes.TrimPrefix(p.text, []byte("\xef\xbb\xbf")))
	tuple := p.take('(')
	for {
		if err := p.dictionary(); err != nil {
			return err
		}
		if !tuple {
			break
		}
		comma := p.take(',')
		if p.take(')') {
			break
		}
		if !comma {
			return p.expected("a , or a )")
		}
		if c := p.next(); c != '{' && c != 'd' {
			w, at, err := p.word()
			if err != nil {
				return err
			}
			if err := p.constant(w, at); err != nil {
				return err
			}
			if !p.take(')') {
				return p.expected("a )")
			}
			break
		}
	}
	if p.next() != 0 {
		return p.expected("the end")
	}
	return nil
}

// dictionary reads one, also as a defaultdict.
func (p *python) dictionary() error {
	inside := p.next() == 'd' && bytes.HasPrefix(p.text[p.at:], []byte("defaultdict("))
	if inside {
		rest := bytes.IndexByte(p.text[p.at:], '{')
		p.at += max(rest, 0)
	}
	if !p.take('{') {
		return p.expected("a {")
	}
	for !p.take('}') {
		names, err := p.key()
		if err != nil {
			return err
		}
		if !p.take(':') {
			return p.expected("a :")
		}
		w, at, err := p.word()
		if err != nil {
			return err
		}
		if len(names) == 0 {
			if err := p.constant(w, at); err != nil {
				return err
			}
		} else {
			p.terms = append(p.terms, pythonTerm{names, w, at})
		}
		if !p.take(',') && p.next() != '}' {
			return p.expected("a , or a }")
		}
	}
	if inside && !p.take(')') {
		return p.expected("a )")
	}
	return nil
}

// key reads the names of a key: none, one, or two.
func (p *python) key() (names [][]byte, err error) {
	at := p.at
	if !p.take('(') {
		w, _, err := p.word()
		p.known.see(w)
		return [][]byte{w}, err
	}
	for !p.take(')') {
		w, _, err := p.word()
		if err != nil {
			return nil, err
		}
		p.known.see(w)
		names = append(names, w)
		if !p.take(',') && p.next() != ')' {
			return nil, p.expected("a , or a )")
		}
	}
	if len(names) > 2 {
		return nil, fault(at, "a key of %d variables, and a quadratic function has up to two. Make it quadratic "+
			"first, as make_quadratic of dimod does.", len(names))
	}
	return names, nil
}

// constant adds to the offset.
func (p *python) constant(w []byte, at int) error {
	if _, _, err := number(w, at); err != nil {
		return err
	}
	v, err := input.Rational(w)
	if err != nil {
		return fault(at, "%s %v.", input.Shown(w), err)
	}
	p.offset.Add(p.offset, v)
	return nil
}

// word reads a text in quotes, a tuple, or a number. Of a number of numpy, such as np.float64(2.5), it returns what is
// in the brackets.
func (p *python) word() (w []byte, at int, err error) {
	c := p.next()
	at = p.at
	switch {
	case c == '\'' || c == '"':
		end := bytes.IndexByte(p.text[at+1:], c)
		if end < 0 {
			return nil, at, fault(at, "a text without its end. Write a %c there.", c)
		}
		w = p.text[at+1 : at+1+end]
		p.at += end + 2
	case c == '(':
		depth := 0
		for ; p.at < len(p.text); p.at++ {
			switch p.text[p.at] {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				p.at++
				return p.text[at:p.at], at, nil
			}
		}
		return nil, at, fault(at, "a ( without its ). Write the file again.")
	default:
		for p.at < len(p.text) && bytes.IndexByte([]byte(" \t\r\n,:(){}'\""), p.text[p.at]) < 0 {
			p.at++
		}
		if w = p.text[at:p.at]; len(w) > 0 && p.next() == '(' && p.take('(') {
			if w, at, err = p.word(); err == nil && !p.take(')') {
				err = p.expected("a )")
			}
		}
	}
	if err == nil && len(w) == 0 {
		err = p.expected("a name or a number")
	}
	return w, at, err
}

// next returns the next character that is no blank, 0 at the end.
func (p *python) next() byte {
	p.at = len(p.text) - len(bytes.TrimLeft(p.text[p.at:], " \t\r\n"))
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// take reads a character if it is the next one.
func (p *python) take(c byte) bool {
	if p.next() != c {
		return false
	}
	p.at++
	return true
}

func (p *python) expected(what string) error {
	if p.next() == 0 {
		return fault(p.at, "the file ends where %s should be. Write the dictionary again.", what)
	}
	return fault(p.at, "%s where %s should be. Write a dictionary like {(0, 0): -1, (0, 1): 2}.",
		input.Shown(p.text[p.at:p.at+1]), what)
}
