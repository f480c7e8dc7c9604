package status

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// Times between two views of the state of a run.
const (
	redrawEvery = 200 * time.Millisecond
	plainEvery  = 10 * time.Second
)

// monitor is a runs.Observer for runs, one after the other. It passes their lines to its display, and shows their
// latest sample at regular times.
type monitor struct {
	*Display
	mu      sync.Mutex
	run     runs.Beginning
	devices []runs.Device
	began   time.Time
	laid    bool      // kernels are built, memory is allocated
	loop    time.Time // when the loop began, by the latest sample
	last    solvers.Sample
	have    bool
	offset  time.Duration // time of the run until it was resumed
	stepped bool          // a step was made since the run was started or resumed
	stored  time.Time     // time of the latest checkpoint; zero: none
	quit    chan struct{}
	done    sync.WaitGroup
}

// NewMonitor returns an observer that shows runs on a display.
func NewMonitor(d *Display) *monitor { return &monitor{Display: d} }

// Begin starts the clock that shows the state.
func (m *monitor) Begin(b runs.Beginning) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.run, m.devices, m.began, m.laid, m.loop = b, b.Devices, time.Now(), false, time.Time{}
	m.last, m.have, m.offset, m.stepped, m.stored = solvers.Sample{}, false, 0, false, time.Time{}
	if b.From != nil {
		m.offset = b.From.Elapsed
	}
	m.quit = make(chan struct{})
	every := plainEvery
	switch m.Mode {
	case "line":
		every = redrawEvery
	case "off":
		return
	}
	quit := m.quit
	m.done.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				m.tick()
			}
		}
	})
}

// End stops the clock.
func (m *monitor) End() {
	close(m.quit)
	m.done.Wait()
	m.clear()
}

// tick shows the latest sample.
func (m *monitor) tick() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Mode != "json" {
		m.status(m.text(m.room()))
	} else if m.have {
		m.Display.Line(runs.LineOf(m.last, m.run.Sign, m.devices, false))
	}
}

// Sample takes a sample of the run.
func (m *monitor) Sample(s solvers.Sample) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last, m.have, m.stepped = s, true, true
	m.loop = time.Now().Add(-s.Elapsed) // the clock of the run may have stood still
}

// Line takes a line of the trace.
func (m *monitor) Line(line any) {
	m.Display.Line(line)
	e, ok := line.(runs.EventLine)
	if !ok {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch e.Event {
	case "layout":
		m.devices, m.laid, m.loop = e.Devices, true, time.Now().Add(-m.offset)
	case "resumed":
		m.last, m.have = *m.run.From, true
	case "checkpoint":
		m.stored = time.Now()
	}
}

// perSecond returns n divided by d in seconds, 0 for no time.
func perSecond(n float64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return n / d.Seconds()
}

// text returns the status line. If it is longer than room, the least important parts are left out.
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
		fmt.Sprintf("best %.8g", m.run.Sign*s.Best),
		fmt.Sprintf("%.3g eval/s", perSecond(float64(s.Evaluations), s.Elapsed)),
		"", // values that are not finite
		"", // time left
		"", // checkpoint
	}
	if !m.stored.IsZero() {
		parts[7] = age(time.Since(m.stored))
	}
	if s.NonFinite > 0 {
		parts[5] = fmt.Sprintf("nonfinite %d", s.NonFinite)
	}
	if left >= 0 {
		parts[6] = "~" + formatDuration(left) + " left"
	}
	for _, least := range []int{7, 1, 4, 5} { // checkpoint, step, speed, nonfinite
		if length(parts) > room {
			parts[least] = ""
		}
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "  ")
}

// length returns the length of the parts that are not empty, joined by two blanks.
func length(parts []string) int {
	n := -2
	for _, p := range parts {
		if p != "" {
			n += len(p) + 2
		}
	}
	return n
}

// progress returns the part of the budget that is used and the time that is left. They are negative without a limit.
func (m *monitor) progress(now time.Duration) (done float64, left time.Duration) {
	done, left = -1, -1
	e := m.last.Elapsed
	if b := m.run.Budget.Evaluations; b > 0 && m.last.Evaluations > 0 {
		done = float64(m.last.Evaluations) / float64(b)
		if l := float64(e) * (1/done - 1); l < math.MaxInt64/2 {
			left = max(e+time.Duration(l)-now, 0)
		}
	}
	if b := m.run.Budget.Time; b > 0 {
		done = max(done, min(1, float64(now)/float64(b)))
		if l := max(b-now, 0); left < 0 || l < left {
			left = l
		}
	}
	return done, left
}

// age writes the time since a checkpoint.
func age(d time.Duration) string {
	return fmt.Sprintf("ckpt %d:%02d ago", int(d.Minutes()), int(d.Seconds())%60)
}

// formatDuration writes a duration as h:mm:ss.
func formatDuration(d time.Duration) string {
	s := int64(max(d, 0) / time.Second)
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
