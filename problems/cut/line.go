package cut

import (
	"math"
	"math/big"
)

// line is what a cut in units is worth: a - b·cut with b > 0. It is exact, and as a float64 rounded once.
type line struct {
	a, b *big.Rat
	step float64 // b
	// Where whole is set, the value is (constant - factor·cut)·per/of, and no cut overflows this.
	whole            bool
	constant, factor int64
	per, of          float64
}

// newLine returns the line for cuts from -total to total.
func newLine(a, b *big.Rat, total float64) line {
	l := line{a: a, b: b}
	l.step, _ = b.Float64()
	all := new(big.Int).Mul(a.Denom(), b.Denom())
	numerator := func(r *big.Rat) *big.Int { return new(big.Rat).Mul(r, new(big.Rat).SetInt(all)).Num() }
	constant, factor := numerator(a), numerator(b)
	common := new(big.Int).GCD(nil, nil, new(big.Int).Abs(constant), factor)
	constant.Quo(constant, common)
	factor.Quo(factor, common)
	largest, _ := new(big.Float).SetFloat64(total).Int(nil)
	if largest.Mul(largest, factor).Add(largest, new(big.Int).Abs(constant)); largest.BitLen() > 63 {
		return l
	}
	unit := new(big.Rat).SetFrac(common, all)
	l.whole, l.constant, l.factor = true, constant.Int64(), factor.Int64()
	l.per, _ = new(big.Float).SetInt(unit.Num()).Float64()
	l.of, _ = new(big.Float).SetInt(unit.Denom()).Float64()
	l.step = float64(l.factor) * l.per / l.of
	return l
}

// exact returns the value of a cut.
func (l line) exact(cut int64) *big.Rat {
	v := new(big.Rat).Mul(l.b, new(big.Rat).SetInt64(cut))
	return v.Sub(l.a, v)
}

// value returns the float64 nearest to the value of a cut.
func (l line) value(cut int64) float64 {
	if l.whole {
		f := float64(l.constant-l.factor*cut) * l.per
		if math.Abs(f) <= 1<<53 && l.per <= 1<<53 && l.of <= 1<<53 {
			return f/l.of + 0 // the only rounding; not -0
		}
	}
	f, _ := l.exact(cut).Float64()
	return f + 0
}

// has reports whether f is the value of a cut, as far as a float64 shows it.
func (l line) has(f float64) bool {
	at := new(big.Rat).SetFloat64(f)
	cut, _ := at.Quo(at.Sub(l.a, at), l.b).Float64()
	near := math.Round(cut)
	return math.Abs(cut) >= 1<<50 || math.Abs(cut-near) < 1e-3 || l.value(int64(near)) == f
}
