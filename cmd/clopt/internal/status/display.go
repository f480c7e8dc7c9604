package status

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/solvers/runs"
)

// Display is everything a person reads on stderr while a command works. It
// is safe for concurrent use. Text is plain ASCII without colours.
type Display struct {
	mu      sync.Mutex
	w       io.Writer
	log     io.Writer // nil while there is no run folder
	early   []byte    // what was said before there was one
	Mode    string    // line, plain, json or off
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

// NewDisplay resolves --status auto: a redrawn line on a terminal that can
// redraw, else plain lines.
func NewDisplay(stderr io.Writer, status string, quiet, verbose bool, getenv func(string) string) *Display {
	d := &Display{w: stderr, Mode: status, quiet: quiet, verbose: verbose, start: time.Now(), width: 100,
		warned: map[string]int{}}
	terminal := false
	if o, ok := stderr.(*Output); ok {
		if f, ok := o.W.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
			terminal = true
			if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
				d.width = w - 1 - echoed
			}
		}
	}
	if d.Mode == "auto" {
		d.Mode = "plain"
		if terminal && getenv("TERM") != "dumb" {
			d.Mode = "line"
		}
	}
	if quiet && d.Mode != "json" {
		d.Mode = "off"
	}
	return d
}

// Sayf tells progress; quiet silences it. It is logged in any case.
func (d *Display) Sayf(format string, args ...any) {
	d.print(fmt.Sprintf(format, args...), !d.quiet && d.Mode != "json", "")
}

// Quieten makes say quiet, or not, and returns what it was.
func (d *Display) Quieten(quiet bool) (was bool) {
	was, d.quiet = d.quiet, quiet
	return was
}

// Muted is a display of another run at the same time: its notes and warnings are
// shown, and the rest goes to its log.
func (d *Display) Muted() *Display {
	m := &Display{w: d.w, Mode: "off", quiet: true, start: d.start, width: d.width, warned: map[string]int{}}
	if d.Mode == "json" {
		m.w = io.Discard // one stream shows one run
	}
	return m
}

// Detailf is said only with --verbose.
func (d *Display) Detailf(format string, args ...any) {
	d.print(fmt.Sprintf(format, args...), d.verbose && d.Mode != "json", "")
}

// Notef is said also when quiet.
func (d *Display) Notef(format string, args ...any) {
	d.print(fmt.Sprintf(format, args...), d.Mode != "json", "note")
}

// Warnf says what happened, what was done and what the user may do; the same
// warning is said once and then counted.
func (d *Display) Warnf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	d.mu.Lock()
	d.warned[text]++
	again := d.warned[text] > 1
	d.mu.Unlock()
	if !again {
		d.print("! "+text, d.Mode != "json", "warning")
	}
}

// Counted tells how often warnings came that came more than once.
func (d *Display) Counted() {
	d.mu.Lock()
	var lines []string
	for text, n := range d.warned {
		if n > 1 {
			lines = append(lines, fmt.Sprintf("! %d times: %s", n, text))
		}
	}
	d.mu.Unlock()
	for _, l := range lines {
		d.print(l, d.Mode != "json", "warning")
	}
}

// Say takes a sentence of a run.
func (d *Display) Say(level runs.Level, text string) {
	switch level {
	case runs.Logged:
		d.print(text, false, "")
	case runs.Detail:
		d.Detailf("%s", text)
	case runs.Progress:
		d.Sayf("%s", text)
	case runs.Note:
		d.Notef("%s", text)
	case runs.Warning:
		d.Warnf("%s", text)
	case runs.Failure:
		d.print(text, false, "error")
	}
}

// print writes a line to the log, to the screen if show, and as an event of
// --status json if event is not empty.
func (d *Display) print(text string, show bool, event string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := time.Since(d.start)
	entry := fmt.Appendf(nil, "%10.3f  %s\n", t.Seconds(), text)
	if d.log != nil {
		d.log.Write(entry)
	} else {
		d.early = append(d.early, entry...)
	}
	if d.Mode == "json" && event != "" {
		d.json(runs.EventLine{Type: "event", V: 1, T: d.clock(), Event: event, Detail: text})
		return
	}
	if !show {
		return
	}
	d.erase()
	fmt.Fprintln(d.w, text)
}

// clock is the time in the loop of the run, 0 before it.
func (d *Display) clock() runs.Number {
	if d.zero.IsZero() {
		return 0
	}
	return runs.Seconds(time.Since(d.zero))
}

// Line writes a line of --status json.
func (d *Display) Line(line any) {
	if d.Mode != "json" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.json(line)
}

// json keeps what comes before the start line for after it.
func (d *Display) json(line any) {
	switch l := line.(type) {
	case runs.StartLine:
		d.begun, d.started, d.zero = true, true, time.Time{}
		runs.WriteLine(d.w, line)
		for _, queued := range d.queue {
			runs.WriteLine(d.w, queued)
		}
		d.queue = nil
		return
	case runs.EndLine:
		defer func() { d.begun = false }() // the next run starts anew
	case runs.EventLine:
		d.told = d.told || l.Event == "error"
		if l.Event == "layout" { // the loop begins, or goes on
			d.zero = time.Now().Add(-time.Duration(float64(l.T) * float64(time.Second)))
		}
	}
	if !d.begun {
		d.queue = append(d.queue, line)
		return
	}
	runs.WriteLine(d.w, line)
}

// Log makes log, or nil, the place where everything said is kept.
func (d *Display) Log(log io.Writer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.log = log; log != nil {
		log.Write(d.early)
		d.early = nil
	}
}

// last tells, in a stream that has begun, an error that no event told: one
// between runs or after them.
func (d *Display) last(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.told {
		runs.WriteLine(d.w, runs.EventLine{Type: "event", V: 1, T: d.clock(), Event: "error", Detail: err.Error()})
	}
}

// Finish tells what is left to tell, and the error of a stream of JSON lines in the stream. It returns err, as one
// that was told.
func (d *Display) Finish(err error) error {
	d.Counted()
	if d.Flush() {
		// Not a single run began, so there is no stream that err could spoil.
		return err
	}
	if err != nil && d.Mode == "json" {
		d.last(err)
		return &exit.Reported{Err: err}
	}
	return err
}

// Flush says in plain text what no start line will follow, and whether there
// never was one.
func (d *Display) Flush() (never bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.started {
		return false
	}
	for _, l := range d.queue {
		if e, ok := l.(runs.EventLine); ok {
			fmt.Fprintln(d.w, e.Detail)
		}
	}
	d.queue = nil
	return true
}

// status shows the state of a run: redrawn, or as one more line.
func (d *Display) status(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch d.Mode {
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
func (d *Display) room() int {
	if d.Mode == "line" {
		return d.width
	}
	return math.MaxInt
}

// erase takes the redrawn line away, so that other text may stand there.
func (d *Display) erase() {
	if d.drawn > 0 {
		fmt.Fprintf(d.w, "\r%s\r", strings.Repeat(" ", d.drawn+echoed))
		d.drawn = 0
	}
}

// Leave takes the redrawn line away before the process ends at once. It waits
// for nobody.
func (d *Display) Leave() {
	if d != nil && d.mu.TryLock() {
		d.erase()
		d.mu.Unlock()
	}
}

// clear is erase for callers outside.
func (d *Display) clear() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.erase()
}
