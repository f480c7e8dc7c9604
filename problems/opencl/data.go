package opencl

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
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
		void volatile while reads reads_start touch touch_start trial trial_start box_lo box_hi
		size_dim size_comps size_tiles size_supers`)
)

// named opens the file that word number k of d names, and begins it in the hash.
func (l *objectiveLoader) named(d directive, k int) (file fs.File, shown string, size int64, err *input.Error) {
	words, at, err := d.fields(k + 1)
	if words == nil {
		return nil, "", 0, err
	}
	file, size, e := l.openFile(words[k])
	if e != nil {
		return nil, "", 0, d.fail(at[k], "%v.", e)
	}
	l.hashFile(words[k], size)
	return file, l.shown(words[k]), size, nil
}

// readTable reads the file that word number k of d names as a table.
func (l *objectiveLoader) readTable(d directive, k int) (*input.Table, string, *input.Error) {
	f, shown, size, err := l.named(d, k)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	t, err := input.ReadTable(bufio.NewReaderSize(io.TeeReader(f, l.hash), 64<<10), shown, size)
	if err == nil {
		l.notes = append(l.notes, t.Notes(shown)...)
	}
	return t, shown, err
}

// readTables reads the files of the directives data.
func (o *Objective) readTables(l *objectiveLoader, all []directive) *input.Error {
	for _, d := range all {
		if d.word != "data" {
			continue
		}
		words, _, err := d.fields(2)
		if words == nil {
			return err
		}
		typ := ""
		if err != nil { // a third word
			three, at, err := d.fields(3)
			if err != nil {
				return err
			}
			if typ = three[2]; typ != "real" && typ != "uint" {
				return d.fail(at[2], "%.40q is not a type. Write real or uint, or %s", typ, directiveUse["data"])
			}
		}
		name := words[0]
		switch {
		case !tableName.MatchString(name) || slices.Contains(reserved, name):
			return d.fail(0, "table name %.80q. Use a C identifier that is not a type or keyword, nor reads.", name)
		case len(o.tables) >= maxTables:
			return d.fail(0, "more than %d tables. Put several into one file.", maxTables)
		}
		t, shown, err := l.readTable(d, 1)
		if err != nil {
			return err
		}
		if err := o.addTable(d, name, typ, shown, t); err != nil {
			return err
		}
	}
	return nil
}

// addTable adds a table of a name, and its sizes. typ is real, uint or "".
func (o *Objective) addTable(d directive, name, typ, file string, t *input.Table) *input.Error {
	if typ == "" {
		if typ = "real"; t.Whole && t.RowStart == nil {
			typ = "uint"
		}
	}
	values := problems.Table{Name: name, Real: t.Values}
	if typ == "uint" {
		values.Real, values.Uint = nil, make([]uint32, len(t.Values))
		for i, v := range t.Values {
			if v < 0 || v > math.MaxUint32 || v != math.Trunc(v) {
				return input.Errorf(file, 0, 0, "element [%s] is %v, and not an integer from 0 to %d. Write "+
					"//@ data %s FILE real", place(t, i), v, uint32(math.MaxUint32), name)
			}
			values.Uint[i] = uint32(v)
		}
	}
	added := []problems.Table{values}
	if t.RowStart != nil {
		added[0].Name = name + "_val"
		added = append(added, problems.Table{Name: name + "_col", Uint: t.Col},
			problems.Table{Name: name + "_row_start", Uint: t.RowStart})
	}
	sizes := []problems.Number{{Name: name + "_rows", Value: uint32(t.Rows)}, {Name: name + "_cols",
		Value: uint32(t.Cols)}, {Name: name + "_len", Value: uint32(len(t.Values))}}
	for _, table := range added {
		if table.Name != name {
			sizes = append(sizes, problems.Number{Name: table.Name + "_len",
				Value: uint32(max(len(table.Real), len(table.Uint)))})
		}
	}
	for _, table := range added {
		if o.has(table.Name) {
			return d.fail(0, "table %q again, or the size of another table. Use another name.", table.Name)
		}
		o.tables = append(o.tables, table)
	}
	for _, size := range sizes {
		if o.has(size.Name) {
			return d.fail(0, "the size %s of the table is the name of another one. Use another name.", size.Name)
		}
		o.numbers = append(o.numbers, size)
	}
	for i, size := range []string{"rows", "cols", "len"} {
		o.sizes[size+"("+name+")"] = float64(sizes[i].Value)
	}
	return nil
}

// has reports whether a table or a number has the name.
func (o *Objective) has(name string) bool {
	return slices.ContainsFunc(o.tables, func(t problems.Table) bool { return t.Name == name }) ||
		slices.ContainsFunc(o.numbers, func(n problems.Number) bool { return n.Name == name })
}

// place returns the place of value i of a table in words, counting from 0.
func place(t *input.Table, i int) string {
	if t.RowStart != nil || t.Cols == 1 {
		return strconv.Itoa(i)
	}
	return fmt.Sprintf("%d, %d", i/t.Cols, i%t.Cols)
}

// boundsTable reads the file of the directive bounds; the table is nil if it names none.
func (l *objectiveLoader) boundsTable(all []directive) (t *input.Table, file string, err *input.Error) {
	d := find(all, "bounds")
	if d == nil || !d.namesFile() {
		return nil, "", nil
	}
	t, file, err = l.readTable(*d, 0)
	if err != nil {
		return nil, "", input.OfBounds(err)
	}
	return t, file, nil
}
