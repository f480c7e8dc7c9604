package graph

import (
	"bytes"
	"io"

	"github.com/clopt/clopt/problems/input"
)

const (
	maxField = 4096    // largest number of bytes of a field; no number is longer
	maxSkip  = 1 << 20 // largest number of bytes of comments and blank lines in a row
	scanSize = 1 << 18 // bytes of the buffer
)

// scanner splits a text of any length into fields separated by blanks, with a
// buffer of fixed size. It accepts LF and CRLF. It skips a byte-order mark, blank
// lines, and lines whose first field begins with # or %, or is c.
type scanner struct {
	r         io.Reader
	file      string
	buf       []byte
	pos, end  int // bounds of the unread bytes of buf
	eof       bool
	read      int64 // bytes read from r
	start     int64 // offset in the text of buf[0]
	lineStart int64 // offset of the first byte of the line
	line      int
	col       int   // of the last field, or of the end of its line
	fields    int   // of the line so far
	skipped   int64 // offset after the last field
	err       error // of r, except io.EOF
	whole     bool  // words may be of any length (assignments); long ones come in pieces
	commas    bool  // commas are blanks
}

func newScanner(r io.Reader, file string) *scanner {
	s := &scanner{r: r, file: file, buf: make([]byte, scanSize), line: 1}
	s.fill(0)
	if bytes.HasPrefix(s.buf[:s.end], []byte("\xef\xbb\xbf")) {
		s.pos, s.lineStart = 3, 3
	}
	return s
}

// fill moves the bytes from keep on to the front and appends more bytes of r.
func (s *scanner) fill(keep int) {
	s.end = copy(s.buf, s.buf[keep:s.end])
	s.pos -= keep
	s.start += int64(keep)
	for !s.eof && s.end < len(s.buf) {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		s.read += int64(n)
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

// token is the kind of a result of next.
type token int

const (
	field   token = iota // a word
	endLine              // the end of a line that has fields
	endText
)

// next returns the next field, which is valid until the next call, or the end of a
// line. If a line ends with the text, its endLine comes before endText.
func (s *scanner) next() (token, []byte, error) {
	for {
		if s.pos == s.end && !s.eof {
			s.fill(s.pos)
			continue
		}
		if s.pos == s.end {
			if s.err != nil {
				return endText, nil, s.readError()
			}
			s.col = int(s.offset()-s.lineStart) + 1
			if s.fields > 0 {
				s.fields = 0
				return endLine, nil, nil
			}
			return endText, nil, nil
		}
		switch c := s.buf[s.pos]; {
		case c == '\n':
			s.col = int(s.offset()-s.lineStart) + 1
			had := s.fields > 0
			if had {
				s.fields = 0
				return endLine, nil, nil // the newline stays for the next call
			}
			s.pos++
			s.newLine()
			if s.offset()-s.skipped > maxSkip {
				return endText, nil, s.fail(0, "more than %d bytes of blank lines and comments in a row. Remove them.",
					maxSkip)
			}
		case c == ' ' || c == '\t' || c == '\r' || c == ',' && s.commas:
			s.pos++
		default:
			word, err := s.word()
			if err != nil {
				return endText, nil, err
			}
			if s.fields == 0 && (word[0] == '#' || word[0] == '%' || len(word) == 1 && word[0] == 'c') {
				if err := s.skipLine(); err != nil {
					return endText, nil, err
				}
				continue
			}
			s.fields++
			s.skipped = s.offset()
			return field, word, nil
		}
	}
}

func (s *scanner) offset() int64 { return s.start + int64(s.pos) }

func (s *scanner) newLine() {
	s.line++
	s.lineStart = s.offset()
}

// word returns the bytes up to the next blank.
func (s *scanner) word() ([]byte, error) {
	s.col = int(s.offset()-s.lineStart) + 1
	from := s.pos
	for {
		for s.pos < s.end {
			switch c := s.buf[s.pos]; {
			case c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ',' && s.commas:
				return s.buf[from:s.pos], nil
			case c == 0:
				at := int(s.offset()-s.lineStart) + 1
				return nil, input.Errorf(s.file, s.line, at, "a NUL byte. Give a text file in UTF-8 or ASCII.")
			}
			s.pos++
			if s.pos-from == maxField {
				if s.whole || s.fields == 0 && s.comment(s.buf[from]) {
					return s.buf[from:s.pos], nil
				}
				return nil, s.fail(s.col, "a word of more than %d bytes begins with %s. Separate numbers by blanks.",
					maxField, input.Shown(s.buf[from:s.pos]))
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

func (s *scanner) comment(c byte) bool { return c == '#' || c == '%' }

// skipLine moves to the end of the line.
func (s *scanner) skipLine() error {
	for {
		if i := bytes.IndexByte(s.buf[s.pos:s.end], '\n'); i >= 0 {
			s.pos += i
			return nil
		}
		s.pos = s.end
		if s.eof {
			return nil
		}
		if s.offset()-s.skipped > maxSkip {
			return s.fail(0, "more than %d bytes of blank lines and comments in a row. Remove them.", maxSkip)
		}
		s.fill(s.pos)
	}
}

// fail returns an error in the line of the last field.
func (s *scanner) fail(col int, format string, args ...any) error {
	return input.Errorf(s.file, s.line, col, format, args...)
}

// readError returns the error of the underlying reader: of the disk, or damaged gzip
// data.
func (s *scanner) readError() error {
	if e, ok := s.err.(*input.Error); ok {
		e.File, e.Line = s.file, s.line
		return e
	}
	return input.Errorf(s.file, s.line, 0, "cannot be read further: %v. The file may be cut off or damaged.", s.err)
}
