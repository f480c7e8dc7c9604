package recipe

import (
	"fmt"
	"strings"
)

// Key is a line of a run file to be written: a value, or a list of values.
type Key struct {
	Name string
	Vals []string
	List bool
}

// Text is the text of a run file that clopt of a version writes.
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

// tomlString is s as a TOML basic string; numbers and switches are read from
// strings too.
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
