package rows

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// value returns the value of a penalty at a point of the variables and of the slack variables.
func (p Penalty) value(x, slack uint) int64 {
	at := func(v int) int64 {
		if v < 0 {
			return int64(slack >> (-1 - v) & 1)
		}
		return int64(x >> v & 1)
	}
	sum := p.Constant.Int64()
	for _, l := range p.Linear {
		sum += l.C.Int64() * at(l.Var)
	}
	for _, q := range p.Products {
		sum += q.C.Int64() * at(q.A) * at(q.B)
	}
	return sum
}

// TestPenalty compares the least penalty of every point with whether the row holds there, for random rows of all forms.
func TestPenalty(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for k := range 3000 {
		n := 1 + r.IntN(5)
		row := Row{}
		most := 1 + r.IntN(4)*r.IntN(3)
		for range n + r.IntN(2) {
			c := big.NewRat(int64(1+r.IntN(most)), int64(1+r.IntN(2)*(k%2)))
			if r.IntN(3) == 0 {
				c.Neg(c)
			}
			row.Terms = append(row.Terms, Term{r.IntN(n), c})
		}
		bound := func() *big.Rat { return big.NewRat(int64(r.IntN(4*most+1)-most), int64(1+r.IntN(2))) }
		switch k % 4 {
		case 0:
			row.Lower = bound()
			row.Upper = row.Lower
		case 1:
			row.Upper = bound()
		case 2:
			row.Lower = bound()
		case 3:
			row.Lower, row.Upper = bound(), bound()
		}
		p := row.Penalty()
		for x := range uint(1) << n {
			sum := new(big.Rat)
			for _, t := range row.Terms {
				if x>>t.Var&1 == 1 {
					sum.Add(sum, t.C)
				}
			}
			holds := (row.Lower == nil || sum.Cmp(row.Lower) >= 0) && (row.Upper == nil || sum.Cmp(row.Upper) <= 0)
			least := p.value(x, 0)
			for s := range uint(1) << len(p.Slack) {
				least = min(least, p.value(x, s))
			}
			if holds && least != 0 || !holds && least < 1 || holds && p.Never {
				t.Fatalf("%v from %v to %v: penalty %d at %b", row.Terms, row.Lower, row.Upper, least, x)
			}
		}
	}
}
