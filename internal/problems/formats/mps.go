package formats

import (
	"bytes"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/problems/formats/bounds"
	"github.com/clopt/clopt/internal/problems/formats/rows"
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
	rows      map[string]*mpsRow // the other rows
	variables
	integer bool   // between the markers of whole variables
	costed  []bool // each variable with a coefficient in the objective
	squared []bool // each variable with an element on the diagonal of Q, which adds to the linear term
	inQuad  bool   // after the linear terms
}

// mpsRow is a row that is not the objective: E, L or G. A row E of one variable fixes it.
type mpsRow struct {
	rows.Row
	kind  byte
	rhs   *big.Rat
	width *big.Rat // of RANGES; nil: none
}

// mps reads an MPS file with binary variables, a quadratic objective and linear constraints.
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
		case strings.Contains("ELG", f[0]) && m.rows[f[1]] == nil && f[1] != m.objective:
			if m.rows == nil {
				m.rows = map[string]*mpsRow{}
			}
			m.rows[f[1]] = &mpsRow{Row: rows.Row{Name: f[1], At: m.begin}, kind: f[0][0], rhs: bounds.Zero}
			return nil
		case f[0] != "N" || m.objective != "":
			return m.fail(m.begin, "the row %s is a second objective, or one of two of this name. Problems have one "+
				"row N, and constraints E, L and G.", input.Shown([]byte(f[1])))
		}
		m.objective = f[1]
		return nil
	case "COLUMNS":
		return m.column()
	case "RHS":
		for f = f[len(f)%2:]; len(f) > 0; f = f[2:] {
			row := m.rows[f[0]]
			switch v, digits, err := m.number([]byte(f[1]), m.begin); {
			case f[0] == m.objective && err != nil:
				return err
			case f[0] == m.objective:
				m.constant(-v, digits, bounds.One)
			case row == nil:
				return m.short("a line of RHS is \"name objective value\": minus the constant of the objective")
			default:
				row.rhs, err = m.bound(f[1], m.begin)
				if err != nil {
					return err
				}
			}
		}
		return nil
	case "RANGES":
		for f = f[len(f)%2:]; len(f) > 0; f = f[2:] {
			row := m.rows[f[0]]
			if row == nil {
				return m.short("a line of RANGES is \"name row value\"")
			}
			var err error
			if row.width, err = m.bound(f[1], m.begin); err != nil {
				return err
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
	if r := m.rows[row]; r != nil {
		a, err := m.bound(word, m.begin)
		switch {
		case err != nil || a == bounds.Zero:
			return err
		case a == nil:
			return m.fail(m.begin, "an infinite coefficient in the row %s. Correct it.", input.Shown([]byte(row)))
		}
		r.Terms = append(r.Terms, rows.Term{Var: u, C: a})
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

// limits gives a row its bounds. A width that is negative counts downwards in a row E.
func (r *mpsRow) limits() {
	if r.kind != 'L' {
		r.Lower = r.rhs
	}
	if r.kind != 'G' {
		r.Upper = r.rhs
	}
	if r.width == nil || r.rhs == nil {
		return
	}
	wide := new(big.Rat).Abs(r.width)
	switch {
	case r.kind == 'L', r.kind == 'E' && r.width.Sign() < 0:
		r.Lower = new(big.Rat).Sub(r.rhs, wide)
	default:
		r.Upper = new(big.Rat).Add(r.rhs, wide)
	}
}

// constraints returns the rows in their order, without those that fix a variable.
func (m *mpsText) constraints() (all []rows.Row, err error) {
	for _, r := range slices.SortedFunc(maps.Values(m.rows), func(a, b *mpsRow) int { return a.At - b.At }) {
		r.limits()
		switch {
		case len(r.Terms) == 0 && r.rhs == bounds.Zero && r.width == nil:
		case len(r.Terms) != 1 || r.kind != 'E' || r.width != nil || r.rhs == nil:
			all = append(all, r.Row)
		case !m.Vars[r.Terms[0].Var].Equals(r.rhs, r.Terms[0].C):
			return nil, m.contradicts(r.At, input.Shown([]byte(r.Name)), &m.Vars[r.Terms[0].Var])
		}
	}
	return all, nil
}

// close checks that all variables are binary or have one value, and adds the penalties of the rows.
func (m *mpsText) close() error {
	all, err := m.constraints()
	if err != nil {
		return err
	}
	if err := m.constrain(&m.variables, all); err != nil {
		return err
	}
	if err := m.declare(&m.variables, "Add the bound BV."); err != nil {
		return err
	}
	if m.n > 0 {
		m.n = len(m.Vars) // with slack variables
		return nil
	}
	return m.sized()
}
