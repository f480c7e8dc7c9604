package input

import (
	"io"
	"slices"
)

const (
	marketMagic  = "%%matrixmarket"
	marketAdvice = "Write \"%%MatrixMarket matrix coordinate real general\"; array, integer, pattern, symmetric and " +
		"skew-symmetric are read as well."
	// freeRows is the number of rows that the header of any file may announce. More must be below the size of the file.
	freeRows = 1 << 20
)

// market is a MatrixMarket file that is being read.
type market struct {
	*Scanner
	Market
	rows, cols int
	entries    []marketEntry
}

type marketEntry struct {
	row, col uint32
	line, at int
	value    float64
}

func readMarket(r io.Reader, file string, size int64) (*Table, error) {
	m := &market{Scanner: NewScanner(r, file)}
	var err error
	m.Market, err = m.Banner([3][]string{{"array", "coordinate"}, {"real", "integer", "pattern"},
		{"general", "symmetric", "skew-symmetric"}}, marketAdvice)
	if err != nil {
		return nil, err
	}
	if m.Form == "array" {
		return m.array(size)
	}
	return m.sparse(size)
}

// sizes reads the line of sizes.
func (m *market) sizes(names ...string) (sizes []int, err error) {
	form := "Write \"" + names[0]
	for _, name := range names[1:] {
		form += " " + name
	}
	form += "\"."
	for {
		kind, word, err := m.Next()
		switch {
		case err != nil:
			return nil, err
		case kind != Field && len(sizes) == len(names):
			return sizes, nil
		case kind != Field:
			return nil, m.Fail(m.Col, "the sizes end after %d of %d numbers. %s", len(sizes), len(names), form)
		case len(sizes) == len(names):
			return nil, m.Fail(m.Col, "the sizes have one word too many, %s. %s", Shown(word), form)
		}
		v, ok, large := Index(word)
		if !ok || v == 0 && len(sizes) < 2 {
			if large {
				return nil, m.Fail(m.Col, "%.40s is beyond the maximum of %d. Check the sizes.", word, MaxIndex)
			}
			return nil, m.Fail(m.Col, "%s is not a size. %s", Shown(word), form)
		}
		sizes = append(sizes, v)
	}
}

// value reads a number.
func (m *market) value(word []byte) (float64, error) {
	v, err := parseElement(string(word))
	if err == nil && m.Field == "integer" && slices.ContainsFunc(word, func(c byte) bool {
		return c == '.' || c|0x20 == 'e' || c|0x20 == 'i'
	}) {
		return 0, m.Fail(m.Col, "%s in a matrix of integers. Write \"real\" in the header, or a whole number.",
			Shown(word))
	}
	if err != nil {
		return 0, m.Fail(m.Col, "%v. Use numbers.", err)
	}
	return v, nil
}

// array reads a dense matrix, column after column. Of a symmetric one it has the lower triangle alone.
func (m *market) array(size int64) (*Table, error) {
	sizes, err := m.sizes("rows", "columns")
	if err != nil {
		return nil, err
	}
	rows, cols := sizes[0], sizes[1]
	general, skew := m.Symmetry == "general", 0
	count := int64(rows) * int64(cols)
	if m.Symmetry == "skew-symmetric" {
		skew = 1
	}
	if !general {
		count = (count - int64(rows)) / 2
		if skew == 0 {
			count += int64(rows)
		}
	}
	switch {
	case m.Field == "pattern":
		return nil, m.Fail(0, "an array without values. Write \"real\" in the header.")
	case !general && rows != cols:
		return nil, m.Fail(0, "a %s matrix of %d rows and %d columns. Give a square one.", m.Symmetry, rows, cols)
	case count > (size-m.Offset()+1)/2:
		return nil, m.Fail(0, "%d numbers, for which the file has too few bytes (%d). Check the sizes, or fetch the "+
			"file again.", count, size)
	}
	t := &Table{Rows: rows, Cols: cols, Values: make([]float64, rows*cols)}
	seen := int64(0)
	for j := range cols {
		first := 0
		if !general {
			first = j + skew
		}
		for i := first; i < rows; i++ {
			word, err := m.number()
			if err != nil {
				return nil, err
			}
			if word == nil {
				return nil, m.Fail(m.Col, "the file ends after %d of %d numbers. Check the sizes, or fetch the file "+
					"again.", seen, count)
			}
			v, err := m.value(word)
			if err != nil {
				return nil, err
			}
			if !general {
				t.Values[j*cols+i] = m.mirror(v)
			}
			t.Values[i*cols+j] = v
			seen++
		}
	}
	if word, err := m.number(); err != nil {
		return nil, err
	} else if word != nil {
		return nil, m.Fail(m.Col, "%s is one number more than the %d of the matrix. Check the sizes.", Shown(word),
			count)
	}
	return t, nil
}

// mirror returns the element on the other side of the diagonal.
func (m *market) mirror(v float64) float64 {
	if m.Symmetry == "skew-symmetric" {
		return -v
	}
	return v
}

// number returns the next word of any line, or nil at the end of the text.
func (m *market) number() ([]byte, error) {
	for {
		kind, word, err := m.Next()
		if err != nil || kind == EndText {
			return nil, err
		}
		if kind == Field {
			return word, nil
		}
	}
}

// sparse reads a matrix of entries "row column value".
func (m *market) sparse(size int64) (*Table, error) {
	sizes, err := m.sizes("rows", "columns", "entries")
	if err != nil {
		return nil, err
	}
	count := sizes[2]
	m.rows, m.cols = sizes[0], sizes[1]
	least := int64(6)
	if m.Field == "pattern" {
		least = 4
	}
	switch {
	case m.Symmetry != "general" && m.rows != m.cols:
		return nil, m.Fail(0, "a %s matrix of %d rows and %d columns. Give a square one.", m.Symmetry, m.rows, m.cols)
	case int64(m.rows) > freeRows+size:
		return nil, m.Fail(0, "%d rows in a file of %d bytes: the sizes cannot be right. Check them.", m.rows, size)
	case int64(count) > (size-m.Offset()+1)/least:
		return nil, m.Fail(0, "%d entries, for which the file has too few bytes (%d). Check the sizes, or fetch the "+
			"file again.", count, size)
	case count == 0:
		return nil, m.Fail(0, "a matrix without entries. Give at least one.")
	}
	m.entries = make([]marketEntry, 0, count)
	for read := 0; ; read++ {
		word, err := m.number()
		if err != nil {
			return nil, err
		}
		switch {
		case word == nil && read < count:
			return nil, m.Fail(m.Col, "the file ends after %d of %d entries. Check the sizes, or fetch the file again.",
				read, count)
		case word == nil:
			return m.table()
		case read == count:
			return nil, m.Fail(m.Col, "the sizes announce %d entries, and this is the first too many. Check the sizes.",
				count)
		}
		if err := m.entry(word); err != nil {
			return nil, err
		}
	}
}

// entry reads a line whose first word is given.
func (m *market) entry(word []byte) error {
	form := "Write an entry as \"row column value\"."
	if m.Field == "pattern" {
		form = "Write an entry as \"row column\"."
	}
	e := marketEntry{line: m.Line, at: m.Col, value: 1}
	for k := 0; ; k++ {
		var err error
		switch {
		case k < 2:
			v, ok, _ := Index(word)
			if most := []int{m.rows, m.cols}[k]; !ok || v < 1 || v > most {
				return m.Fail(m.Col, "%s is not a %s. Use 1 to %d.", Shown(word), []string{"row", "column"}[k], most)
			}
			if k == 0 {
				e.row = uint32(v - 1)
			} else {
				e.col = uint32(v - 1)
			}
		case k == 2 && m.Field != "pattern":
			e.value, err = m.value(word)
			if err != nil {
				return err
			}
		default:
			return m.Fail(m.Col, "%s is one word too many. %s", Shown(word), form)
		}
		kind, next, err := m.Next()
		if err != nil {
			return err
		}
		if kind != Field {
			if k == 0 || k == 1 && m.Field != "pattern" {
				return m.Fail(m.Col, "the line ends after %d words. %s", k+1, form)
			}
			return m.add(e)
		}
		word = next
	}
}

// add adds an entry, and its mirror image in a symmetric matrix.
func (m *market) add(e marketEntry) error {
	m.entries = append(m.entries, e)
	switch {
	case m.Symmetry == "general":
	case e.row < e.col:
		return m.Fail(e.at, "an entry above the diagonal of a %s matrix. Give those below it alone.", m.Symmetry)
	case e.row == e.col && m.Symmetry == "skew-symmetric":
		return m.Fail(e.at, "an entry on the diagonal of a skew-symmetric matrix, where all elements are 0. Remove it.")
	case e.row != e.col:
		e.row, e.col, e.value = e.col, e.row, m.mirror(e.value)
		m.entries = append(m.entries, e)
	}
	return nil
}

// table sorts the entries by rows and columns.
func (m *market) table() (*Table, error) {
	slices.SortFunc(m.entries, func(a, b marketEntry) int {
		if a.row != b.row {
			return int(a.row) - int(b.row)
		}
		return int(a.col) - int(b.col)
	})
	t := &Table{Rows: m.rows, Cols: m.cols, Values: make([]float64, len(m.entries)),
		RowStart: make([]uint32, m.rows+1), Col: make([]uint32, len(m.entries))}
	for j, e := range m.entries {
		if j > 0 && e.row == m.entries[j-1].row && e.col == m.entries[j-1].col {
			return nil, Errorf(m.File, max(e.line, m.entries[j-1].line), 0, "entry (%d, %d) again, first in line %d. "+
				"Remove one.", e.row+1, e.col+1, min(e.line, m.entries[j-1].line))
		}
		t.Values[j], t.Col[j] = e.value, e.col
		t.RowStart[e.row+1] = uint32(j + 1)
	}
	for i := range m.rows {
		t.RowStart[i+1] = max(t.RowStart[i+1], t.RowStart[i])
	}
	return t, nil
}
