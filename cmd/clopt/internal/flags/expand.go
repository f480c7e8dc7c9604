package flags

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var brace = regexp.MustCompile(`\{([^{}]*)\}`)

// maxExpanded bounds the words that a pattern stands for.
const maxExpanded = 10000

// Expand turns "f{1..3,7}" into f1, f2, f3 and f7. A pattern stands for at most 10000 words.
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
