package test

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The rules for sizes of files and lines.

var officialData = regexp.MustCompile(`(?i)(^|/)F\d+-(xopt|p|s|w|R\d+)\.txt$`)

const (
	maxLines = 500
	maxBytes = 1 << 20
	maxWidth = 120
)

// lintFile checks any file of the repository.
func lintFile(name string, text []byte) (bad []string) {
	if officialData.MatchString(name) {
		bad = append(bad, name+": data of others is read from where a person keeps it, never kept here")
	}
	if len(text) > maxBytes {
		bad = append(bad, fmt.Sprintf("%s: %d bytes; the limit is %d", name, len(text), maxBytes))
	}
	ext := path.Ext(name)
	if slices.Contains([]string{".go", ".cl", ".sh", ".md"}, ext) || path.Base(name) == "Makefile" {
		if lines := bytes.Count(text, []byte("\n")); lines > maxLines {
			bad = append(bad, fmt.Sprintf("%s: %d lines; a file over %d is two concepts", name, lines, maxLines))
		}
	}
	return bad
}

// width is the number of columns of a line, with four for a tab.
func width(line string) int {
	return utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
}

// freeLine matches lines that may be of any width: those with a URL, and directives of Go's tools.
var freeLine = regexp.MustCompile(`https?://|^//go:(generate|embed)\b`)

// lintWidth checks the width of the lines of Go and OpenCL C. A tag of a struct's field cannot be broken, so its line
// ends before it.
func lintWidth(name, text string) (bad []string) {
	if ext := path.Ext(name); ext != ".go" && ext != ".cl" {
		return nil
	}
	at := 0
	for line := range strings.Lines(text) {
		at++
		line = strings.TrimRight(fieldTag.ReplaceAllString(strings.TrimRight(line, "\r\n"), "$1"), " ")
		if w := width(line); w > maxWidth && !freeLine.MatchString(line) {
			bad = append(bad, fmt.Sprintf("%s:%d: %d columns; lines end by column %d", name, at, w, maxWidth))
		}
	}
	return bad
}

// fieldTag is a field of a struct with its tag.
var fieldTag = regexp.MustCompile("^(\\s*[\\w, ]+\\s[\\w.*\\[\\]]+)\\s+`\\w+:\"[^`]*`$")
