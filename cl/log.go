package cl

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// BuildError reports that the compiler of a device refused a program text.
type BuildError struct {
	Device   string // "device 1 (NAME)"
	Code     Code
	Log      string    // the whole log of the driver
	Messages []Message // parsed from Log without duplicates: errors, then warnings, then notes
}

// Message is one message of a compiler, with its place in our files.
type Message struct {
	File      string
	Line, Col int    // 1-based; Col is 0 if the driver does not report it
	Severity  string // "error", "fatal error", "warning", "note"
	Text      string
	Source    string // the text of the line, "" if unknown
}

// String returns "FILE:LINE:COL: error: text", the source line and a caret.
func (m Message) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:", m.File, m.Line)
	if m.Col > 0 {
		fmt.Fprintf(&b, "%d:", m.Col)
	}
	fmt.Fprintf(&b, " %s: %s", m.Severity, m.Text)
	if strings.TrimSpace(m.Source) == "" {
		return b.String()
	}
	fmt.Fprintf(&b, "\n%s", m.Source)
	if m.Col > 0 {
		fmt.Fprintf(&b, "\n%s^", margin(m.Source, m.Col))
	}
	return b.String()
}

// margin returns blank text that is as wide as the source before column col,
// whatever the width of a tab. Columns are counted in bytes, as compilers do.
func margin(source string, col int) string {
	var b strings.Builder
	for i, r := range source {
		if i >= col-1 {
			break
		}
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// maxShown is the number of messages that Error prints. One mistake in a prelude
// can cause thousands.
const maxShown = 10

// maxRaw bounds a log that is shown as it is, because no message was found in it.
const maxRaw = 4000

func (e *BuildError) Error() string {
	var b strings.Builder
	shown := 0
	for _, m := range e.Messages {
		if shown == maxShown {
			fmt.Fprintf(&b, "(%d more messages)\n", len(e.Messages)-shown)
			break
		}
		fmt.Fprintln(&b, m)
		shown++
	}
	if shown == 0 {
		raw := printable(e.Log)
		if len(raw) > maxRaw {
			raw = strings.ToValidUTF8(raw[:maxRaw], "") + "\n…"
		}
		if raw != "" {
			fmt.Fprintf(&b, "cannot be built on %s:\n%s\n", e.Device, raw)
		}
	}
	fmt.Fprintf(&b, "%s: clBuildProgram: %v", e.Device, e.Code)
	return b.String()
}

func (e *BuildError) Unwrap() error { return e.Code }

func newBuildError(device string, code Code, log string, where Line) *BuildError {
	return &BuildError{device, code, printable(log), parseLog(log, where)}
}

// printable removes control characters, escape sequences and invalid UTF-8, which
// could confuse a terminal.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(colours.ReplaceAllString(s, ""), "?"))
	return strings.TrimSpace(s)
}

const severity = `(fatal error|error|warning|note)`

var (
	colours = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	// PoCL: "error: FILE:3:5: text", in a macro "error: FILE:3:5 <Spelling=FILE:9:17>: text"
	severityFirst = regexp.MustCompile(`^\s*` + severity + `: (.*?):(\d+):(?:(\d+)(?: <Spelling=.*?\d>)?:)? ?(.*)$`)
	// clang, Mesa, Oclgrind, AMD, NVIDIA: "<kernel>:3:5: error: text", also without a column
	placeFirst = regexp.MustCompile(`^\s*(.*?):(\d+):(?:(\d+):)? ` + severity + `: ?(.*)$`)
)

// parseLog finds the messages of a log, in all forms that drivers use. The line
// numbers are those of the assembled text, which where maps to files.
func parseLog(log string, where Line) []Message {
	var messages []Message
	seen := map[Message]bool{}
	for line := range strings.SplitSeq(printable(log), "\n") {
		var file, row, col, sev, text string
		if m := placeFirst.FindStringSubmatch(line); m != nil {
			file = m[1]
			row = m[2]
			col = m[3]
			sev = m[4]
			text = m[5]
		} else if m := severityFirst.FindStringSubmatch(line); m != nil {
			sev = m[1]
			file = m[2]
			row = m[3]
			col = m[4]
			text = m[5]
		} else {
			continue
		}
		m := Message{File: file, Severity: sev, Text: strings.TrimSpace(text)}
		var err error
		m.Line, err = strconv.Atoi(row)
		if err != nil {
			continue
		}
		m.Col, _ = strconv.Atoi(col)
		// Headers belong to the driver; everything else is the assembled text.
		if where != nil && !strings.HasSuffix(file, ".h") {
			m.File, m.Line, m.Source = where(m.Line)
			m.Source = strings.TrimRight(m.Source, "\r\n")
		}
		if !seen[m] {
			seen[m] = true
			messages = append(messages, m)
		}
	}
	order := func(m Message) int { return slices.Index([]string{"warning", "note"}, m.Severity) } // errors: -1
	slices.SortStableFunc(messages, func(a, b Message) int { return order(a) - order(b) })
	return messages
}
