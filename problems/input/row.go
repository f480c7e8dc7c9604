package input

import (
	"bytes"
	"strconv"
)

// leastBlanks is the least number of numbers in a row with blanks between them: lines of edges and terms have fewer.
const leastBlanks = 4

// Elements splits a line at a comma or a semicolon, or at blanks.
func Elements(line []byte, separator byte) [][]byte {
	if separator == ' ' {
		return bytes.Fields(line)
	}
	return bytes.Split(line, []byte{separator})
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
