package recipe

import (
	"fmt"
	"strings"
)

// Key is a key of a run file and its value, or list of values.
type Key struct {
	Name string
	Vals []string
	List bool
}

// Text returns the text of a run file. version is that of the clopt that writes it.
func Text(version, problem string, keys []Key) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# clopt %s; repeat with: clopt run THIS_FILE\n", version)
	fmt.Fprintf(&b, "problem = %s\n", tomlString(problem))
	for _, k := range keys {
		quoted := make([]string, len(k.Vals))
		for i, s := range k.Vals {
			quoted[i] = tomlString(s)
		}
		if k.List {
			fmt.Fprintf(&b, "%s = [%s]\n", k.Name, strings.Join(quoted, ", "))
		} else {
			fmt.Fprintf(&b, "%s = %s\n", k.Name, quoted[len(quoted)-1])
		}
	}
	return b.String()
}

// tomlString returns s as a TOML basic string. Numbers and switches are written as strings, too.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
