package docs

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Plain renders Markdown as plain text for a terminal of the given number of columns. It knows what the pages of this
// package use: headings, paragraphs, lists, fenced code, tables, links and pictures. Code is never broken. Of a table
// the last columns of words are, and columns for which there is no room follow below, beside the first one again.
func Plain(markdown string, width int) string {
	p := &plain{width: width}
	lines := strings.Split(strings.TrimSpace(markdown), "\n")
	for len(lines) > 0 {
		n := p.block(lines)
		lines = lines[n:]
	}
	return strings.TrimRight(p.out.String(), "\n") + "\n"
}

type plain struct {
	out   strings.Builder
	width int
}

var (
	item    = regexp.MustCompile(`^( *)(- |\d+\. )`)
	heading = regexp.MustCompile(`^(#+) (.*)$`)
	link    = regexp.MustCompile(`(!?)\[([^\]]*)\]\(([^)]*)\)`)
	rule    = regexp.MustCompile(`^\|[-:| ]+\|$`)
)

// block writes the block that begins with the first line and returns how many lines it has.
func (p *plain) block(lines []string) int {
	first := lines[0]
	switch {
	case strings.TrimSpace(first) == "":
		p.line("")
		return 1
	case strings.HasPrefix(first, "<"): // a comment or other HTML
		if len(lines) > 1 && lines[1] == "" {
			return 2
		}
		return 1
	case strings.HasPrefix(first, "```"):
		n := 1
		for ; n < len(lines) && !strings.HasPrefix(lines[n], "```"); n++ {
			p.line("    " + lines[n])
		}
		return min(n+1, len(lines))
	case strings.HasPrefix(first, "|"):
		n := count(lines, func(s string) bool { return strings.HasPrefix(s, "|") })
		p.table(lines[:n])
		return n
	}
	if m := heading.FindStringSubmatch(first); m != nil {
		text := inline(m[2])
		p.line(text)
		if len(m[1]) <= 2 {
			p.line(strings.Repeat("=-"[len(m[1])-1:len(m[1])], utf8.RuneCountInString(text)))
		}
		return 1
	}
	n := 1 + count(lines[1:], continues)
	text := strings.Join(lines[:n], " ")
	indent, mark := "", ""
	if m := item.FindStringSubmatch(first); m != nil {
		indent, mark = m[1], m[2]
		text = strings.TrimPrefix(text, indent+mark)
	}
	hang := indent + strings.Repeat(" ", len(mark))
	for i, line := range Wrap(inline(text), p.width-len(hang)) {
		if i == 0 {
			p.line(indent + mark + line)
		} else {
			p.line(hang + line)
		}
	}
	return n
}

// continues says whether a line belongs to the paragraph before it.
func continues(s string) bool {
	return strings.TrimSpace(s) != "" && !strings.HasPrefix(s, "```") && !strings.HasPrefix(s, "|") &&
		!item.MatchString(s) && !heading.MatchString(s)
}

// count returns how many of the first lines satisfy f.
func count(lines []string, f func(string) bool) int {
	for i, s := range lines {
		if !f(s) {
			return i
		}
	}
	return len(lines)
}

func (p *plain) line(s string) { p.out.WriteString(strings.TrimRight(s, " ") + "\n") }

// table writes rows with aligned columns. A long last column is broken into lines below it, or stands below its row
// where there is no room beside. A table of many short columns that is too wide is divided.
func (p *plain) table(lines []string) {
	var rows [][]string
	for _, line := range lines {
		if !rule.MatchString(line) {
			rows = append(rows, cells(line))
		}
	}
	widths := widest(rows)
	last := len(widths) - 1
	left := 2
	for _, w := range widths[:last] {
		left += w + 2
	}
	room := p.width - left
	switch {
	case room >= min(widths[last], p.width/3):
		p.beside(rows, widths, room)
	case widths[last] > p.width/3: // words, no numbers
		p.below(rows, widths[:last])
	default:
		p.divided(rows, widths)
	}
}

// widest returns the width of each column.
func widest(rows [][]string) (widths []int) {
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	return widths
}

// beside writes rows of which the last column is broken into lines of at most room columns.
func (p *plain) beside(rows [][]string, widths []int, room int) {
	last := len(widths) - 1
	widths[last] = min(widths[last], room)
	for i, row := range rows {
		text := ""
		if last < len(row) {
			text = row[last]
		}
		left := padded(row[:min(last, len(row))], widths)
		for _, s := range Wrap(text, room) {
			p.line(left + s)
			left = strings.Repeat(" ", utf8.RuneCountInString(left))
		}
		if i == 0 {
			p.underline(widths)
		}
	}
}

// below writes rows of which the last column stands below the others, whose widths are given. The last of these is
// broken into lines where there is no room for it.
func (p *plain) below(rows [][]string, widths []int) {
	last := len(widths) - 1
	before := utf8.RuneCountInString(padded(nil, widths[:last]))
	widths[last] = min(widths[last], max(p.width-before, p.width/3))
	for i, row := range rows {
		left := padded(row[:min(last, len(row))], widths[:last])
		for _, s := range Wrap(row[min(last, len(row)-1)], widths[last]) {
			p.line(left + s)
			left = strings.Repeat(" ", before)
		}
		if len(row) > len(widths) {
			for _, s := range Wrap(row[len(widths)], p.width-6) {
				p.line("      " + s)
			}
		}
		if i == 0 {
			p.underline(widths)
		}
	}
}

// divided writes as many columns as there is room for, and then the others beside the first one again. That one is
// broken into lines.
func (p *plain) divided(rows [][]string, widths []int) {
	widths[0] = min(widths[0], p.width/3)
	for from := 1; from < len(widths); {
		to, room := from, p.width-2-widths[0]
		for to < len(widths) && (to == from || room >= widths[to]+2) {
			room -= widths[to] + 2
			to++
		}
		if from > 1 {
			p.line("")
		}
		some := append([]int{widths[0]}, widths[from:to]...)
		for i, row := range rows {
			name := Wrap(row[0], widths[0])
			p.line(padded(append(name[:1:1], row[min(from, len(row)):min(to, len(row))]...), some))
			for _, s := range name[1:] {
				p.line("  " + s)
			}
			if i == 0 {
				p.underline(some)
			}
		}
		from = to
	}
}

// padded returns cells at the left of their columns. Columns without a cell are blank.
func padded(row []string, widths []int) string {
	line := "  "
	for i, w := range widths {
		c := ""
		if i < len(row) {
			c = row[i]
		}
		if i < len(row) || len(row) == 0 {
			line += c + strings.Repeat(" ", max(0, w-utf8.RuneCountInString(c))+2)
		}
	}
	return line
}

// underline writes the line below the heads of a table.
func (p *plain) underline(widths []int) {
	line := "  "
	for _, w := range widths {
		line += strings.Repeat("-", max(w, 1)) + "  "
	}
	p.line(line)
}

// cells splits a row of a table; a pipe in a cell is written as \|.
func cells(line string) (row []string) {
	const pipe = "\x00"
	line = strings.ReplaceAll(strings.Trim(line, "|"), `\|`, pipe)
	for c := range strings.SplitSeq(line, "|") {
		row = append(row, inline(strings.TrimSpace(strings.ReplaceAll(c, pipe, "|"))))
	}
	return row
}

// inline removes emphasis and the syntax of links. A link to another page becomes the command that shows it.
func inline(s string) string {
	s = link.ReplaceAllStringFunc(s, func(l string) string {
		m := link.FindStringSubmatch(l)
		text := m[2]
		target, _, _ := strings.Cut(m[3], "#")
		switch {
		case m[1] == "!":
			return "(picture: " + text + ")"
		case strings.Contains(target, "://"):
			return text + " (" + target + ")"
		case texts[topicOf(target)] != "" && strings.HasSuffix(target, ".md"):
			return text + " [clopt help " + topicOf(target) + "]"
		}
		return text
	})
	return strings.ReplaceAll(s, "**", "")
}

// Wrap breaks a text between words into lines of at most width columns. There is at least one line.
func Wrap(s string, width int) []string {
	lines := []string{""}
	for word := range strings.FieldsSeq(s) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}
