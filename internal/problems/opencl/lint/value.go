package lint

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// class is what a number is.
type class uint8

const (
	unknown  class = iota
	signed         // an integer with a sign
	unsigned       // an integer without one
	floating       // a real number
)

// kind is the type of a value, as far as it matters.
type kind struct {
	class
	long  bool // of 64 bits
	array int  // of how many dimensions; pointers count
	plain bool // a literal, or an expression of literals
}

func (k kind) integer() bool { return k.array == 0 && (k.class == signed || k.class == unsigned) }
func (k kind) real() bool    { return k.array == 0 && k.class == floating }

// value is an expression as far as it has been read.
type value struct {
	kind
	first, last int      // tokens
	known       bool     // it is an integer that is known:
	number      float64  // this one
	name        string   // it is a variable
	names       []string // variables in it
	variable    bool     // it is at(x, i)
	small       bool     // it is a variable, or a quotient or remainder of one, and may be 0
	product     bool     // it is a product
	wraps       *wrap    // it is, or has, an unsigned difference that may be below 0
	quotient    *quotient
	power       int // the token of a ^ that may be meant as a power; 0: none
	compares    int // the token of its comparison; 0: it is none
	sets        int // the token of its assignment; 0: it is none
}

// mostNames bounds the variables that are noted of an expression.
const mostNames = 16

// both returns the variables of two expressions.
func both(a, b []string) []string {
	if len(a)+len(b) > mostNames {
		return a
	}
	return slices.Concat(a, b)
}

// wrap is an unsigned difference: of a variable and a number, or of two variables, or of 0 and a variable.
type wrap struct {
	at          int // the token of its sign
	left, right value
	minus       bool // there is no left
}

// first returns the first token.
func (w *wrap) first() int {
	if w.minus {
		return w.at
	}
	return w.left.first
}

// quotient is a quotient of integers that is 0 for most components, or only has no fraction.
type quotient struct {
	left, right value
	large       bool // it is not 0 for most: the right side is a small number
}

// literal returns the value of a number as it stands in a text.
func literal(text string) value {
	v := value{}
	v.plain = true
	lower := strings.ToLower(text)
	hex := strings.HasPrefix(lower, "0x")
	if !hex && strings.ContainsAny(lower, ".ef") || hex && strings.ContainsAny(lower, ".p") {
		v.class = floating
		v.number, _ = strconv.ParseFloat(strings.TrimRight(lower, "fl"), 64)
		return v
	}
	v.class = signed
	digits := strings.TrimRight(lower, "ul")
	if suffix := lower[len(digits):]; strings.Contains(suffix, "u") {
		v.class = unsigned
	}
	v.long = strings.Contains(lower[len(digits):], "l")
	if n, err := strconv.ParseInt(digits, 0, 64); err == nil {
		v.known, v.number = true, float64(n)
	}
	return v
}

// joined returns the type of a sum or product of two values.
func joined(a, b kind) kind {
	k := kind{plain: a.plain && b.plain}
	switch {
	case a.array > 0 || b.array > 0 || a.class == unknown || b.class == unknown:
		if a.real() || b.real() {
			k.class = floating
		}
	case a.class == floating || b.class == floating:
		k.class = floating
	default:
		k.long = a.long || b.long
		k.class = signed
		for _, o := range []kind{a, b} {
			if o.class == unsigned && o.long == k.long {
				k.class = unsigned
			}
		}
	}
	return k
}

// exactly reports whether a literal of a float is the number that stands there.
func exactly(text string) bool {
	v := literal(text)
	return float64(float32(v.number)) == v.number
}

// whole reports whether a number has no fraction.
func whole(v float64) bool { return v == math.Trunc(v) }
