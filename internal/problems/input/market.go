package input

import (
	"bytes"
	"slices"
	"strings"
)

// Market is the kind of a MatrixMarket file, in lower case.
type Market struct {
	Form     string // array or coordinate
	Field    string // real, integer or pattern
	Symmetry string // general, symmetric or skew-symmetric
}

// maxBanner is the largest number of bytes of the first line of a MatrixMarket file.
const maxBanner = 4096

// Banner returns the kind of a MatrixMarket file from its first line, without reading it. known has the forms, fields
// and symmetries that the caller can read; advice is the sentence that says so.
func (s *Scanner) Banner(known [3][]string, advice string) (Market, error) {
	head := s.Head(maxBanner)
	i := bytes.IndexByte(head, '\n')
	if i < 0 {
		return Market{}, s.Fail(1, "the header has no end. %s", advice)
	}
	line := string(head[:i])
	words := strings.Fields(strings.ToLower(line))
	allowed := append([][]string{{"%%matrixmarket"}, {"matrix"}}, known[:]...)
	for k, what := range []string{"banner", "object", "form", "field", "symmetry"} {
		switch {
		case k >= len(words):
			return Market{}, s.Fail(len(line)+1, "the header ends without its %s. %s", what, advice)
		case !slices.Contains(allowed[k], words[k]):
			at, word := wordAt(line, k)
			return Market{}, s.Fail(at+1, "the %s %q cannot be read. %s", what, word, advice)
		}
	}
	if len(words) > 5 {
		at, word := wordAt(line, 5)
		return Market{}, s.Fail(at+1, "the sixth word %q cannot be read. %s", word, advice)
	}
	return Market{words[2], words[3], words[4]}, nil
}

// wordAt returns word k of a line and its offset.
func wordAt(line string, k int) (int, string) {
	at := 0
	for i := range k + 1 {
		at += len(line[at:]) - len(strings.TrimLeft(line[at:], " \t\r"))
		if i < k {
			at += strings.IndexAny(line[at:]+" ", " \t\r")
		}
	}
	return at, strings.Fields(line[at:])[0]
}
