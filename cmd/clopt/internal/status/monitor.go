package status

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/internal/solvers/runs/record"
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
	devices []record.Device
	began   time.Time
	laid    bool                 // kernels are built, memory is allocated
	elapsed func() time.Duration // time in the loop, without that in which drivers built kernels
	last    solvers.Sample
	have    bool
	offset  time.Duration // time of the run until it was resumed
	stepped bool          // a step was made since the run was started or resumed
	stored  time.Time     // time of the latest checkpoint; zero: none
	ticked  time.Time     // when the state was shown last; zero: not yet
	reached time.Duration // time in the loop then, or after the last step
	still   bool          // the time in the loop stands still, because drivers build kernels
	closing bool          // the last step was made
	history history
	quit    chan struct{}
	done    sync.WaitGroup
}

// NewMonitor returns an observer that shows runs on a display.
func NewMonitor(d *Display) *monitor { return &monitor{Display: d} }

// Begin starts the clock that shows the state.
func (m *monitor) Begin(b runs.Beginning) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.run, m.devices, m.began, m.laid = b, b.Devices, time.Now().Add(-b.Before), false
	m.last = solvers.Sample{}
	m.have = false
	m.offset = 0
	m.stepped = false
	m.stored = time.Time{}
	m.ticked = time.Time{}
	m.reached = 0
	m.still = false
	m.closing = false
	m.history = history{optimum: b.BestKnown, every: redrawEvery}
	m.Sayf("%s", Row("folder", "%s", b.Folder))
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

// Closing stops the time in the loop.
func (m *monitor) Closing() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closing, m.reached = true, m.elapsed()
}

// End stops the clock.
func (m *monitor) End() {
	close(m.quit)
	m.done.Wait()
	m.leave()
}

// tick shows the latest sample.
func (m *monitor) tick() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.laid && !m.closing {
		now := m.elapsed()
		m.still = !m.ticked.IsZero() && now-m.reached < time.Since(m.ticked)/2
		m.ticked, m.reached = time.Now(), now
	}
	if m.Mode != "json" {
		campaign := m.around()
		m.status(campaign + m.text(m.room()-len(campaign)))
	} else if m.have {
		m.Display.Line(record.Sample(m.last, m.run.Sign, m.devices, false))
	}
}

// Sample takes a sample of the run.
func (m *monitor) Sample(s solvers.Sample) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = s
	m.have = true
	m.stepped = true
	m.history.add(s.Elapsed, s.Best)
}

// Line takes a line of the trace.
func (m *monitor) Line(line any) {
	m.Display.Line(line)
	e, ok := line.(record.EventLine)
	if !ok {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch e.Event {
	case "layout":
		m.devices = e.Devices
		m.laid = true
		m.elapsed = e.Elapsed
		m.closing = false
		m.Sayf("%s", Row("ready", "after %s: %s; the clock starts now", Seconds(time.Since(m.began)), e.Detail))
	case "resumed":
		m.last, m.have = *m.run.From, true
		m.Sayf("%s", Row("resumed", "%s", e.Detail))
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

// text returns the status line: the parts that fit into room characters, the most important ones first.
func (m *monitor) text(room int) string {
	if m.closing {
		return fmt.Sprintf("  %s  confirming and storing the result", Seconds(m.reached))
	}
	if !m.have || !m.stepped && m.offset > 0 {
		stage := m.run.Stages.Now()
		if m.laid {
			stage = stages.First
		}
		return fmt.Sprintf("  %s  %s", Seconds(time.Since(m.began)), stage.InWords())
	}
	s := m.last
	now := m.elapsed()
	b := m.run.Budget
	done, left := m.progress(now)
	parts := make([]string, allParts)
	parts[clock], parts[best] = "  "+Seconds(now), "best "+Brief(m.run.Sign*s.Best)
	parts[evals] = Counted(s.Evaluations, "evaluation")
	parts[speed] = Rate(perSecond(s.Work, s.Elapsed)) + " eval/s"
	parts[trend] = m.history.trend(now, s.Best)
	if b.Time > 0 {
		parts[clock] += " / " + Seconds(b.Time)
	}
	if b.Evaluations > 0 {
		parts[evals] = fmt.Sprintf("%s of %s evaluations", Count(s.Evaluations), Count(b.Evaluations))
	} else if b.Moves > 0 {
		parts[evals] = fmt.Sprintf("%s of %s moves", Count(s.Moves), Count(b.Moves))
	}
	if left >= 0 && b.Evaluations+b.Moves > 0 {
		parts[remaining] = "~" + Seconds(left) + " left"
	}
	if m.Mode == "line" {
		parts[spark] = m.history.spark()
		if done >= 0 {
			full := int(min(done, 1) * barCells)
			parts[bar] = strings.Repeat("━", full) + strings.Repeat("─", barCells-full)
		}
		if !m.out.symbols {
			parts[spark] = ""
		}
	}
	if s.NonFinite > 0 {
		parts[invalid] = Count(s.NonFinite) + " values not finite"
	}
	if !m.stored.IsZero() {
		parts[stored] = age(time.Since(m.stored))
	}
	if m.still {
		parts[builds] = "building kernels"
	}
	shown := make([]string, allParts)
	for _, i := range []int{clock, best, builds, bar, trend, remaining, invalid, spark, speed, evals, stored} {
		shown[i] = parts[i]
		if length(shown) > room && i != clock && i != best {
			shown[i] = ""
		}
	}
	return strings.Join(slices.DeleteFunc(shown, func(p string) bool { return p == "" }), "  ")
}

// The parts of the status line, from left to right.
const (
	clock = iota
	builds
	bar
	best
	spark
	trend
	speed
	evals
	invalid
	remaining
	stored
	allParts // their number
)

// barCells is the length of the bar that shows the progress.
const barCells = 16

// length returns the number of characters of the parts that are not empty, joined by two blanks.
func length(parts []string) int {
	n := -2
	for _, p := range parts {
		if p != "" {
			n += utf8.RuneCountInString(p) + 2
		}
	}
	return n
}

// progress returns the part of the budget that is used and the time that is left. They are negative without a limit.
func (m *monitor) progress(now time.Duration) (done float64, left time.Duration) {
	done, left = -1, -1
	e := m.last.Elapsed
	for _, spent := range [][2]float64{{m.last.Work, float64(m.run.Budget.Evaluations)},
		{float64(m.last.Moves), float64(m.run.Budget.Moves)}} {
		if spent[1] > 0 {
			done = max(done, spent[0]/spent[1])
		}
	}
	if done > 0 {
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
	return fmt.Sprintf("checkpoint %d:%02d ago", int(d.Minutes()), int(d.Seconds())%60)
}

// FormatDuration writes a duration as h:mm:ss.
func FormatDuration(d time.Duration) string {
	s := int64(max(d, 0) / time.Second)
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
