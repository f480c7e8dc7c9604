package runs

import (
	"math"
	"time"

	"github.com/clopt/clopt/solvers"
)

// sampleEvery is how often a sample is put into the trace besides the grid.
const sampleEvery = time.Minute

// recorder is the loop's solvers.Recorder: it puts samples on the grid into the trace and passes all of them on.
type recorder struct {
	observer Observer
	trace    *trace
	grid     grid
	sign     float64 // values a person sees are multiplied by it
	devices  []Device
	began    time.Time
	ready    string        // what was done before the first step, with a comma after it
	loop     time.Time     // when the loop began, less offset; zero: not yet
	offset   time.Duration // of the run's time when it was resumed
	last     solvers.Sample
	have     bool
	written  bool // last is in the trace
	traced   time.Duration
	stepped  bool // a step was made since the start, or since it was resumed
}

// begin takes the devices' final shares and begins the clock of the loop.
func (r *recorder) begin(devices []Device) {
	r.devices, r.loop = devices, time.Now().Add(-r.offset)
}

// now is the time in the loop of the run, 0 before it.
func (r *recorder) now() Number {
	if r.loop.IsZero() {
		return 0
	}
	return Seconds(time.Since(r.loop))
}

// Record takes a sample of the run.
func (r *recorder) Record(s solvers.Sample) error {
	if !r.stepped {
		r.stepped = true
		say(r.observer, Progress, "ready after %.3g s: %sfirst step done", time.Since(r.began).Seconds(), r.ready)
	}
	if s.NonFinite > 0 && (!r.have || r.last.NonFinite == 0) {
		say(r.observer, Warning, "the objective returned values that are not finite. "+
			"They rank worst and are counted. Check its bounds and formula.")
	}
	r.last, r.have, r.written = s, true, false
	switch {
	case r.grid.hit(s.Evaluations, s.Best):
		r.write(true)
	case s.Elapsed-r.traced >= sampleEvery:
		r.write(false)
	}
	r.observer.Sample(s)
	return nil
}

// write puts the latest sample into the trace.
func (r *recorder) write(grid bool) {
	r.line(LineOf(r.last, r.sign, r.devices, grid))
	r.written, r.traced = true, r.last.Elapsed
	if r.trace.err != nil {
		say(r.observer, Warning, "trace.jsonl cannot be written: %v. "+
			"The run goes on without it. Make room on the disk.", r.trace.err)
	}
}

// line puts a line into the trace and tells it.
func (r *recorder) line(line any) {
	r.trace.write(line)
	r.observer.Line(line)
}

// event puts an event into the trace and tells it.
func (r *recorder) event(what, detail string) {
	r.line(EventLine{Type: "event", V: 1, T: r.now(), Event: what, Detail: detail})
	say(r.observer, Detail, "%s: %s", what, detail)
}

// stand is where trace and grid are, once all lines are on the disk.
func (r *recorder) stand() (progress, error) {
	at := progress{Trace: r.trace.size, Written: r.written, Grid: r.grid.gridState, Official: len(r.grid.official)}
	return at, r.trace.f.Sync()
}

// resume continues trace and grid from where a checkpoint found them.
func (r *recorder) resume(c *Saved) {
	p := c.progress
	r.grid.gridState = p.Grid
	r.grid.official = r.grid.official[len(r.grid.official)-min(max(p.Official, 0), len(r.grid.official)):]
	r.last, r.have, r.written, r.traced = c.Loop.Last, true, p.Written, c.Loop.Last.Elapsed
	if missing := r.trace.cut(p.Trace); missing > 0 {
		say(r.observer, Warning,
			"trace.jsonl lacks %d bytes that it had at the checkpoint; it goes on without them.", missing)
	}
}

// end writes the last evaluation.
func (r *recorder) end() {
	r.observer.End()
	if r.have && !r.written {
		r.write(true)
	}
}

// LineOf is a sample as a line of the trace. sign multiplies its values, and devices have shares of its speed; onGrid
// says whether it is on the grid that all runs share.
func LineOf(s solvers.Sample, sign float64, devices []Device, onGrid bool) SampleLine {
	l := SampleLine{
		Type: "sample", V: 1, T: Seconds(s.Elapsed), Evals: s.Evaluations, Work: Number(s.Work), Step: s.Step,
		F: Number(sign * s.F), Best: Number(sign * s.Best), NonFinite: s.NonFinite, Devices: []deviceSample{},
	}
	speed := 0.0
	if s.Elapsed > 0 {
		speed = float64(s.Evaluations) / s.Elapsed.Seconds()
	}
	for i, d := range devices {
		l.Devices = append(l.Devices, deviceSample{ID: i, Evals: Number(speed * float64(d.Share)), Mem: Number(d.Mem)})
	}
	if !onGrid {
		l.Grid = new(bool)
	}
	return l
}

// Seconds rounds a time to microseconds, which is what it is worth.
func Seconds(d time.Duration) Number { return Number(math.Round(d.Seconds()*1e6) / 1e6) }
