// Package write writes problems in the formats of package formats.
package write

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/meta"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// writers are the writers of the formats.
var writers = map[format.Format]func(*sheet){
	format.Rudy: (*sheet).rudy, format.Matrix: (*sheet).matrix, format.QUBO: (*sheet).qubo,
	format.DIMACS: (*sheet).dimacs, format.List: (*sheet).list, format.BQM: (*sheet).bqm,
	format.BQPJSON: (*sheet).bqpjson, format.ORLibrary: (*sheet).orLibrary, format.LP: (*sheet).lp,
	format.MPS: (*sheet).mps, format.NPY: (*sheet).npy, format.CSV: (*sheet).csv,
}

// Model writes a model in a format of formats.Names that holds its kind. What the format has no place for goes to
// comments or other places within the file, or else is returned in side, the content of the file meta.Path; that
// is nil if there is nothing. If lossy is set, Model leaves it out. The file holds whole coefficients where those of
// the model are whole. An error, other than that of w, says why the format cannot hold the problem.
func Model(w io.Writer, m *graph.Model, f format.Format, lossy bool) (side []byte, err error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if writers[f] == nil {
		return nil, fmt.Errorf("the format %v is not written; use one of %s", f, strings.Join(format.Names(), ", "))
	}
	s, err := newSheet(m, f)
	if err != nil {
		return nil, err
	}
	if lossy {
		s.meta = meta.Data{}
	}
	if t := f.Trait(); t.Comment == "" && !t.Inside && !s.meta.Empty() {
		side = s.meta.JSON()
	}
	s.out = bufio.NewWriterSize(w, 1<<16) // it keeps the first error for Flush
	if prefix := f.Trait().Comment; prefix != "" && f != format.Matrix {
		s.comments(prefix)
	}
	writers[f](s)
	return side, s.out.Flush()
}

// sheet is a model as the coefficients of a file.
type sheet struct {
	graph.Quadratic
	kind     graph.Kind
	n        int
	scale    int64 // times the coefficients
	digits   int   // decimals of scale·coefficient, at most input.MaxDigits
	shift    int   // the coefficients of the file are those times 10^-shift
	rest     *rest // nil: all coefficients are short
	offset   *big.Rat
	maximize bool
	names    []string      // nil: the format has no place, or they are the default ones
	fixed    []input.Fixed // that the format has a place for
	meta     meta.Data
	out      *bufio.Writer
	line     []byte
}

// newSheet finds the coefficients for a format: those of the model times Scale. A format that has no place for an
// offset leaves halves and quarters, which conversions bring in, to the factor of the meta.
func newSheet(m *graph.Model, f format.Format) (*sheet, error) {
	t := f.Trait()
	if !slices.Contains(t.Kinds, m.Kind) {
		return nil, fmt.Errorf("the format %s does not hold %v", t.Name, m.Kind)
	}
	s := &sheet{Quadratic: m.Quadratic, kind: m.Kind, n: m.N(), maximize: f.Maximizes(m.Kind), offset: new(big.Rat)}
	factor, offset := big.NewRat(1, 1), m.Offset
	switch {
	case t.Sense == format.Either:
		s.maximize = m.Maximize
	case s.maximize != m.Maximize:
		factor.Neg(factor)
		s.meta.Sense = map[bool]string{true: "max", false: "min"}[m.Maximize]
	}
	if m.Rest != nil {
		offset = s.complete(m)
	}
	if t.Offset {
		s.offset.Mul(offset, factor)
	} else {
		factor.Quo(factor, big.NewRat(1<<halves(m.Scale.Denom()), 1))
		if offset.Sign() != 0 {
			s.meta.Offset = input.Decimal(offset)
		}
	}
	if factor.Cmp(big.NewRat(1, 1)) != 0 {
		s.meta.Factor = input.Decimal(factor)
	}
	if m.Kind == graph.Sides && t.Kinds[0] != graph.Sides {
		s.meta.Kind = "maxcut"
	}
	s.n = s.Pairs.N()
	if s.n > m.N() {
		s.meta.Root = "last"
	}
	s.name(m, f)
	if f == format.List && s.last() < s.n-1 {
		s.meta.N = s.n
	}
	if s.rest == nil {
		if short, err := s.setScale(new(big.Rat).Quo(m.Scale, factor)); err != nil {
			return nil, err
		} else if !short {
			s.digits, s.shift, s.rest = 0, 0, &rest{}
		}
	}
	if s.rest != nil {
		s.rest.factor.Quo(m.UnitScale(), factor)
		for _, c := range s.rest.terms {
			c.Quo(c, factor)
		}
	}
	return s, s.fits(f)
}

// fits refuses coefficients that the numbers of a format do not hold.
func (s *sheet) fits(f format.Format) error {
	switch {
	case f == format.ORLibrary && (s.digits == input.MaxDigits || s.shift > 0):
		return fmt.Errorf("the halves of coefficients would need %d decimals in the format %v. Round them",
			s.digits+1, f)
	case f == format.NPY:
		var err error
		check := func(c coef) {
			text := s.append(nil, c)
			exact, _ := input.Rational(text)
			v, _ := exact.Float64()
			short, e := input.Rational(strconv.AppendFloat(nil, v, 'g', -1, 64))
			if e != nil || short.Cmp(exact) != 0 {
				err = fmt.Errorf("the coefficient %s is not exact in float64. Use csv", text)
			}
		}
		s.terms(func(_ int, c coef) { check(c) }, func(_, _ int, c coef) { check(c) })
		return err
	}
	return nil
}

// halves returns by how many powers of 2 a denominator exceeds those of 10.
func halves(denominator *big.Int) uint {
	five := big.NewInt(5)
	twos := denominator.TrailingZeroBits()
	fives := uint(0)
	for d, r := new(big.Int).Set(denominator), new(big.Int); ; fives++ {
		if d.QuoRem(d, five, r); r.Sign() != 0 {
			break
		}
	}
	return max(twos, fives) - fives
}

// setScale sets what the coefficients are multiplied by. short is false if their sum would be beyond the exact range.
func (s *sheet) setScale(scale *big.Rat) (short bool, err error) {
	more, exact := scale.FloatPrec()
	s.digits = s.Pairs.Digits() + more
	if !exact {
		return false, fmt.Errorf("the factor %s has no end as a decimal number", scale.RatString())
	}
	s.shift = max(0, s.digits-input.MaxDigits)
	if s.shift > 0 {
		s.digits = input.MaxDigits
	}
	whole := new(big.Rat).Mul(scale, new(big.Rat).SetInt(tenTo(more))).Num()
	limit := new(big.Int).SetUint64(input.MaxSum(s.kind == graph.Sides))
	if s.shift > 0 {
		limit.Rsh(limit, 4) // what is read back of sums with so many decimals
	}
	twice := new(big.Int)
	for _, c := range s.Linear {
		twice.Add(twice, new(big.Int).Abs(big.NewInt(2*c)))
	}
	for _, w := range s.Pairs.Weights { // each pair is there twice
		twice.Add(twice, new(big.Int).Abs(big.NewInt(w)))
	}
	if twice.Mul(twice, new(big.Int).Abs(whole)); twice.Cmp(limit.Lsh(limit, 1)) >= 0 {
		return false, nil
	}
	s.scale = whole.Int64()
	return true, nil
}

// tenTo returns a power of ten.
func tenTo(power int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(power)), nil)
}

// name puts the names and the fixed variables into the format where it has a place and the names are allowed there,
// else into the meta.
func (s *sheet) name(m *graph.Model, f format.Format) {
	allowed := func(name string) bool { return f.Trait().Names && f.AllowsName(name) }
	inside := true
	for _, name := range m.Names {
		inside = inside && allowed(name)
	}
	fixes := f == format.LP || f == format.MPS
	for _, v := range m.Fixed {
		inside = inside && (!fixes || allowed(v.Name))
	}
	if fixes && inside {
		s.fixed = m.Fixed
	} else {
		s.meta.Fixed = m.Fixed
	}
	switch {
	case m.Names == nil:
	case inside:
		s.names = m.Names
	default:
		s.meta.Names = map[string]string{}
		for i, name := range m.Names {
			s.meta.Names[strconv.Itoa(i)] = name
		}
	}
}

// last returns the last variable that is in a term, or -1.
func (s *sheet) last() int {
	for i := s.n - 1; i >= 0; i-- {
		if s.Pairs.Offsets[i+1] > s.Pairs.Offsets[i] || s.linear(i).sign() != 0 {
			return i
		}
	}
	return -1
}

// nameOf returns the name of variable i.
func (s *sheet) nameOf(i int) string {
	if s.names != nil {
		return s.names[i]
	}
	return "x" + strconv.Itoa(i)
}

// terms calls linear for each linear term that is not 0, and pair for each pair, in order of the variables.
func (s *sheet) terms(linear func(i int, c coef), pair func(i, j int, c coef)) {
	for i := range s.n {
		if linear != nil {
			if c := s.linear(i); c.sign() != 0 {
				linear(i, c)
			}
		}
		for e := s.Pairs.Offsets[i]; pair != nil && e < s.Pairs.Offsets[i+1]; e++ {
			if j := int(s.Pairs.Neighbors[e]); j > i {
				pair(i, j, s.pair(i, e))
			}
		}
	}
}

// count returns the number of linear terms and of pairs.
func (s *sheet) count() (linear, pairs int) {
	for i := range s.n {
		if s.linear(i).sign() != 0 {
			linear++
		}
	}
	return linear, s.Pairs.M()
}

// put writes numbers and strings without anything between them. A coefficient is a coef.
func (s *sheet) put(parts ...any) {
	s.line = s.line[:0]
	for _, part := range parts {
		switch v := part.(type) {
		case string:
			s.line = append(s.line, v...)
		case int:
			s.line = strconv.AppendInt(s.line, int64(v), 10)
		case coef:
			s.line = s.append(s.line, v)
		default:
			panic(fmt.Sprintf("formats: cannot write a %T", v))
		}
	}
	s.out.Write(s.line)
}

// comments writes the meta in comments.
func (s *sheet) comments(prefix string) {
	for _, line := range s.meta.Lines() {
		s.put(prefix, " ", line, "\n")
	}
}
