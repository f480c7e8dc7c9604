package format

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/clopt/clopt/internal/problems/formats/readers"
	"github.com/clopt/clopt/internal/problems/input"
)

// dataLines returns up to most lines that are neither blank nor comments, and whether the text has more.
func dataLines(head []byte, most int) (lines [][]byte, more bool) {
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' || line[0] == '%' {
			continue
		}
		if len(lines) == most {
			return lines, true
		}
		lines = append(lines, line)
	}
	return lines, false
}

// isEdgeTable reports whether a text begins as a table with an edge in each row: with the names of two ends in its
// heading, or with two or three columns and more rows than a matrix of as many columns has.
func isEdgeTable(head []byte) bool {
	lines, _ := dataLines(head, 6)
	if len(lines) == 0 {
		return false
	}
	if readers.IsHeading(lines[0]) && len(lines) > 1 {
		return true
	}
	separator := input.Separator(lines[0])
	if separator == ' ' {
		separator = '\t'
	}
	if lines[0][0] == separator || bytes.HasPrefix(lines[0], []byte{'"', '"', separator}) {
		return false // the first of the labels of a matrix
	}
	columns := bytes.Count(lines[0], []byte{separator}) + 1
	if columns != 2 && columns != 3 || len(lines) <= columns+1 {
		return false
	}
	for _, line := range lines {
		if bytes.Count(line, []byte{separator})+1 != columns {
			return false
		}
	}
	return true
}

// namedEdge matches an edge between vertices of which the first is no number.
var namedEdge = regexp.MustCompile(`^[\pL_"'][\pL\pN_."'@/:-]*[ \t]+[\pL\pN_."'@/:-]+([ \t]+[-+.\d]\S*)?$`)

// isNamedEdges reports whether a text begins with several edges between vertices that are no numbers.
func isNamedEdges(head []byte) bool {
	lines, more := dataLines(head, 20)
	if len(lines) < 2 {
		return false
	}
	columns := len(bytes.Fields(lines[0]))
	if slices.Contains([]string{"e", "p", "c"}, string(bytes.Fields(lines[0])[0])) {
		return false // in DIMACS form
	}
	for k, line := range lines {
		last := k == len(lines)-1 && !more && len(head) >= Sniffed // it may be a part of a line
		if !last && (!namedEdge.Match(line) || len(bytes.Fields(line)) != columns) {
			return false
		}
	}
	return true
}
