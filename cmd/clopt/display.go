package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// display is everything a person reads on stderr while a command works. It
// is safe for concurrent use. Text is plain ASCII without colours.
type display struct {
	mu      sync.Mutex
	w       io.Writer
	log     io.Writer // nil while there is no run folder
	early   []byte    // what was said before there was one
	mode    string    // line, plain, json or off
	quiet   bool
	verbose bool
	start   time.Time
	zero    time.Time      // of the events of --status json, as of the samples; unset before a run's loop
	width   int            // columns of a redrawn line
	drawn   int            // characters of the redrawn line now on the screen
	warned  map[string]int // how often each warning came
	begun   bool           // json: between the lines start and end of a run
	started bool           // json: there was a start line
	queue   []any          // json: what came before the start line
	told    bool           // json: an error was among the events
}

// echoed is the length of the ^C that a terminal shows when it is pressed.
const echoed = 2

// newDisplay resolves --status auto: a redrawn line on a terminal that can
// redraw, else plain lines.
func newDisplay(stderr io.Writer, status string, quiet, verbose bool, getenv func(string) string) *display {
	d := &display{w: stderr, mode: status, quiet: quiet, verbose: verbose, start: time.Now(), width: 100, warned: map[string]int{}}
	terminal := false
	if o, ok := stderr.(*output); ok {
		if f, ok := o.w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
			terminal = true
			if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
				d.width = w - 1 - echoed
			}
		}
	}
	if d.mode == "auto" {
		d.mode = "plain"
		if terminal && getenv("TERM") != "dumb" {
			d.mode = "line"
		}
	}
	if quiet && d.mode != "json" {
		d.mode = "off"
	}
	return d
}

// say tells progress; quiet silences it. It is logged in any case.
func (d *display) say(format string, args ...any) {
	d.print(fmt.Sprintf(format, args...), !d.quiet && d.mode != "json", "")
}

// quieten makes say quiet, or not, and returns what it was.
func (d *display) quieten(quiet bool) (was bool) {
	was, d.quiet = d.quiet, quiet
	return was
}

// detail is said only with --verbose.
func (d *display) detail(format string, args ...any) {
	d.print(fmt.Sprintf(format, args...), d.verbose && d.mode != "json", "")
}

// note is said also when quiet.
func (d *display) note(format string, args ...any) {
	d.print(fmt.Sprintf(format, args...), d.mode != "json", "note")
}

// warn says what happened, what was done and what the user may do; the same
// warning is said once and then counted.
func (d *display) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	d.mu.Lock()
	d.warned[text]++
	again := d.warned[text] > 1
	d.mu.Unlock()
	if !again {
		d.print("! "+text, d.mode != "json", "warning")
	}
}

// counted tells how often warnings came that came more than once.
func (d *display) counted() {
	d.mu.Lock()
	var lines []string
	for text, n := range d.warned {
		if n > 1 {
			lines = append(lines, fmt.Sprintf("! %d times: %s", n, text))
		}
	}
	d.mu.Unlock()
	for _, l := range lines {
		d.print(l, d.mode != "json", "warning")
	}
}

// print writes a line to the log, to the screen if show, and as an event of
// --status json if event is not empty.
func (d *display) print(text string, show bool, event string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := time.Since(d.start)
	entry := fmt.Appendf(nil, "%10.3f  %s\n", t.Seconds(), text)
	if d.log != nil {
		d.log.Write(entry)
	} else {
		d.early = append(d.early, entry...)
	}
	if d.mode == "json" && event != "" {
		d.json(eventLine{Type: "event", V: 1, T: d.clock(), Event: event, Detail: text})
		return
	}
	if !show {
		return
	}
	d.erase()
	fmt.Fprintln(d.w, text)
}

// rebase says that the loop of a run begins, or goes on at an offset of its
// time.
func (d *display) rebase(offset time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.zero = time.Now().Add(-offset)
}

// now is the time in the loop of the run, 0 before it.
func (d *display) now() number {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.clock()
}

func (d *display) clock() number {
	if d.zero.IsZero() {
		return 0
	}
	return seconds(time.Since(d.zero))
}

// jsonLine writes a line of --status json.
func (d *display) jsonLine(line any) {
	if d.mode != "json" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.json(line)
}

// json keeps what comes before the start line for after it.
func (d *display) json(line any) {
	switch l := line.(type) {
	case startLine:
		d.begun, d.started, d.zero = true, true, time.Time{}
		writeLine(d.w, line)
		for _, queued := range d.queue {
			writeLine(d.w, queued)
		}
		d.queue = nil
		return
	case endLine:
		defer func() { d.begun = false }() // the next run starts anew
	case eventLine:
		d.told = d.told || l.Event == "error"
	}
	if !d.begun {
		d.queue = append(d.queue, line)
		return
	}
	writeLine(d.w, line)
}

// toLog makes log, or nil, the place where everything said is kept.
func (d *display) toLog(log io.Writer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.log = log; log != nil {
		log.Write(d.early)
		d.early = nil
	}
}

// last tells, in a stream that has begun, an error that no event told: one
// between runs or behind them.
func (d *display) last(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.told {
		writeLine(d.w, eventLine{Type: "event", V: 1, T: d.clock(), Event: "error", Detail: err.Error()})
	}
}

// flush says in plain text what no start line will follow, and whether there
// never was one.
func (d *display) flush() (never bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.started {
		return false
	}
	for _, l := range d.queue {
		if e, ok := l.(eventLine); ok {
			fmt.Fprintln(d.w, e.Detail)
		}
	}
	d.queue = nil
	return true
}

// status shows the state of a run: redrawn, or as one more line.
func (d *display) status(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch d.mode {
	case "plain":
		fmt.Fprintln(d.w, text)
	case "line":
		if len(text) > d.width {
			text = text[:d.width]
		}
		fmt.Fprintf(d.w, "\r%s%s", text, strings.Repeat(" ", max(d.drawn-len(text), 0)))
		d.drawn = len(text)
	}
}

// room is how many characters a status may have.
func (d *display) room() int {
	if d.mode == "line" {
		return d.width
	}
	return math.MaxInt
}

// erase takes the redrawn line away, so that other text may stand there.
func (d *display) erase() {
	if d.drawn > 0 {
		fmt.Fprintf(d.w, "\r%s\r", strings.Repeat(" ", d.drawn+echoed))
		d.drawn = 0
	}
}

// leave takes the redrawn line away before the process ends at once. It waits
// for nobody.
func (d *display) leave() {
	if d != nil && d.mu.TryLock() {
		d.erase()
		d.mu.Unlock()
	}
}

// clear is erase for callers outside.
func (d *display) clear() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.erase()
}
