package formats

import (
	"math/big"

	"github.com/clopt/clopt/problems/input"
)

// variables are those that an LP or MPS file names, in the order of their first mention.
type variables struct {
	list   []variable
	byName map[string]int // the place in list
}

// variable is one of variables.
type variable struct {
	name         string
	at           int  // offset of the first mention
	whole        bool // declared as a whole number, whose bounds must make it binary
	binary       bool // declared as binary
	order        int  // among the variables of the model
	lower, upper int  // 0 or 1
	limited      bool // an upper bound is given; without one a whole variable has none
}

// find returns the place of the variable of a name in list, to which it is added if it is new.
func (v *variables) find(name string, at int) (i int, known bool) {
	if i, known = v.byName[name]; known {
		return i, true
	}
	if v.byName == nil {
		v.byName = map[string]int{}
	}
	i = len(v.list)
	v.byName[name] = i
	v.list = append(v.list, variable{name: name, at: at, order: i, upper: 1})
	return i, false
}

// isBinary reports whether the declarations and bounds leave no values but 0 and 1.
func (v *variable) isBinary() bool { return v.binary || v.whole && v.limited || v.isFixed() }

// isFixed reports whether bounds leave one value. Such a variable needs no declaration: programs write a constant as
// the coefficient of a variable that is 1.
func (v *variable) isFixed() bool { return v.lower == v.upper && (v.limited || v.binary) }

// atLeast and atMost narrow the bounds to a value, 0 or 1. They return false if no value is left.
func (v *variable) atLeast(value int) bool {
	v.lower = max(v.lower, value)
	return v.lower <= v.upper
}

func (v *variable) atMost(value int) bool {
	v.upper, v.limited = min(v.upper, value), true
	return v.lower <= v.upper
}

// declare gives the model the names of all variables and the values of those that bounds fix. need is what to do about
// a variable that is not binary.
func (w whole) declare(vs *variables, need string) error {
	names, fixed := make([]string, len(vs.list)), map[int]uint8{}
	for i := range vs.list {
		v := &vs.list[i]
		if !v.isBinary() {
			return w.fail(v.at, "the variable %s is not binary. %s", input.Shown([]byte(v.name)), need)
		}
		names[v.order] = v.name
		if v.isFixed() {
			fixed[v.order] = uint8(v.lower)
		}
	}
	if len(names) > 0 && len(fixed) == len(names) {
		return w.fail(vs.list[0].at, "bounds fix all variables. Leave at least one of them free.")
	}
	w.model.Names, w.fixed = names, fixed
	return nil
}

// contradicts returns the error for a bound that leaves a variable no value.
func (w whole) contradicts(offset int, bound string, v *variable) error {
	return w.fail(offset, "the bound %s leaves %s no value, since another bound excludes it. Remove one.", bound,
		input.Shown([]byte(v.name)))
}

// constant adds a number to the offset of the objective.
func (w whole) constant(c int64, digits int) {
	w.model.Offset.Add(w.model.Offset, new(big.Rat).Quo(big.NewRat(c, input.Pow10[digits]), tenTo(w.power)))
}
