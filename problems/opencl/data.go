package opencl

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/input"
)

// maxTables bounds the directives data: every table is a kernel argument.
const maxTables = 64

var (
	tableName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,62}$`)
	// Words that cannot be the name of a member of a C struct, and the
	// tables that come from //@ reads lists.
	reserved = strings.Fields(`auto bool break case char const constant continue default do double else enum
		extern float for global goto half if inline int kernel local long private real register restrict return
		short signed size_t sizeof static struct sum switch typedef uchar uint ulong union unsigned ushort var
		void volatile while reads reads_start touch touch_start`)
)

// readFiles reads the files of the directives data and reads lists.
func (o *Objective) readFiles(l *objectiveLoader, all []directive) *input.Error {
	seen := map[string]int{}
	for _, d := range all {
		lists := d.word == "reads" && d.first() == "lists"
		if d.word != "data" && !lists {
			continue
		}
		words, at, err := d.fields(2)
		if err != nil {
			return err
		}
		if !lists {
			switch name := words[0]; {
			case !tableName.MatchString(name) || slices.Contains(reserved, name):
				return d.fail(0, "table name %.80q. Use a C identifier that is not a type or keyword, nor reads.", name)
			case seen[name] > 0:
				return d.fail(0, "table %q again, first in line %d. Use another name.", name, seen[name])
			case len(seen) == maxTables:
				return d.fail(0, "more than %d tables. Put several into one file.", maxTables)
			}
			seen[words[0]] = d.line
		}
		f, size, e := l.openFile(words[1])
		if e != nil {
			return d.fail(at[1], "%v.", e)
		}
		l.hashFile(words[1], size)
		in := bufio.NewReaderSize(io.TeeReader(f, l.hash), 64<<10)
		if lists {
			err = o.readLists(in, l.shown(words[1]), size)
		} else if e := o.readTable(in, words[0], size); e != nil {
			err = input.Errorf(l.shown(words[1]), 0, 0, "%v.", e)
		}
		f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// readTable appends the .npy file r of size bytes to the tables.
func (o *Objective) readTable(r io.Reader, name string, size int64) error {
	a, err := input.ReadNpyHeader(r, size, "f4", "f8", "b1", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8")
	if err != nil {
		return err
	}
	if a.Count > problems.MaxDim {
		return fmt.Errorf("table of %d elements. Use at most %d", a.Count, problems.MaxDim)
	}
	t := problems.Table{Name: name}
	if a.Dtype[0] == 'f' {
		t.Real = make([]float64, a.Count)
		err = a.Each(r, func(i int, v float64) error {
			if t.Real[i] = v; math.IsNaN(v) {
				return fmt.Errorf("element [%s] is NaN. Use numbers", a.Position(i))
			}
			return nil
		})
	} else {
		t.Uint = make([]uint32, a.Count)
		err = a.Each(r, func(i int, v float64) error {
			if v < 0 || v > math.MaxUint32 {
				return fmt.Errorf("element [%s] is %.0f, outside 0...%d. Save the array as f8", a.Position(i), v,
					uint32(math.MaxUint32))
			}
			t.Uint[i] = uint32(v)
			return nil
		})
	}
	o.tables = append(o.tables, t)
	return err
}

// readLists reads one line of variables for each component into the tables
// reads and reads_start.
func (o *Objective) readLists(r *bufio.Reader, file string, size int64) *input.Error {
	if int64(o.tiling.M) > size {
		return input.Errorf(file, 0, 0, "file of %d bytes for %d components. Give one line of variables for each.",
			size, o.tiling.M)
	}
	in := input.NewFieldReader(r, file)
	start, idx := []uint32{0}, []uint32{}
	for {
		field, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return in.Fail("%v", err)
		}
		if field == nil { // the end of a line with fields
			start = append(start, uint32(len(idx)))
			continue
		}
		if len(start) > o.tiling.M {
			return in.Fail("more lines than the %d components. Remove them or write //@ components.", o.tiling.M)
		}
		v, err := strconv.ParseUint(string(field), 10, 32)
		if err != nil || v >= uint64(o.n) {
			return in.Fail("%.40q is not a variable. Use 0 to %d, separated by blanks.", field, o.n-1)
		}
		if len(idx) == problems.MaxDim {
			return in.Fail("more than %d variables. Use //@ reads whole.", problems.MaxDim)
		}
		idx = append(idx, uint32(v))
	}
	if len(start)-1 != o.tiling.M {
		return in.Fail("%d lines for %d components. Give one line of variables for each.", len(start)-1, o.tiling.M)
	}
	o.tables = append(o.tables, problems.Table{Name: "reads", Uint: idx},
		problems.Table{Name: "reads_start", Uint: start})
	o.structure = problems.Lists(o.n, start, idx)
	return nil
}
