package shard

import (
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
)

// TestPatience checks for how long a call of a driver may not return.
func TestPatience(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		w        cl.Waiting
		watchdog time.Duration
		want     time.Duration
	}{
		{cl.Waiting{}, 0, 300 * s}, // the first call
		{cl.Waiting{Longest: s / 100}, 0, 30 * s},
		{cl.Waiting{Longest: 2 * s}, 0, 200 * s},
		{cl.Waiting{Longest: 2 * s}, 5 * s, 5 * s},
		{cl.Waiting{}, 5 * s, 5 * s},
		{cl.Waiting{Builds: true, Longest: s}, 0, 300 * s},
		{cl.Waiting{Builds: true, Longest: s}, 5 * s, 50 * s},
	} {
		if got := patience(c.w, c.watchdog); got != c.want {
			t.Errorf("%+v, watchdog %v: %v, want %v", c.w, c.watchdog, got, c.want)
		}
	}
}

// TestLastly checks for how long a call of a driver may go on after the end of a context.
func TestLastly(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		w        cl.Waiting
		watchdog time.Duration
		want     time.Duration
	}{
		{cl.Waiting{}, 0, 10 * s},
		{cl.Waiting{Longest: s}, 0, 10 * s},
		{cl.Waiting{Longest: 10 * s}, 0, 20 * s},
		{cl.Waiting{Longest: 10 * s}, s, s},
		{cl.Waiting{Builds: true, Longest: s}, 0, 15 * s},
	} {
		if got := lastly(c.w, c.watchdog); got != c.want {
			t.Errorf("%+v, watchdog %v: %v, want %v", c.w, c.watchdog, got, c.want)
		}
	}
}

// TestWatchPanics checks that a panic in Watch reaches its caller, with the stack where it began.
func TestWatchPanics(t *testing.T) {
	defer func() {
		if p, ok := recover().(*panicked); !ok || p.Value != "oh" || len(p.Stack) == 0 {
			t.Errorf("recovered %v", p)
		}
	}()
	(&Devices{}).Watch(t.Context(), func() error { panic("oh") }, nil)
}
