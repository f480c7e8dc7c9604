package flags

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var brace = regexp.MustCompile(`\{([^{}]*)\}`)

// maxExpanded is the largest number of words that a pattern may stand for.
const maxExpanded = 10000

// Expand returns the words of a pattern: f1, f2, f3 and f7 for "f{1..3,7}". More than 10000 words are an error.
func Expand(s string) ([]string, error) {
	m := brace.FindStringSubmatchIndex(s)
	if m == nil {
		return []string{s}, nil
	}
	var out []string
	for _, part := range strings.Split(s[m[2]:m[3]], ",") {
		words := []string{part}
		if a, b, ok := strings.Cut(part, ".."); ok {
			lo, err := strconv.Atoi(a)
			hi, err2 := strconv.Atoi(b)
			if err != nil || err2 != nil || lo > hi || hi-lo >= maxExpanded {
				return nil, fmt.Errorf("%q is not a range such as {1..15}", part)
			}
			words = nil
			for i := lo; i <= hi; i++ {
				words = append(words, strconv.Itoa(i))
			}
		}
		for _, w := range words {
			rest, err := Expand(s[:m[0]] + w + s[m[1]:])
			if err != nil {
				return nil, err
			}
			if out = append(out, rest...); len(out) > maxExpanded {
				return nil, fmt.Errorf("%.60q stands for more than %d words", s, maxExpanded)
			}
		}
	}
	return out, nil
}
