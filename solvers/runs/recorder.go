package runs

import (
	"math"
	"time"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs/checkpoints"
	"github.com/clopt/clopt/solvers/runs/exact"
	"github.com/clopt/clopt/solvers/runs/grid"
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
	devices    []Device
	clock      *solvers.Clock // nil before the run is laid out
	offset     time.Duration  // time in the loop before the run was resumed
	last       solvers.Sample
	have       bool          // there is a last sample
	written    bool          // last is in the trace
	traced     time.Duration // time of the latest sample in the trace
}

// now returns the seconds in the loop.
func (r *recorder) now() exact.Number {
	at := r.offset
	if r.clock != nil {
		at = max(at, r.clock.Elapsed())
	}
	return Seconds(at)
}

// Record receives a sample of the run.
func (r *recorder) Record(s solvers.Sample) error {
	if s.NonFinite > 0 && (!r.have || r.last.NonFinite == 0) {
		say(r.observer, Warning, "the objective returned values that are not finite. "+
			"They rank worst and are counted. Check its bounds and formula.")
	}
	r.last, r.have, r.written = s, true, false
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
	r.line(LineOf(r.last, r.sign, r.devices, onGrid))
	r.written, r.traced = true, r.last.Elapsed
	if r.trace.err != nil {
		say(r.observer, Warning, "trace.jsonl cannot be written: %v. "+
			"The run goes on without it. Make room on the disk.", r.trace.err)
	}
}

// line writes a line to the trace and passes it to the Observer.
func (r *recorder) line(line any) {
	r.trace.write(line)
	r.observer.Line(line)
}

// event writes an event to the trace and says it.
func (r *recorder) event(what, detail string) {
	r.line(EventLine{Type: "event", V: 1, T: r.now(), Event: what, Detail: detail})
	say(r.observer, Detail, "%s: %s", what, detail)
}

// failed writes the first line of an error to the trace.
func (r *recorder) failed(err error) {
	r.line(EventLine{Type: "event", V: 1, T: r.now(), Event: "error", Detail: firstLine(err.Error())})
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
	if missing := r.trace.cut(size); missing > 0 {
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

// LineOf returns a sample as a line of the trace. sign is the factor of its values. The speed is divided among devices
// by their shares. onGrid says whether the sample is on the grid.
func LineOf(s solvers.Sample, sign float64, devices []Device, onGrid bool) SampleLine {
	l := SampleLine{
		Type: "sample", V: 1, T: Seconds(s.Elapsed), Evals: s.Evaluations, Work: exact.Number(s.Work), Step: s.Step,
		F: exact.Number(sign * s.F), Best: exact.Number(sign * s.Best), NonFinite: s.NonFinite,
		Devices: []deviceSample{},
	}
	speed := 0.0
	if s.Elapsed > 0 {
		speed = float64(s.Evaluations) / s.Elapsed.Seconds()
	}
	for i, d := range devices {
		l.Devices = append(l.Devices, deviceSample{ID: i, Evals: exact.Number(speed * float64(d.Share)),
			Mem: exact.Number(d.Mem)})
	}
	if !onGrid {
		l.Grid = new(bool)
	}
	return l
}

// Seconds returns a time in seconds, rounded to microseconds.
func Seconds(d time.Duration) exact.Number { return exact.Number(math.Round(d.Seconds()*1e6) / 1e6) }
