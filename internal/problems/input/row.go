package input

import (
	"bytes"
	"fmt"
	"iter"
	"strconv"
)

// leastBlanks is the least number of numbers in a row with blanks between them: lines of edges and terms have fewer.
const leastBlanks = 4

// Separator returns what is between the elements of a line: a semicolon, a comma, or a blank for any number of them. It
// is a comma if there is one element.
func Separator(line []byte) byte {
	for _, c := range []byte(";,") {
		if bytes.IndexByte(line, c) >= 0 {
			return c
		}
	}
	if len(bytes.Fields(line)) > 1 {
		return ' '
	}
	return ','
}

// CountElements returns the number of elements of a line.
func CountElements(line []byte, separator byte) (n int) {
	if separator == ' ' {
		return len(bytes.Fields(line))
	}
	return bytes.Count(line, []byte{separator}) + 1
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
		if line = bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if row++; row < 0 {
			least := leastBlanks
			if rest, ok := bytes.CutPrefix(bytes.TrimLeft(line, " \t\""), []byte{separator}); ok || separator == ' ' {
				l.Index, line = true, rest
				least = map[bool]int{true: leastBlanks - 1, false: 1}[separator == ' ']
			}
			l.Names = names(line, separator)
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
	all := bytes.SplitSeq(line, []byte{separator})
	if separator == ' ' {
		all = bytes.FieldsSeq(line)
	}
	return func(yield func(string) bool) {
		for word := range all {
			if !yield(string(bytes.Trim(bytes.TrimSpace(word), "\""))) {
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
// count from 0.
func names(line []byte, separator byte) (names []string) {
	counted, seen := true, map[string]bool{}
	for name := range words(line, separator) {
		counted = counted && name == strconv.Itoa(len(names))
		if !counted && areNumbers([][]byte{[]byte(name)}) || name == "" || seen[name] {
			return nil
		}
		seen[name] = true
		names = append(names, name)
	}
	return names
}
