package deadline

import (
	"testing"
	"time"
)

// A schedule of which only a part fits into the time is made in even leaps, and to its end.
func TestNext(t *testing.T) {
	const all = 1000
	for _, c := range []struct {
		limit       time.Duration // a unit takes a second
		step, least int64
		from, to    int64 // units made
	}{
		{1001 * time.Second, 5, 1, all, all}, // all fit
		{700 * time.Second, 5, 2, 690, 705},
		{700 * time.Second, 1, 2, 690, 705},
		{250 * time.Second, 5, 1, 240, 255},
		{20 * time.Second, 2, 10, 15, 22},
		{0, 5, 1, 5, 10}, // no time at all: the beginning and the end
	} {
		var clock time.Duration
		l := Leaps{Left: func() time.Duration { return c.limit - clock }}
		at, made, latest := int64(0), int64(0), int64(0)
		for at < all {
			leap := l.Next(latest, all-at, c.step, c.least)
			if leap%c.least != 0 || c.limit > 0 && leap > 3*max(c.least, c.step*all/c.from) {
				t.Errorf("%+v: a leap of %d units at %d", c, leap, at)
			}
			latest = min(c.step, all-at-leap)
			at += leap + latest
			made += latest
			clock += time.Duration(latest) * time.Second
		}
		if made < c.from || made > c.to {
			t.Errorf("%+v: %d units were made", c, made)
		}
	}
	if n := (&Leaps{}).Next(5, all, 1, 1); n != 0 {
		t.Errorf("without a limit %d units are left out", n)
	}
}
