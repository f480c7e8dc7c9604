package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/hostmem"
)

// Table is the numbers of a file: a vector, a matrix, or a sparse matrix.
type Table struct {
	Rows, Cols int       // a vector has one column, and an array of more dimensions has its elements a row
	Values     []float64 // row after row; those of the entries of a sparse matrix
	Whole      bool      // an array of numpy stores them as integers
	Heading    string    // the line of a text that was skipped as a heading; "": none
	// RowStart and Col are nil unless the matrix is sparse. The entries of row i are those from RowStart[i] to
	// RowStart[i+1]-1, and entry j is in column Col[j]. Both count from 0, and columns rise within a row.
	RowStart, Col []uint32
}

// ReadTableFile reads the table in a file as ReadTable does.
func ReadTableFile(path string) (*Table, error) {
	src, err := FileSource(path)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, FileError(path, err)
	}
	defer f.Close()
	t, fault := ReadTable(bufio.NewReaderSize(f, 64<<10), path, src.Size)
	if fault != nil {
		return nil, fault
	}
	return t, nil
}

// ReadTable reads a table from r, a file of size bytes that errors call file. The content says what the file is: an
// array of numpy, a MatrixMarket file, or a text of numbers with one row in each line. The numbers of a text are
// separated by commas, by semicolons or by blanks; a first line of words of which none is a number, or stands for one,
// is a heading, and lines that begin with # or % are skipped. Numbers may be infinite, but not NaN.
func ReadTable(r *bufio.Reader, file string, size int64) (*Table, *Error) {
	var t *Table
	var err error
	head, _ := r.Peek(len(marketMagic))
	isNpy, isMarket := bytes.HasPrefix(head, []byte(NpyMagic)), strings.EqualFold(string(head), marketMagic)
	switch ext := strings.ToLower(filepath.Ext(file)); {
	case ext == ".npy" && !isNpy:
		err = Errorf(file, 0, 0, "not a .npy file: its first bytes are not \\x93NUMPY. Give a text another name.")
	case ext == ".mtx" && !isMarket:
		err = Errorf(file, 1, 1, "not a MatrixMarket file: its first word is not %%%%MatrixMarket. %s", marketAdvice)
	case isNpy:
		if t, err = readNpyTable(r, size); err != nil {
			fault := Errorf(file, 0, 0, "%v.", err)
			if _, large := errors.AsType[*hostmem.Error](err); large {
				fault = fault.tooLarge()
			}
			err = fault
		}
	case isMarket:
		t, err = readMarket(r, file, size)
	default:
		t, err = readTextTable(r, file, size)
	}
	if err != nil {
		return nil, err.(*Error)
	}
	if len(t.Values) > MaxIndex {
		return nil, Errorf(file, 0, 0, "a table of %d elements. Use at most %d.", len(t.Values), MaxIndex)
	}
	return t, nil
}

func readNpyTable(r io.Reader, size int64) (*Table, error) {
	a, err := ReadNpyHeader(r, size, dtypes...)
	if err != nil {
		return nil, err
	}
	t := &Table{Whole: a.Dtype[0] != 'f'}
	t.Rows, t.Cols = a.Matrix()
	t.Values, err = numbers(a.Count)
	if err != nil {
		return nil, err
	}
	return t, a.Each(r, func(i int, v float64) error {
		t.Values[i] = v
		if math.IsNaN(v) {
			return fmt.Errorf("element [%s] is NaN. Use numbers", a.Position(i))
		}
		return nil
	})
}

// Notes returns what a person should know about how a table was read from a file: that a heading was skipped.
func (t *Table) Notes(file string) []string {
	if t.Heading == "" {
		return nil
	}
	return []string{fmt.Sprintf("%s: the first line is skipped, as a heading: %.60s", file, Printable(t.Heading, ""))}
}

// textTable is a text of numbers that is being read.
type textTable struct {
	file string
	line int
	text []byte
	*Table

	found  [][]byte // room for the words of a line
	places []int    // and for their offsets
}

// numbers returns room for n numbers, or an error if there is too little memory.
func numbers(n int) ([]float64, error) {
	if err := hostmem.Check("the table", 8*int64(n)); err != nil {
		return nil, err
	}
	return make([]float64, n), nil
}

// readLine reads a line to the memory of text, with its end.
func readLine(r *bufio.Reader, text []byte) ([]byte, error) {
	for text = text[:0]; ; {
		part, err := r.ReadSlice('\n')
		if text = append(text, part...); err != bufio.ErrBufferFull {
			return text, err
		}
	}
}

// grow makes room for another row. The first line says about how many rows the rest of the file has.
func (t *textTable) grow(size int64) error {
	if cap(t.Values)-len(t.Values) >= t.Cols {
		return nil
	}
	rows := int64(t.Rows/8 + 1)
	if t.Rows == 0 {
		rows = size / int64(max(1, len(t.text)))
		rows += rows/16 + 1
	}
	more, err := numbers(len(t.Values) + int(min(rows, MaxIndex))*t.Cols)
	if err != nil {
		return Errorf(t.file, t.line, 0, "%v.", err).tooLarge()
	}
	t.Values = append(more[:0], t.Values...)
	return nil
}

// readTextTable reads a text of about size bytes.
func readTextTable(r *bufio.Reader, file string, size int64) (*Table, error) {
	t := &textTable{file: file, Table: &Table{}}
	var text []byte
	for end := false; !end; {
		var err error
		text, err = readLine(r, text)
		if end = err == io.EOF; err != nil && !end {
			return nil, Errorf(file, t.line+1, 0, "cannot be read further: %v.", err)
		}
		if t.line++; t.line == 1 {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		}
		t.text = text
		trimmed := bytes.TrimSpace(text)
		if len(trimmed) == 0 || trimmed[0] == '#' || trimmed[0] == '%' {
			continue
		}
		words, at := t.words()
		if t.Rows == 0 && t.Heading == "" && isHeading(words) {
			t.Heading = string(trimmed)
			continue
		}
		if t.Rows == 0 {
			t.Cols = len(words)
		}
		if len(words) != t.Cols {
			return nil, Errorf(file, t.line, 0, "numbers in the line: %d, in those before: %d. Give rows of equal "+
				"lengths.", len(words), t.Cols)
		}
		if err := t.grow(size); err != nil {
			return nil, err
		}
		for i, word := range words {
			v, err := element(word)
			if err != nil && t.Rows == 0 {
				return nil, Errorf(file, t.line, at[i]+1, "%v. Use numbers, or begin the line with # if it is a "+
					"heading.", err)
			} else if err != nil {
				return nil, Errorf(file, t.line, at[i]+1, "%v. Use numbers.", err)
			}
			t.Values = append(t.Values, v)
		}
		t.Rows++
	}
	if t.Rows == 0 {
		return nil, Errorf(file, 0, 0, "no numbers. Give one row in each line.")
	}
	if len(t.Values) < cap(t.Values)*3/4 { // the first line was short
		t.Values = slices.Clip(slices.Clone(t.Values))
	}
	return t.Table, nil
}

// words returns the words of the line and their offsets, until the next line is read.
func (t *textTable) words() (words [][]byte, at []int) {
	words, at = t.found[:0], t.places[:0]
	defer func() { t.found, t.places = words, at }()
	separator := byte(0)
	for _, c := range []byte{';', ','} {
		if separator == 0 && bytes.IndexByte(t.text, c) >= 0 {
			separator = c
		}
	}
	for i := 0; ; {
		if separator == 0 {
			i += len(t.text[i:]) - len(bytes.TrimLeft(t.text[i:], " \t\r\n\v\f"))
			if i == len(t.text) {
				return words, at
			}
		}
		end := bytes.IndexByte(t.text[i:], separator)
		if separator == 0 {
			end = bytes.IndexAny(t.text[i:], " \t\r\n\v\f")
		}
		if end < 0 {
			end = len(t.text) - i
		}
		word := t.text[i : i+end]
		blanks := len(word) - len(bytes.TrimLeft(word, " \t"))
		words, at = append(words, bytes.TrimSpace(word)), append(at, i+blanks)
		if i += end; separator != 0 {
			if i == len(t.text) {
				return words, at
			}
			i++
		}
	}
}

// element is parseElement without garbage for a word that is a decimal number: ParseFloat does not keep its argument.
func element(word []byte) (float64, error) {
	if len(bytes.Trim(word, "0123456789+-.eE")) == 0 {
		if v, err := strconv.ParseFloat(string(word), 64); err == nil {
			return v, nil
		}
	}
	return parseElement(string(word))
}

// parseElement reads an element of a table: a decimal number, or an infinite one.
func parseElement(s string) (float64, error) {
	if len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"' {
		s = s[1 : len(s)-1]
	}
	v, err := ParseDecimal(s)
	if err != nil {
		if v, e := strconv.ParseFloat(s, 64); e == nil && math.IsInf(v, 0) {
			return v, nil
		}
	}
	return v, err
}

// isHeading reports whether words are names: none of them is a number of any kind, or stands in the place of one.
func isHeading(words [][]byte) bool {
	names := 0
	for _, w := range words {
		if likeNumber(strings.ToLower(strings.Trim(string(w), "\"'"))) {
			return false
		}
		names += min(len(w), 1)
	}
	return names > 0
}

// instead are words that stand where a number is missing, or that are numbers in other languages.
var instead = strings.Fields("nan inf infinity na n/a #n/a null nil none missing true false - -- ? * .")

// twoLetters is in words that are no numbers, such as 2nd.
var twoLetters = regexp.MustCompile(`[a-z][a-z]`)

// likeNumber reports whether a word is a number of any kind, also one that is not read, or stands in its place.
func likeNumber(w string) bool {
	if slices.Contains(instead, w) {
		return true
	}
	w = strings.TrimLeft(w, "+-.$€")
	if name, _, _ := strings.Cut(w, "("); slices.Contains(instead, name) {
		return true
	}
	return w != "" && w[0] >= '0' && w[0] <= '9' &&
		(strings.HasPrefix(w, "0x") || strings.Contains(w, "#") || !twoLetters.MatchString(w))
}
