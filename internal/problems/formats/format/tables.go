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
	words := bytes.Split(lines[0], []byte{separator})
	columns, rows := len(words), len(lines)
	if slices.ContainsFunc(words, isName) {
		rows-- // it may be a heading
	}
	if columns != 2 && columns != 3 || rows <= columns {
		return false
	}
	for _, line := range lines {
		if bytes.Count(line, []byte{separator})+1 != columns {
			return false
		}
	}
	return true
}

// isName reports whether a word of a table is no number.
func isName(word []byte) bool {
	if word = bytes.TrimSpace(word); len(word) == 0 {
		return true
	}
	_, _, err := input.Exact(word)
	return err != nil
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

// isEdgePairs reports whether a text begins with lines of two whole numbers of which the first cannot be the header of
// a graph, "n m": neither do m lines follow, nor have all vertices a number up to n. A header with one of these faults
// is a fault of its own.
func isEdgePairs(head []byte) bool {
	lines, _ := dataLines(head, len(head))
	if len(lines) < 3 {
		return false
	}
	if len(head) >= Sniffed {
		lines = lines[:len(lines)-1] // it may be a part of a line
	}
	var first [2]int
	beyond := false
	for k, line := range lines {
		words := bytes.Fields(line)
		if len(words) != 2 {
			return false
		}
		for i, w := range words {
			v, ok, _ := input.Index(w)
			if !ok {
				return false
			}
			if k == 0 {
				first[i] = v
			}
			beyond = beyond || k > 0 && v > first[0]
		}
	}
	many := first[1] < len(lines)-1
	return beyond && (many || len(head) < Sniffed && first[1] > len(lines)-1)
}

// isSmallMatrix reports whether a text is a square matrix of two or three rows with blanks between the numbers, of
// which one shows that the rows are not terms "i j q": it stands for an index and is none.
func isSmallMatrix(head []byte) bool {
	lines, more := dataLines(head, 3)
	n := len(lines)
	if more || n < 2 {
		return false
	}
	index := true
	for _, line := range lines {
		words := bytes.Fields(line)
		if len(words) != n {
			return false
		}
		for i, w := range words {
			if _, _, err := input.Exact(w); err != nil {
				return false
			}
			_, ok, _ := input.Index(w)
			index = index && (ok || i > 1)
		}
	}
	return !index
}
