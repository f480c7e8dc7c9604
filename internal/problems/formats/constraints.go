package formats

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/formats/rows"
	"github.com/clopt/clopt/internal/problems/input"
)

// mostProducts is the largest number of products of two variables in all penalties. The square of a row has one for
// each pair of its variables.
const mostProducts = 50_000_000

// constrain adds a penalty for each row to the objective, and the slack variables that it needs. The factor of all
// penalties is larger than any difference of two values of the objective, so that the best point fulfils all rows if
// there is one that does.
func (w whole) constrain(vs *variables, all []rows.Row) error {
	if len(all) == 0 {
		return nil
	}
	w.opt.MergeEdges = true
	products := 0
	for _, r := range all {
		if products += len(r.Terms) * len(r.Terms) / 2; products > mostProducts {
			return w.fail(r.At, "the penalties up to the row %s have %d products of two variables, and up to %d are "+
				"made. Use constraints of fewer variables.", input.Shown([]byte(r.Name)), products, mostProducts)
		}
	}
	factor, digits := w.factor()
	if w.model.Maximize {
		factor = -factor
	}
	for _, r := range all {
		kept := input.Constraint{Name: r.Name, Lower: r.Lower, Upper: r.Upper}
		free := r
		free.Terms = nil
		fixed := new(big.Rat)
		for _, t := range r.Terms {
			v := &vs.Vars[t.Var]
			kept.Terms = append(kept.Terms, input.Weighted{Name: v.Name, C: t.C})
			if value, ok := v.Value(); ok && value != nil {
				fixed.Add(fixed, new(big.Rat).Mul(value, t.C))
				continue
			}
			free.Terms = append(free.Terms, t)
		}
		free.Lower, free.Upper = less(r.Lower, fixed), less(r.Upper, fixed)
		p := free.Penalty()
		var slack []int
		for k, c := range p.Slack {
			name := fmt.Sprintf("%s.slack%d", r.Name, k+1)
			u, twice := vs.Find(name, r.At)
			if twice {
				return w.fail(r.At, "the row %s needs a variable %s, and there is one of this name. Rename the row.",
					input.Shown([]byte(r.Name)), input.Shown([]byte(name)))
			}
			vs.Vars[u].Binary = true
			slack = append(slack, u)
			kept.Slack = append(kept.Slack, input.Weighted{Name: name, C: c})
		}
		if p.Top != nil {
			kept.Top = new(big.Rat).Add(p.Top, fixed)
		}
		w.model.Rows = append(w.model.Rows, kept)
		if err := w.punish(p, r, slack, factor, digits); err != nil {
			return err
		}
	}
	return nil
}

// constrainNumbered is constrain for variables without names, which get their numbers as names.
func (w whole) constrainNumbered(all []rows.Row) error {
	if len(all) == 0 {
		return nil
	}
	var vs variables
	for i := range w.n {
		vs.Find("x"+strconv.Itoa(i+w.base), 0)
		vs.Vars[i].Binary = true
	}
	if err := w.constrain(&vs, all); err != nil {
		return err
	}
	w.n = len(vs.Vars)
	w.model.Names = nil
	for _, v := range vs.Vars {
		w.model.Names = append(w.model.Names, v.Name)
	}
	return nil
}

// less returns a bound without what fixed variables add.
func less(bound, fixed *big.Rat) *big.Rat {
	if bound == nil {
		return nil
	}
	return new(big.Rat).Sub(bound, fixed)
}

// factor returns an even number of 10^-digits that is larger than the sum of all |coefficients|.
func (p *parser) factor() (c int64, digits int) {
	size := new(big.Rat)
	for _, b := range p.lists() {
		_, sum := b.Places()
		size.Add(size, sum)
	}
	ten := big.NewRat(10, 1)
	for size.Sign() > 0 && size.Cmp(ten) < 0 && digits < input.MaxDigits {
		size.Mul(size, ten)
		digits++
	}
	whole := new(big.Int).Quo(size.Num(), size.Denom())
	if !whole.IsInt64() || whole.Int64() > input.MaxExact/4 {
		return input.MaxExact / 2, digits // the sum will be refused
	}
	return 2 * (whole.Int64()/2 + 1), digits
}

// punish adds the penalty of a row. slack has the places of its slack variables.
func (w whole) punish(p rows.Penalty, r rows.Row, slack []int, factor int64, digits int) error {
	place := func(v int) int {
		if v < 0 {
			return slack[-1-v]
		}
		return v
	}
	times := func(c *big.Int) (int64, error) {
		if v := new(big.Int).Mul(c, big.NewInt(factor)); v.BitLen() < 62 {
			return v.Int64(), nil
		}
		return 0, w.fail(r.At, "the row %s has numbers that are too large for an exact penalty. Scale it, or the "+
			"objective.", input.Shown([]byte(r.Name)))
	}
	c, err := times(p.Constant)
	if err != nil {
		return err
	}
	w.constant(c, digits, big.NewRat(1, 1))
	for _, t := range p.Linear {
		if c, err = times(t.C); err != nil {
			return err
		}
		if u := place(t.Var); c != 0 {
			if err := w.add(u, u, c, digits, r.At); err != nil {
				return err
			}
		}
	}
	for _, t := range p.Products {
		if c, err = times(t.C); err != nil {
			return err
		}
		u, v := place(t.A), place(t.B)
		if w.general { // both elements of a pair are there
			if err := w.add(v, u, c/2, digits, r.At); err != nil {
				return err
			}
			c /= 2
		}
		if err := w.add(u, v, c, digits, r.At); err != nil {
			return err
		}
	}
	return nil
}

// rowName returns the name of row number k of a file that gives it none.
func rowName(name string, k int) string {
	if name = strings.TrimSpace(name); name != "" {
		return name
	}
	return fmt.Sprintf("row%d", k)
}
