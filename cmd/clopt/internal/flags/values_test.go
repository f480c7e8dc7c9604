package flags

import (
	"fmt"
	"testing"
	"time"

	"github.com/clopt/clopt/solvers/runs"
)

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"90s": 90 * time.Second, "2h30m": 150 * time.Minute, "1d": 24 * time.Hour, "1.5d": 36 * time.Hour,
		"1d12h": 36 * time.Hour, ".5d": 12 * time.Hour, "100ms": 100 * time.Millisecond,
	} {
		if d, err := ParseDuration(text); err != nil || d != want {
			t.Errorf("%s: %v, %v", text, d, err)
		}
	}
	for _, text := range []string{"", "5", "0", "0s", "0d", "-1s", "1dd", "d", "1h1d", "1e3d", "99999999d", "1d-1h",
		"nan"} {
		if d, err := ParseDuration(text); err == nil {
			t.Errorf("%q is %v", text, d)
		}
	}
}

func TestParseShare(t *testing.T) {
	for text, want := range map[string]float64{"90%": 0.9, "0.9": 0.9, "100%": 1, "1": 1} {
		if f, err := parseShare(text); err != nil || f != want {
			t.Errorf("%s: %v, %v", text, f, err)
		}
	}
}

func TestParseSchedule(t *testing.T) {
	for s, want := range map[string]runs.Schedule{"auto": {}, "off": {Off: true}, "10m": {Every: 10 * time.Minute},
		"1.5d": {Every: 36 * time.Hour}} {
		if got, err := parseSchedule(s); err != nil || got != want {
			t.Errorf("%s: %+v, %v", s, got, err)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"run", "eval", "devices", "describe", "selftest"}
	for s, want := range map[string]string{"rnu": "run", "dev": "devices", "evla": "eval", "zzzzzz": "",
		"self-test": "selftest"} {
		if got := Nearest(s, names); got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

func TestShellQuote(t *testing.T) {
	for s, want := range map[string]string{"a/b:c=1": "a/b:c=1", "": "''", "a b": "'a b'", "it's": `'it'\''s'`,
		"!2": "'!2'"} {
		if got := ShellQuote(s); got != want {
			t.Errorf("%q: %s", s, got)
		}
	}
}

func TestExpand(t *testing.T) {
	got, err := Expand("f{1..3,7}:mode={a,b}")
	if want := "[f1:mode=a f1:mode=b f2:mode=a f2:mode=b f3:mode=a f3:mode=b f7:mode=a f7:mode=b]"; err != nil ||
		fmt.Sprint(got) != want {
		t.Errorf("%v, %v", got, err)
	}
}

// TestExpandLimit: a pattern is refused before its words take memory.
func TestExpandLimit(t *testing.T) {
	if got, err := Expand("f{1..100}{1..100}"); err != nil || len(got) != 10000 {
		t.Errorf("%d words, %v", len(got), err)
	}
	for _, pattern := range []string{"f{1..10001}", "f{1..100}{1..101}", "f{1..10000}{1..10000}{1..10000}",
		"f{1..10000}{1..10000}{x..}"} {
		if got, err := Expand(pattern); err == nil {
			t.Errorf("%s: %d words", pattern, len(got))
		}
	}
}
