package anneal

import (
	"testing"
	"time"
)

// A schedule of which a part fits into the time is made in even leaps, to its end.
func TestHurry(t *testing.T) {
	for _, c := range []struct {
		unit, limit time.Duration
		least, most int64 // units made, of 1000
	}{
		{time.Second, 1000 * time.Second, 1000, 1000}, // all fit
		{time.Second, 250 * time.Second, 225, 260},
		{time.Second, 20 * time.Second, 10, 25},
	} {
		var clock time.Duration
		h := hurry{left: func() time.Duration { return c.limit - clock }}
		const all, step = 1000, 5
		made, last := int64(0), int64(0)
		for at := int64(0); at < all; {
			leap := min(h.skip(last, all-at), all-at-step)
			if last > 0 && at > 0 && leap > 2*step*all/c.least {
				t.Errorf("limit %v: a leap of %d units at %d", c.limit, leap, at)
			}
			last = min(step, all-at-max(leap, 0))
			at += max(leap, 0) + last
			made += last
			clock += time.Duration(last) * c.unit
		}
		if made < c.least || made > c.most {
			t.Errorf("limit %v: %d units were made, want %d to %d", c.limit, made, c.least, c.most)
		}
	}
	if n := (&hurry{}).skip(5, 1000); n != 0 {
		t.Errorf("without a limit %d units are left out", n)
	}
}
