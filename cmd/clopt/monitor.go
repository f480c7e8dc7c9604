package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/clopt/clopt/solvers"
)

// How often the state of a run is shown.
const (
	redrawEvery = 200 * time.Millisecond
	plainEvery  = 10 * time.Second
	sampleEvery = time.Minute // in the trace, besides the grid
)

// monitor is the Recorder of a run: it puts samples on the grid into the
// trace, and shows the latest one by the clock.
type monitor struct {
	mu      sync.Mutex
	show    *display
	trace   *trace
	grid    grid
	sign    float64 // values a person sees are multiplied by it
	mem     []int64 // bytes planned, by device
	shares  []float64
	budget  solvers.Budget
	began   time.Time
	ready   string    // what was done before the first step, with a comma behind
	laid    bool      // kernels are built, memory is taken
	loop    time.Time // when the first step began
	last    solvers.Sample
	have    bool
	written bool // last is in the trace
	traced  time.Duration
	history []point       // of the best, for the trend
	offset  time.Duration // of the run's time when it was resumed
	stepped bool          // a step was made since the start, or since it was resumed
	stored  time.Time     // of the latest checkpoint; zero: none
	quit    chan struct{}
	done    sync.WaitGroup
}

type point struct {
	at   time.Duration
	best float64
}

// lay takes the devices' shares: planned, or final.
func (m *monitor) lay(devices []deviceInfo, final bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mem, m.shares, m.laid, m.loop = nil, nil, final, time.Now().Add(-m.offset)
	for _, d := range devices {
		m.mem, m.shares = append(m.mem, d.Mem), append(m.shares, float64(d.Share))
	}
}

// begin starts the clock that shows the state.
func (m *monitor) begin() {
	m.began, m.quit = time.Now(), make(chan struct{})
	every := plainEvery
	switch m.show.mode {
	case "line":
		every = redrawEvery
	case "off":
		return
	}
	m.done.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-m.quit:
				return
			case <-tick.C:
				m.tick()
			}
		}
	})
}

// tick shows the latest sample.
func (m *monitor) tick() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.show.mode == "json" {
		if m.have {
			m.show.jsonLine(m.line(m.last, false))
		}
		return
	}
	m.show.status(m.text(m.show.room()))
}

// Record takes a sample of the run.
func (m *monitor) Record(s solvers.Sample) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.stepped {
		m.stepped = true
		m.show.say("ready after %.3g s: %sfirst step done", time.Since(m.began).Seconds(), m.ready)
	}
	if s.NonFinite > 0 && (!m.have || m.last.NonFinite == 0) {
		m.show.warn("the objective returned values that are not finite. They rank worst and are counted. Check its bounds and formula.")
	}
	m.last, m.have, m.written = s, true, false
	switch {
	case m.grid.hit(s.Evaluations, s.Best):
		m.write(true)
	case s.Elapsed-m.traced >= sampleEvery:
		m.write(false)
	}
	if n := len(m.history); n == 0 || s.Elapsed-m.history[n-1].at >= 2*time.Second {
		m.history = append(m.history, point{s.Elapsed, s.Best})
		if len(m.history) > 30 {
			m.history = m.history[1:]
		}
	}
	return nil
}

// stand is where trace and grid are, once all lines are on the disk.
func (m *monitor) stand() (progress, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return progress{Trace: m.trace.size, Written: m.written, Grid: m.grid.gridState, Official: len(m.grid.official)}, m.trace.f.Sync()
}

// resume continues trace and grid from where a checkpoint found them.
func (m *monitor) resume(c *saved) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := c.progress
	m.grid.gridState = p.Grid
	m.grid.official = m.grid.official[len(m.grid.official)-min(max(p.Official, 0), len(m.grid.official)):]
	m.last, m.have, m.written, m.traced = c.loop.Last, true, p.Written, c.loop.Last.Elapsed
	if missing := m.trace.cut(p.Trace); missing > 0 {
		m.show.warn("trace.jsonl lacks %d bytes that it had at the checkpoint; it goes on without them.", missing)
	}
}

// kept tells that there is a checkpoint.
func (m *monitor) kept(name, detail string) {
	m.mu.Lock()
	m.stored = time.Now()
	m.mu.Unlock()
	m.event("checkpoint", detail)
}

// event puts an event into the trace and tells it.
func (m *monitor) event(what, detail string) {
	line := eventLine{Type: "event", V: 1, T: m.show.now(), Event: what, Detail: detail}
	m.trace.write(line)
	m.show.jsonLine(line)
	m.show.detail("%s: %s", what, detail)
}

// write puts the latest sample into the trace.
func (m *monitor) write(grid bool) {
	line := m.line(m.last, grid)
	m.trace.write(line)
	m.show.jsonLine(line)
	m.written, m.traced = true, m.last.Elapsed
	if m.trace.err != nil {
		m.show.warn("trace.jsonl cannot be written: %v. The run goes on without it. Make room on the disk.", m.trace.err)
	}
}

// end stops the clock and writes the last evaluation.
func (m *monitor) end() {
	close(m.quit)
	m.done.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.show.clear()
	if m.have && !m.written {
		m.write(true)
	}
}

// line is a sample as a line of the trace.
func (m *monitor) line(s solvers.Sample, onGrid bool) sampleLine {
	l := sampleLine{
		Type: "sample", V: 1, T: seconds(s.Elapsed), Evals: s.Evaluations, Work: number(s.Work), Step: s.Step,
		F: number(m.sign * s.F), Best: number(m.sign * s.Best), NonFinite: s.NonFinite, Devices: []deviceSample{},
	}
	speed := perSecond(float64(s.Evaluations), s.Elapsed)
	for i, mem := range m.mem {
		l.Devices = append(l.Devices, deviceSample{ID: i, Evals: number(speed * m.shares[i]), Mem: number(mem)})
	}
	if !onGrid {
		l.Grid = new(bool)
	}
	return l
}

// seconds rounds a time to microseconds, which is what it is worth.
func seconds(d time.Duration) number { return number(math.Round(d.Seconds()*1e6) / 1e6) }

func perSecond(n float64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return n / d.Seconds()
}

// text is the status line; what matters least goes when there is room for
// fewer characters.
func (m *monitor) text(room int) string {
	if !m.have || !m.stepped && m.offset > 0 {
		doing := "building kernels"
		if m.laid {
			doing = "checking devices, first step"
		}
		return fmt.Sprintf("%s  %s", formatDuration(time.Since(m.began)), doing)
	}
	s, now := m.last, time.Since(m.loop)
	done, left := m.progress(now)
	evals := fmt.Sprintf("evals %d", s.Evaluations)
	if done >= 0 {
		evals += fmt.Sprintf(" (%.0f %%)", 100*done)
	}
	parts := []string{
		formatDuration(now),
		fmt.Sprintf("step %d", s.Step),
		evals,
		fmt.Sprintf("best %.8g", m.sign*s.Best),
		m.trend(),
		fmt.Sprintf("%.3g eval/s", perSecond(float64(s.Evaluations), s.Elapsed)),
		"", // values that are not finite
		"", // time left
		"", // checkpoint
	}
	if !m.stored.IsZero() {
		parts[8] = age(time.Since(m.stored))
	}
	if s.NonFinite > 0 {
		parts[6] = fmt.Sprintf("nonfinite %d", s.NonFinite)
	}
	if left >= 0 {
		parts[7] = "~" + formatDuration(left) + " left"
	}
	for _, least := range []int{4, 8, 1, 5, 6} { // trend, checkpoint, step, speed, nonfinite
		if length(parts) > room {
			parts[least] = ""
		}
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "  ")
}

// length is that of the parts joined by two blanks, empty ones left out.
func length(parts []string) int {
	n := -2
	for _, p := range parts {
		if p != "" {
			n += len(p) + 2
		}
	}
	return n
}

// progress is the part of the budget that is used and the time that is left;
// negative where there is no limit.
func (m *monitor) progress(now time.Duration) (done float64, left time.Duration) {
	done, left = -1, -1
	e := m.last.Elapsed
	if b := m.budget.Evaluations; b > 0 && m.last.Evaluations > 0 {
		done = float64(m.last.Evaluations) / float64(b)
		if l := float64(e) * (1/done - 1); l < math.MaxInt64/2 {
			left = max(e+time.Duration(l)-now, 0)
		}
	}
	if b := m.budget.Time; b > 0 {
		done = max(done, min(1, float64(now)/float64(b)))
		if l := max(b-now, 0); left < 0 || l < left {
			left = l
		}
	}
	return done, left
}

// trend is how the best changed in the last minute or less.
func (m *monitor) trend() string {
	if len(m.history) < 2 {
		return ""
	}
	old, s := m.history[0], m.last
	if old.best == 0 || math.IsInf(old.best, 0) || s.Elapsed <= old.at {
		return ""
	}
	change := m.sign * (s.Best - old.best) / math.Abs(old.best)
	return fmt.Sprintf("trend %+.3g %%/min", 100*change/(s.Elapsed-old.at).Minutes())
}
