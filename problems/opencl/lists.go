package opencl

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
)

// readNamedLists reads the file of the directive reads, if it names one.
func (o *Objective) readNamedLists(l *objectiveLoader, all []directive) *input.Error {
	d := find(all, "reads")
	if d == nil || d.first() != "lists" {
		return nil
	}
	if _, _, err := d.fields(2); err != nil {
		return err
	}
	f, shown, size, err := l.named(*d, 1)
	if err != nil {
		return err
	}
	defer f.Close()
	return o.readLists(bufio.NewReaderSize(io.TeeReader(f, l.hash), 64<<10), shown, size)
}

// readLists reads the variables of each component into the tables reads and reads_start: a line of a text, or a row of
// a .npy file.
func (o *Objective) readLists(r *bufio.Reader, file string, size int64) (err *input.Error) {
	if int64(o.tiling.M) > size {
		return input.Errorf(file, 0, 0, "file of %d bytes for %d components. Give one line of variables for each.",
			size, o.tiling.M)
	}
	l := &listReader{file: file, size: size, n: uint64(o.n), m: o.tiling.M, start: make([]uint32, 1, o.tiling.M+1)}
	if head, _ := r.Peek(len(input.NpyMagic)); string(head) == input.NpyMagic {
		err = l.array(r)
	} else {
		err = l.text(r)
	}
	if err != nil {
		return err
	}
	if got := len(l.start) - 1; got != l.m {
		return input.Errorf(file, l.line, 0, "%d lines for %d components. Give one line of variables for each.", got,
			l.m)
	}
	o.tables = append(o.tables, problems.Table{Name: "reads", Uint: l.list},
		problems.Table{Name: "reads_start", Uint: l.start})
	o.structure = problems.Lists(o.n, l.start, l.list)
	return nil
}

// listReader reads lists of variables.
type listReader struct {
	file  string
	size  int64  // of the file
	n     uint64 // variables
	m     int    // components
	start []uint32
	list  []uint32
	line  int // of the text, that were read
}

// listBlock is the number of bytes of a text that are read at a time.
const listBlock = 1 << 20

// text reads a text. Whole lines of numbers are read by block, whatever else there is by rest.
func (l *listReader) text(r io.Reader) *input.Error {
	buf, first := make([]byte, listBlock), true
	for end := 0; ; {
		n, err := io.ReadFull(r, buf[end:])
		end += n
		last := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !last {
			return input.Errorf(l.file, l.line+1, 0, "%v", err)
		}
		whole := bytes.LastIndexByte(buf[:end], '\n') + 1
		taken := l.block(buf[:whole])
		if taken < whole || whole == 0 && !last || last && end > whole { // or the last line does not end
			return l.rest(io.MultiReader(bytes.NewReader(buf[taken:end]), r))
		}
		if last {
			return nil
		}
		if first { // room for the rest of the file, if that is like this block
			l.list = slices.Grow(l.list, int(float64(len(l.list))/float64(whole)*float64(l.size-int64(whole))))
			first = false
		}
		end = copy(buf, buf[whole:end])
	}
}

// block reads lines of numbers, each of which ends with a line feed, and returns the number of bytes that it has taken:
// those before the first line that is not of variables, blanks and comments alone, or is one too many.
func (l *listReader) block(text []byte) int {
	list := l.list
	for i := 0; i < len(text); l.line++ {
		begin, before := i, len(list)
	line:
		for {
			c := text[i]
			if digit := uint64(c) - '0'; digit <= 9 {
				v := digit
				for i++; ; i++ {
					if digit = uint64(text[i]) - '0'; digit > 9 {
						break
					}
					if v = v*10 + digit; v >= l.n || i-begin > math.MaxInt16 {
						l.list = list[:before]
						return begin
					}
				}
				if v >= l.n || text[i] > ' ' {
					l.list = list[:before]
					return begin
				}
				list = append(list, uint32(v))
				continue
			}
			i++
			switch {
			case c == '\n':
				break line
			case c == ' ' || c == '\t' || c == '\r':
			case c == '#' && len(list) == before:
				i += bytes.IndexByte(text[i:], '\n') + 1
				break line
			default:
				l.list = list[:before]
				return begin
			}
		}
		if len(list) == before {
			continue
		}
		if len(l.start) > l.m || len(list) > problems.MaxDim {
			l.list = list[:before]
			return begin
		}
		l.start = append(l.start, uint32(len(list)))
	}
	l.list = list
	return len(text)
}

// rest reads the rest of a text field by field, and finds what is wrong with it.
func (l *listReader) rest(r io.Reader) *input.Error {
	in := input.NewFieldReader(bufio.NewReaderSize(r, 64<<10), l.file)
	in.Skipped(l.line)
	for {
		field, err := in.Next()
		if err == io.EOF {
			l.line = in.Line()
			return nil
		}
		if err != nil {
			return in.Fail("%v", err)
		}
		if field == nil { // the end of a line with fields
			l.start = append(l.start, uint32(len(l.list)))
			continue
		}
		if len(l.start) > l.m {
			return in.Fail("more lines than the %d components. Remove them or write //@ components.", l.m)
		}
		v, err := strconv.ParseUint(string(field), 10, 32)
		if err != nil || v >= l.n {
			return in.Fail("%.40q is not a variable. Use 0 to %d, separated by blanks.", field, l.n-1)
		}
		if len(l.list) == problems.MaxDim {
			return in.Fail("more than %d variables. Use //@ reads whole.", problems.MaxDim)
		}
		l.list = append(l.list, uint32(v))
	}
}

// array reads a .npy file of whole numbers, whose rows are the lists. -1 stands for no variable, since rows have one
// length.
func (l *listReader) array(r io.Reader) *input.Error {
	a, err := input.ReadNpyHeader(r, l.size, "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f4", "f8")
	if err != nil {
		return input.Errorf(l.file, 0, 0, "%v.", err)
	}
	rows, cols := a.Matrix()
	switch {
	case rows != l.m:
		return input.Errorf(l.file, 0, 0, "%d rows for %d components. Give one row of variables for each.", rows, l.m)
	case a.Count > problems.MaxDim:
		return input.Errorf(l.file, 0, 0, "more than %d variables. Use //@ reads whole.", problems.MaxDim)
	}
	const none = math.MaxUint32
	all := make([]uint32, a.Count)
	wrong := -1
	var value float64
	if err := a.Each(r, func(i int, v float64) error {
		switch {
		case v >= 0 && v < float64(l.n) && v == math.Trunc(v):
			all[i] = uint32(v)
		case v == -1:
			all[i] = none
		case wrong < 0 || i < wrong:
			wrong, value = i, v
		}
		return nil
	}); err != nil {
		return input.Errorf(l.file, 0, 0, "%v.", err)
	}
	if wrong >= 0 {
		return input.Errorf(l.file, 0, 0, "element [%s] is %v, and not a variable. Use 0 to %d, and -1 for none.",
			a.Position(wrong), value, l.n-1)
	}
	l.list = all[:0]
	for k := range rows {
		for _, v := range all[k*cols : (k+1)*cols] {
			if v != none {
				l.list = append(l.list, v)
			}
		}
		if len(l.list) == int(l.start[k]) {
			return input.Errorf(l.file, 0, 0, "row %d has no variable. Give each component one or more.", k)
		}
		l.start = append(l.start, uint32(len(l.list)))
	}
	return nil
}
