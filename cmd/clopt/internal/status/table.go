package status

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Table is a table of texts. Its columns are two blanks apart.
type Table struct {
	Groups []string   // heads of groups above the heads, for each column; nil: there are none
	Rows   [][]string // cells, with the heads as the first row; a row may be shorter than others
	Names  int        // the first columns, at least one, name their row; the others have values
	Right  bool       // values stand at the right of their columns
	Indent int        // blanks before each line
}

// leastProse is the smallest width to which a column of words is broken while there is another way.
const leastProse = 16

// Print writes the table. On a terminal that is too narrow, the widest columns of words are broken into lines. Where
// this is not enough, the last columns follow below, with the names of the rows again.
func (t Table) Print(o *Output) {
	for _, line := range t.spelled(o).lines(o.width()) {
		o.Text(strings.TrimRight(strings.Repeat(" ", t.Indent)+line, " ") + "\n")
	}
}

// spelled returns the table with the letters that an output has, which may be more of them.
func (t Table) spelled(o *Output) Table {
	rows := make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		for _, text := range row {
			rows[i] = append(rows[i], o.spelled(text))
		}
	}
	t.Rows = rows
	return t
}

// lines returns the lines of the table in a width, 0 for any, without the indent.
func (t Table) lines(width int) []string {
	var all []int // the numbers of all columns
	for _, row := range t.Rows {
		for len(all) < len(row) {
			all = append(all, len(all))
		}
	}
	widths, inside := t.widths(all), width-t.Indent
	if width == 0 || t.narrow(all, widths, inside, leastProse) {
		return t.block(all, widths)
	}
	var lines []string
	for rest := all[t.Names:]; len(rest) > 0; {
		n := t.fitting(all[:t.Names], rest, inside)
		block := slices.Concat(all[:t.Names], rest[:n])
		widths := t.widths(block)
		t.narrow(block, widths, inside, 1)
		if rest = rest[n:]; lines != nil {
			lines = append(lines, "")
		}
		lines = append(lines, t.block(block, widths)...)
	}
	return lines
}

// fitting returns how many of the columns fit beside the names in a width, at least one. A group is divided only if it
// does not fit alone.
func (t Table) fitting(names, columns []int, width int) int {
	n, whole := 1, 0
	for k := 1; k <= len(columns); k++ {
		if total(t.widths(slices.Concat(names, columns[:k]))) > width {
			break
		}
		if n = k; k == len(columns) || t.Groups == nil || t.Groups[columns[k]] != t.Groups[columns[k-1]] {
			whole = k
		}
	}
	if whole > 0 {
		return whole
	}
	return n
}

// cell returns the text of a column in a row.
func cell(row []string, column int) string {
	if column < len(row) {
		return row[column]
	}
	return ""
}

// widths returns the widths of columns. The last one of a group is as wide as the name of the group needs.
func (t Table) widths(columns []int) []int {
	widths := make([]int, len(columns))
	for i, c := range columns {
		for _, row := range t.Rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell(row, c)))
		}
	}
	t.eachGroup(columns, func(first, end int) {
		widths[end-1] += max(0, utf8.RuneCountInString(t.Groups[columns[first]])-total(widths[first:end]))
	})
	return widths
}

// eachGroup calls do with the first column and the end of each group.
func (t Table) eachGroup(columns []int, do func(first, end int)) {
	for first := 0; first < len(columns) && t.Groups != nil; {
		end := first + 1
		for end < len(columns) && t.Groups[columns[end]] == t.Groups[columns[first]] {
			end++
		}
		do(first, end)
		first = end
	}
}

// total returns the width of a line of columns.
func total(widths []int) int {
	sum := 2 * (len(widths) - 1)
	for _, w := range widths {
		sum += w
	}
	return sum
}

// narrow makes the widest columns of words narrower until all fit in a width, but none narrower than least or than its
// longest word. It reports whether they fit; otherwise the widths stay as they are.
func (t Table) narrow(columns, widths []int, width, least int) bool {
	smallest := slices.Repeat([]int{least}, len(columns))
	for i, c := range columns {
		for _, row := range t.Rows {
			for _, word := range inWords(cell(row, c), 1) {
				smallest[i] = max(smallest[i], utf8.RuneCountInString(strings.TrimRight(word, " ")))
			}
		}
	}
	narrower := slices.Clone(widths)
	for total(narrower) > width {
		widest := -1
		for i, w := range narrower {
			if w > smallest[i] && (widest < 0 || w > narrower[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return false
		}
		narrower[widest]--
	}
	copy(widths, narrower)
	return true
}

// block returns the lines of some columns.
func (t Table) block(columns, widths []int) (lines []string) {
	var heads strings.Builder
	t.eachGroup(columns, func(first, end int) {
		fmt.Fprintf(&heads, "%-*s  ", total(widths[first:end]), t.Groups[columns[first]])
	})
	if t.Groups != nil {
		lines = append(lines, heads.String())
	}
	for _, row := range t.Rows {
		cells, height := make([][]string, len(columns)), 1
		for i, c := range columns {
			cells[i] = inWords(cell(row, c), widths[i])
			height = max(height, len(cells[i]))
		}
		for k := range height {
			var line strings.Builder
			for i, c := range columns {
				pad := widths[i]
				if c < t.Names || !t.Right {
					pad = -pad
				}
				fmt.Fprintf(&line, "%*s  ", pad, strings.TrimRight(cell(cells[i], k), " "))
			}
			lines = append(lines, line.String())
		}
	}
	return lines
}

// words finds a word with the blanks after it. The folders of a path are words, too.
var words = regexp.MustCompile(`[^ /]*/|[^ /]+ *`)

// inWords breaks a text between words, so that each part has at most width characters unless it is one word.
func inWords(text string, width int) []string {
	if utf8.RuneCountInString(text) <= width {
		return []string{text}
	}
	parts := []string{""}
	for _, word := range words.FindAllString(text, -1) {
		last := len(parts) - 1
		longer := strings.TrimRight(parts[last]+word, " ")
		if parts[last] != "" && utf8.RuneCountInString(longer) > width {
			parts = append(parts, word)
		} else {
			parts[last] += word
		}
	}
	return parts
}
