package input

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// ReadNamed reads a partition that has a line "NAME VALUE" for each vertex, in any order, as WriteNamed writes it, and
// returns the side of each vertex. Values are those of ReadAssignments. If the first line is no such line, ReadNamed
// returns nil. A fault is an *Error.
func ReadNamed(path string, names []string) ([]uint8, error) {
	src, err := FileSource(path)
	if err != nil {
		return nil, err
	}
	t, err := src.Text()
	if err != nil {
		return nil, err
	}
	defer t.Close()
	number := make(map[string]int, len(names))
	for i, name := range names {
		number[name] = i
	}
	a := &assignment{Scanner: NewScanner(t, src.Name), n: len(names), low: 2}
	var vertices []int               // in the order of the file
	lines := make([]int, len(names)) // that have the vertices; 0: none yet
	for fields := 0; ; fields++ {
		kind, word, err := a.Next()
		switch {
		case err != nil:
			return nil, err
		case kind == EndText:
			return a.sorted(vertices, lines, names)
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

// sorted returns the sides in the order of the vertices.
func (a *assignment) sorted(vertices, lines []int, names []string) ([]uint8, error) {
	for v, line := range lines {
		if line == 0 && vertices != nil {
			return nil, a.Fail(a.Col, "%d of %d variables; %s is missing. Complete them.", len(vertices), a.n,
				Shown([]byte(names[v])))
		}
	}
	if vertices == nil {
		return nil, nil
	}
	points, err := a.cut()
	if err != nil {
		return nil, err
	}
	sides := make([]uint8, a.n)
	for k, v := range vertices {
		sides[v] = points[0][k]
	}
	return sides, nil
}

// WriteNamed writes a line "NAME VALUE" for each vertex; the values are 0 and 1. Names that are not plain words are
// quoted as in Go, without blanks.
func WriteNamed(w io.Writer, names []string, sides []uint8) error {
	out := bufio.NewWriterSize(w, 64<<10) // it keeps the first error for Flush
	for v, name := range names {
		out.WriteString(quoted(name))
		out.Write([]byte{' ', '0' + sides[v], '\n'})
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
