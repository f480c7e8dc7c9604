package formats

import (
	"math/big"
	"strings"

	"github.com/clopt/clopt/internal/problems/formats/bounds"
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

// constraint reads "name: a x = b", which fixes x. There are no others.
func (l *lpText) constraint() error {
	at := l.start
	none := func() error {
		return l.fail(at, "a constraint. Problems have none; add a penalty to the objective instead.")
	}
	if err := l.label(); err != nil {
		return err
	}
	a, _, err := l.real()
	switch {
	case err != nil:
		return err
	case !l.isName() || a == nil || a.Sign() == 0:
		return none()
	}
	u, _ := l.Find(l.word, l.start)
	if err := l.next(); err != nil {
		return err
	}
	if relation(l.word) != '=' {
		return none()
	}
	if err := l.next(); err != nil {
		return err
	}
	b, given, err := l.real()
	switch {
	case err != nil:
		return err
	case !given || b == nil:
		return none()
	case !l.Vars[u].Equals(b, a):
		return l.fail(at, "the constraint leaves %s no value, since another one excludes it. Remove one.",
			input.Shown([]byte(l.Vars[u].Name)))
	}
	return nil
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
	listed := 0
	for _, v := range l.Vars {
		if v.Binary || v.Whole {
			listed++
		}
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
