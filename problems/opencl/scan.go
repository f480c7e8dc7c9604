package opencl

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/clopt/clopt/internal/problems/input"
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
	hidden   []lineComment // those that look as if they were to; their text is the word
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
	if err := s.trigraphs(); err != nil {
		return nil, err
	}
	bare := true // only blanks so far on this line
	var err *input.Error
	for i := s.skip(0); i < len(text) && err == nil; i = s.skip(i) {
		next := s.skip(i + 1)
		switch c := text[i]; {
		case c == '/' && s.at(next) == '/':
			i, err = s.lineComment(i, bare)
		case c == '/' && s.at(next) == '*':
			i, err = s.comment(i, next)
		case c == '"' || c == '\'':
			bare = false
			i = s.literal(c, next)
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
	if err != nil {
		return nil, err
	}
	return s, nil
}

// errorAt returns an error at an offset of the text.
func (s *scanned) errorAt(i int, format string, args ...any) *input.Error {
	line, col := lineCol(s.text, i)
	return input.Errorf(s.file, line, col, format, args...)
}

// trigraphs refuses the trigraphs that would change what is a comment, a literal or a directive.
func (s *scanned) trigraphs() *input.Error {
	for i := 0; ; i++ {
		if i = indexFrom(s.text, i, "??"); i < 0 || i+2 >= len(s.text) {
			return nil
		}
		if c := s.text[i+2]; c == '=' || c == '/' {
			return s.errorAt(i, "trigraph %q. Write the character itself.", s.text[i:i+3])
		}
	}
}

// skip marks the splices at offset i and returns the first offset after them.
func (s *scanned) skip(i int) int {
	for n := spliceLen(s.text, i); n > 0; n = spliceLen(s.text, i) {
		for j := i; j < i+n; j++ {
			s.code[j] = splice
		}
		s.code[i+n-1] = spliceEnd
		i += n
	}
	return i
}

// blank replaces a character of the code, but no newline.
func (s *scanned) blank(i int) {
	if s.code[i] != '\n' {
		s.code[i] = ' '
	}
}

// at returns the character at offset i, 0 after the end.
func (s *scanned) at(i int) byte {
	if i < len(s.text) {
		return s.text[i]
	}
	return 0
}

// lineComment blanks the comment from offset start to the end of its line, which it returns. It keeps a directive. own
// says that nothing but blanks precede it on its line.
func (s *scanned) lineComment(start int, own bool) (end int, err *input.Error) {
	end = start
	for end < len(s.text) && s.text[end] != '\n' {
		s.blank(end)
		end = s.skip(end + 1)
	}
	body, ok := strings.CutPrefix(string(s.text[start:min(end, len(s.text))]), "//@")
	if !ok {
		if m := hidden.FindStringSubmatch(string(s.text[start:min(end, len(s.text))])); m != nil && own {
			line, col := lineCol(s.text, start)
			s.hidden = append(s.hidden, lineComment{line: line, col: col, text: m[1]})
		}
		return end, nil
	}
	if len(s.comments) == maxDirectives {
		return end, s.errorAt(start, "more than %d directives. Remove some.", maxDirectives)
	}
	line, col := lineCol(s.text, start)
	s.comments = append(s.comments, lineComment{line, col, body, own})
	return end, nil
}

// comment blanks the comment that begins with the characters at start and star, and returns the offset after it.
func (s *scanned) comment(start, star int) (end int, err *input.Error) {
	s.blank(start)
	s.blank(star)
	for i := s.skip(star + 1); i < len(s.text); i = s.skip(i + 1) {
		s.code[i] = ' '
		if s.text[i] == '\n' {
			s.code[i] = spliceEnd
		}
		if j := s.skip(i + 1); s.text[i] == '*' && s.at(j) == '/' {
			s.blank(j)
			return j + 1, nil
		}
	}
	return 0, s.errorAt(start, "comment without its end. Add */.")
}

// literal blanks what stands between quotes, from offset i on, and returns the offset after it.
func (s *scanned) literal(quote byte, i int) int {
	for i < len(s.text) && s.text[i] != '\n' && s.text[i] != quote {
		escaped := s.text[i] == '\\'
		s.blank(i)
		if i = s.skip(i + 1); escaped && i < len(s.text) && s.text[i] != '\n' {
			s.blank(i)
			i = s.skip(i + 1)
		}
	}
	if s.at(i) == quote {
		i++
	}
	return i
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
