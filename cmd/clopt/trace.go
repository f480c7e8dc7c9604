package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
)

// The lines of trace.jsonl and of --status json.
type (
	startLine struct {
		Type      string       `json:"type"`
		V         int          `json:"v"`
		Time      string       `json:"time"`
		Problem   string       `json:"problem"`
		Algorithm algorithm    `json:"algorithm"`
		Seed      uint32       `json:"seed"`
		Run       uint32       `json:"run"`
		Precision string       `json:"precision"`
		Data      string       `json:"data,omitempty"`
		Devices   []deviceInfo `json:"devices"`
	}
	sampleLine struct {
		Type      string         `json:"type"`
		V         int            `json:"v"`
		T         number         `json:"t"`
		Evals     int64          `json:"evals"`
		Work      number         `json:"work"`
		Step      int64          `json:"step"`
		F         number         `json:"f"`
		Best      number         `json:"best"`
		NonFinite int64          `json:"nonfinite"`
		Devices   []deviceSample `json:"devices"`
		Grid      *bool          `json:"grid,omitempty"` // false: outside the grid, by the clock
	}
	eventLine struct {
		Type   string `json:"type"`
		V      int    `json:"v"`
		T      number `json:"t"`
		Event  string `json:"event"`
		Detail string `json:"detail"`
		// Of the event "layout": shares and memory as the run has them.
		Devices []deviceInfo `json:"devices,omitempty"`
	}
	endLine struct {
		Type     string `json:"type"`
		V        int    `json:"v"`
		T        number `json:"t"`
		Evals    int64  `json:"evals"`
		Best     number `json:"best"`
		Stop     string `json:"stop"`
		ExitCode int    `json:"exit_code"`
	}
	deviceSample struct {
		ID    int    `json:"id"`
		Evals number `json:"evals_s"`
		Mem   number `json:"mem"`
	}
	deviceInfo struct {
		ID       int    `json:"id"` // as in the samples
		Index    int    `json:"index"`
		Name     string `json:"name"`
		Vendor   string `json:"vendor"`
		Platform string `json:"platform"`
		Driver   string `json:"driver"`
		Type     string `json:"type"`
		Share    number `json:"share"`
		Mem      int64  `json:"mem"` // bytes planned
	}
	algorithm struct {
		Name     string `json:"name"`
		Settings string `json:"settings"`
	}
)

// trace appends lines to trace.jsonl. It keeps the first error instead of
// ending the run: the result can still be stored.
type trace struct {
	f     *os.File
	size  int64 // bytes of whole lines
	err   error
	queue []any // before cut: lines of a run that is about to be resumed
	ready bool
}

func openTrace(dir string) (*trace, error) {
	f, err := os.OpenFile(filepath.Join(dir, "trace.jsonl"), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fail(exitOutput, "trace: %w", err)
	}
	return &trace{f: f, ready: true}, nil
}

// reopenTrace opens the trace of a run that is to be resumed. It stays as it
// is until cut.
func reopenTrace(dir string) (*trace, error) {
	f, err := os.OpenFile(filepath.Join(dir, "trace.jsonl"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fail(exitOutput, "trace: %w", err)
	}
	return &trace{f: f}, nil
}

// cut takes away what was written after the first size bytes, and goes on
// from there. It returns how many of these bytes are missing.
func (t *trace) cut(size int64) (missing int64) {
	info, err := t.f.Stat()
	if err == nil {
		missing = max(size-info.Size(), 0)
		t.size = size - missing
		err = t.f.Truncate(t.size)
	}
	t.err, t.ready = err, true
	for _, line := range t.queue {
		t.write(line)
	}
	t.queue = nil
	return missing
}

func (t *trace) write(line any) {
	if !t.ready {
		t.queue = append(t.queue, line)
		return
	}
	if t.err == nil {
		c := counted{w: t.f}
		if t.err = writeLine(&c, line); t.err == nil {
			t.size += c.n
		}
	}
}

// counted counts what is written.
type counted struct {
	w io.Writer
	n int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

func (t *trace) close() error {
	if err := t.f.Close(); t.err == nil {
		t.err = err
	}
	if t.err != nil {
		return fail(exitOutput, "trace: %w", t.err)
	}
	return nil
}

// writeLine writes one JSON value and a newline in a single write, so that a
// killed run leaves whole lines.
func writeLine(w io.Writer, line any) error {
	b, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("trace line: %w", err)
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// gridState is what a grid must remember, but for the official check-points
// to come.
type gridState struct {
	K     int  // next point of the evaluations
	Level int  // the error was below 10^(level+1) so far
	Begun bool // Level holds
}

// grid chooses the samples that every run and format shares: evaluation 1,
// then 25 a decade, the problem's official check-points, and each power of ten
// above a known optimum. The last evaluation is added when the run ends.
type grid struct {
	gridState
	official []int64 // check-points to come
	known    bool    // optimum holds
	optimum  float64
}

// errorLevels bounds the powers of ten of the error: below 10^-8 optima are
// not known well enough.
const minLevel, maxLevel = -8, 308

// gridPoint is the k-th point of the evaluations: 1, 2, …, rounded up.
func gridPoint(k int) int64 {
	p := int64(1)
	for range k / 25 {
		p *= 10
	}
	if k%25 == 0 {
		return p
	}
	// Only the fraction goes through a power, so that decades are exact.
	return int64(math.Ceil(float64(p) * math.Pow(10, float64(k%25)/25)))
}

// hit says whether the first sample with so many evaluations and this best
// value belongs to the grid, and moves on behind it.
func (g *grid) hit(evals int64, best float64) bool {
	hit := false
	for g.K < 18*25 && gridPoint(g.K) <= evals {
		g.K++
		hit = true
	}
	for len(g.official) > 0 && g.official[0] <= evals {
		g.official = g.official[1:]
		hit = true
	}
	if g.known && !math.IsInf(best, 0) && !math.IsNaN(best) {
		if !g.Begun {
			g.Begun, g.Level = true, maxLevel
		}
		if l := errorLevel(best - g.optimum); l < g.Level {
			// The start is no crossing; it is on the grid as evaluation 1.
			hit = hit || g.Level < maxLevel
			g.Level = l
		}
	}
	return hit
}

// errorLevel is the largest l, at least minLevel, with 10^l <= e.
func errorLevel(e float64) int {
	if !(e > math.Pow(10, minLevel)) {
		return minLevel
	}
	l := int(math.Floor(math.Log10(e)))
	// Log10 may be an ulp off next to a power.
	if math.Pow10(l+1) <= e {
		l++
	} else if math.Pow10(l) > e {
		l--
	}
	return max(l, minLevel)
}
