package flags

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers/runs"
)

var days = regexp.MustCompile(`^(\d+(?:\.\d*)?|\.\d+)d`)

// ParseDuration reads a duration above 0 in the form of Go, with days added: "90s", "2h30m", "1.5d", "1d12h".
func ParseDuration(s string) (time.Duration, error) {
	rest, total := s, time.Duration(0)
	if m := days.FindStringSubmatch(s); m != nil {
		d, err := strconv.ParseFloat(m[1], 64)
		if err != nil || d > 36500 {
			return 0, fmt.Errorf("%q is longer than 100 years", s)
		}
		total, rest = time.Duration(d*float64(24*time.Hour)), s[len(m[0]):]
	}
	if rest != "" || total == 0 {
		d, err := time.ParseDuration(rest)
		if err != nil || d < 0 && rest != s {
			return 0, fmt.Errorf("%q is not a duration; write it like 90s, 2h30m or 1.5d", s)
		}
		total += d
	}
	if total <= 0 {
		return 0, fmt.Errorf("%q is not above 0", s)
	}
	return total, nil
}

// parseCount reads a whole number of at least 1: 1000, 1e8, 100k, 64Ki.
func parseCount(s string) (int64, error) {
	n, err := input.ParseCount(s)
	if err != nil {
		return 0, err
	}
	if n < 1 {
		return 0, fmt.Errorf("%q is below 1", s)
	}
	return int64(n), nil
}

// ParseSeed reads a seed of 32 bits.
func ParseSeed(s string) (uint32, error) {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number from 0 to %d", s, uint32(math.MaxUint32))
	}
	return uint32(n), nil
}

// parseNumber reads a finite decimal number.
func parseNumber(s string) (float64, error) {
	f, err := input.ParseDecimal(s)
	if err != nil {
		return 0, fmt.Errorf("%q is not a finite number", s)
	}
	return f, nil
}

// parseTarget reads the value of --target where it is not the word "known".
func parseTarget(s string) (float64, error) {
	f, err := parseNumber(s)
	if err != nil {
		return 0, fmt.Errorf("%w; give one, or the word known for the best known value", err)
	}
	return f, nil
}

// parsePositive reads a number above 0.
func parsePositive(s string) (float64, error) {
	f, err := parseNumber(s)
	if err == nil && !(f > 0) {
		err = fmt.Errorf("%q is not above 0", s)
	}
	return f, err
}

// parseBounds reads LO,HI. It returns nil for anything that is not made of numbers, which is the name of a file.
func parseBounds(s string) (*problems.Bounds, error) {
	if left, right, ok := strings.Cut(s, ","); ok {
		if instead := cmp.Or(input.Instead(left), input.Instead(right)); instead != "" {
			return nil, fmt.Errorf("%q are not two finite numbers LO,HI%s", s, instead)
		}
	}
	if strings.Trim(s, "0123456789+-.,eE ") != "" {
		return nil, nil
	}
	left, right, ok := strings.Cut(s, ",")
	lo, err := parseNumber(strings.TrimSpace(left))
	hi, err2 := parseNumber(strings.TrimSpace(right))
	if !ok || err != nil || err2 != nil {
		return nil, fmt.Errorf("%q is not LO,HI; write it like -5,5, or give a file", s)
	}
	b := &problems.Bounds{Lo: lo, Hi: hi}
	return b, b.Validate()
}

// parseShare reads a part of a whole: "90%" or "0.9".
func parseShare(s string) (float64, error) {
	t, percent := strings.CutSuffix(s, "%")
	f, err := parseNumber(t)
	if percent {
		f /= 100
	}
	if err != nil || f <= 0 || f > 1 {
		return 0, fmt.Errorf("%q is not a share; write it like 90%% or 0.9, above 0 and at most 100%%", s)
	}
	return f, nil
}

// ParseSwitch reads true or false.
func ParseSwitch(s string) (bool, error) {
	b, err := strconv.ParseBool(s)
	if err != nil {
		return false, fmt.Errorf("%q is neither true nor false", s)
	}
	return b, nil
}

// parseWeights reads "0=1,2=0.4" into weights by device index.
func parseWeights(s string) (map[int]float64, error) {
	w := map[int]float64{}
	for _, part := range strings.Split(s, ",") {
		left, right, ok := strings.Cut(part, "=")
		i, err := strconv.ParseUint(strings.TrimSpace(left), 10, 16)
		if !ok || err != nil {
			return nil, fmt.Errorf("%q is not DEVICE=WEIGHT; write it like 0=1,2=0.4", part)
		}
		f, err := parseNumber(strings.TrimSpace(right))
		if err != nil || f < 0 {
			return nil, fmt.Errorf("%q: the weight must be a number of at least 0", part)
		}
		if _, twice := w[int(i)]; twice {
			return nil, fmt.Errorf("device %d has two weights in %q", i, s)
		}
		w[int(i)] = f
	}
	return w, nil
}

// ParseSet reads the values of --set, KEY=VALUE each.
func ParseSet(pairs []string) (map[string]string, error) {
	m := map[string]string{}
	for _, p := range pairs {
		k, v, ok := strings.Cut(p, "=")
		if k = strings.TrimSpace(k); !ok || k == "" {
			return nil, fmt.Errorf("%q is not KEY=VALUE", p)
		}
		if old, twice := m[k]; twice && old != v {
			return nil, fmt.Errorf("%s is given twice: %q and %q", k, old, v)
		}
		m[k] = v
	}
	return m, nil
}

// OneOf returns a parser that accepts only the given words.
func OneOf(words ...string) func(string) (string, error) {
	return func(s string) (string, error) {
		for _, w := range words {
			if s == w {
				return s, nil
			}
		}
		return "", fmt.Errorf("%q is not one of %s", s, strings.Join(words, ", "))
	}
}

// ShellQuote quotes a word for a POSIX shell, if it needs quotes.
func ShellQuote(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,%+@"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// parseSchedule reads --checkpoint: auto, off or a duration.
func parseSchedule(s string) (runs.Schedule, error) {
	switch s {
	case "auto":
		return runs.Schedule{}, nil
	case "off":
		return runs.Schedule{Off: true}, nil
	}
	d, err := ParseDuration(s)
	if err != nil {
		return runs.Schedule{}, fmt.Errorf("%q is neither auto nor off nor a duration such as 10m", s)
	}
	return runs.Schedule{Every: d}, nil
}

// ParseDim reads a number of variables.
func ParseDim(s string) (int64, error) {
	n, err := parseCount(s)
	if err == nil && n > problems.MaxDim {
		return 0, fmt.Errorf("%q is above %d, the largest number of variables", s, problems.MaxDim)
	}
	return n, err
}

// ParseRuns reads a number of runs, devices or checkpoints, at most a million.
func ParseRuns(s string) (int64, error) {
	n, err := parseCount(s)
	if err == nil && n > 1e6 {
		return 0, fmt.Errorf("%q is above a million", s)
	}
	return n, err
}
