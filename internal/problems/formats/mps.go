package formats

import (
	"bytes"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/problems/formats/bounds"
	"github.com/clopt/clopt/internal/problems/input"
)

// mpsText is an MPS file, free or fixed, whose names have no blanks.
type mpsText struct {
	whole
	start     int      // offset of the line
	begin     int      // offset of its first field
	fields    []string // of the line
	section   string
	objective string
	equations map[string]*equation // the other rows
	variables
	integer bool   // between the markers of whole variables
	costed  []bool // each variable with a coefficient in the objective
	squared []bool // each variable with an element on the diagonal of Q, which adds to the linear term
	inQuad  bool   // after the linear terms
}

// equation is a row E, a·x = b, of one variable at most.
type equation struct {
	at   int // offset
	of   int // the place of x; -1: there is none yet
	a, b *big.Rat
}

// mps reads an MPS file with binary variables, a quadratic objective and no constraints but those that fix a variable.
func (p *parser) mps() error {
	w, err := p.whole()
	if err != nil {
		return err
	}
	m := &mpsText{whole: w}
	for m.start < len(m.text) {
		line := m.text[m.start:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		m.fields = strings.Fields(string(line))
		if len(m.fields) > 0 {
			m.begin = m.start + bytes.Index(line, []byte(m.fields[0]))
			switch {
			case line[0] == '*':
				err = m.comment(bytes.TrimSpace(line[1:]))
			case line[0] != ' ' && line[0] != '\t':
				err = m.header()
			default:
				err = m.line()
			}
			if err != nil {
				return err
			}
		}
		if m.section == "ENDATA" {
			return m.close()
		}
		m.start += len(line) + 1
	}
	return m.fail(len(m.text), "the file ends without ENDATA. Fetch the file again.")
}

// comment reads a comment. PuLP writes the sense of the objective into the first one, and nowhere else.
func (m *mpsText) comment(text []byte) error {
	if word, ok := bytes.CutPrefix(text, []byte("SENSE:")); ok && m.section == "" {
		return m.sense(string(bytes.TrimSpace(word)))
	}
	if err := m.remark(text); err != nil {
		return m.fail(m.begin, "%v.", err)
	}
	return nil
}

// header reads a line that begins a section.
func (m *mpsText) header() error {
	m.section = m.fields[0]
	switch m.section {
	case "NAME", "ROWS", "COLUMNS", "RHS", "BOUNDS", "RANGES", "ENDATA":
	case "OBJSENSE":
		if len(m.fields) > 1 {
			return m.sense(m.fields[1])
		}
	case "QUADOBJ", "QMATRIX", "QSECTION":
		if m.inQuad {
			return m.fail(m.begin, "a second section of quadratic terms. Join them.")
		}
		m.inQuad = true
		return m.sized()
	default:
		return m.fail(m.begin, "the section %s cannot be read. Problems have an objective and binary variables alone.",
			input.Shown([]byte(m.section)))
	}
	return nil
}

// sized sets the number of variables when all are known.
func (m *mpsText) sized() error {
	if m.n > 0 {
		return nil
	}
	m.general = m.section == "QMATRIX"
	return m.size(len(m.Vars), m.begin)
}

// line reads a line of the section.
func (m *mpsText) line() error {
	f := m.fields
	switch m.section {
	case "OBJSENSE":
		return m.sense(f[0])
	case "ROWS":
		switch {
		case len(f) != 2:
			return m.short("a row is \"N name\"")
		case f[0] == "E" && m.equations[f[1]] == nil && f[1] != m.objective:
			if m.equations == nil {
				m.equations = map[string]*equation{}
			}
			m.equations[f[1]] = &equation{at: m.begin, of: -1, b: bounds.Zero}
			return nil
		case f[0] != "N" || m.objective != "":
			return m.constraint(m.begin, f[1])
		}
		m.objective = f[1]
		return nil
	case "COLUMNS":
		return m.column()
	case "RHS":
		for f = f[len(f)%2:]; len(f) > 0; f = f[2:] {
			row := m.equations[f[0]]
			switch v, digits, err := m.number([]byte(f[1]), m.begin); {
			case f[0] == m.objective && err != nil:
				return err
			case f[0] == m.objective:
				m.constant(-v, digits, bounds.One)
			case row == nil:
				return m.short("a line of RHS is \"name objective value\": minus the constant of the objective")
			default:
				row.b, err = m.bound(f[1], m.begin)
				if err != nil {
					return err
				}
			}
		}
		return nil
	case "BOUNDS":
		return m.limit()
	case "QUADOBJ", "QMATRIX", "QSECTION":
		return m.quadratic()
	}
	return m.fail(m.begin, "a line with the words %s in no section that has lines. Remove it.",
		input.Shown([]byte(strings.Join(f, " "))))
}

// constraint returns the error for a row that is not read.
func (m *mpsText) constraint(offset int, name string) error {
	return m.fail(offset, "the row %s is a constraint or a second objective. Problems have one row, N.",
		input.Shown([]byte(name)))
}

func (m *mpsText) short(form string) error {
	return m.fail(m.begin, "%s: %s.", input.Shown([]byte(strings.Join(m.fields, " "))), form)
}

func (m *mpsText) sense(word string) error {
	switch upper := strings.ToUpper(word); upper {
	case "MAX", "MAXIMIZE", "MIN", "MINIMIZE":
		m.model.Maximize = upper[1] == 'A'
	default:
		return m.fail(m.begin, "the sense %s. Write MIN or MAX.", input.Shown([]byte(word)))
	}
	return nil
}

// column reads a line of COLUMNS: coefficients of a variable, or a marker.
func (m *mpsText) column() error {
	f := m.fields
	if len(f) == 3 && f[1] == "'MARKER'" {
		m.integer = f[2] == "'INTORG'"
		if !m.integer && f[2] != "'INTEND'" {
			return m.fail(m.begin, "the marker %s. Write 'INTORG' or 'INTEND'.", input.Shown([]byte(f[2])))
		}
		return nil
	}
	if len(f) != 3 && len(f) != 5 {
		return m.short("a column is \"name objective value\", since there is one row")
	}
	u, known := m.Find(f[0], m.begin)
	if !known {
		m.Vars[u].Whole = m.integer
		m.costed, m.squared = append(m.costed, false), append(m.squared, false)
	}
	for f := f[1:]; len(f) > 0; f = f[2:] {
		if err := m.coefficient(u, f[0], f[1]); err != nil {
			return err
		}
	}
	return nil
}

// coefficient reads the coefficient of a variable in a row.
func (m *mpsText) coefficient(u int, row, word string) error {
	if r := m.equations[row]; r != nil {
		a, err := m.bound(word, m.begin)
		switch {
		case err != nil || a == bounds.Zero:
			return err
		case a == nil || r.of >= 0:
			return m.constraint(r.at, row)
		}
		r.of, r.a = u, a
		return nil
	}
	v, digits, err := m.number([]byte(word), m.begin)
	switch {
	case row != m.objective:
		return m.short("a column is \"name objective value\", since there is one row")
	case m.costed[u]:
		return m.fail(m.begin, "the variable %s is there twice. Remove one.", input.Shown([]byte(m.Vars[u].Name)))
	case err != nil:
		return err
	}
	m.costed[u] = true
	if v == 0 {
		return nil
	}
	return m.add(u, u, v, digits, m.begin)
}

// limit reads a line of BOUNDS: BV, or a bound of a variable, which must be 0 or 1 unless bounds leave it one value.
func (m *mpsText) limit() error {
	f := m.fields
	valued := !slices.Contains([]string{"BV", "FR", "MI", "PL"}, f[0])
	if len(f) == 2 || len(f) == 3 && valued { // without the name of the bounds
		f = slices.Insert(slices.Clone(f), 1, "")
	}
	if len(f) < 3 || valued && len(f) != 4 {
		return m.short("a bound is \"BV name variable\"")
	}
	v, _ := m.Known(f[2])
	if v == nil {
		return m.fail(m.begin, "the variable %s is not in COLUMNS. Add it there.", input.Shown([]byte(f[2])))
	}
	value, shown := (*big.Rat)(nil), input.Shown([]byte(strings.Join(m.fields, " ")))
	if valued {
		var err error
		if value, err = m.bound(f[3], m.begin); err != nil {
			return err
		}
	}
	v.Whole = v.Whole || f[0] == "UI" || f[0] == "LI"
	fits := true
	switch f[0] {
	case "BV":
		v.Binary = true
	case "UP", "UI", "PL":
		fits = v.AtMost(value, m.begin)
	case "LO", "LI", "MI", "FR":
		fits = v.AtLeast(value, m.begin)
	case "FX":
		fits = v.AtLeast(value, m.begin) && v.AtMost(value, m.begin)
	default:
		return m.fail(m.begin, "the bound %s. Variables are 0 or 1: write BV.", shown)
	}
	if !fits {
		return m.contradicts(m.begin, shown, v)
	}
	return nil
}

// quadratic reads an element of the matrix Q, of which x'Qx/2 is added to the objective. QUADOBJ and QSECTION have one
// element of each pair, QMATRIX both, which are equal.
func (m *mpsText) quadratic() error {
	f := m.fields
	if len(f) != 3 {
		return m.short("a quadratic term is \"name name value\"")
	}
	_, u := m.Known(f[0])
	_, v := m.Known(f[1])
	if u < 0 || v < 0 {
		return m.fail(m.begin, "a variable of %s is not in COLUMNS. Add it there.",
			input.Shown([]byte(strings.Join(f[:2], " "))))
	}
	c, digits, err := m.number([]byte(f[2]), m.begin)
	if err != nil {
		return err
	}
	if u == v && m.squared[u] && !m.opt.MergeEdges {
		return m.fail(m.begin, "the square of %s is there twice. Remove one.", input.Shown([]byte(f[0])))
	}
	if u == v || m.section == "QMATRIX" {
		if c, digits, err = m.half(c, digits); err != nil {
			return m.fail(m.begin, "the half of this element %v.", err)
		}
	}
	if u == v {
		m.squared[u], m.squares = true, append(m.squares, square{u, digits, c})
	}
	return m.add(u, v, c, digits, m.begin)
}

// close checks that all variables are binary or have one value.
func (m *mpsText) close() error {
	for _, name := range slices.Sorted(maps.Keys(m.equations)) {
		switch r := m.equations[name]; {
		case r.of < 0 && r.b == bounds.Zero:
		case r.of < 0 || r.b == nil:
			return m.constraint(r.at, name)
		case !m.Vars[r.of].Equals(r.b, r.a):
			return m.contradicts(r.at, input.Shown([]byte(name)), &m.Vars[r.of])
		}
	}
	if err := m.declare(&m.variables, "Add the bound BV."); err != nil {
		return err
	}
	return m.sized()
}
