package input

import (
	"fmt"
	"strings"
	"unicode"
)

// HasControl reports whether a text has a control character. A terminal obeys such characters.
func HasControl(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }

// Printable returns s with an escape such as \x1b in the place of each control character that is not in keep.
func Printable(s, keep string) string {
	control := func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune(keep, r) }
	i := strings.IndexFunc(s, control)
	if i < 0 {
		return s
	}
	var b strings.Builder
	for i >= 0 {
		b.WriteString(s[:i])
		r := []rune(s[i:min(i+2, len(s))])[0]
		fmt.Fprintf(&b, `\x%02x`, r)
		s = s[i+len(string(r)):]
		i = strings.IndexFunc(s, control)
	}
	b.WriteString(s)
	return b.String()
}
