package status

import (
	"cmp"
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/clopt/clopt/internal/problems/input"
)

// Output is standard output or standard error. It remembers the first error of its writer, and ignores that the reader
// closed the other end. Control characters other than line breaks and tabs are written as escapes such as \x1b, because
// texts from files and names of devices may have some, which a terminal would obey.
//
// Write passes text on as it is. Show is for lines and rows that a person reads, and Text for pages that have their
// lines already.
type Output struct {
	W       io.Writer
	Err     error
	Used    bool     // something was written
	screen  *os.File // the terminal; nil: there is none
	Colour  bool     // Show uses colours
	symbols bool     // the terminal shows characters outside of ASCII; Show uses them to draw
	redraws bool     // a line can be redrawn
	letters bool     // texts for a person have letters outside of ASCII
}

// NewOutput returns an output to w. If w is a terminal, the environment says what it can show: NO_COLOR turns colours
// off, TERM=dumb everything but plain lines, and a locale other than UTF-8 leaves ASCII.
func NewOutput(w io.Writer, getenv func(string) string) *Output {
	o := &Output{W: w, letters: !asciiLocale(getenv)}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return o
	}
	o.screen = f
	if kind := getenv("TERM"); kind == "" || kind == "dumb" {
		return o
	}
	o.redraws, o.Colour, o.symbols = true, getenv("NO_COLOR") == "", utf8Locale(getenv)
	return o
}

// utf8Locale reports whether the locale of the environment has UTF-8.
func utf8Locale(getenv func(string) string) bool {
	name := locale(getenv)
	return strings.HasSuffix(name, "utf-8") || strings.HasSuffix(name, "utf8")
}

// asciiLocale reports whether the environment names a locale that has ASCII only. None is named where a service or a
// container has no locale, and files are UTF-8 there.
func asciiLocale(getenv func(string) string) bool {
	name := locale(getenv)
	return name == "c" || name == "posix"
}

// locale returns the locale of characters in small letters, "" if the environment names none.
func locale(getenv func(string) string) string {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := getenv(name); locale != "" {
			return strings.ToLower(locale)
		}
	}
	return ""
}

// width returns the number of columns of the terminal, which may change at any time. It is 0 without a terminal, and if
// the terminal has no size, as those that mpirun gives to its ranks.
func (o *Output) width() int {
	if o.screen == nil {
		return 0
	}
	w, _, err := term.GetSize(int(o.screen.Fd()))
	if err != nil || w <= 0 {
		return 0
	}
	return max(w, 20)
}

// Show writes a text of one or more lines. On a terminal they are broken at its width and coloured by what they say.
func (o *Output) Show(text string) { o.show(text, o.width()) }

// ShowWithin is Show of a text whose lines are also broken without a terminal, at a number of columns.
func (o *Output) ShowWithin(columns int, text string) { o.show(text, cmp.Or(o.width(), columns)) }

// show writes a text whose lines are broken at a width; 0: they are not.
func (o *Output) show(text string, width int) {
	text = input.Printable(text, "\n\t")
	if !o.symbols {
		text = ascii.Replace(text)
	}
	if width > 0 {
		var lines []string
		for _, line := range strings.Split(text, "\n") {
			lines = append(lines, broken(line, width)...)
		}
		if o.Colour {
			for i, line := range lines {
				lines[i] = coloured(line)
			}
		}
		text = strings.Join(lines, "\n")
	}
	o.raw(text + "\n")
}

// Text writes a page for a person, in the letters of the locale.
func (o *Output) Text(page string) {
	o.raw(o.spelled(input.Printable(page, "\n\t")))
}

// spelled returns a text with the letters that are written of it: those of the locale, or of the terminal.
func (o *Output) spelled(text string) string {
	if !o.letters || o.screen != nil && !o.symbols {
		return letters.Replace(text)
	}
	return text
}

// Columns returns how many columns a page may have: most, or those of a narrower terminal.
func (o *Output) Columns(most int) int {
	if width := o.width(); width > 0 {
		return min(width, most)
	}
	return most
}

// Clear clears the screen, if the writer is a terminal that can redraw. It reports whether that is so.
func (o *Output) Clear() bool {
	if o.redraws {
		o.raw("\x1b[H\x1b[J")
	}
	return o.redraws
}

func (o *Output) Write(b []byte) (int, error) {
	o.raw(input.Printable(string(b), "\n\t"))
	return len(b), nil
}

// raw writes a text with its control characters. A terminal that shows ASCII only gets nothing else.
func (o *Output) raw(text string) {
	if o.screen != nil && !o.symbols {
		text = letters.Replace(text)
	}
	o.Used = true
	if o.Err != nil {
		return
	}
	if _, err := io.WriteString(o.W, text); err != nil && !readerGone(err) && !errors.Is(err, os.ErrClosed) {
		o.Err = err
	}
}
