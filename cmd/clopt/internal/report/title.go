package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/problems"
)

// TitleSeparator stands between the parts of a title.
const TitleSeparator = ", "

// Joined returns a title of the parts that are not empty. Those that several titles have in common can be found again.
func Joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), TitleSeparator)
}

// TitleOf returns the title of a table.
func TitleOf(t TableKey) string {
	size := ""
	if t.Dim > 0 {
		size = fmt.Sprintf("n=%d", t.Dim)
	}
	return Joined(t.Suite, TableTitle(t.Table), t.Family, size, t.Variant, problems.DataInWords(t.Data),
		limitTitle(t.Limit))
}

// TableTitle returns what a title says of a table of a suite, nothing where there is none.
func TableTitle(name string) string { return after("table ", name) }

// limitTitle returns what a title says of a limit in words, nothing where there is none.
func limitTitle(limit string) string { return after("limit ", limit) }

// after returns a text with a word before it, nothing where there is no text.
func after(word, text string) string {
	if text == "" {
		return ""
	}
	return word + text
}

// Count writes a count with commas: 1,000,000.
func Count(n int) string { return status.Count(int64(n)) }

// Counted returns "1 variable", "2 variables".
func Counted(n int, what string) string { return status.Counted(int64(n), what) }
