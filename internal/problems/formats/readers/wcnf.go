package readers

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/clopt/clopt/internal/problems/input"
)

// clause is a disjunction of literals, which are numbers of variables from 1 on, negative where negated.
type clause struct {
	literals []int
	weight   int64
	hard     bool
	at       int
}

// formula is a set of clauses. The objective is the weight of those that do not hold.
type formula struct {
	n       int
	clauses []clause
	top     int64 // a clause of this weight or more is hard; 0: there is no such weight
	plain   bool  // clauses have no weights
	header  bool
	m       int // the number of clauses in the header
}

// mostFree is the number of variables that any header may announce.
const mostFree = 1 << 16

// mostWeight is the bound on the sum of all weights of a formula.
const mostWeight = 1 << 58

// Formula reads a formula in DIMACS form: "p cnf n m" or "p wcnf n m top" and clauses, or the form of 2022 without a
// header, in which hard clauses begin with h. The value is the weight of the clauses that do not hold. A hard clause
// has one more than the weights of all others together, so that a value below that says that all hard clauses hold. A
// clause of two literals is a product of two, exactly. One of three has one more variable; the value is that of the
// clause if this variable has its better value.
func Formula(text []byte, to Sink) (Facts, error) {
	f := new(formula)
	if err := eachLine(text, f.line); err != nil {
		return Facts{}, err
	}
	if f.header && f.m != len(f.clauses) {
		return Facts{}, fault(len(text), "the header announces %d clauses, and the file has %d. Correct the header, "+
			"or fetch the file again.", f.m, len(f.clauses))
	}
	soft := int64(0)
	long := 0
	for i, c := range f.clauses {
		f.clauses[i].literals = simplified(c.literals)
		if len(f.clauses[i].literals) > 2 {
			long++
		}
		if !c.hard {
			if soft += c.weight; soft >= mostWeight {
				return Facts{}, fault(c.at, "with this clause the sum of all weights is beyond 2^58, up to which "+
					"values are exact. Scale the weights.")
			}
		}
	}
	if f.n == 0 {
		return Facts{}, fault(len(text), "no clauses. Write lines such as \"3 1 -2 0\", a weight and the literals.")
	}
	if f.n > mostFree+len(text) {
		return Facts{}, fault(0, "%d variables in a text of %d bytes: the header cannot be right. Check it.", f.n,
			len(text))
	}
	names := make([]string, 0, f.n+long)
	for v := 1; v <= f.n; v++ {
		names = append(names, strconv.Itoa(v))
	}
	for k, c := range f.clauses {
		if len(c.literals) > 2 {
			names = append(names, fmt.Sprintf("clause%d", k+1))
		}
	}
	if err := to.Size(len(names), 1, names, 0); err != nil {
		return Facts{}, err
	}
	sum := sum{to: to, offset: new(big.Int)}
	more := f.n
	hard := int64(0)
	for _, c := range f.clauses {
		w := c.weight
		if c.hard {
			w = soft + 1
			if hard += w; hard >= 4*mostWeight {
				return Facts{}, fault(c.at, "with this hard clause the sum of all weights is beyond 2^60, up to which "+
					"values are exact. Scale the weights of the others.")
			}
		}
		if err := sum.clause(c.literals, w, more, c.at); err != nil {
			return Facts{}, err
		}
		if len(c.literals) > 2 {
			more++
		}
	}
	return Facts{Repeats: Summed, Offset: new(big.Rat).SetInt(sum.offset)}, nil
}

// line reads a line.
func (f *formula) line(line []byte, start int) error {
	words := fieldsAt(line, start)
	if len(words) == 0 || words[0].text[0] == 'c' || words[0].text[0] == '%' {
		return nil
	}
	if words[0].text[0] == 'p' {
		return f.head(words)
	}
	c := clause{weight: 1, at: start}
	if !f.plain {
		c.hard = string(words[0].text) == "h"
		if !c.hard {
			w, err := strconv.ParseInt(string(words[0].text), 10, 64)
			if err != nil || w < 0 || w >= math.MaxInt64 {
				return fault(words[0].at, "%s is no weight. Write whole numbers from 0 on.",
					input.Shown(words[0].text))
			}
			c.weight, c.hard = w, f.top > 0 && w >= f.top
		}
		words = words[1:]
	}
	for k, w := range words {
		v, err := strconv.Atoi(string(w.text))
		switch {
		case err != nil || v > input.MaxIndex || v < -input.MaxIndex:
			return fault(w.at, "%s is no literal. Write the number of a variable, negative for its negation.",
				input.Shown(w.text))
		case v == 0 && k < len(words)-1:
			return fault(words[k+1].at, "%s after the 0 that ends a clause. Write one clause a line.",
				input.Shown(words[k+1].text))
		case v == 0:
			return f.add(c)
		case f.header && max(v, -v) > f.n:
			return fault(w.at, "variable %d, and the header announces %d. Correct one of them.", max(v, -v), f.n)
		}
		c.literals = append(c.literals, v)
	}
	return fault(start+len(line), "a clause without the 0 at its end. Write one clause a line.")
}

// head reads "p cnf n m" or "p wcnf n m top".
func (f *formula) head(words []word) error {
	form := ""
	if len(words) > 1 {
		form = string(words[1].text)
	}
	if form != "cnf" && form != "wcnf" || len(words) < 4 || len(words) > 5 || f.header || len(f.clauses) > 0 {
		return fault(words[0].at, "the header. Write \"p wcnf\", the numbers of variables and clauses, and the weight "+
			"of hard clauses, once and before the clauses.")
	}
	n, ok, _ := input.Index(words[2].text)
	if !ok || n == 0 {
		return fault(words[2].at, "%s is no number of variables.", input.Shown(words[2].text))
	}
	m, ok, _ := input.Index(words[3].text)
	if !ok {
		return fault(words[3].at, "%s is no number of clauses.", input.Shown(words[3].text))
	}
	f.n, f.m, f.header, f.plain = n, m, true, form == "cnf"
	if len(words) == 5 {
		var err error
		f.top, err = strconv.ParseInt(string(words[4].text), 10, 64)
		if err != nil || f.top < 1 {
			return fault(words[4].at, "%s is no weight of hard clauses.", input.Shown(words[4].text))
		}
	}
	return nil
}

// add adds a clause.
func (f *formula) add(c clause) error {
	if distinct := len(slices.Compact(slices.Sorted(slices.Values(c.literals)))); distinct > 3 {
		return fault(c.at, "a clause of %d literals, and up to three are read. Split it by new variables.", distinct)
	}
	if !f.header {
		for _, v := range c.literals {
			f.n = max(f.n, v, -v)
		}
	}
	f.clauses = append(f.clauses, c)
	return nil
}

// simplified returns the literals without repetitions. It is nil for a clause that always holds; one that never holds
// is empty, and not nil.
func simplified(literals []int) []int {
	all := slices.Compact(slices.Sorted(slices.Values(literals)))
	for _, v := range all {
		if slices.Contains(all, -v) {
			return nil
		}
	}
	return append([]int{}, all...)
}

// sum adds products of literals.
type sum struct {
	to     Sink
	offset *big.Int
}

// clause adds w times the product of the negated literals, which is 1 if none of them holds. more is the variable of a
// clause of three.
func (s *sum) clause(literals []int, w int64, more, at int) error {
	if literals == nil {
		return nil
	}
	y := make([]factor, len(literals)) // the negated literals
	for i, v := range literals {
		y[i] = factor{max(v, -v) - 1, v > 0}
	}
	switch len(y) {
	case 0:
		s.offset.Add(s.offset, big.NewInt(w))
		return nil
	case 1:
		return s.linear(w, y[0], at)
	case 2:
		return s.product(w, y[0], y[1], at)
	}
	// abc is the least value of bc + z(1 + a - b - c).
	z := factor{more, false}
	for _, p := range []struct {
		w    int64
		a, b factor
	}{{w, y[1], y[2]}, {w, z, y[0]}, {-w, z, y[1]}, {-w, z, y[2]}} {
		if err := s.product(p.w, p.a, p.b, at); err != nil {
			return err
		}
	}
	return s.linear(w, z, at)
}

// factor is a variable, or 1 minus it.
type factor struct {
	v       int
	negated bool
}

// linear adds w·a.
func (s *sum) linear(w int64, a factor, at int) error {
	if a.negated {
		s.offset.Add(s.offset, big.NewInt(w))
		w = -w
	}
	return s.to.Term(a.v, a.v, w, 0, at)
}

// product adds w·a·b, for different variables.
func (s *sum) product(w int64, a, b factor, at int) error {
	if a.negated { // (1 - x)·b
		if err := s.linear(w, b, at); err != nil {
			return err
		}
		w = -w
	}
	if b.negated { // x·(1 - y)
		if err := s.linear(w, factor{a.v, false}, at); err != nil {
			return err
		}
		w = -w
	}
	return s.to.Term(a.v, b.v, w, 0, at)
}
