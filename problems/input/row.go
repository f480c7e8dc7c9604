package input

import "bytes"

// IsRow reports whether the first line of head is a number and words, with commas between them.
func IsRow(head []byte) bool {
	const enough = 256 // bytes
	line, _, whole := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	if i := bytes.LastIndexByte(line[:min(len(line), enough)], ','); len(line) > enough || !whole && i > 0 {
		line = line[:max(i, 0)]
	}
	numbers := bytes.Split(line, []byte(","))
	for _, number := range numbers {
		number = bytes.TrimSpace(number)
		if len(number) == 0 {
			return false
		}
		if bytes.ContainsAny(number, " \t") {
			return false
		}
	}
	_, _, err := Exact(bytes.TrimSpace(numbers[0]))
	return err == nil && len(numbers) > 1
}
