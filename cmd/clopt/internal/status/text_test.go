package status

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestBroken checks where lines are broken: rows under their text, other lines under their beginning.
func TestBroken(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{Row("method", "graybox, because the function is a sum"),
			[]string{"  method    graybox, because", "            the function is a", "            sum"}},
		{"! a warning that is longer than a line", []string{"! a warning that is longer", "  than a line"}},
		{Row("next", "clopt resume %s", strings.Repeat("x", 30)),
			[]string{"  next      clopt resume", "            " + strings.Repeat("x", 30)}},
		{"short", []string{"short"}}, {"", []string{""}},
		{strings.Repeat("y", 40), []string{strings.Repeat("y", 40)}},
	} {
		if got := broken(c.line, 30); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
}

// TestShow checks what files and terminals without colours or symbols get.
func TestShow(t *testing.T) {
	const text = "✓ time limit reached\n  best      1   target 0 MISSED\x1b[31m García Σ x²"
	for _, c := range []struct {
		out  Output
		want string
	}{
		{Output{}, "+ time limit reached\n  best      1   target 0 MISSED\\x1b[31m García Σ x²\n"},
		{Output{screen: os.Stderr}, "+ time limit reached\n  best      1   target 0 MISSED\\x1b[31m Garcia sum x^2\n"},
		{Output{symbols: true}, "✓ time limit reached\n  best      1   target 0 MISSED\\x1b[31m García Σ x²\n"},
	} {
		var b strings.Builder
		c.out.W = &b
		if c.out.Show(text); b.String() != c.want {
			t.Errorf("%q, want %q", b.String(), c.want)
		}
	}
	var b strings.Builder
	if (&Output{W: &b}).ShowWithin(20, "a line of 21 columns,"); b.String() != "a line of 21\n  columns,\n" {
		t.Errorf("%q", b.String())
	}
	const best = "  best      1   target 0 "
	if got := coloured(best + "MISSED, far"); got != best+red+"MISSED"+off+", far" {
		t.Errorf("%q", got)
	}
}

// TestRate checks that a rate is a number that a reader can say, unless it is very large.
func TestRate(t *testing.T) {
	for v, want := range map[float64]string{0.06049: "0.0605", 42: "42", 999.4: "999", 1286: "1,290",
		144_700: "145,000", 2.12e11: "2.12e+11"} {
		if got := Rate(v); got != want {
			t.Errorf("%g: %s, want %s", v, got, want)
		}
	}
}

// TestLocale checks which locales have UTF-8.
func TestLocale(t *testing.T) {
	for text, want := range map[string]bool{
		"LANG=C.UTF-8": true, "LANG=en_US.utf8": true, "LANG=C": false, "": false,
		"LANG=de_DE.UTF-8 LC_ALL=C": false, "LANG=C LC_CTYPE=C.UTF-8": true,
	} {
		getenv := func(name string) string {
			for _, pair := range strings.Fields(text) {
				if value, ok := strings.CutPrefix(pair, name+"="); ok {
					return value
				}
			}
			return ""
		}
		if utf8Locale(getenv) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}

func TestNumbersForReaders(t *testing.T) {
	for f, want := range map[float64]string{math.Copysign(0, -1): "0", -2.5: "-2.5", 1.0 / 3: "0.3333333333"} {
		if got := Brief(f); got != want {
			t.Errorf("%g: %s", f, got)
		}
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", -123: "-123",
		12345678: "12,345,678"} {
		if got := Count(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
	for s, want := range map[float64]string{0: "0.0 s", 0.1234: "0.12 s", 8: "8.0 s", 42.4: "42 s", 125: "0:02:05"} {
		if got := Seconds(time.Duration(s * float64(time.Second))); got != want {
			t.Errorf("%g: %s", s, got)
		}
	}
}
