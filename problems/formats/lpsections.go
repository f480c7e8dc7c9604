package formats

import (
	"strings"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/input"
)

// sections reads what follows the objective, and returns the names of the binary variables and their places in the
// model. Sections that hold nothing may be there, since some programs write all of them.
func (l *lpText) sections() (order map[string]int, err error) {
	order = map[string]int{}
	for l.word != "" {
		name, at := l.section(), l.start
		if err := l.next(); err != nil {
			return nil, err
		}
		if name == "subject to" || name == "such that" {
			if err := l.next(); err != nil {
				return nil, err
			}
		}
		switch name {
		case "end":
			return order, nil
		case "subject to", "such that", "st", "s.t.":
			if l.word != "" && l.section() == "" {
				return nil, l.fail(l.start, "a constraint. Problems have none; add a penalty to the objective instead.")
			}
		case "binaries", "binary", "bin", "generals", "general", "gen", "integers", "integer", "int":
			if err := l.list(order, name[0] == 'b'); err != nil {
				return nil, err
			}
		case "bounds", "bound":
			if err := l.bounds(); err != nil {
				return nil, err
			}
		default:
			if l.word == "" || l.section() != "" { // it is empty
				continue
			}
			return nil, l.fail(at, "%s cannot be read. Use a section Binaries, and End.", input.Shown([]byte(name)))
		}
		if l.word != "" && l.section() == "" {
			return nil, l.fail(l.start, "%s where a section should begin. End the file with End.",
				input.Shown([]byte(l.word)))
		}
	}
	return order, nil
}

// list reads the names of binary variables, or of whole ones, whose bounds must be 0 and 1.
func (l *lpText) list(order map[string]int, binary bool) error {
	for l.isName() {
		shown := input.Shown([]byte(l.word))
		if _, twice := order[l.word]; twice {
			return l.fail(l.start, "%s is there twice. Remove one.", shown)
		}
		order[l.word] = len(order)
		if u := l.reference(); !binary && !l.atMost1[u] {
			return l.fail(l.start, "the variable %s is whole, but not binary. List it in the section Binaries.", shown)
		}
		if err := l.next(); err != nil {
			return err
		}
	}
	return nil
}

// bounds reads the section of bounds, which must be 0 and 1: "0 <= x <= 1" or a half of it, in either order.
func (l *lpText) bounds() error {
	for l.word != "" && l.section() == "" {
		before, err := l.limit(map[byte]byte{'<': '>', '>': '<', '=': '='})
		switch {
		case err != nil:
			return err
		case !l.isName():
			return l.noBound(l.start, l.word)
		}
		name, u := l.word, l.reference()
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
			switch {
			case b.relation == 0:
			case !b.zero && !b.one:
				return l.noBound(b.at, b.number)
			case b.relation == '<' && b.one:
				l.atMost1[u] = true
			case b.relation != '>' || b.one:
				return l.fail(b.at, "a bound %s that fixes %s. Leave it out, and put the value into the objective.",
					b.number, input.Shown([]byte(name)))
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
	relation  byte // '<', '>' or '='; 0: there is none
	number    string
	at        int
	zero, one bool // the number
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
	c, digits, given, err := l.coefficient()
	switch {
	case err != nil:
		return b, err
	case !given && (turn == nil || l.start > b.at):
		return b, l.noBound(l.start, l.word)
	case !given:
		return b, nil
	}
	b.number = strings.TrimSpace(string(l.text[b.at:l.start]))
	b.zero, b.one = c == 0, c == 1 && digits == 0
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

// finish puts the variables in order.
func (l *lpText) finish(order map[string]int) error {
	to := make([]int, len(l.names))
	names := make([]string, len(order))
	for u, name := range l.names {
		k, ok := order[name]
		if !ok {
			return l.fail(l.first[u], "the variable %s is not binary. List it in the section Binaries.",
				input.Shown([]byte(name)))
		}
		to[u], names[k] = k, name
	}
	if err := l.size(len(names), 0); err != nil {
		return err
	}
	l.model.Names = names
	for _, b := range []*graph.Edges{&l.edges, &l.linear} {
		for i := range b.U {
			b.U[i], b.V[i] = uint32(to[b.U[i]]), uint32(to[b.V[i]])
		}
	}
	return nil
}
