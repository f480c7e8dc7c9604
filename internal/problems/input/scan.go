package input

import (
	"bytes"
	"io"
)

const (
	maxWord  = 4096    // largest number of bytes of a field; no number is longer
	maxSkip  = 1 << 20 // largest number of bytes of comments and blank lines in a row
	scanSize = 1 << 18 // bytes of the buffer
)

// Scanner splits a text of any length into fields separated by blanks, with a
// buffer of fixed size. It accepts LF and CRLF. It skips a byte-order mark, blank
// lines, and lines whose first field begins with # or %, or is c.
type Scanner struct {
	File   string
	Line   int
	Col    int   // of the last field, or of the end of its line
	Size   int64 // bytes read from the text
	Whole  bool  // words may be of any length (assignments); long ones come in pieces
	Commas bool  // commas are blanks

	// Comment, if it is not nil, is called with the text of each comment, without # and %, up to 4096 bytes. If it
	// returns true, the comment does not count as skipped: any number of them may follow each other.
	Comment func(text []byte) (bool, error)

	r         io.Reader
	buf       []byte
	pos, end  int // bounds of the unread bytes of buf
	eof       bool
	start     int64 // offset in the text of buf[0]
	lineStart int64 // offset of the first byte of the line
	fields    int   // of the line so far
	skipped   int64 // offset after the last field
	err       error // of r, except io.EOF
}

// LoneReturn is the error of a carriage return that ends a line alone.
const LoneReturn = "a carriage return without a line feed. Save the text with the line ends of Linux or Windows."

// NewScanner returns a scanner at the beginning of a text. Errors name file.
func NewScanner(r io.Reader, file string) *Scanner {
	s := &Scanner{r: r, File: file, buf: make([]byte, scanSize), Line: 1}
	s.fill(0)
	if bytes.HasPrefix(s.buf[:s.end], []byte("\xef\xbb\xbf")) {
		s.pos, s.lineStart = 3, 3
	}
	return s
}

// fill moves the bytes from keep on to the front and appends more bytes of r.
func (s *Scanner) fill(keep int) {
	s.end = copy(s.buf, s.buf[keep:s.end])
	s.pos -= keep
	s.start += int64(keep)
	for !s.eof && s.end < len(s.buf) {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		s.Size += int64(n)
		if err != nil {
			s.eof = true
			if err != io.EOF {
				s.err = err
			}
		}
		if n > 0 {
			return
		}
	}
}

// Token is the kind of a result of Next.
type Token int

const (
	Field   Token = iota // a word
	EndLine              // the end of a line that has fields
	EndText
)

// Next returns the next field, which is valid until the next call, or the end of a
// line. If a line ends with the text, its EndLine comes before EndText.
func (s *Scanner) Next() (Token, []byte, error) {
	for {
		if s.pos == s.end && !s.eof {
			s.fill(s.pos)
			continue
		}
		if s.pos == s.end {
			if s.err != nil {
				return EndText, nil, s.readError()
			}
			s.Col = int(s.Offset()-s.lineStart) + 1
			if s.fields > 0 {
				s.fields = 0
				return EndLine, nil, nil
			}
			return EndText, nil, nil
		}
		switch c := s.buf[s.pos]; {
		case c == '\n':
			s.Col = int(s.Offset()-s.lineStart) + 1
			had := s.fields > 0
			if had {
				s.fields = 0
				return EndLine, nil, nil // the newline stays for the next call
			}
			s.pos++
			s.newLine()
			if s.Offset()-s.skipped > maxSkip {
				return EndText, nil, s.Fail(0, "more than %d bytes of blank lines and comments in a row. Remove them.",
					maxSkip)
			}
		case c == ' ' || c == '\t' || c == ',' && s.Commas:
			s.pos++
		case c == '\r':
			col := int(s.Offset()-s.lineStart) + 1
			s.pos++
			if next := s.Head(1); len(next) > 0 && bytes.IndexByte([]byte("\n\r \t"), next[0]) < 0 {
				return EndText, nil, s.Fail(col, LoneReturn)
			}
		default:
			word, err := s.word()
			if err != nil {
				return EndText, nil, err
			}
			if s.fields == 0 && (word[0] == '#' || word[0] == '%' || len(word) == 1 && word[0] == 'c') {
				if err := s.comment(len(word)); err != nil {
					return EndText, nil, err
				}
				if err := s.skipLine(); err != nil {
					return EndText, nil, err
				}
				continue
			}
			s.fields++
			s.skipped = s.Offset()
			return Field, word, nil
		}
	}
}

// Offset returns the number of bytes read by Next.
func (s *Scanner) Offset() int64 { return s.start + int64(s.pos) }

func (s *Scanner) newLine() {
	s.Line++
	s.lineStart = s.Offset()
}

// word returns the bytes up to the next blank.
func (s *Scanner) word() ([]byte, error) {
	s.Col = int(s.Offset()-s.lineStart) + 1
	from := s.pos
	for {
		for s.pos < s.end {
			switch c := s.buf[s.pos]; {
			case c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ',' && s.Commas:
				return s.buf[from:s.pos], nil
			case c == 0:
				at := int(s.Offset()-s.lineStart) + 1
				return nil, Errorf(s.File, s.Line, at, "a NUL byte. Give a text file in UTF-8 or ASCII.")
			}
			s.pos++
			if s.pos-from == maxWord {
				if s.Whole || s.fields == 0 && (s.buf[from] == '#' || s.buf[from] == '%') {
					return s.buf[from:s.pos], nil
				}
				return nil, s.Fail(s.Col, "a word of more than %d bytes begins with %s. Separate numbers by blanks.",
					maxWord, Shown(s.buf[from:s.pos]))
			}
		}
		if s.eof {
			if s.err != nil {
				return nil, s.readError()
			}
			return s.buf[from:s.pos], nil
		}
		s.fill(from)
		from = 0
	}
}

// comment calls Comment with the comment whose first word, of the given length, has just been read.
func (s *Scanner) comment(length int) error {
	if s.Comment == nil {
		return nil
	}
	from := s.pos - length
	for !s.eof && s.end-from < maxWord && bytes.IndexByte(s.buf[from:s.end], '\n') < 0 {
		s.fill(from)
		from = 0
	}
	text := s.buf[from:min(s.end, from+maxWord)]
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	keep, err := s.Comment(bytes.TrimSpace(text[1:]))
	if keep {
		s.skipped = s.Offset() + int64(len(text)-length)
	}
	return err
}

// Head returns up to n bytes that follow, without reading them.
func (s *Scanner) Head(n int) []byte {
	for !s.eof && s.end-s.pos < min(n, len(s.buf)) {
		s.fill(s.pos)
	}
	return s.buf[s.pos:min(s.end, s.pos+n)]
}

// skipLine moves to the end of the line.
func (s *Scanner) skipLine() error {
	for {
		if i := bytes.IndexByte(s.buf[s.pos:s.end], '\n'); i >= 0 {
			s.pos += i
			return nil
		}
		s.pos = s.end
		if s.eof {
			return nil
		}
		if s.Offset()-s.skipped > maxSkip {
			return s.Fail(0, "more than %d bytes of blank lines and comments in a row. Remove them.", maxSkip)
		}
		s.fill(s.pos)
	}
}

// Fail returns an error in the line of the last field.
func (s *Scanner) Fail(col int, format string, args ...any) error {
	return Errorf(s.File, s.Line, col, format, args...)
}

// readError returns the error of the underlying reader: of the disk, or damaged gzip
// data.
func (s *Scanner) readError() error {
	if e, ok := s.err.(*Error); ok {
		e.File, e.Line = s.File, s.Line
		return e
	}
	return Errorf(s.File, s.Line, 0, "cannot be read further: %v. The file may be cut off or damaged.", s.err)
}

// All returns all bytes that follow, and ends the text.
func (s *Scanner) All() ([]byte, error) {
	all := bytes.Clone(s.buf[s.pos:s.end])
	rest, err := io.ReadAll(s.r)
	s.Size += int64(len(rest))
	s.pos, s.eof = s.end, true
	if err == nil {
		err = s.err
	}
	if err != nil {
		s.err = err
		return nil, s.readError()
	}
	return append(all, rest...), nil
}
