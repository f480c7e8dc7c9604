package input

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
)

// fixing matches "NAME=VALUE" at the beginning of a list, up to the next comma. A name may have commas and equals
// signs.
var fixing = regexp.MustCompile(`^(.+?)=([-+]?[01])(?:,|$)`)

// ParseFix reads a list of variables that are to have one value, such as "ann=0,bob=1". Values are 0, 1 and -1.
func ParseFix(text string) (fixed []Fixed, err error) {
	for text != "" {
		m := fixing.FindStringSubmatch(text)
		if m == nil {
			return nil, Errorf("", 0, 0, "%s fixes no variable. Write NAME=0 or NAME=1, with commas between, and -1 "+
				"or 1 for a spin", Shown([]byte(text)))
		}
		fixed = append(fixed, Fixed{strings.TrimSpace(m[1]), json.Number(strings.TrimPrefix(m[2], "+"))})
		text = text[len(m[0]):]
	}
	return fixed, nil
}

// FixKey returns such a list as the value of a key of a spec, in which names have no special characters.
func FixKey(fixed []Fixed) string {
	words := make([]string, len(fixed))
	for i, f := range fixed {
		words[i] = url.QueryEscape(f.Name) + "=" + f.Value.String()
	}
	return strings.Join(words, ";")
}

// ReadFixKey is the inverse of FixKey.
func ReadFixKey(text string) (fixed []Fixed, err error) {
	for word := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(word, "=")
		name, bad := url.QueryUnescape(name)
		one, err := ParseFix(name + "=" + value)
		if err != nil || bad != nil {
			return nil, Errorf("", 0, 0, "%s in fix fixes no variable. Write fix=NAME=0;NAME=1, with names as in a URL",
				Shown([]byte(word)))
		}
		fixed = append(fixed, one...)
	}
	return fixed, nil
}
