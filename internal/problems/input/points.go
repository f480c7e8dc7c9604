package input

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
)

// Points are points of Dim variables each.
type Points struct {
	Dim int
	X   [][]float64 // X[i] is point i, of length Dim
}

// ReadPoints reads points of dim variables; 0 means as many as the file has columns.
// The file is either text with one point per line and numbers separated by blanks,
// where empty lines and lines that begin with # are ignored, or .npy in C order with
// any dtype of real numbers and shape (n,) or (points, n). A text with one number per line
// is a single point, unless dim is 1, and so is an array of shape (dim, 1). There must be
// at least one point, and all numbers must be finite. A fault in the file is an *Error.
func ReadPoints(path string, dim int) (Points, error) {
	if dim < 0 {
		return Points{}, Errorf("", 0, 0, "points of %d variables. Use 1 or more.", dim)
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return Points{}, Errorf(path, 0, 0, "is a folder. Give a file of points, text or .npy.")
	}
	if err == nil && !info.Mode().IsRegular() {
		return Points{}, notRegular(path)
	}
	var f *os.File
	if err == nil {
		f, err = os.Open(path)
	}
	if err != nil {
		return Points{}, FileError(path, err)
	}
	defer f.Close()
	p, e := readPoints(bufio.NewReaderSize(f, 64<<10), path, info.Size(), dim)
	if e != nil {
		return Points{}, e
	}
	return p, nil
}

func readPoints(r *bufio.Reader, file string, size int64, dim int) (Points, *Error) {
	head, _ := r.Peek(len(NpyMagic))
	if string(head) == NpyMagic {
		p, err := readNpyPoints(r, size, dim)
		if err != nil {
			return Points{}, Errorf(file, 0, 0, "%v.", err)
		}
		return p, nil
	}
	return readTextPoints(NewFieldReader(r, file), dim)
}

func readNpyPoints(r io.Reader, size int64, dim int) (Points, error) {
	a, err := ReadNpyHeader(r, size, dtypes...)
	if err != nil {
		return Points{}, err
	}
	if len(a.shape) > 2 {
		return Points{}, fmt.Errorf("array of %d dimensions. Use shape (n,) or (points, n)", len(a.shape))
	}
	n := a.shape[len(a.shape)-1]
	if n == 1 && a.Count == dim { // a column, as a text with one number per line
		n = dim
	}
	if dim != 0 && n != dim {
		return Points{}, fmt.Errorf("points of %d numbers, expected %d. Give shape (%d,) or (points, %d)", n, dim, dim,
			dim)
	}
	x := make([]float64, a.Count)
	err = a.Each(r, func(i int, v float64) error {
		x[i] = v
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("element [%s] is %v. Use finite numbers", a.Position(i), v)
		}
		return nil
	})
	if err != nil {
		return Points{}, err
	}
	return cutPoints(x, n), nil
}

// cutPoints splits x into points of n variables.
func cutPoints(x []float64, n int) Points {
	p := Points{Dim: n, X: make([][]float64, 0, len(x)/n)}
	for ; len(x) > 0; x = x[n:] {
		p.X = append(p.X, x[:n:n])
	}
	return p
}

func readTextPoints(in *FieldReader, dim int) (Points, *Error) {
	var x []float64
	columns := 0 // of the first line
	inLine, lines := 0, 0
	for {
		field, err := in.Next()
		switch {
		case err == io.EOF:
			return finishPoints(in, x, columns, lines, dim)
		case err != nil:
			return Points{}, in.Fail("%v", err)
		case field == nil:
			if lines++; lines == 1 {
				columns = inLine
			}
			if e := checkColumns(in, inLine, columns, dim); e != nil {
				return Points{}, e
			}
			inLine = 0
			continue
		}
		v, e := in.number(field)
		if e != nil {
			return Points{}, e
		}
		if inLine++; dim != 0 && inLine > dim {
			return Points{}, in.Fail("number %d of the line is %.40s, but a point has %d. Remove it or use -n.", inLine,
				field, dim)
		}
		if lines > 0 && inLine > columns {
			return Points{}, in.Fail("number %d of the line is %.40s, but the first point has %d. Give every "+
				"point a line "+
				"of equal length.", inLine, field, columns)
		}
		x = append(x, v)
	}
}

// checkColumns checks the number of numbers of a line, at its end.
func checkColumns(in *FieldReader, count, columns, dim int) *Error {
	want := columns
	if dim != 0 && columns > 1 {
		want = dim
	}
	if count != want {
		return in.Fail("numbers in the line: %d, expected %d. Give one point a line.", count, want)
	}
	return nil
}

func finishPoints(in *FieldReader, x []float64, columns, lines, dim int) (Points, *Error) {
	switch {
	case lines == 0:
		return Points{}, Errorf(in.file, 0, 0, "no points. Give numbers, one point a line.")
	case columns > 1:
		return cutPoints(x, columns), nil
	case dim == 1:
		return cutPoints(x, 1), nil
	case dim != 0 && lines != dim:
		return Points{}, in.Fail("lines of one number: %d, expected %d. Give one point a line, or one number of the "+
			"point a line.", lines, dim)
	}
	return cutPoints(x, lines), nil
}

// FieldReader reads words separated by blanks from a text of any length. It keeps
// one word in memory. It skips a byte-order mark, empty lines and lines that begin
// with #.
type FieldReader struct {
	r         *bufio.Reader
	file      string
	line, col int // of the last field, or of the end of its line
	nextCol   int // of the next byte
	word      []byte
	inLine    bool // the line has a field
	newline   bool // the next byte begins a line
}

const maxField = 4096 // bytes

// NewFieldReader returns a reader of the fields of r. file is its name in errors.
func NewFieldReader(r *bufio.Reader, file string) *FieldReader {
	if bom, _ := r.Peek(3); string(bom) == "\xef\xbb\xbf" {
		r.Discard(3)
	}
	return &FieldReader{r: r, file: file, newline: true}
}

// Skipped says that so many lines of the text come before r, for a reader of which nothing was read yet.
func (f *FieldReader) Skipped(lines int) { f.line = lines }

// Line returns the number of the line of the last field, from 1 on.
func (f *FieldReader) Line() int { return f.line }

// Fail returns an error at the last field.
func (f *FieldReader) Fail(format string, args ...any) *Error {
	return Errorf(f.file, f.line, f.col, format, args...)
}

// Next returns the next field, which is valid until the next call. After the last
// field of each line that has any, it returns nil. At the end the error is io.EOF.
func (f *FieldReader) Next() ([]byte, error) {
	f.word = f.word[:0]
	for {
		c, err := f.r.ReadByte()
		end := err == io.EOF
		if err != nil && !end {
			return nil, err
		}
		if f.newline && !end {
			f.line++
			f.nextCol = 1
			f.newline = false
		}
		if len(f.word) > 0 && (end || isBlank(c)) {
			if !end {
				f.r.UnreadByte()
			}
			f.inLine = true
			return f.word, nil
		}
		if end || c == '\n' {
			had := f.inLine
			f.inLine, f.newline = false, !end
			if had {
				f.col = f.nextCol
				return nil, nil
			}
			if end {
				f.col = 0
				return nil, io.EOF
			}
			continue
		}
		if c == '#' && len(f.word) == 0 && !f.inLine {
			if err := f.skipLine(); err != nil && err != io.EOF {
				return nil, err
			}
			continue
		}
		if !isBlank(c) {
			if len(f.word) == 0 {
				f.col = f.nextCol
			}
			if len(f.word) == maxField {
				return nil, fmt.Errorf("a word of more than %d bytes; separate numbers by blanks", maxField)
			}
			f.word = append(f.word, c)
		}
		f.nextCol++
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func (f *FieldReader) skipLine() error {
	for {
		_, err := f.r.ReadSlice('\n')
		if err != bufio.ErrBufferFull {
			f.newline = true
			return err
		}
	}
}

// number reads a finite decimal number.
func (f *FieldReader) number(field []byte) (float64, *Error) {
	v, err := ParseDecimal(string(field))
	if err != nil {
		return 0, f.Fail("%v. Use finite numbers separated by blanks, not commas.", err)
	}
	return v, nil
}
