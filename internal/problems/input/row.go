package input

import (
	"bytes"
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// leastBlanks is the least number of numbers in a row with blanks between them: lines of edges and terms have fewer.
const leastBlanks = 4

// Separator returns what is between the elements of a line: a semicolon, a comma, or a blank for any number of them. It
// is a comma if there is one element.
func Separator(line []byte) byte {
	for _, c := range []byte(";,") {
		if _, _, more := Element(line, c); more {
			return c
		}
	}
	if len(bytes.Fields(line)) > 1 {
		return ' '
	}
	return ','
}

// IsComment reports whether a line of a table is none of its rows: it is empty, or begins with # or %.
func IsComment(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '#' || line[0] == '%'
}

// Element splits a line after its first element, and the separators that follow. more is false if there are none. An
// element that begins with a quotation mark may hold separators, up to the next mark that is not one of two.
func Element(line []byte, separator byte) (word, rest []byte, more bool) {
	begin := 0
	for begin < len(line) && (line[begin] == ' ' || line[begin] == '\t') && line[begin] != separator {
		begin++
	}
	if begin < len(line) && line[begin] == '"' {
		for begin++; begin < len(line); begin++ {
			if line[begin] != '"' {
				continue
			}
			if begin++; begin == len(line) || line[begin] != '"' {
				break
			}
		}
	}
	if separator != ' ' {
		word, rest, more = bytes.Cut(line[begin:], []byte{separator})
		return line[:begin+len(word)], rest, more
	}
	i := bytes.IndexAny(line[begin:], " \t")
	if i < 0 {
		return line, nil, false
	}
	rest = bytes.TrimLeft(line[begin+i:], " \t")
	return line[:len(line)-len(rest)-1], rest, len(rest) > 0
}

// unmarked returns an element without blanks around it and without its quotation marks.
func unmarked(word []byte) string {
	s := string(bytes.TrimSpace(word))
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return strings.Trim(s, "\"")
	}
	return strings.ReplaceAll(s[1:len(s)-1], "\"\"", "\"")
}

// CountElements returns the number of elements of a line.
func CountElements(line []byte, separator byte) (n int) {
	for range words(line, separator) {
		n++
	}
	return n
}

// IsRow reports whether the first line of head is a number and words, with separators between them: a comma or a
// semicolon, or blanks, which are between at least four numbers, and as many in the next line.
func IsRow(head []byte, separator byte) bool {
	const enough = 256 // bytes
	head = bytes.TrimLeft(head, " \t\r\n")
	line, rest, whole := bytes.Cut(head, []byte("\n"))
	if separator == ' ' {
		next, _, _ := bytes.Cut(rest, []byte("\n"))
		numbers := bytes.Fields(line)
		return len(numbers) >= leastBlanks && len(bytes.Fields(next)) == len(numbers) && areNumbers(numbers)
	}
	if i := bytes.LastIndexByte(line[:min(len(line), enough)], separator); len(line) > enough || !whole && i > 0 {
		line = line[:max(i, 0)]
	}
	numbers := bytes.Split(line, []byte{separator})
	for _, number := range numbers {
		number = bytes.TrimSpace(number)
		if len(number) == 0 || bytes.ContainsAny(number, " \t") {
			return false
		}
	}
	return len(numbers) > 1 && areNumbers([][]byte{bytes.TrimSpace(numbers[0])})
}

// areNumbers reports whether all words are decimal numbers.
func areNumbers(words [][]byte) bool {
	for _, w := range words {
		if _, err := strconv.ParseFloat(string(w), 64); err != nil {
			return false
		}
	}
	return true
}

// Labels are the names of a square table that programs such as pandas write with it.
type Labels struct {
	Names []string // of the columns; nil: the table has none
	Index bool     // each row begins with the name of its column
	// Fault says what is wrong at the offset At, if the heading has nothing before its first comma or semicolon, so
	// that rows begin with names, and there are no Names all the same.
	Fault string
	At    int
}

// fault returns no labels, and what is wrong at an offset if the table should have some.
func (l Labels) fault(separator byte, at int, format string, args ...any) Labels {
	if !l.Index || separator == ' ' {
		return Labels{}
	}
	return Labels{Fault: fmt.Sprintf(format, args...), At: at}
}

// LabelsOf returns the labels of a table with a separator between its elements. Its last rows may be missing if
// truncated is set. A heading without an index may be that of a list of edges if it has three names or fewer, so that
// it is none then.
func LabelsOf(text []byte, separator byte, truncated bool) (l Labels) {
	if truncated {
		text = text[:bytes.LastIndexByte(text, '\n')+1]
	}
	row, next := -2, 0 // before the heading
	for line := range bytes.Lines(text) {
		at := next
		next += len(line)
		if line = bytes.TrimRight(line, "\r\n"); IsComment(line) {
			continue
		}
		if row++; row < 0 {
			least := leastBlanks
			if rest, ok := bytes.CutPrefix(bytes.TrimLeft(line, " \t\""), []byte{separator}); ok || separator == ' ' {
				l.Index, line = true, rest
				least = map[bool]int{true: leastBlanks - 1, false: 1}[separator == ' ']
			}
			l.Names = names(line, separator, l.Index && separator != ' ')
			if len(l.Names) < least {
				return l.fault(separator, at, "the heading names columns with nothing, with one name twice, or with "+
					"numbers that do not count from 0")
			}
			continue
		}
		if row >= len(l.Names) {
			return l.fault(separator, at, "there are more rows than the heading has columns, %d", len(l.Names))
		}
		if !l.Index {
			continue
		}
		switch name, elements := first(line, separator); {
		case name != l.Names[row]:
			return l.fault(separator, at, "the row %s is where the heading has the column %s", Shown([]byte(name)),
				Shown([]byte(l.Names[row])))
		case elements != len(l.Names)+1:
			return l.fault(separator, at, "the row %s has not as many elements as the heading has columns, %d",
				Shown([]byte(name)), len(l.Names))
		}
	}
	if len(l.Names) > max(0, row+1) && !truncated {
		return l.fault(separator, 0, "the heading has columns to %s, and no row has this name",
			Shown([]byte(l.Names[len(l.Names)-1])))
	}
	return l
}

// words returns the elements of a line one after the other, without quotation marks.
func words(line []byte, separator byte) iter.Seq[string] {
	if separator == ' ' {
		line = bytes.TrimSpace(line)
	}
	return func(yield func(string) bool) {
		for rest, more := line, true; more; {
			var word []byte
			if word, rest, more = Element(rest, separator); !yield(unmarked(word)) {
				return
			}
		}
	}
}

// first returns the first element of a row, and the number of all.
func first(line []byte, separator byte) (name string, elements int) {
	for word := range words(line, separator) {
		if elements++; elements == 1 {
			name = word
		}
	}
	return name, elements
}

// names returns the names of columns in a heading, or nil if it is none: all differ, and none is a number unless they
// count from 0, or are among other words where the heading is surely one.
func names(line []byte, separator byte, surely bool) (names []string) {
	counted, numbers, seen := true, 0, map[string]bool{}
	for name := range words(line, separator) {
		counted = counted && name == strconv.Itoa(len(names))
		if name == "" || seen[name] {
			return nil
		}
		if areNumbers([][]byte{[]byte(name)}) {
			numbers++
		}
		seen[name] = true
		names = append(names, name)
	}
	if numbers > 0 && !counted && !(surely && numbers < len(names)) {
		return nil
	}
	return names
}
