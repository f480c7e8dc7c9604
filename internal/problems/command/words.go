package command

import (
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
)

// Words splits a command line into words as a shell does, and does nothing else that a shell does: spaces separate
// words, unless they are in '…' or "…" or after \. Between ' all characters are themselves, and between " all but \"
// and \\. The error is an *input.Error.
func Words(line string) (words []string, err error) {
	var word strings.Builder
	var quote byte // in which of the quotes; 0: in none
	begun := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		next := byte(0)
		if i+1 < len(line) {
			next = line[i+1]
		}
		switch {
		case c == 0:
			return nil, input.Errorf("", 0, 0, "the command has a NUL byte")
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'', quote == '"' && (c != '\\' || next != '"' && next != '\\'):
			word.WriteByte(c)
		case c == '\\' && next != 0:
			word.WriteByte(next)
			begun, i = true, i+1
		case quote == 0 && (c == '\'' || c == '"'):
			quote, begun = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	switch {
	case quote != 0:
		return nil, input.Errorf("", 0, 0, "the command %s has no closing %c", input.Shown([]byte(line)), quote)
	case len(words) == 0 || words[0] == "":
		return nil, input.Errorf("", 0, 0, "the command is empty; name a program and its arguments")
	}
	return words, nil
}
