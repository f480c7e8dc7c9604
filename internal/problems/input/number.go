package input

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// ParseDecimal reads a finite decimal number. It refuses hexadecimal numbers, nan
// and inf.
func ParseDecimal(s string) (float64, error) {
	for _, r := range s {
		if (r < '0' || r > '9') && r != '+' && r != '-' && r != '.' && r != 'e' && r != 'E' {
			return 0, fmt.Errorf("%s is not a decimal number", Shown([]byte(s)))
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is too large for float64", Shown([]byte(s)))
	case err != nil:
		return 0, fmt.Errorf("%s is not a decimal number", Shown([]byte(s)))
	}
	return v, nil
}

// countUnits are the suffixes of ParseCount.
var countUnits = []struct {
	suffix string
	factor int64
}{
	{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30},
	{"k", 1e3}, {"M", 1e6}, {"G", 1e9},
}

// ParseCount reads a whole number that is not negative, such as 1000, 1e8, 2.5e6,
// 100k or 64Ki. The suffixes are k, M, G, Ki, Mi and Gi. Anything but a whole number
// below 2^63 is an *Error.
func ParseCount(s string) (int64, error) {
	fail := func() (int64, error) {
		return 0, Errorf("", 0, 0, "%s is not a whole number; use for example 1000, 1e8, 100k or 64Ki",
			Shown([]byte(s)))
	}
	if rest, minus := strings.CutPrefix(s, "-"); minus {
		if _, err := ParseCount(rest); err == nil {
			return 0, Errorf("", 0, 0, "%s is below 0", Shown([]byte(s)))
		}
		return fail()
	}
	digits, factor := s, int64(1)
	for _, u := range countUnits {
		if rest, ok := strings.CutSuffix(s, u.suffix); ok {
			digits, factor = rest, u.factor
			break
		}
	}
	whole, exponent, scaled := strings.Cut(strings.ToLower(digits), "e")
	tens := 0
	if scaled {
		exponent = strings.TrimPrefix(exponent, "+")
		if len(exponent) > 2 || !isDecimal(exponent) {
			return fail()
		}
		tens, _ = strconv.Atoi(exponent)
	}
	whole, fraction, dotted := strings.Cut(whole, ".")
	if !isDecimal(whole) || dotted && !isDecimal(fraction) || len(s) > 64 {
		return fail()
	}
	v, _ := new(big.Rat).SetString(whole + "." + fraction + "0")
	v.Mul(v, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(tens)), nil)))
	v.Mul(v, new(big.Rat).SetInt64(factor))
	if !v.IsInt() {
		return fail()
	}
	if !v.Num().IsInt64() {
		return 0, Errorf("", 0, 0, "%s is too large; use a number below 2^63", Shown([]byte(s)))
	}
	return v.Num().Int64(), nil
}

// isDecimal reports whether s is one or more digits and nothing else.
func isDecimal(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}
