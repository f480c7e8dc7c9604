package input

import "math/big"

// Constraint is a linear constraint of a problem, lower ≤ Σ c·x ≤ upper, by the names of the variables. The value of
// the problem has a penalty where it does not hold.
type Constraint struct {
	Name         string
	Terms        []Weighted
	Lower, Upper *big.Rat // nil: there is none
	// Slack are the variables of which the values, times their numbers, are the distance of the sum to Top, in a point
	// without a penalty.
	Slack []Weighted
	Top   *big.Rat
}

// Weighted is a variable of a Constraint, and its number.
type Weighted struct {
	Name string
	C    *big.Rat
}

// Sum returns Σ c·x for the values of variables.
func (r *Constraint) Sum(value func(name string) *big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, t := range r.Terms {
		sum.Add(sum, new(big.Rat).Mul(t.C, value(t.Name)))
	}
	return sum
}

// Holds reports whether a sum fulfils the constraint.
func (r *Constraint) Holds(sum *big.Rat) bool {
	return (r.Lower == nil || sum.Cmp(r.Lower) >= 0) && (r.Upper == nil || sum.Cmp(r.Upper) <= 0)
}

// Settle calls set with the value of each slack variable, 0 or 1, with which a sum that fulfils the constraint has no
// penalty. The numbers of the slack variables are a unit times 1, 2, 4, … and a rest.
func (r *Constraint) Settle(sum *big.Rat, set func(name string, bit uint8)) {
	left := new(big.Rat)
	if r.Top != nil {
		left.Sub(r.Top, sum)
	}
	for k := len(r.Slack) - 1; k >= 0; k-- {
		s, bit := r.Slack[k], uint8(0)
		if left.Cmp(s.C) >= 0 {
			bit = 1
			left.Sub(left, s.C)
		}
		set(s.Name, bit)
	}
}
