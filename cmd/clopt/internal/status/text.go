package status

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// indent is the column at which the text of a row begins.
const indent = 12

// Row returns a line with a label and a text. Labels have at most 9 letters, so that the texts of rows are aligned.
func Row(label, format string, args ...any) string {
	return strings.TrimRight(fmt.Sprintf("  %-*s%s", indent-2, label, fmt.Sprintf(format, args...)), " ")
}

// broken breaks a line at blanks, so that each part has at most width characters unless it is one word. A part after
// the first one begins where the text of a row does, or two columns after the beginning of another line.
func broken(line string, width int) (parts []string) {
	under := len(line) - len(strings.TrimLeft(line, " ")) + 2
	for _, start := range []*regexp.Regexp{labelled, listed} {
		if n := utf8.RuneCountInString(start.FindString(line)); n > 0 && n <= width*5/8 {
			under = n
		}
	}
	runes := []rune(line)
	least := 0 // a break further left would leave nothing but an indent
	for len(runes) > width {
		at := -1
		for i, r := range runes {
			if r == ' ' && i > 0 && runes[i-1] != ' ' && i > least && (i <= width || at < 0) {
				at = i
			}
		}
		if at < 0 || strings.TrimSpace(string(runes[at:])) == "" {
			break
		}
		parts = append(parts, string(runes[:at]))
		rest := strings.TrimLeft(string(runes[at:]), " ")
		runes, least = []rune(strings.Repeat(" ", under)+rest), under
	}
	return append(parts, string(runes))
}

// labelled finds the label of a row, with the blanks after it.
var labelled = regexp.MustCompile(`^  [a-z0-9 ]{9} `)

// listed finds a name and the blanks before its explanation.
var listed = regexp.MustCompile(`^ {2,}\S.*? {2,}`)

// Colours of a terminal. The theme of the user decides what they look like.
const (
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	off    = "\x1b[0m"
)

// colours says which parts of a line have a colour. The first one that is found is used.
var colours = []struct {
	find   *regexp.Regexp
	colour string
}{
	{regexp.MustCompile(`\bMISSED\b|\bNOT confirmed\b|\bFAILED\b`), red},
	{regexp.MustCompile(`^✗|^x `), red},
	{regexp.MustCompile(`^✓|^\+ `), green},
	{regexp.MustCompile(`^! .*`), yellow},
	{regexp.MustCompile(`^\S*: error:`), red},
	{regexp.MustCompile(`^clopt \S+`), bold},
	{labelled, dim},
}

// coloured returns a line with the codes of its colours.
func coloured(line string) string {
	for _, c := range colours {
		if at := c.find.FindStringIndex(line); at != nil {
			return line[:at[0]] + c.colour + line[at[0]:at[1]] + off + line[at[1]:]
		}
	}
	return line
}

// ascii replaces the symbols of this package, for a terminal that cannot show them and for files.
var ascii = strings.NewReplacer("✓", "+", "✗", "x", "━", "#", "─", "-", "▁", "", "▂", "", "▃", "", "▄", "", "▅", "",
	"▆", "", "▇", "", "█", "")

// letters replaces the characters outside of ASCII that names, formulas and the help have.
var letters = strings.NewReplacer("á", "a", "é", "e", "í", "i", "ï", "i", "ñ", "n", "ó", "o", "š", "s", "ú", "u",
	"ü", "u", "…", "...", "–", "-", "·", "*", "×", "x", "±", "+-", "¹", "^1", "²", "^2", "⁶", "^6", "√", "sqrt", "Σ",
	"sum", "γ", "gamma", "λ", "lambda", "µ", "u", "π", "pi")

// Mark returns the symbol for something that went well or did not.
func Mark(well bool) string {
	if well {
		return "✓"
	}
	return "✗"
}

// Brief writes a value of a problem with ten digits, while a run goes on. -0, a cut of 0 in the sense of minimization,
// is 0.
func Brief(f float64) string {
	if f == 0 {
		return "0"
	}
	return fmt.Sprintf("%.10g", f)
}

// Counted writes a number of things: 1 evaluation, 29,832 evaluations.
func Counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Count(n) + " " + what + "s"
}

// Count writes a number with commas: 29,832.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	first := len(s) % 3
	if n < 0 {
		first = (len(s)-1)%3 + 1
	}
	var b strings.Builder
	for i, digit := range s {
		if i > 0 && (i-first)%3 == 0 && s[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return b.String()
}

// Rate writes a rate or another rough number with three digits: 0.0605, 3.2, 14,500; very large ones as 2.12e+11.
func Rate(v float64) string {
	if v < 1000 || v >= 1e9 {
		return fmt.Sprintf("%.3g", v)
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-2)
	return Count(int64(math.Round(v/unit) * unit))
}

// Seconds writes a duration with two digits if it is short, and as h:mm:ss if it is long: 0.9 s, 42 s, 0:02:05.
func Seconds(d time.Duration) string {
	switch s := d.Seconds(); {
	case s >= 99.5:
		return FormatDuration(d.Round(time.Second))
	case s >= 9.95:
		return fmt.Sprintf("%.0f s", s)
	case s >= 0.95 || s == 0:
		return fmt.Sprintf("%.1f s", s)
	default:
		return fmt.Sprintf("%.2g s", s)
	}
}
