package readers

import "bytes"

// word is a word of a text, at an offset.
type word struct {
	text []byte
	at   int
}

// fieldsAt splits a line that begins at an offset into its words.
func fieldsAt(line []byte, start int) (words []word) {
	for at := 0; ; {
		rest := bytes.TrimLeft(line[at:], " \t\r")
		if len(rest) == 0 {
			return words
		}
		at = len(line) - len(rest)
		end := bytes.IndexAny(rest, " \t\r")
		if end < 0 {
			end = len(rest)
		}
		words = append(words, word{rest[:end], start + at})
		at += end
	}
}

// eachLine calls f with each line of a text, without its end, and the offset of the line.
func eachLine(text []byte, f func(line []byte, start int) error) error {
	for start := 0; start < len(text); {
		line, _, _ := bytes.Cut(text[start:], []byte("\n"))
		if err := f(bytes.TrimSuffix(line, []byte("\r")), start); err != nil {
			return err
		}
		start += len(line) + 1
	}
	return nil
}

// whole returns the whole number of a short word without a sign or leading zeros.
func whole(w []byte) (v int, ok bool) {
	if len(w) == 0 || len(w) > 9 || w[0] == '0' && len(w) > 1 {
		return 0, false
	}
	for _, c := range w {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = 10*v + int(c-'0')
	}
	return v, true
}
