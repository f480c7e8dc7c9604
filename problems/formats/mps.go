package formats

import (
	"bytes"
	"slices"
	"strings"

	"github.com/clopt/clopt/problems/input"
)

// mpsText is an MPS file, free or fixed, whose names have no blanks.
type mpsText struct {
	whole
	start     int      // offset of the line
	begin     int      // offset of its first field
	fields    []string // of the line
	section   string
	objective string
	variables
	integer bool   // between the markers of whole variables
	squared []bool // each variable with an element on the diagonal of Q, which adds to the linear term
	inQuad  bool   // after the linear terms
}

// mps reads an MPS file with binary variables, a quadratic objective and no constraints.
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
		if m.fields = strings.Fields(string(line)); len(m.fields) > 0 {
			m.begin = m.start + bytes.Index(line, []byte(m.fields[0]))
			switch {
			case line[0] == '*':
				if err = m.remark(bytes.TrimSpace(line[1:])); err != nil {
					err = m.fail(m.begin, "%v.", err)
				}
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
	return m.size(len(m.list), m.begin)
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
		case f[0] != "N" || m.objective != "":
			return m.fail(m.begin, "the row %s is a constraint or a second objective. Problems have one row, N.",
				input.Shown([]byte(f[1])))
		}
		m.objective = f[1]
		return nil
	case "COLUMNS":
		return m.column()
	case "RHS":
		if len(f) == 2 {
			f = append([]string{""}, f...)
		}
		if len(f) != 3 || f[1] != m.objective {
			return m.short("a line of RHS is \"name objective value\": minus the constant of the objective")
		}
		v, digits, err := m.number([]byte(f[2]), m.begin)
		if err == nil {
			m.constant(-v, digits)
		}
		return err
	case "BOUNDS":
		return m.bound()
	case "QUADOBJ", "QMATRIX", "QSECTION":
		return m.quadratic()
	}
	return m.fail(m.begin, "a line with the words %s in no section that has lines. Remove it.",
		input.Shown([]byte(strings.Join(f, " "))))
}

func (m *mpsText) short(form string) error {
	return m.fail(m.begin, "%s: %s.", input.Shown([]byte(strings.Join(m.fields, " "))), form)
}

func (m *mpsText) sense(word string) error {
	switch strings.ToUpper(word) {
	case "MAX", "MAXIMIZE":
		m.model.Maximize = true
	case "MIN", "MINIMIZE":
	default:
		return m.fail(m.begin, "the sense %s. Write MIN or MAX.", input.Shown([]byte(word)))
	}
	return nil
}

// column reads a line of COLUMNS: a linear term, or a marker.
func (m *mpsText) column() error {
	f := m.fields
	if len(f) == 3 && f[1] == "'MARKER'" {
		if m.integer = f[2] == "'INTORG'"; !m.integer && f[2] != "'INTEND'" {
			return m.fail(m.begin, "the marker %s. Write 'INTORG' or 'INTEND'.", input.Shown([]byte(f[2])))
		}
		return nil
	}
	if len(f) != 3 || f[1] != m.objective {
		return m.short("a column is \"name objective value\", since there is one row")
	}
	u, known := m.find(f[0], m.begin)
	if known {
		return m.fail(m.begin, "the variable %s is there twice. Remove one.", input.Shown([]byte(f[0])))
	}
	m.list[u].whole = m.integer
	m.squared = append(m.squared, false)
	v, digits, err := m.number([]byte(f[2]), m.begin)
	if err != nil || v == 0 {
		return err
	}
	return m.add(u, u, v, digits, m.begin)
}

// bound reads a line of BOUNDS: BV, or the bound 0 or 1 of a whole variable. FX fixes a variable, and so do UP 0 and
// LO 1.
func (m *mpsText) bound() error {
	f := m.fields
	valued := !slices.Contains([]string{"BV", "FR", "MI", "PL"}, f[0])
	if len(f) == 2 || len(f) == 3 && valued { // without the name of the bounds
		f = slices.Insert(slices.Clone(f), 1, "")
	}
	if len(f) < 3 || valued && len(f) != 4 {
		return m.short("a bound is \"BV name variable\"")
	}
	u, known := m.byName[f[2]]
	if !known {
		return m.fail(m.begin, "the variable %s is not in COLUMNS. Add it there.", input.Shown([]byte(f[2])))
	}
	v, value, shown := &m.list[u], -1, input.Shown([]byte(strings.Join(m.fields, " ")))
	if valued {
		power := m.power
		m.power = 0 // bounds have no decimals
		c, digits, err := m.number([]byte(f[3]), m.begin)
		if m.power = power; err != nil {
			return err
		}
		value = bit(c, digits)
	}
	if f[0] == "UI" || f[0] == "LI" {
		v.whole = true
	}
	fits := true
	switch kind := f[0]; {
	case kind == "BV":
		v.binary = true
	case value >= 0 && (kind == "UP" || kind == "UI"):
		fits = v.atMost(value)
	case value >= 0 && (kind == "LO" || kind == "LI"):
		fits = v.atLeast(value)
	case value >= 0 && kind == "FX":
		fits = v.atLeast(value) && v.atMost(value)
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
	u, known1 := m.byName[f[0]]
	v, known2 := m.byName[f[1]]
	if !known1 || !known2 {
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
	m.squared[u] = m.squared[u] || u == v
	if u == v || m.section == "QMATRIX" {
		if c, digits, err = m.half(c, digits); err != nil {
			return m.fail(m.begin, "the half of this element %v.", err)
		}
	}
	return m.add(u, v, c, digits, m.begin)
}

// close checks that all variables are binary.
func (m *mpsText) close() error {
	if err := m.declare(&m.variables, "Add the bound BV."); err != nil {
		return err
	}
	return m.sized()
}
