package formats

import (
	"bytes"
	"math/big"
	"strings"

	"github.com/clopt/clopt/internal/problems/formats/bounds"
	"github.com/clopt/clopt/internal/problems/formats/rows"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// sections reads what follows the objective. Sections that hold nothing may be there, since some programs write all of
// them.
func (l *lpText) sections() error {
	listed := 0
	for l.word != "" {
		name, at := l.section(), l.start
		if err := l.next(); err != nil {
			return err
		}
		if name == "subject to" || name == "such that" {
			if err := l.next(); err != nil {
				return err
			}
		}
		switch name {
		case "end":
			return nil
		case "subject to", "such that", "st", "s.t.":
			for l.word != "" && l.section() == "" {
				if err := l.constraint(); err != nil {
					return err
				}
			}
		case "binaries", "binary", "bin", "generals", "general", "gen", "integers", "integer", "int":
			if err := l.list(&listed, name[0] == 'b'); err != nil {
				return err
			}
		case "bounds", "bound":
			if err := l.bounds(); err != nil {
				return err
			}
		default:
			if l.word == "" || l.section() != "" { // it is empty
				continue
			}
			return l.fail(at, "%s cannot be read. Use a section Binaries, and End.", input.Shown([]byte(name)))
		}
		if l.word != "" && l.section() == "" {
			return l.fail(l.start, "%s where a section should begin. End the file with End.",
				input.Shown([]byte(l.word)))
		}
	}
	return nil
}

// constraint reads a row "name: a x + b y <= c", also with a number and a relation before it. A row "a x = b" fixes a
// variable, which may be of any type.
func (l *lpText) constraint() error {
	at, name := l.start, ""
	if i := bytes.TrimLeft(l.text[l.pos:], " \t"); l.isName() && len(i) > 0 && i[0] == ':' {
		name = l.word
	}
	if err := l.label(); err != nil {
		return err
	}
	row := rows.Row{Name: rowName(name, len(l.rows)+1), At: at}
	before, err := l.sum(&row)
	if err != nil {
		return err
	}
	for k := 0; k < 2; k++ {
		r := relation(l.word)
		if r == 0 && k == 0 {
			return l.fail(l.start, "%s in a constraint, where <=, >= or = should be.", input.Shown([]byte(l.word)))
		} else if r == 0 {
			break
		}
		if err := l.next(); err != nil {
			return err
		}
		if len(row.Terms) == 0 && k == 0 { // "-5 <= x + y"
			bound(&row, map[byte]byte{'<': '>', '>': '<', '=': '='}[r], before)
			if before, err = l.sum(&row); err != nil {
				return err
			}
			if len(row.Terms) == 0 {
				return l.fail(at, "a constraint without variables. Remove it.")
			}
			continue
		}
		value, given, err := l.real()
		switch {
		case err != nil:
			return err
		case !given:
			return l.fail(l.start, "%s after the relation of a constraint. Write its variables before, and a number "+
				"after.", input.Shown([]byte(l.word)))
		}
		bound(&row, r, less(value, before))
	}
	if len(row.Terms) == 1 && row.Lower != nil && row.Lower == row.Upper {
		t := row.Terms[0]
		if !l.Vars[t.Var].Equals(row.Upper, t.C) {
			return l.fail(at, "the constraint leaves %s no value, since another one excludes it. Remove one.",
				input.Shown([]byte(l.Vars[t.Var].Name)))
		}
		return nil
	}
	l.rows = append(l.rows, row)
	return nil
}

// bound gives a row a bound, of which a value of nil is infinite.
func bound(row *rows.Row, relation byte, value *big.Rat) {
	if relation != '<' {
		row.Lower = value
	}
	if relation != '>' {
		row.Upper = value
	}
}

// sum reads terms up to a relation, and returns the sum of those without a variable.
func (l *lpText) sum(row *rows.Row) (constant *big.Rat, err error) {
	constant = new(big.Rat)
	for first := true; l.word != "" && relation(l.word) == 0; first = false {
		if l.section() != "" {
			return nil, l.fail(l.start, "a constraint without a relation. Write <=, >= or = and a number.")
		}
		if err := l.separate(first); err != nil {
			return nil, err
		}
		at := l.start
		c, _, err := l.real()
		switch {
		case err != nil:
			return nil, err
		case c == nil:
			return nil, l.fail(at, "an infinite coefficient in a constraint. Correct it.")
		case l.isName():
			u, _ := l.Find(l.word, l.start)
			row.Terms = append(row.Terms, rows.Term{Var: u, C: c})
			err = l.next()
		case l.start == at:
			err = l.fail(at, "%s in a constraint. Write terms like 3 x1 and a relation: products of variables are "+
				"in no constraint.", input.Shown([]byte(l.word)))
		default:
			constant.Add(constant, c)
		}
		if err != nil {
			return nil, err
		}
	}
	return constant, nil
}

// list reads the names of binary variables, or of whole ones, whose bounds must be 0 and 1. listed counts the names of
// all lists, whose order is that of the model.
func (l *lpText) list(listed *int, binary bool) error {
	for l.isName() {
		u, _ := l.Find(l.word, l.start)
		v := &l.Vars[u]
		if v.Binary || v.Whole {
			return l.fail(l.start, "%s is there twice. Remove one.", input.Shown([]byte(l.word)))
		}
		v.Binary = binary
		v.Whole = !binary
		v.Order = *listed
		*listed++
		if v.Whole {
			v.At = l.start
		}
		if err := l.next(); err != nil {
			return err
		}
	}
	return nil
}

// bounds reads the section of bounds: "0 <= x <= 1" or a half of it, in either order, or "x free". Bounds such as
// "x = 4.5" and "x <= 0" fix a variable.
func (l *lpText) bounds() error {
	for l.word != "" && l.section() == "" {
		before, err := l.limit(map[byte]byte{'<': '>', '>': '<', '=': '='})
		switch {
		case err != nil:
			return err
		case !l.isName():
			return l.noBound(l.start, l.word)
		}
		u, _ := l.Find(l.word, l.start)
		if err := l.next(); err != nil {
			return err
		}
		var after limit
		switch {
		case relation(l.word) != 0:
			if after, err = l.limit(nil); err != nil {
				return err
			}
		case before.relation == 0 && strings.EqualFold(l.word, "free"):
			after = limit{relation: '>', at: l.start}
			if err := l.next(); err != nil {
				return err
			}
		case before.relation == 0:
			return l.noBound(l.start, l.word)
		}
		for _, b := range []limit{before, after} {
			v := &l.Vars[u]
			if b.relation != 0 && (b.relation != '<' && !v.AtLeast(b.value, b.at) ||
				b.relation != '>' && !v.AtMost(b.value, b.at)) {
				return l.contradicts(b.at, b.number, v)
			}
		}
	}
	return nil
}

// noBound returns the error for a word that no bound has.
func (l *lpText) noBound(at int, word string) error {
	return l.fail(at, "%s in a bound. Write 0 <= x <= 1, or x = 4.5, which fixes a variable.",
		input.Shown([]byte(word)))
}

// limit is one side of a bound: x relation number.
type limit struct {
	relation byte // '<', '>' or '='; 0: there is none
	number   string
	at       int      // offset of number
	value    *big.Rat // of number; nil: it is infinite
}

// limit reads a number and a relation, which turn turns around, or, if turn is nil, a relation and a number. In the
// former case there may be none.
func (l *lpText) limit(turn map[byte]byte) (b limit, err error) {
	if turn == nil {
		b.relation = relation(l.word)
		if err := l.next(); err != nil {
			return b, err
		}
	}
	b.at = l.start
	var given bool
	b.value, given, err = l.real()
	if err != nil {
		return b, err
	}
	if !given && (turn == nil || l.start > b.at) {
		return b, l.noBound(l.start, l.word)
	}
	if !given {
		return b, nil
	}
	b.number = strings.TrimSpace(string(l.text[b.at:l.start]))
	if turn == nil {
		return b, nil
	}
	b.relation = turn[relation(l.word)]
	if b.relation == 0 {
		return b, l.noBound(l.start, l.word)
	}
	return b, l.next()
}

// real reads signs and a number, which is 1 if it is missing, and nil if it is infinite.
func (l *lpText) real() (r *big.Rat, given bool, err error) {
	sign, err := l.sign()
	if err != nil {
		return nil, false, err
	}
	r = bounds.One
	if word := strings.ToLower(l.word); l.isNumber() || word == "inf" || word == "infinity" {
		if r, err = l.bound(l.word, l.start); err != nil {
			return nil, false, err
		}
		given, err = true, l.next()
	}
	if sign < 0 && r != nil && r != bounds.Zero {
		r = new(big.Rat).Neg(r)
	}
	return r, given, err
}

// relation returns '<', '>' or '=' for a token that is a relation, with or without equality, and else 0.
func relation(word string) byte {
	switch word {
	case "<", "<=", "=<":
		return '<'
	case ">", ">=", "=>":
		return '>'
	case "=", "==":
		return '='
	}
	return 0
}

// arrange puts the variables in the order of their lists. Those that are in none come last; bounds must fix them.
func (l *lpText) arrange() error {
	listed, named := l.Listed(), len(l.Vars)
	if err := l.constrain(&l.variables, l.rows); err != nil {
		return err
	}
	for i := named; i < len(l.Vars); i++ { // slack variables
		l.Vars[i].Order = listed
		listed++
	}
	for i := range l.Vars {
		if v := &l.Vars[i]; !v.Binary && !v.Whole {
			v.Order = listed
			listed++
		}
	}
	if err := l.declare(&l.variables, "List it in the section Binaries."); err != nil {
		return err
	}
	if err := l.size(len(l.Vars), 0); err != nil {
		return err
	}
	to := func(u uint32) uint32 { return uint32(l.Vars[u].Order) }
	for _, b := range []*graph.Edges{&l.edges, &l.linear} {
		for i := range b.U {
			b.U[i], b.V[i] = to(b.U[i]), to(b.V[i])
		}
	}
	return nil
}
