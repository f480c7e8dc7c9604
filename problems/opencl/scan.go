package opencl

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/clopt/clopt/problems/input"
)

// scanned is the text of one OpenCL C file as a compiler will read it.
type scanned struct {
	file string // as shown in errors
	text []byte // newlines only, no byte-order mark
	// code is text with comments and the inside of literals blanked, and each
	// line splice (a backslash, blanks and a newline) as splice bytes, so that
	// its newlines end logical lines; a newline in a comment is a spliceEnd.
	code     []byte
	comments []lineComment // those that begin with //@
}

// lineComment is one "//@ …" without its "//@". own says that nothing but
// blanks precede it on its line.
type lineComment struct {
	line, col int // of the "//"
	text      string
	own       bool
}

// splice marks a character of a line splice; spliceEnd a newline inside a
// logical line.
const (
	splice    = 1
	spliceEnd = 2
)

// maxDirectives bounds the memory that a hostile text takes.
const maxDirectives = 1000

// cleanText checks that raw is UTF-8 text without control characters and
// returns it without byte-order mark and with newlines as line ends.
func cleanText(file string, raw []byte) ([]byte, *input.Error) {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	raw = bytes.ReplaceAll(raw, []byte("\r"), []byte("\n"))
	for i := 0; i < len(raw); {
		c, size := rune(raw[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRune(raw[i:])
		}
		if c == utf8.RuneError && size == 1 {
			line, col := lineCol(raw, i)
			return nil, input.Errorf(file, line, col, "byte 0x%02x is not UTF-8. Save the file as UTF-8 text.", raw[i])
		}
		if c < ' ' && c != '\n' && c != '\t' && c != '\v' && c != '\f' {
			line, col := lineCol(raw, i)
			return nil, input.Errorf(file, line, col, "control character 0x%02x in a text. Remove it.", c)
		}
		i += size
	}
	return raw, nil
}

// lineCol is the 1-based line and column of offset i.
func lineCol(text []byte, i int) (line, col int) {
	return 1 + bytes.Count(text[:i], []byte("\n")), i - bytes.LastIndexByte(text[:i], '\n')
}

// spliceLen is the length of the line splice at text[i:], 0 if there is none.
// Compilers accept blanks between the backslash and the newline.
func spliceLen(text []byte, i int) int {
	if i >= len(text) || text[i] != '\\' {
		return 0
	}
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\n':
			return j + 1 - i
		case ' ', '\t', '\v', '\f':
		default:
			return 0
		}
	}
	return 0
}

// scan finds comments, literals and line splices in text (from cleanText).
func scan(file string, text []byte) (*scanned, *input.Error) {
	s := &scanned{file: file, text: text, code: bytes.Clone(text)}
	for i := 0; ; i++ {
		if i = indexFrom(text, i, "??"); i < 0 || i+2 >= len(text) {
			break
		}
		if c := text[i+2]; c == '=' || c == '/' {
			line, col := lineCol(text, i)
			return nil, input.Errorf(file, line, col, "trigraph %q. Write the character itself.", text[i:i+3])
		}
	}
	// skip returns the first offset from i on that is not in a splice.
	skip := func(i int) int {
		for n := spliceLen(text, i); n > 0; n = spliceLen(text, i) {
			for j := i; j < i+n; j++ {
				s.code[j] = splice
			}
			s.code[i+n-1] = spliceEnd
			i += n
		}
		return i
	}
	blank := func(i int) {
		if s.code[i] != '\n' {
			s.code[i] = ' '
		}
	}
	at := func(i int) byte {
		if i < len(text) {
			return text[i]
		}
		return 0
	}
	line, counted, bare := 1, 0, true // bare: only blanks so far on this line
	for i := skip(0); i < len(text); i = skip(i) {
		next := skip(i + 1)
		switch c := text[i]; {
		case c == '/' && at(next) == '/':
			line += bytes.Count(text[counted:i], []byte("\n"))
			counted = i
			start := i
			for i < len(text) && text[i] != '\n' {
				blank(i)
				i = skip(i + 1)
			}
			if body, ok := strings.CutPrefix(string(text[start:min(i, len(text))]), "//@"); ok {
				col := start - bytes.LastIndexByte(text[:start], '\n')
				if len(s.comments) == maxDirectives {
					return nil, input.Errorf(file, line, col, "more than %d directives. Remove some.", maxDirectives)
				}
				s.comments = append(s.comments, lineComment{line, col, body, bare})
			}
		case c == '/' && at(next) == '*':
			start := i
			blank(i)
			blank(next)
			i = skip(next + 1)
			for ; ; i = skip(i + 1) {
				if i >= len(text) {
					l, col := lineCol(text, start)
					return nil, input.Errorf(file, l, col, "comment without its end. Add */.")
				}
				if s.code[i] = ' '; text[i] == '\n' {
					s.code[i] = spliceEnd
				}
				if j := skip(i + 1); text[i] == '*' && at(j) == '/' {
					blank(j)
					i = j + 1
					break
				}
			}
		case c == '"' || c == '\'':
			bare = false
			for i = next; i < len(text) && text[i] != '\n' && text[i] != c; {
				escaped := text[i] == '\\'
				blank(i)
				if i = skip(i + 1); escaped && i < len(text) && text[i] != '\n' {
					blank(i)
					i = skip(i + 1)
				}
			}
			if at(i) == c {
				i++
			}
		default:
			switch c {
			case '\n':
				bare = true
			case ' ', '\t', '\v', '\f':
			default:
				bare = false
			}
			i++
		}
	}
	return s, nil
}

func indexFrom(text []byte, i int, what string) int {
	if i >= len(text) {
		return -1
	}
	j := bytes.Index(text[i:], []byte(what))
	if j < 0 {
		return -1
	}
	return i + j
}
