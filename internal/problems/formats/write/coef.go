package write

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// coef is a coefficient of the file.
type coef struct {
	units int64    // of the sheet
	full  *big.Rat // not nil: the coefficient itself
}

// rest is what rounding has taken from the coefficients, or nothing where these are only long. A linear
// term of i is the pair (i, number of variables).
type rest struct {
	terms  map[graph.Pair]*big.Rat
	factor big.Rat // times the coefficients of the model
}

// complete adds the pairs of which rounding has left 0, with the weight 0, and returns the whole offset.
func (s *sheet) complete(m *graph.Model) (offset *big.Rat) {
	s.rest = &rest{}
	s.rest.terms, offset = m.Rest.As(m.Kind, s.n)
	var pairs []graph.Term
	for at := range s.rest.terms {
		if at.V < s.n || m.Kind == graph.Sides {
			pairs = append(pairs, graph.Term{U: uint32(at.U), V: uint32(at.V)})
		}
	}
	s.Pairs, _ = s.Pairs.With(pairs)
	return offset.Add(offset, m.Offset)
}

// linear returns the linear term of a variable.
func (s *sheet) linear(i int) coef {
	if s.Linear == nil {
		return coef{}
	}
	return s.coef(s.Linear[i], i, s.n)
}

// pair returns the coefficient of the pair of i and its neighbour in place e.
func (s *sheet) pair(i, e int) coef {
	j := int(s.Pairs.Neighbors[e])
	return s.coef(s.Pairs.Weights[e], min(i, j), max(i, j))
}

func (s *sheet) coef(c int64, i, j int) coef {
	if s.rest == nil {
		return coef{units: s.scale * c}
	}
	full := new(big.Rat).SetInt64(c)
	full.Mul(full, &s.rest.factor)
	if more := s.rest.terms[graph.Pair{U: i, V: j}]; more != nil {
		full.Add(full, more)
	}
	return coef{full: full}
}

func (c coef) sign() int {
	switch {
	case c.full != nil:
		return c.full.Sign()
	case c.units < 0:
		return -1
	}
	return int(min(c.units, 1))
}

func (c coef) abs() coef {
	if c.full != nil {
		return coef{full: new(big.Rat).Abs(c.full)}
	}
	return coef{units: max(c.units, -c.units)}
}

func (c coef) twice() coef {
	if c.full != nil {
		return coef{full: new(big.Rat).Add(c.full, c.full)}
	}
	return coef{units: 2 * c.units}
}

// append appends a coefficient as text.
func (s *sheet) append(b []byte, c coef) []byte {
	if c.full != nil {
		return appendFull(b, c.full)
	}
	return input.AppendExact(b, c.units, s.digits+s.shift)
}

// appendFull appends a number with up to 18 digits, the most that input.Exact reads.
func appendFull(b []byte, r *big.Rat) []byte {
	text := new(big.Float).SetPrec(256).SetRat(r).Text('e', input.MaxDigits-1)
	mantissa, exponent, _ := strings.Cut(strings.Replace(text, ".", "", 1), "e")
	v, _ := strconv.ParseInt(mantissa, 10, 64)
	e, _ := strconv.Atoi(exponent)
	digits := input.MaxDigits - 1 - e
	for ; v%10 == 0 && digits > 0; digits-- {
		v /= 10
	}
	b = input.AppendExact(b, v, max(digits, 0))
	return append(b, strings.Repeat("0", max(-digits, 0))...)
}
