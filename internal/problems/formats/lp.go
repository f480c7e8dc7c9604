package formats

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/problems/formats/bounds"
	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/rows"
	"github.com/clopt/clopt/internal/problems/input"
)

// lpText is an LP file. Terms are read with the variables in the order in which the objective names them; the section
// of binary variables says the order of the model.
type lpText struct {
	whole
	pos   int // of the next token
	word  string
	start int // offset of word
	rows  []rows.Row
	variables
}

// lp reads an LP file with binary variables, a quadratic objective and linear constraints.
func (p *parser) lp() error {
	w, err := p.whole()
	if err != nil {
		return err
	}
	l := &lpText{whole: w}
	l.opt.MergeEdges = true // a sum may name a product twice
	products := bytes.Count(w.text, []byte("*")) + bytes.Count(w.text, []byte("^"))
	l.reserve(products)
	l.linear.Reserve(max(bytes.Count(w.text, []byte("+"))+bytes.Count(w.text, []byte("-"))+1-products, 0))
	if err := l.next(); err != nil {
		return err
	}
	sense := strings.ToLower(l.word)
	if l.word == "/" || l.pos < len(l.text) && l.text[l.pos] == ':' {
		return l.fail(l.start, "an LP file of lp_solve, whose objectives have no products of variables. Write it in "+
			"the LP format of CPLEX, or as MPS.")
	}
	if !slices.Contains(format.LPSenses, sense) {
		return l.fail(l.start, "%s is not the sense of the objective. Begin with Minimize or Maximize.",
			input.Shown([]byte(l.word)))
	}
	p.model.Maximize = strings.HasPrefix(sense, "max")
	if err := l.next(); err != nil {
		return err
	}
	if err := l.objective(); err != nil {
		return err
	}
	if err := l.sections(); err != nil {
		return err
	}
	return l.arrange()
}

// next reads the next token into word: a name, a number, an operator, or "" at the end.
func (l *lpText) next() error {
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == '\\':
			line := l.text[l.pos+1:]
			if i := bytes.IndexByte(line, '\n'); i >= 0 {
				line = line[:i]
			}
			if err := l.remark(bytes.TrimSpace(line)); err != nil {
				return l.fail(l.pos, "%v.", err)
			}
			l.pos += 1 + len(line)
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			l.pos++
			continue
		}
		break
	}
	l.start = l.pos
	if l.pos == len(l.text) {
		l.word = ""
		return nil
	}
	end := l.pos + 1
	switch c := l.text[l.pos]; {
	case c >= '0' && c <= '9' || c == '.':
		end = l.numberEnd()
	case c == '<' || c == '>' || c == '=':
		for end < len(l.text) && bytes.IndexByte([]byte("<>="), l.text[end]) >= 0 {
			end++
		}
	case bytes.IndexByte([]byte("+-*^[]/:"), c) < 0:
		end = l.nameEnd()
	}
	l.word, l.pos = string(l.text[l.start:end]), end
	return nil
}

// nameEnd returns the end of the name at pos. An index in brackets belongs to it, as in the names x[1] of Gurobi.
func (l *lpText) nameEnd() int {
	end, open := l.pos+1, 0
	for ; end < len(l.text) && bytes.IndexByte([]byte(" \t\r\n\\"), l.text[end]) < 0; end++ {
		switch c := l.text[end]; {
		case c == '[':
			open++
		case c == ']' && open > 0:
			open--
		case open == 0 && bytes.IndexByte([]byte("+-*^]/:<>="), c) >= 0:
			return end
		}
	}
	return end
}

// numberEnd returns the end of the number at pos. An e belongs to it if an exponent follows.
func (l *lpText) numberEnd() int {
	digits := func(i int) int {
		for i < len(l.text) && (l.text[i] >= '0' && l.text[i] <= '9' || l.text[i] == '.') {
			i++
		}
		return i
	}
	end := digits(l.pos)
	if end < len(l.text) && (l.text[end] == 'e' || l.text[end] == 'E') {
		i := end + 1
		if i < len(l.text) && (l.text[i] == '+' || l.text[i] == '-') {
			i++
		}
		if exponent := digits(i); exponent > i {
			return exponent
		}
	}
	return end
}

// section returns the name of the section that begins here, or "".
func (l *lpText) section() string {
	word := strings.ToLower(l.word)
	if word == "subject" || word == "such" {
		rest := strings.TrimLeft(string(l.text[l.pos:min(len(l.text), l.pos+16)]), " \t")
		for _, second := range []string{"to", "that"} {
			if len(rest) >= len(second) && strings.EqualFold(rest[:len(second)], second) {
				return word + " " + second
			}
		}
	}
	if format.IsSection(word) {
		return word
	}
	return ""
}

// isName reports whether the token can be a name.
func (l *lpText) isName() bool {
	return l.word != "" && l.section() == "" && bytes.IndexByte([]byte("+-*^[]/:<>=.0123456789"), l.word[0]) < 0
}

// label skips the name of an objective or a constraint, if there is one.
func (l *lpText) label() error {
	if i := bytes.TrimLeft(l.text[l.pos:], " \t"); !l.isName() || len(i) == 0 || i[0] != ':' {
		return nil
	}
	if err := l.next(); err != nil {
		return err
	}
	return l.next()
}

// objective reads an optional name and the terms up to the next section.
func (l *lpText) objective() error {
	if err := l.label(); err != nil {
		return err
	}
	for first := true; l.word != "" && l.section() == ""; first = false {
		if err := l.separate(first); err != nil {
			return err
		}
		c, digits, given, err := l.coefficient()
		switch {
		case err != nil:
			return err
		case l.word == "[":
			if given {
				return l.fail(l.start, "a number before the bracket. Multiply the terms in it instead.")
			}
			err = l.bracket(c)
		case l.isName():
			u, _ := l.Find(l.word, l.start)
			if err = l.add(u, u, c, digits, l.start); err == nil {
				err = l.next()
			}
		case given:
			l.constant(c, digits, bounds.One)
		default:
			err = l.fail(l.start, "%s where a term should be. Write terms like 3 x1, and [ 2 x1 * x2 ] / 2.",
				input.Shown([]byte(l.word)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// separate refuses a term that follows another one without a sign.
func (l *lpText) separate(first bool) error {
	if first || l.word == "+" || l.word == "-" {
		return nil
	}
	if !l.isName() && l.word[0] != '[' && !l.isNumber() {
		return nil // the reader of the term refuses it
	}
	return l.fail(l.start, "%s follows a term without a sign. Write + or - between terms, and products as "+
		"[ 2 x1 * x2 ] / 2.", input.Shown([]byte(l.word)))
}

// sign reads any number of signs and returns their product.
func (l *lpText) sign() (sign int64, err error) {
	sign = 1
	for l.word == "+" || l.word == "-" {
		if l.word == "-" {
			sign = -sign
		}
		if err := l.next(); err != nil {
			return 0, err
		}
	}
	return sign, nil
}

// isNumber reports whether the token is a number without a sign.
func (l *lpText) isNumber() bool {
	return l.word != "" && (l.word[0] == '.' || l.word[0] >= '0' && l.word[0] <= '9')
}

// coefficient reads signs and a number, which is 1 if it is missing. Some programs write a * after it.
func (l *lpText) coefficient() (c int64, digits int, given bool, err error) {
	sign, err := l.sign()
	if err != nil {
		return 0, 0, false, err
	}
	c = 1
	if l.isNumber() {
		if c, digits, err = l.number([]byte(l.word), l.start); err != nil {
			return 0, 0, false, err
		}
		given = true
		if err = l.next(); err == nil && l.word == "*" {
			if err = l.next(); err == nil && !l.isName() {
				err = l.fail(l.start, "%s after *. Write a variable there, as in 2 * x1.", input.Shown([]byte(l.word)))
			}
		}
	}
	return sign * c, digits, given, err
}

// bracket reads "[ terms ] / 2". sign is that before the bracket.
func (l *lpText) bracket(sign int64) error {
	open := l.start
	if err := l.next(); err != nil {
		return err
	}
	for first := true; l.word != "]"; first = false {
		if l.word != "" {
			if err := l.separate(first); err != nil {
				return err
			}
		}
		c, digits, _, err := l.coefficient()
		if err != nil {
			return err
		}
		if !l.isName() {
			return l.fail(l.start, "%s in a bracket. Write terms like 2 x1 * x2 or 3 x1 ^ 2, and close the bracket.",
				input.Shown([]byte(l.word)))
		}
		at := l.start
		u, _ := l.Find(l.word, l.start)
		if err := l.next(); err != nil {
			return err
		}
		v, operator := u, l.word
		if err := l.next(); err != nil {
			return err
		}
		switch {
		case operator == "^" && l.word == "2":
		case operator == "*" && l.isName():
			v, _ = l.Find(l.word, l.start)
		default:
			return l.fail(at, "a term in a bracket that is not quadratic. Write x1 * x2 or x1 ^ 2.")
		}
		if err := l.next(); err != nil {
			return err
		}
		c, digits, err = l.half(sign*c, digits)
		if err != nil {
			return l.fail(at, "the half of this coefficient %v.", err)
		}
		if u == v {
			l.squares = append(l.squares, square{u, digits, c})
		}
		if err := l.add(u, v, c, digits, at); err != nil {
			return err
		}
	}
	for _, want := range []string{"]", "/", "2"} {
		if l.word != want {
			line, _ := input.Place(l.text, open)
			return l.fail(l.start, "%s after the bracket that opens in line %d. Write ] / 2: the terms count half. "+
				"If they are meant whole, double their numbers, too.",
				input.Shown([]byte(l.word)), line)
		}
		if err := l.next(); err != nil {
			return err
		}
	}
	return nil
}

// half returns the half of c·10^-digits.
func (p *parser) half(c int64, digits int) (int64, int, error) {
	switch {
	case c%2 == 0:
		return c / 2, digits, nil
	case c > input.MaxExact/5 || c < -input.MaxExact/5:
		return 0, 0, errors.New("counts half, which has too many digits to be summed exactly. Scale it down")
	}
	return 5 * c, digits + 1, nil
}
