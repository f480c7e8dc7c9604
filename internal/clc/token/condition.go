package token

import (
	"strconv"
	"strings"
)

// condition returns whether the part after #if, #elif, #ifdef or #ifndef is there.
func (e *expander) condition(at Token, rest []Token) state {
	c := &condition{e: e, at: at}
	switch {
	case at.Text == "ifdef" || at.Text == "ifndef":
		if len(rest) == 0 {
			fail(at, "has an #%s without a name", at.Text)
		}
		v := c.defined(rest[0])
		if at.Text == "ifndef" {
			v = flag(v == 0)
		}
		return c.result(v)
	default:
		c.tokens = e.asked(c, rest)
		v := c.choice(0)
		if c.i < len(c.tokens) {
			fail(at, "has an #%s that is not read", at.Text)
		}
		return c.result(v)
	}
}

// asked returns the tokens of a condition with defined( ) as numbers and macros expanded.
func (e *expander) asked(c *condition, rest []Token) []Token {
	var all []Token
	for i := 0; i < len(rest); i++ {
		t := rest[i]
		if t.Text != "defined" {
			all = append(all, t)
			continue
		}
		i++
		if i+2 < len(rest) && rest[i].Text == "(" && rest[i+2].Text == ")" {
			i += 2
			t = rest[i-1]
		} else if i < len(rest) {
			t = rest[i]
		}
		all = append(all, Token{Kind: Number, Text: strconv.FormatInt(c.defined(t), 10), File: t.File, Line: t.Line,
			Col: t.Col})
	}
	return plain(e.expand(words(all), 0))
}

// condition is an expression of integers of the preprocessor.
type condition struct {
	e      *expander
	at     Token
	tokens []Token
	i      int
	deep   int
	unsure bool
}

func (c *condition) result(v int64) state {
	switch {
	case c.unsure:
		return unsure
	case v != 0:
		return there
	}
	return left
}

// defined returns 1 if a macro is defined.
func (c *condition) defined(t Token) int64 {
	if c.e.macros[t.Text] != nil {
		return 1
	}
	_, defined, unsure := c.e.defined(t.Text)
	c.unsure = c.unsure || unsure
	return flag(defined)
}

func flag(v bool) int64 {
	if v {
		return 1
	}
	return 0
}

func (c *condition) take(text string) bool {
	if c.i < len(c.tokens) && c.tokens[c.i].Text == text {
		c.i++
		return true
	}
	return false
}

// powers say how strongly an operator binds.
var powers = map[string]int{"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7,
	">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}

// choice reads an expression of operators that bind at least so strongly, and of ? : if that is 0.
func (c *condition) choice(least int) int64 {
	if c.deep++; c.deep > maxNested {
		fail(c.at, "has an #%s that is nested too deep", c.at.Text)
	}
	defer func() { c.deep-- }()
	v := c.operand()
	for c.i < len(c.tokens) {
		op := c.tokens[c.i].Text
		power := powers[op]
		if power == 0 || power < least {
			break
		}
		c.i++
		v = c.operator(op, v, c.choice(power+1))
	}
	if least == 0 && c.take("?") {
		a := c.choice(0)
		if !c.take(":") {
			fail(c.at, "has an #%s with a ? without :", c.at.Text)
		}
		if b := c.choice(0); v == 0 {
			return b
		}
		return a
	}
	return v
}

func (c *condition) operator(op string, a, b int64) int64 {
	switch op {
	case "||":
		return flag(a != 0 || b != 0)
	case "&&":
		return flag(a != 0 && b != 0)
	case "|":
		return a | b
	case "^":
		return a ^ b
	case "&":
		return a & b
	case "==":
		return flag(a == b)
	case "!=":
		return flag(a != b)
	case "<":
		return flag(a < b)
	case "<=":
		return flag(a <= b)
	case ">":
		return flag(a > b)
	case ">=":
		return flag(a >= b)
	case "<<":
		return a << (uint64(b) & 63)
	case ">>":
		return a >> (uint64(b) & 63)
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	if b == 0 {
		fail(c.at, "has an #%s that divides by 0", c.at.Text)
	}
	if op == "/" {
		return a / b
	}
	return a % b
}

func (c *condition) operand() int64 {
	if c.deep++; c.deep > maxNested {
		fail(c.at, "has an #%s that is nested too deep", c.at.Text)
	}
	defer func() { c.deep-- }()
	switch {
	case c.take("!"):
		return flag(c.operand() == 0)
	case c.take("-"):
		return -c.operand()
	case c.take("+"):
		return c.operand()
	case c.take("~"):
		return ^c.operand()
	case c.take("("):
		v := c.choice(0)
		if !c.take(")") {
			fail(c.at, "has an #%s with a ( without )", c.at.Text)
		}
		return v
	case c.i >= len(c.tokens):
		fail(c.at, "has an #%s that is not read", c.at.Text)
	}
	t := c.tokens[c.i]
	c.i++
	switch t.Kind {
	case Number:
		v, err := strconv.ParseInt(strings.TrimRight(t.Text, "uUlL"), 0, 64)
		if err != nil {
			fail(t, "has an #%s with %s", c.at.Text, t.Text)
		}
		return v
	case Word:
		v, defined, unsure := c.e.defined(t.Text)
		c.unsure = c.unsure || unsure
		if defined {
			return v
		}
		return 0
	}
	fail(t, "has an #%s with %s", c.at.Text, t.Text)
	return 0
}
