package status

import (
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers/runs"
)

// Display shows on stderr what a command does. It is safe for concurrent use.
type Display struct {
	mu      sync.Mutex
	out     *Output
	log     io.Writer // nil while there is no run folder
	early   []byte    // the log until there is a run folder
	Mode    string    // line, plain, json or off
	quiet   bool
	verbose bool
	start   time.Time
	zero    time.Time      // json: start of the loop of the run, from which events count; unset before
	within  string         // how far the campaign is to which the runs belong; "" without one
	drawn   int            // characters of the redrawn line that is on the screen
	warned  map[string]int // number of times that each warning came
	begun   bool           // json: between the lines start and end of a run
	started bool           // json: there was a start line
	queue   []any          // json: lines that wait for the start line
	failed  bool           // json: an event was an error
	Ended   func()         // json: called by Finish, after which there is nothing for Printed; may be nil
}

// echoed is the length of the ^C that a terminal shows when it is pressed.
const echoed = 2

// NewDisplay returns a display with the form of --status. auto means a redrawn line on a terminal that can redraw, and
// plain lines elsewhere.
func NewDisplay(stderr *Output, status string, quiet, verbose bool) *Display {
	d := &Display{out: stderr, Mode: status, quiet: quiet, verbose: verbose, start: time.Now(),
		warned: map[string]int{}}
	if d.Mode == "auto" {
		d.Mode = "plain"
		if stderr.redraws {
			d.Mode = "line"
		}
	}
	if quiet && d.Mode != "json" {
		d.Mode = "off"
	}
	return d
}

// Sayf shows progress, unless the display is quiet. All lines are logged, shown or not.
func (d *Display) Sayf(format string, args ...any) {
	d.print(fmt.Sprintf(format, args...), !d.quiet && d.Mode != "json", "")
}

// Space shows an empty line on a terminal, between the progress and the result.
func (d *Display) Space() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.out.screen != nil && !d.quiet && d.Mode != "json" {
		d.out.Show("")
	}
}

// Quieten makes Sayf quiet or not, and returns whether it was.
func (d *Display) Quieten(quiet bool) (was bool) {
	was, d.quiet = d.quiet, quiet
	return was
}

// Within sets what stands before the state of a run: how far the campaign is to which the run belongs.
func (d *Display) Within(progress string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.within = progress
}

// around returns the beginning of the state of a run.
func (d *Display) around() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.within == "" {
		return ""
	}
	return "  " + d.within
}

// Muted returns a display for another run at the same time: it shows notes and warnings, and logs the rest.
func (d *Display) Muted() *Display {
	m := &Display{out: d.out, Mode: "off", quiet: true, start: d.start, warned: map[string]int{}}
	if d.Mode == "json" {
		m.out = &Output{W: io.Discard} // one stream shows one run
	}
	return m
}

// Detailf shows a line with --verbose only.
func (d *Display) Detailf(format string, args ...any) {
	d.print(fmt.Sprintf(format, args...), d.verbose && d.Mode != "json", "")
}

// Notef shows a line, also if the display is quiet.
func (d *Display) Notef(format string, args ...any) {
	d.print(fmt.Sprintf(format, args...), d.Mode != "json", "note")
}

// Warnf shows a warning: what happened, what clopt did and what the user can do. A repeated warning is only counted.
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

// Counted shows the number of times of each warning that came more than once.
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

// Say shows or logs a line of a run.
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

// print writes a line to the log, to the screen if show is set, and as an event of --status json if event is not empty.
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
		d.json(record.Event(d.clock(), event, text))
		return
	}
	if !show {
		return
	}
	d.erase()
	d.out.Show(text)
}

// began returns when the loop of a run began in which it is the time t, in seconds, now.
func began(t exact.Number) time.Time {
	return time.Now().Add(-time.Duration(float64(t) * float64(time.Second)))
}

// clock returns the time since the loop of the run began, 0 before that.
func (d *Display) clock() exact.Number {
	if d.zero.IsZero() {
		return 0
	}
	return record.Seconds(time.Since(d.zero))
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

// json writes a line of --status json. Lines before the start line of a run wait for it.
func (d *Display) json(line any) {
	switch l := line.(type) {
	case record.StartLine:
		d.begun = true
		d.started = true
		d.zero = time.Time{}
		record.WriteLine(d.out, line)
		for _, queued := range d.queue {
			record.WriteLine(d.out, queued)
		}
		d.queue = nil
		return
	case record.EndLine:
		defer func() { d.begun = false }()
	case record.SampleLine:
		d.zero = began(l.T)
	case record.EventLine:
		d.failed = d.failed || l.Event == "error"
		if l.Event == "layout" { // the loop begins or continues
			d.zero = began(l.T)
		}
	}
	if !d.begun {
		d.queue = append(d.queue, line)
		return
	}
	record.WriteLine(d.out, line)
}

// Printed takes a line that an objective or a driver has printed during a run of --status json.
func (d *Display) Printed(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.begun {
		d.json(record.Event(d.clock(), "printed", text))
	}
}

// Log sets the log to which all lines go, or nil for none.
func (d *Display) Log(log io.Writer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = log
	if log != nil {
		log.Write(d.early)
		d.early = nil
	}
}

// Finish shows the lines that are left. In a stream of JSON lines it also writes err as an event, unless an event was
// an error already, and returns err as one that was reported. Otherwise it returns err.
func (d *Display) Finish(err error) error {
	if d.Ended != nil {
		d.Ended()
	}
	d.Counted()
	if never := d.Flush(); never || err == nil || d.Mode != "json" {
		return err // without a run there is no stream
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.failed {
		record.WriteLine(d.out, record.Event(d.clock(), "error", err.Error()))
	}
	return &exit.Reported{Err: err}
}

// Flush shows as text the lines that wait for a start line, if there never was one. It reports whether that is so.
func (d *Display) Flush() (never bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.started {
		return false
	}
	for _, l := range d.queue {
		if e, ok := l.(record.EventLine); ok {
			d.out.Show(e.Detail)
		}
	}
	d.queue = nil
	return true
}

// status shows the state of a run, as a redrawn line or as one more line.
func (d *Display) status(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch d.Mode {
	case "plain":
		d.out.Show(text)
	case "line":
		if !d.out.symbols {
			text = ascii.Replace(text)
		}
		line := []rune(input.Printable(text, ""))
		line = line[:min(len(line), d.room())]
		d.out.raw(d.home() + string(line) + clear)
		d.drawn = len(line)
	}
}

// room returns the number of characters that a status may have.
func (d *Display) room() int {
	switch width := d.out.width(); {
	case d.Mode != "line":
		return math.MaxInt
	case width == 0: // --status line without a terminal, or one without a size
		return 79
	default:
		return width - 1 - echoed
	}
}

// clear clears the screen from the cursor on.
const clear = "\x1b[J"

// home moves the cursor to the beginning of the redrawn line. A terminal that has become narrower since the line was
// drawn shows it on several lines.
func (d *Display) home() string {
	if width := d.out.width(); width > 0 && d.drawn > width {
		return fmt.Sprintf("\x1b[%dA\r", (d.drawn-1)/width)
	}
	return "\r"
}

// erase removes the redrawn line from the screen.
func (d *Display) erase() {
	if d.drawn > 0 {
		d.out.raw(d.home() + clear)
		d.drawn = 0
	}
}

// Leave removes the redrawn line before the process ends. It does not wait for the lock. d may be nil.
func (d *Display) Leave() {
	if d != nil && d.mu.TryLock() {
		d.erase()
		d.mu.Unlock()
	}
}

// LastWords returns what has to be written to standard error to show an error after which nothing else can be done. In
// a stream of JSON lines it is an event at time 0.
func (d *Display) LastWords(text string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch d.Mode {
	case "json":
		var line strings.Builder
		record.WriteLine(&line, record.Event(0, "error", text))
		return line.String()
	case "line":
		return "\r" + clear + text + "\n"
	}
	return text + "\n"
}

// leave removes the redrawn line at the end of a run.
func (d *Display) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.erase()
}
