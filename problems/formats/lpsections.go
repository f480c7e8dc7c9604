package formats

import (
	"strings"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/input"
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
			if l.word != "" && l.section() == "" {
				return l.fail(l.start, "a constraint. Problems have none; add a penalty to the objective instead.")
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

// list reads the names of binary variables, or of whole ones, whose bounds must be 0 and 1. listed counts the names of
// all lists, whose order is that of the model.
func (l *lpText) list(listed *int, binary bool) error {
	for l.isName() {
		u, _ := l.find(l.word, l.start)
		v := &l.variables.list[u]
		if v.binary || v.whole {
			return l.fail(l.start, "%s is there twice. Remove one.", input.Shown([]byte(l.word)))
		}
		v.binary, v.whole, v.order = binary, !binary, *listed
		*listed++
		if !v.isBinary() {
			return l.fail(l.start, "the variable %s is whole, but not binary. List it in the section Binaries.",
				input.Shown([]byte(l.word)))
		}
		if err := l.next(); err != nil {
			return err
		}
	}
	return nil
}

// bounds reads the section of bounds, which must be 0 and 1: "0 <= x <= 1" or a half of it, in either order. Bounds
// such as "x = 1" and "x <= 0" fix a variable.
func (l *lpText) bounds() error {
	for l.word != "" && l.section() == "" {
		before, err := l.limit(map[byte]byte{'<': '>', '>': '<', '=': '='})
		switch {
		case err != nil:
			return err
		case !l.isName():
			return l.noBound(l.start, l.word)
		}
		u, _ := l.find(l.word, l.start)
		if err := l.next(); err != nil {
			return err
		}
		after := limit{at: l.start, number: l.word}
		if relation(l.word) != 0 {
			if after, err = l.limit(nil); err != nil {
				return err
			}
		} else if before.relation == 0 {
			return l.noBound(after.at, after.number) // such as "x free"
		}
		for _, b := range []limit{before, after} {
			v := &l.variables.list[u]
			switch {
			case b.relation == 0:
			case b.value != 0 && b.value != 1:
				return l.noBound(b.at, b.number)
			case b.relation != '<' && !v.atLeast(b.value), b.relation != '>' && !v.atMost(b.value):
				return l.contradicts(b.at, b.number, v)
			}
		}
	}
	return nil
}

// noBound returns the error for a word that no bound has.
func (l *lpText) noBound(at int, word string) error {
	return l.fail(at, "%s in a bound. Variables are 0 or 1: write 0 <= x <= 1, or leave the bounds out.",
		input.Shown([]byte(word)))
}

// limit is one side of a bound: x relation number.
type limit struct {
	relation byte // '<', '>' or '='; 0: there is none
	number   string
	at       int // offset of number
	value    int // of number; -1: it is neither 0 nor 1
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
	power := l.power
	l.power = 0 // bounds have no decimals
	c, digits, given, err := l.coefficient()
	l.power = power
	switch {
	case err != nil:
		return b, err
	case !given && (turn == nil || l.start > b.at):
		return b, l.noBound(l.start, l.word)
	case !given:
		return b, nil
	}
	b.number = strings.TrimSpace(string(l.text[b.at:l.start]))
	b.value = bit(c, digits)
	if turn == nil {
		return b, nil
	}
	if b.relation = turn[relation(l.word)]; b.relation == 0 {
		return b, l.noBound(l.start, l.word)
	}
	return b, l.next()
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
	for _, v := range l.variables.list {
		if v.binary || v.whole {
			listed++
		}
	}
	for i := range l.variables.list {
		if v := &l.variables.list[i]; !v.binary && !v.whole {
			v.order = listed
			listed++
		}
	}
	if err := l.declare(&l.variables, "List it in the section Binaries."); err != nil {
		return err
	}
	if err := l.size(len(l.variables.list), 0); err != nil {
		return err
	}
	to := func(u uint32) uint32 { return uint32(l.variables.list[u].order) }
	for _, b := range []*graph.Edges{&l.edges, &l.linear} {
		for i := range b.U {
			b.U[i], b.V[i] = to(b.U[i]), to(b.V[i])
		}
	}
	return nil
}
