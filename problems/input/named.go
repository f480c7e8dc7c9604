package input

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Fixed is a variable of a file that has one value, 0 or 1, in all points, so that it is no variable of the problem.
type Fixed struct {
	Name  string `json:"name"`
	Value uint8  `json:"value"`
}

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
			vertices = append(vertices, v)
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
	points, err := a.cut()
	if err != nil {
		return nil, err
	}
	sides := make([]uint8, len(names))
	for k, v := range vertices {
		sides[v] = points[0][k]
	}
	for k, f := range fixed {
		if v := free + k; lines[v] > 0 && sides[v] != f.Value {
			return nil, Errorf(a.File, lines[v], 1, "%s is %d here, and the problem fixes it to %d. Correct it, or "+
				"remove the line.", Shown([]byte(f.Name)), sides[v], f.Value)
		}
	}
	return sides[:free], nil
}

// WriteNamed writes a line "NAME VALUE" for each vertex; the values are 0 and 1. Names that are not plain words are
// quoted as in Go, without blanks. Lines of fixed variables follow.
func WriteNamed(w io.Writer, names []string, sides []uint8, fixed []Fixed) error {
	out := bufio.NewWriterSize(w, 64<<10) // it keeps the first error for Flush
	line := func(name string, value uint8) {
		out.WriteString(quoted(name))
		out.Write([]byte{' ', '0' + value, '\n'})
	}
	for v, name := range names {
		line(name, sides[v])
	}
	for _, f := range fixed {
		line(f.Name, f.Value)
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
