package input

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// Bounds of the sum of all |coefficients|, in units, below which sums are exact. All follow from that of a cut.
const (
	MaxExact     = 1 << 62          // of a cut
	MaxTerms     = MaxExact / 4     // of a QUBO or an Ising problem, whose cut may have four times the sum
	MaxConverted = MaxTerms / 8     // of what becomes a problem of another kind, which may have eight times the sum
	MaxRounded   = MaxConverted / 2 // of coefficients that are rounded; sums have more digits than float64 then
)

// MaxSum returns the bound for cuts, or for QUBOs and Ising problems.
func MaxSum(cuts bool) uint64 {
	if cuts {
		return MaxExact
	}
	return MaxTerms
}

// MaxDigits is the largest number of decimals of a unit.
const MaxDigits = 18

// RestDigits is the number of decimals that what is left of a rounded weight has beyond its unit. If not more digits
// are rounded away, it is a whole number of these, which float64 holds.
const RestDigits = 15

// Pow10 are the powers of ten below 2^63.
var Pow10 = func() (p [MaxDigits + 1]int64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = 10 * p[i-1]
	}
	return p
}()

// MaxIndex is the largest index, and the largest number of vertices of a graph: indices have 31 bits on devices.
const MaxIndex = 1<<31 - 1

// Index reads an integer of at most MaxIndex without a sign. ok is false for anything
// else; large is true if word has digits only but is too large.
func Index(word []byte) (v int, ok, large bool) {
	if len(word) == 0 {
		return 0, false, false
	}
	for _, c := range word {
		if c < '0' || c > '9' {
			return 0, false, false
		}
		if v = 10*v + int(c-'0'); v > MaxIndex {
			v, large = MaxIndex+1, true
		}
	}
	return v, !large, large
}

// MaxPlaces is the largest number of decimals that Exact returns, more than any float64 needs.
const MaxPlaces = 350

// Exact reads a decimal number as v·10^-digits, with |v| below 2^62 and digits up to MaxPlaces. digits is as small as
// possible, but below 0 only where v would be beyond 2^62. A number with a decimal point that has 17 digits or more is
// one that a program has printed for a float64: it is read as the shortest number that stands for the same float64.
// Without the point, as in 12345678901234567e-17, all digits count, as far as v has room for them: longer numbers are
// read as float64, too. The error is a phrase that follows the word in a sentence.
func Exact(word []byte) (v int64, digits int, err error) {
	i, negative := 0, false
	if word[0] == '-' || word[0] == '+' {
		negative = word[0] == '-'
		i = 1
	}
	first := i
	for ; i < len(word) && word[i] >= '0' && word[i] <= '9' && i < first+18; i++ {
		v = 10*v + int64(word[i]-'0')
	}
	if i < len(word) || i == first {
		long := false
		if v, digits, long, err = longDecimal(word, first); long {
			f, e := strconv.ParseFloat(string(word), 64)
			if e != nil {
				return 0, 0, errBeyond
			}
			near, places, err := Binary(f, 64)
			if err != nil || near < printed && near > -printed || v < printed || v >= 10*printed || digits > MaxPlaces {
				return near, places, err
			} // another one of 17 digits is as short
		}
	}
	if negative {
		v = -v
	}
	return v, digits, err
}

// Binary returns the shortest decimal number that stands for a finite binary one of 32 or 64 bits, as Exact does.
func Binary(f float64, bits int) (v int64, digits int, err error) {
	v, digits, _, err = longDecimal(strconv.AppendFloat(nil, math.Abs(f), 'g', -1, bits), 0)
	if f < 0 {
		v = -v
	}
	return v, digits, err
}

// Ratio returns v·10^-digits.
func Ratio(v int64, digits int) *big.Rat {
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(digits, -digits))), nil)
	if digits < 0 {
		return new(big.Rat).SetInt(ten.Mul(ten, big.NewInt(v)))
	}
	return new(big.Rat).SetFrac(big.NewInt(v), ten)
}

// Rational reads a decimal number in full where it has up to 400 characters, and otherwise as Exact does.
func Rational(word []byte) (*big.Rat, error) {
	v, digits, err := Exact(word)
	if err != nil {
		return nil, err
	}
	if r, ok := new(big.Rat).SetString(string(word)); ok && v != 0 && len(word) <= 400 {
		return r, nil
	}
	return Ratio(v, digits), nil
}

// Decimal returns a number whose denominator divides a power of ten, in full.
func Decimal(r *big.Rat) string {
	digits, _ := r.FloatPrec()
	return r.FloatString(digits)
}

// longDecimal is like Exact for a word without its sign, which begins at i. long is true for a number with decimals
// that has too many digits to be read as it stands.
func longDecimal(word []byte, i int) (v int64, digits int, long bool, err error) {
	bad := fmt.Errorf("is not a decimal number")
	seen, point := 0, false
	zeros := 0 // zeros after the last other digit, which are not in v yet
	large := false
	push := func(c byte) {
		if c == '0' {
			if v != 0 {
				zeros++
			}
			return
		}
		for ; zeros > 0; zeros-- {
			if v > MaxExact/10 {
				large = true
				zeros = 0
				return
			}
			v *= 10
		}
		if v > (MaxExact-1-int64(c-'0'))/10 {
			large = true
			return
		}
		v = 10*v + int64(c-'0')
	}
	for ; i < len(word); i++ {
		switch c := word[i]; {
		case c >= '0' && c <= '9':
			push(c)
			seen++
			if point {
				digits++
			}
			continue
		case c == '.' && !point:
			point = true
			continue
		case c == 'e' || c == 'E':
			if seen == 0 {
				return 0, 0, false, bad
			}
			exponent, ok := exponent(word[i+1:])
			if !ok {
				return 0, 0, false, bad
			}
			digits -= exponent
			i = len(word)
		default:
			return 0, 0, false, bad
		}
	}
	switch {
	case seen == 0:
		return 0, 0, false, bad
	case v == 0 && !large:
		return 0, 0, false, nil
	}
	digits -= zeros // v lacks its zeros at the end
	if large || digits > 0 && (point && v >= printed || digits > MaxPlaces) {
		return v, digits, true, nil
	}
	if digits < -mostZeros {
		return 0, 0, false, errBeyond
	}
	if digits < 0 && digits > -len(Pow10) && v <= (MaxExact-1)/Pow10[-digits] {
		v, digits = v*Pow10[-digits], 0
	}
	return v, digits, false, nil
}

// mostZeros is the largest number of zeros after the 18 digits of a number, of which many have a sum in float64.
const mostZeros = 280

// errBeyond refuses numbers that are too large.
var errBeyond = fmt.Errorf("is beyond 1e%d. Scale the numbers down", mostZeros)

// printed is the smallest number of 17 digits.
const printed = 1e16

// exponent reads the number after an e, limited to ±10000.
func exponent(word []byte) (int, bool) {
	negative := false
	if len(word) > 0 && (word[0] == '+' || word[0] == '-') {
		negative = word[0] == '-'
		word = word[1:]
	}
	if len(word) == 0 {
		return 0, false
	}
	v := 0
	for _, c := range word {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = min(10*v+int(c-'0'), 10000)
	}
	if negative {
		v = -v
	}
	return v, true
}

// AppendExact appends the decimal number v·10^-digits, which Exact reads back.
func AppendExact(b []byte, v int64, digits int) []byte {
	if digits == 0 {
		return strconv.AppendInt(b, v, 10)
	}
	if digits < 0 || digits > MaxDigits || v >= printed || v <= -printed {
		return fmt.Appendf(b, "%de%d", v, -digits)
	}
	if v < 0 {
		b, v = append(b, '-'), -v
	}
	b = strconv.AppendInt(b, v/Pow10[digits], 10)
	b = append(b, '.')
	tail := strconv.FormatInt(v%Pow10[digits]+Pow10[digits], 10)
	return append(b, tail[1:]...)
}
