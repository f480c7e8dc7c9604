package input

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/test/battery"
)

func TestParseCount(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "7": 7, "1000": 1000, "1e8": 1e8, "1E+3": 1000, "2.5e6": 2500000, "100k": 100000, "64Ki": 65536,
		"1.5M": 1500000,
		"3G":   3000000000, "1Gi": 1 << 30, "1Mi": 1 << 20, "9223372036854775807": math.MaxInt64,
		"9.223372036854775807e18": math.MaxInt64, "1.50e1": 15,
	} {
		if got, err := ParseCount(text); err != nil || got != want {
			t.Errorf("%q is %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", " 1", "-1", "+1", "1.", ".5", "1.5", "1e", "1e-1", "1e+", "e3", "0x10", "1_000", "k", "1kk", "1K", "1ki",
		"nan",
		"inf",
		"9223372036854775808", "1e19", "1e99", "1e999", "10.1e", "1e3.5", "१", strings.Repeat("0", 65),
	} {
		if got, err := ParseCount(text); err == nil {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}

func FuzzParseCount(f *testing.F) {
	battery.Target(f)
	for _, s := range []string{"1e8", "64Ki", "2.5e6", "1.e3", "9e18", "1e+05", "00k"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseCount(s)
		var fault *Error
		if err != nil && !errors.As(err, &fault) {
			t.Fatalf("%q: %T", s, err)
		}
		if err == nil && (v < 0 || strings.ContainsAny(s, " -_xX")) {
			t.Fatalf("%q is %d", s, v)
		}
	})
}
