package judge

import (
	"testing"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// late is a problem whose first value takes 60 ms and all others no time.
type late struct {
	problems.Referenced
	passed time.Duration
}

func (l *late) HostTile(t int, x, acc []float64) {
	l.passed = 60 * time.Millisecond
	l.Referenced.HostTile(t, x, acc)
}

// The time of the first point, in which a kernel may be compiled, does not limit the number of points after it.
func TestFirstPointIsSlow(t *testing.T) {
	p, err := catalog.Parse("sphere:n=3", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := &late{Referenced: p.(problems.Referenced)}
	run := Run{Problem: l, F: 1, Evals: 300, Elapsed: time.Second, Work: 300, HostTime: time.Microsecond,
		Clock: func() time.Duration { return l.passed }}
	if s, err := run.Compare(); err != nil || s.Points != least {
		t.Errorf("%+v, %v", s, err)
	}
}
