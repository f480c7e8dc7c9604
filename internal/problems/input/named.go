package input

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Fixed is a variable of a file that has one value in all points, so that it is no variable of the problem.
type Fixed struct {
	Name  string      `json:"name"`
	Value json.Number `json:"value"` // a decimal number
}

// is reports whether a word is the value.
func (f Fixed) is(word []byte) bool {
	a, err1 := Rational(word)
	b, err2 := Rational([]byte(f.Value))
	return err1 == nil && err2 == nil && a.Cmp(b) == 0
}

// differs returns the error for another value of the variable in a line of a file.
func (f Fixed) differs(file string, line int, value string) *Error {
	return Errorf(file, line, 1, "%s is %s here, and the problem fixes it to %s. Correct it, or remove the line.",
		Shown([]byte(f.Name)), Shown([]byte(value)), f.Value)
}

// isBit reports whether the value is 0 or 1, so that a file may have it as a side.
func (f Fixed) isBit() bool { return f.is([]byte("0")) || f.is([]byte("1")) }

// ReadNamed reads a partition that has a line "NAME VALUE" for each vertex, in any order, as WriteNamed writes it, and
// returns the side of each vertex. Values are those of ReadAssignments. If the first line is no such line, ReadNamed
// returns nil. Lines of fixed variables may be there, with their values. A fault is an *Error.
func ReadNamed(path string, names []string, fixed []Fixed) ([]uint8, error) {
	src, err := FileSource(path)
	if err != nil {
		return nil, err
	}
	t, err := src.Text()
	if err != nil {
		return nil, err
	}
	defer t.Close()
	free := len(names)
	names = slices.Clone(names)
	for _, f := range fixed {
		names = append(names, f.Name)
	}
	number := make(map[string]int, len(names))
	for i, name := range names {
		number[name] = i
	}
	a := &assignment{Scanner: NewScanner(t, src.Name), n: free, low: 2}
	var vertices []int               // in the order of the file
	lines := make([]int, len(names)) // that have the vertices; 0: none yet
	last := -1                       // the fixed variable of the line; negative: it is none
	for fields := 0; ; fields++ {
		kind, word, err := a.Next()
		switch {
		case err != nil:
			return nil, err
		case kind == EndText:
			return a.sorted(vertices, lines, names, fixed)
		case kind == EndLine && fields == 1:
			return nil, a.Fail(a.Col, "no value. Write \"NAME VALUE\".")
		case kind == EndLine:
			fields = -1
		case fields == 0:
			v, ok := number[unquoted(string(word))]
			switch {
			case !ok && vertices == nil:
				return nil, nil
			case !ok:
				return nil, a.Fail(a.Col, "%s is not the name of a variable. Correct it.", Shown(word))
			case lines[v] > 0:
				return nil, a.Fail(a.Col, "%s is in line %d already. Remove one.", Shown(word), lines[v])
			}
			lines[v] = a.Line
			last = v - free
			vertices = append(vertices, v)
		case fields == 1 && last >= 0 && !fixed[last].isBit():
			if f := fixed[last]; !f.is(word) {
				return nil, f.differs(a.File, a.Line, string(word))
			}
			a.sides = append(a.sides, 0) // nobody asks for it
		case fields == 1:
			if err := a.number(word, 0); err != nil {
				return nil, err
			}
		default:
			if len(vertices) == 1 {
				return nil, nil // entries without names
			}
			return nil, a.Fail(a.Col, "%s is one word too many. Write \"NAME VALUE\".", Shown(word))
		}
	}
}

// sorted returns the sides in the order of the vertices. Fixed ones follow the n others in names and lines.
func (a *assignment) sorted(vertices, lines []int, names []string, fixed []Fixed) ([]uint8, error) {
	free := a.n
	for v, line := range lines[:free] {
		if line == 0 && vertices != nil {
			given := 0
			for _, line := range lines[:free] {
				given += min(line, 1)
			}
			return nil, a.Fail(a.Col, "%d of %d variables; %s is missing. Complete them.", given, free,
				Shown([]byte(names[v])))
		}
	}
	if vertices == nil {
		return nil, nil
	}
	a.n = len(vertices)
	points, err := a.split()
	if err != nil {
		return nil, err
	}
	sides := make([]uint8, len(names))
	for k, v := range vertices {
		sides[v] = points[0][k]
	}
	for k, f := range fixed {
		side := string('0' + sides[free+k])
		if lines[free+k] > 0 && f.isBit() && !f.is([]byte(side)) {
			return nil, f.differs(a.File, lines[free+k], side)
		}
	}
	return sides[:free], nil
}

// WriteNamed writes a line "NAME VALUE" for each vertex; the values are 0 and 1. Names that are not plain words are
// quoted as in Go, without blanks. Lines of fixed variables follow.
func WriteNamed(w io.Writer, names []string, sides []uint8, fixed []Fixed) error {
	out := bufio.NewWriterSize(w, 64<<10) // it keeps the first error for Flush
	for v, name := range names {
		out.WriteString(quoted(name))
		out.Write([]byte{' ', '0' + sides[v], '\n'})
	}
	for _, f := range fixed {
		out.WriteString(quoted(f.Name) + " " + f.Value.String() + "\n")
	}
	return out.Flush()
}

// quoted returns a name as a word that a Scanner reads.
func quoted(name string) string {
	plain := name != "" && name != "c" && !strings.ContainsAny(name[:1], "#%") &&
		!strings.ContainsFunc(name, func(r rune) bool {
			return r == '"' || r == '\\' || r == unicode.ReplacementChar || unicode.IsSpace(r) || !unicode.IsPrint(r)
		})
	if plain {
		return name
	}
	return strings.ReplaceAll(strconv.QuoteToASCII(name), " ", `\x20`)
}

// unquoted returns the name that quoted made a word of.
func unquoted(word string) string {
	if !strings.HasPrefix(word, `"`) {
		return word
	}
	if name, err := strconv.Unquote(word); err == nil {
		return name
	}
	return word
}
