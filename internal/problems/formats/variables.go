package formats

import (
	"math/big"

	"github.com/clopt/clopt/internal/problems/formats/bounds"
	"github.com/clopt/clopt/internal/problems/input"
)

// variables are those that an LP or MPS file names.
type variables struct {
	bounds.List
	squares []square // the terms of x·x, which are linear terms only if x is binary
}

type square struct {
	of, digits int
	c          int64
}

// bound reads the number of a bound at an offset; see bounds.Number.
func (w whole) bound(word string, offset int) (*big.Rat, error) {
	r, err := bounds.Number(word)
	if err != nil {
		return nil, w.fail(offset, "%s %v.", input.Shown([]byte(word)), err)
	}
	return r, nil
}

// declare gives the model the names of all variables and the values of those that have one. Such a variable needs no
// declaration: programs write a constant as the coefficient of a variable that is 1, or as a variable that has its
// value. need is what to do about a variable that is not binary.
func (w whole) declare(vs *variables, need string) error {
	names, fixed := make([]string, len(vs.Vars)), map[int]*big.Rat{}
	for i := range vs.Vars {
		v := &vs.Vars[i]
		name := input.Shown([]byte(v.Name))
		value, ok := v.Value()
		switch {
		case !ok:
			return w.fail(max(v.At, v.Odd), "the bounds and constraints of %s leave it no value. Correct them.", name)
		case value != nil:
			fixed[v.Order] = value
		case v.Odd > 0:
			return w.fail(v.Odd, "the bounds of %s leave more than one value, and others than 0 and 1. Write 0 and 1, "+
				"or fix it.", name)
		case !v.IsBinary() && v.Whole:
			return w.fail(v.At, "the variable %s is whole, but not binary. %s", name, need)
		case !v.IsBinary():
			return w.fail(v.At, "the variable %s is not binary. %s", name, need)
		}
		names[v.Order] = v.Name
	}
	if len(names) > 0 && len(fixed) == len(names) {
		return w.fail(vs.Vars[0].At, "bounds fix all variables. Leave at least one of them free.")
	}
	for _, s := range vs.squares { // each is among the linear terms, too
		if c := fixed[vs.Vars[s.of].Order]; c != nil {
			more := new(big.Rat).Mul(c, c)
			w.constant(s.c, s.digits, more.Sub(more, c))
		}
	}
	w.model.Names, w.fixed = names, fixed
	return nil
}

// contradicts returns the error for a bound that leaves a variable no value.
func (w whole) contradicts(offset int, bound string, v *bounds.Variable) error {
	return w.fail(offset, "the bound %s leaves %s no value, since another bound excludes it. Remove one.", bound,
		input.Shown([]byte(v.Name)))
}

// constant adds a number, times a factor, to the offset of the objective.
func (w whole) constant(c int64, digits int, factor *big.Rat) {
	more := input.Ratio(c, digits)
	w.model.Offset.Add(w.model.Offset, more.Mul(more, factor))
}
