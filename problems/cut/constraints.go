package cut

import (
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/clopt/clopt/internal/problems/input"
)

// values returns the values of variables by their names, at a point.
func (c *Cut) values(x []float64) func(name string) *big.Rat {
	return func(name string) *big.Rat {
		c.naming.Do(c.number)
		if i, ok := c.numbers[name]; ok {
			return new(big.Rat).SetInt64(int64(math.Round(x[i])))
		}
		for _, f := range c.fixed {
			if v, err := input.Rational([]byte(f.Value)); err == nil && f.Name == name {
				return v
			}
		}
		panic("cut: a row has a variable that is none of the problem")
	}
}

// number makes the numbers of the variables by their names.
func (c *Cut) number() {
	c.numbers = make(map[string]int, c.n)
	for i := range c.n {
		name := "x" + strconv.Itoa(i)
		if c.names != nil {
			name = c.names[i]
		}
		c.numbers[name] = i
	}
}

// broken lists the constraints that a point breaks, such as "c1 is 3, not at most 2".
func (c *Cut) broken(x []float64) (broken []string) {
	for i := range c.constraints {
		r := &c.constraints[i]
		switch sum := r.Sum(c.values(x)); {
		case r.Holds(sum):
		case r.Lower != nil && r.Upper != nil && r.Lower.Cmp(r.Upper) == 0:
			broken = append(broken, fmt.Sprintf("%s is %s, not %s", r.Name, input.Decimal(sum), input.Decimal(r.Lower)))
		case r.Lower != nil && sum.Cmp(r.Lower) < 0:
			broken = append(broken, fmt.Sprintf("%s is %s, not at least %s", r.Name, input.Decimal(sum),
				input.Decimal(r.Lower)))
		default:
			broken = append(broken, fmt.Sprintf("%s is %s, not at most %s", r.Name, input.Decimal(sum),
				input.Decimal(r.Upper)))
		}
	}
	return broken
}

// Settled returns a point with the slack variables with which the constraints of the file that it fulfils have no
// penalty, and says for each of the others what is wrong, such as "c1 is 3, not at most 2".
func (c *Cut) Settled(x []float64) (settled []float64, broken []string) {
	for i := range c.constraints {
		r := &c.constraints[i]
		sum := r.Sum(c.values(x))
		if len(r.Slack) == 0 || !r.Holds(sum) {
			continue
		}
		if settled == nil {
			settled = append(settled, x...)
		}
		r.Settle(sum, func(name string, bit uint8) {
			c.naming.Do(c.number)
			if i, ok := c.numbers[name]; ok {
				settled[i] = float64(bit)
			}
		})
	}
	if settled == nil {
		settled = x
	}
	return settled, c.broken(x)
}
