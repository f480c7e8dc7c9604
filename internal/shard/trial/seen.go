package trial

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// Seen is what uniform points show of a problem. Its fields are zero where that takes longer than some seconds, and for
// a problem without an item form.
type Seen struct {
	// Flat says that every component is the same at two of the points, and the value finite, so that no search can
	// tell points apart.
	Flat bool `json:"flat"`
	// Unread are the variables that no component reads at any of the points.
	Unread Unread `json:"unread"`
}

// Unread are variables that no component reads. Those that their bounds fix are not among them.
type Unread struct {
	Count int   `json:"count"`
	First []int `json:"first"` // the first of them, in increasing order
}

// mostSeen is the number of points at which reads of variables are looked for: some are read in a branch.
const mostSeen = 8

// String says which variables are not read, such as "x[98] and x[99] are read by no component".
func (u Unread) String() string {
	names := make([]string, len(u.First))
	for i, v := range u.First {
		names[i] = fmt.Sprintf("x[%d]", v)
	}
	last := len(names) - 1
	switch {
	case u.Count == 1:
		return names[0] + " is read by no component"
	case u.Count > len(names):
		return fmt.Sprintf("%s, … (%d variables) are read by no component", strings.Join(names, ", "), u.Count)
	}
	return fmt.Sprintf("%s and %s are read by no component", strings.Join(names[:last], ", "), names[last])
}

// See evaluates a problem at some uniform points, on the first device of this rank.
func See(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision) (s Seen, err error) {
	err = onFirst(g, p, prec, nil, func(t *trial) (err error) {
		s, err = t.see(ctx)
		return err
	})
	if err != nil || !s.Flat || p.Domain().N > mostFlat {
		return s, err
	}
	values, err := shard.Evaluate(ctx, g, p, prec, [][]float64{Point(p.Domain(), 0)})
	s.Flat = err == nil && !math.IsNaN(values[0]) && !math.IsInf(values[0], 0)
	return s, err
}

// mostFlat is the largest number of variables of a point whose value is computed besides.
const mostFlat = 1 << 20

func (t *trial) see(ctx context.Context) (s Seen, err error) {
	comps, begin := t.p.Tiling().M, t.clock()
	s.Flat = comps > 0
	for point := range uint32(mostSeen) {
		for first, n := 0, 0; first < comps; first += n {
			n = min(t.pace.Fit(), trialMost, comps-first)
			one, err := t.launch(ctx, point, uint32(first), uint32(n), 0)
			if err == nil && point == 0 && s.Flat {
				var other []uint32
				other, err = t.launch(ctx, 1, uint32(first), uint32(n), 0)
				s.Flat = slices.Equal(one, other)
			}
			if err != nil || t.clock()-begin > trialTime {
				return Seen{}, err
			}
		}
		if s.Unread, err = t.unread(); err != nil || s.Unread.Count == 0 {
			return s, err
		}
	}
	return s, nil
}

// unread returns the variables that no launch has read.
func (t *trial) unread() (u Unread, err error) {
	d := t.p.Domain()
	marks := make([]uint32, (d.N+31)/32)
	if err := t.marks.Read(0, marks); err != nil {
		return u, err
	}
	for w, word := range marks {
		for left := ^word; left != 0; left &= left - 1 {
			i := 32*w + bits.TrailingZeros32(left)
			if i >= d.N {
				break
			}
			if lo, hi := d.Interval(i); lo == hi {
				continue
			}
			if u.Count++; u.Count <= mostNamed {
				u.First = append(u.First, i)
			}
		}
	}
	return u, nil
}
