package input

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
)

// MaxExact is the bound on the sum of all |weights|, in units.
const MaxExact = 1 << 62

// MaxDigits is the largest number of decimals of a weight.
const MaxDigits = 18

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

// Exact reads a decimal number as v·10^-digits, with digits as small as possible.
// The error is a phrase that follows the word in a sentence.
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
		return longDecimal(word, first, negative)
	}
	if negative {
		v = -v
	}
	return v, 0, nil
}

// decimalsError is the error of Exact for a number with too many decimals.
type decimalsError string

func (e decimalsError) Error() string { return string(e) }

// Printed is like Exact, but a number with too many decimals is read as the float64 nearest to it, as Binary does. near
// is set for such a number.
func Printed(word []byte) (v int64, digits int, near bool, err error) {
	v, digits, err = Exact(word)
	if _, long := errors.AsType[decimalsError](err); !long {
		return v, digits, false, err
	}
	f, err := strconv.ParseFloat(string(word), 64)
	if err != nil {
		return 0, 0, false, err
	}
	v, digits, _, err = Binary(f, 64)
	return v, digits, true, err
}

// Shifted is Printed for 10^power times the number.
func Shifted(word []byte, power int) (v int64, digits int, near bool, err error) {
	if power == 0 {
		return Printed(word)
	}
	mantissa, shift := word, power
	if i := bytes.IndexAny(word, "eE"); i >= 0 {
		exp, ok := exponent(word[i+1:])
		if !ok {
			return Printed(word)
		}
		mantissa, shift = word[:i], shift+exp
	}
	return Printed(strconv.AppendInt(append(slices.Clone(mantissa), 'e'), int64(shift), 10))
}

// Rational reads a decimal number in full, unless it has more decimals than any float64. The error is one of Exact.
func Rational(word []byte) (*big.Rat, error) {
	v, digits, err := Exact(word)
	if err == nil {
		return big.NewRat(v, Pow10[digits]), nil
	}
	const most = 400 // characters, and the size of an exponent
	if _, long := errors.AsType[decimalsError](err); long && len(word) <= most {
		if f, e := strconv.ParseFloat(string(word), 64); e == nil && f != 0 {
			if r, ok := new(big.Rat).SetString(string(word)); ok {
				return r, nil
			}
		}
	}
	return nil, err
}

// Decimal returns a number whose denominator divides a power of ten, in full.
func Decimal(r *big.Rat) string {
	digits, _ := r.FloatPrec()
	return r.FloatString(digits)
}

// Binary returns the shortest decimal number that stands for a binary one of 32 or 64 bits. If that has too many
// decimals, it is rounded to MaxDigits, and near is set.
func Binary(f float64, bits int) (v int64, digits int, near bool, err error) {
	v, digits, err = Exact(strconv.AppendFloat(nil, f, 'g', -1, bits))
	if _, near = errors.AsType[decimalsError](err); near {
		v, digits, err = Exact(strconv.AppendFloat(nil, f, 'f', MaxDigits, bits))
	}
	return v, digits, near, err
}

// longDecimal is like Exact, for words that are more than a few digits.
func longDecimal(word []byte, i int, negative bool) (v int64, digits int, err error) {
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
		if v > (MaxExact-int64(c-'0'))/10 {
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
				return 0, 0, bad
			}
			exponent, ok := exponent(word[i+1:])
			if !ok {
				return 0, 0, bad
			}
			digits -= exponent
			i = len(word)
		default:
			return 0, 0, bad
		}
	}
	switch {
	case seen == 0:
		return 0, 0, bad
	case v == 0 && !large:
		return 0, 0, nil
	case large && digits > 0:
		return 0, 0, decimalsError("has too many digits to be summed exactly. Round it to 18 digits or fewer")
	}
	digits -= zeros // v lacks its zeros at the end
	if digits > MaxDigits {
		return 0, 0, decimalsError(fmt.Sprintf("needs %d decimals; weights are summed exactly with up to %d. Round it",
			digits, MaxDigits))
	}
	for ; digits < 0 && !large; digits++ {
		if v > MaxExact/10 {
			large = true
		}
		v *= 10
	}
	if large {
		return 0, 0, fmt.Errorf("is beyond 2^62, up to which weights are summed exactly. Scale the weights down")
	}
	if negative {
		v = -v
	}
	return v, digits, nil
}

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
	if v < 0 {
		b, v = append(b, '-'), -v
	}
	b = strconv.AppendInt(b, v/Pow10[digits], 10)
	b = append(b, '.')
	tail := strconv.FormatInt(v%Pow10[digits]+Pow10[digits], 10)
	return append(b, tail[1:]...)
}
