// Package bounds has the variables of an LP or MPS file: their types, their bounds, and the values that these leave.
package bounds

import (
	"math"
	"math/big"
	"strconv"

	"github.com/clopt/clopt/internal/problems/input"
)

// List is the variables in the order of their first mention.
type List struct {
	Vars   []Variable
	byName map[string]int // the place in Vars
}

// Variable is one of a List. It is at least 0 if no lower bound is given.
type Variable struct {
	Name   string
	At     int  // offset of the first mention, or of that in a list of whole variables
	Whole  bool // declared as a whole number, whose bounds must make it binary
	Binary bool // declared as binary
	Order  int  // among the variables of the model
	Odd    int  // offset of the last bound that no binary variable has, or 0

	lower, upper *big.Rat // nil: not given
	free         bool     // it may be negative
	equal        *big.Rat // the value that a constraint gives it, or nil
}

// Zero and One are the bounds of binary variables. Number returns these pointers.
var (
	Zero = new(big.Rat)
	One  = big.NewRat(1, 1)
)

// Find returns the place of the variable of a name, which is added if it is new.
func (l *List) Find(name string, at int) (i int, known bool) {
	if i, known = l.byName[name]; known {
		return i, true
	}
	if l.byName == nil {
		l.byName = map[string]int{}
	}
	i = len(l.Vars)
	l.byName[name] = i
	l.Vars = append(l.Vars, Variable{Name: name, At: at, Order: i})
	return i, false
}

// Listed returns the number of variables that are declared as binary or whole.
func (l *List) Listed() (n int) {
	for i := range l.Vars {
		if l.Vars[i].Binary || l.Vars[i].Whole {
			n++
		}
	}
	return n
}

// Known returns the variable of a name, and its place, or nil.
func (l *List) Known(name string) (v *Variable, i int) {
	if i, known := l.byName[name]; known {
		return &l.Vars[i], i
	}
	return nil, -1
}

// Number reads a bound with its sign. It is nil if programs mean infinity by it. The error is one of input.Exact.
func Number(word string) (*big.Rat, error) {
	switch f, err := strconv.ParseFloat(word, 64); {
	case err == nil && f == 0:
		return Zero, nil
	case err == nil && f == 1:
		return One, nil
	case (err == nil || math.IsInf(f, 0)) && math.Abs(f) >= 1e20:
		return nil, nil
	}
	return input.Rational([]byte(word))
}

// AtLeast and AtMost narrow the bounds to a value at an offset, which is nil if it is infinite. They return false if no
// value is left.
func (v *Variable) AtLeast(value *big.Rat, offset int) bool {
	v.note(value, offset)
	if value == nil {
		v.free = true
	} else if v.lower == nil || value.Cmp(v.lower) > 0 {
		v.lower = value
	}
	return v.possible()
}

// AtMost is described at AtLeast.
func (v *Variable) AtMost(value *big.Rat, offset int) bool {
	v.note(value, offset)
	if value != nil && (v.upper == nil || value.Cmp(v.upper) < 0) {
		v.upper = value
	}
	return v.possible()
}

func (v *Variable) possible() bool {
	return v.lower == nil || v.upper == nil || v.lower.Cmp(v.upper) <= 0
}

// note keeps the place of a bound that is neither 0 nor 1.
func (v *Variable) note(value *big.Rat, offset int) {
	if value != Zero && value != One {
		v.Odd = offset
	}
}

// Equals gives the variable the value b/a of a constraint, or the float64 nearest to it if it is no decimal number. It
// returns false if another constraint gives it another value.
func (v *Variable) Equals(b, a *big.Rat) bool {
	value := new(big.Rat).Quo(b, a)
	if _, decimal := value.FloatPrec(); !decimal {
		f, _ := value.Float64()
		value.SetString(strconv.FormatFloat(f, 'g', -1, 64))
	}
	before := v.equal
	v.equal = value
	return before == nil || before.Cmp(value) == 0
}

// Value returns the one value that types, bounds and constraints leave, or nil. ok is false if they leave none.
func (v *Variable) Value() (value *big.Rat, ok bool) {
	lower, upper := v.lower, v.upper
	if lower == nil && !v.free || v.Binary && (lower == nil || lower.Sign() < 0) {
		lower = Zero
	}
	if v.Binary && (upper == nil || upper.Cmp(One) > 0) {
		upper = One
	}
	if value = v.equal; value == nil && lower != nil && upper != nil && lower.Cmp(upper) >= 0 {
		value = lower
	}
	ok = value == nil || (lower == nil || lower.Cmp(value) <= 0) && (upper == nil || value.Cmp(upper) <= 0) &&
		(value.IsInt() || !v.Whole && !v.Binary)
	return value, ok
}

// IsBinary reports whether type and bounds leave 0 and 1, if they do not leave one value.
func (v *Variable) IsBinary() bool { return (v.Binary || v.Whole && v.upper == One) && v.Odd == 0 }
