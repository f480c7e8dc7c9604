package recipe

import (
	"fmt"

	"github.com/BurntSushi/toml"
)

// maxNesting is how deep arrays, tables and dotted keys of a file may be nested. The decoder needs time and memory that
// grow with the square of the depth.
const maxNesting = 32

// Decode decodes TOML into v, as toml.Decode does. It refuses a text that is nested deeper than any run file or suite.
func Decode(text string, v any) (toml.MetaData, error) {
	if at := tooDeep(text); at >= 0 {
		line, begin := 1, 0
		for i := range at {
			if text[i] == '\n' {
				line, begin = line+1, i+1
			}
		}
		return toml.MetaData{}, toml.ParseError{
			Message:  fmt.Sprintf("more than %d levels of brackets or dots", maxNesting),
			Position: toml.Position{Line: line, Col: at - begin + 1, Start: at, Len: 1},
		}
	}
	return toml.Decode(text, v)
}

// tooDeep returns the offset where brackets or dots outside of strings and comments are nested too deep, or -1.
func tooDeep(text string) int {
	brackets, dots := 0, 0
	quote := byte(0) // of the string or comment that is open; '\n' ends a comment
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote == '"' && c == '\\':
			i++
		case quote != 0 && (c == quote || c == '\n'): // a long string ends soon after, or is counted, too
			quote = 0
		case quote != 0:
		case c == '#':
			quote = '\n'
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			brackets++
		case c == ']' || c == '}':
			brackets--
		case c == '.':
			dots++
		}
		if c == '\n' || c == '=' || c == ',' {
			dots = 0
		}
		if brackets > maxNesting || dots > maxNesting {
			return i
		}
	}
	return -1
}
