package runs

import (
	"time"

	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/grid"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers"
)

// sampleEvery is the longest time between two samples in the trace. Those that are not on the grid are marked.
const sampleEvery = time.Minute

// recorder is the solvers.Recorder of a run. It writes the samples on the grid to the trace, and passes all samples to
// the Observer.
type recorder struct {
	observer   Observer
	trace      *trace
	grid       grid.Grid
	sign       float64 // factor of shown values
	milestones []int64 // of the problem
	devices    []record.Device
	clock      *solvers.Clock // nil before the run is laid out
	offset     time.Duration  // time in the loop before the run was resumed
	last       solvers.Sample
	have       bool          // there is a last sample
	written    bool          // last is in the trace
	traced     time.Duration // time of the latest sample in the trace
	latest     exact.Number  // the largest time of a line
}

// now returns the seconds in the loop.
func (r *recorder) now() exact.Number {
	at := r.offset
	if r.clock != nil {
		at = max(at, r.clock.Elapsed())
	}
	return record.Seconds(at)
}

// Record receives a sample of the run.
func (r *recorder) Record(s solvers.Sample) error {
	if s.NonFinite > 0 && (!r.have || r.last.NonFinite == 0) {
		say(r.observer, Warning, "the objective returned values that are not finite. "+
			"They rank worst and are counted. Check its bounds and formula.")
	}
	r.last = s
	r.have = true
	r.written = false
	switch {
	case r.grid.Due(s.Evaluations, s.Best):
		r.write(true)
	case s.Elapsed-r.traced >= sampleEvery:
		r.write(false)
	}
	r.observer.Sample(s)
	return nil
}

// write writes the latest sample to the trace.
func (r *recorder) write(onGrid bool) {
	r.line(record.Sample(r.last, r.sign, r.devices, onGrid))
	r.written, r.traced = true, r.last.Elapsed
	if r.trace.err != nil {
		say(r.observer, Warning, "trace.jsonl cannot be written: %v. "+
			"The run goes on without it. Make room on the disk.", r.trace.err)
	}
}

// later returns a line whose time is not before those of the lines before. A sample is written with the time at which
// its values still hold, if an event came in between.
func (r *recorder) later(line any) any {
	switch l := line.(type) {
	case record.SampleLine:
		l.T = max(l.T, r.latest)
		r.latest, line = l.T, l
	case record.EventLine:
		l.T = max(l.T, r.latest)
		r.latest, line = l.T, l
	case record.EndLine:
		l.T = max(l.T, r.latest)
		r.latest, line = l.T, l
	}
	return line
}

// line writes a line to the trace and passes it to the Observer.
func (r *recorder) line(line any) {
	line = r.later(line)
	r.trace.write(line)
	r.observer.Line(line)
}

// event writes an event to the trace and says it.
func (r *recorder) event(what, detail string) {
	r.line(record.Event(r.now(), what, detail))
	say(r.observer, Detail, "%s: %s", what, detail)
}

// failed writes the first line of an error to the trace.
func (r *recorder) failed(err error) {
	r.line(record.Event(r.now(), "error", firstLine(err.Error())))
}

// position returns the state of the files and the trace so far.
func (r *recorder) position() (checkpoints.Position, checkpoints.File) {
	return checkpoints.Position{Written: r.written, Grid: r.grid.State, Official: len(r.grid.Left)}, r.trace.sum()
}

// rewind sets the grid to an earlier position, the trace to the size that it had then, and the latest sample to the one
// of that time; have is false if there was none.
func (r *recorder) rewind(p checkpoints.Position, size int64, last solvers.Sample, have bool) {
	r.grid.State = p.Grid
	r.grid.Left = r.milestones[len(r.milestones)-min(max(p.Official, 0), len(r.milestones)):]
	r.last, r.have, r.written, r.traced = last, have, p.Written, last.Elapsed
	if missing := r.trace.truncate(size); missing > 0 {
		say(r.observer, Warning,
			"trace.jsonl has lost %d bytes since the checkpoint. The run goes on without them.", missing)
	}
}

// end writes the last sample, if it is not in the trace.
func (r *recorder) end() {
	r.observer.End()
	if r.have && !r.written {
		r.write(true)
	}
}
