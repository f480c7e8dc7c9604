package smooth

import (
	"math"
	"slices"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/host"
)

// meeting says how the values on the two sides of a border meet there.
type meeting uint8

const (
	apart meeting = iota + 1 // they do not, or that is not known
	bent                     // they do, and their slopes do not, or that is not known
	even                     // they and their slopes do
)

// The numbers of the trials of a border.
const (
	borderPoints  = 12    // on it
	borderLeast   = 3     // below this many nothing is known
	borderStarts  = 400   // pairs of points between which one is looked for
	borderAway    = 1e-9  // relative difference of values that are the same
	borderNearest = 1e-10 // of points beside the border, relative to their distance from each other
	borderNear    = 1e-3  // of those for slopes
	borderNearer  = 1e-5  // the same, a second time
	secants       = 20    // to the border
	farthest      = 1e12  // that a border is looked for, relative to the distance of the points
	borderBend    = 0.1   // the part of a difference of slopes that is left nearer, if they are the same
)

// around is what stands around a border: the statements of a list before it, and all of the list, which has the results
// that matter.
type around struct {
	before, list []clc.Stmt
	results      []clc.Expr
}

// sides are the statements of a branch.
type sides struct {
	yes, no []clc.Stmt
}

// border tries the border of a condition: whether the results of the list bend there, and whether those of the sides of
// a branch, if that is not nil, are apart. It returns the operations, too.
func (a around) border(t *clc.Tree, cond clc.Expr, s *sides) (meeting, int64) {
	unknown := bent
	if s != nil {
		unknown = apart
	}
	b := newBench(t, a.list, append(a.results, cond)...)
	found := trial{bench: b, test: b.frame(a.before, append([]clc.Expr{cond}, gaps(cond)...)),
		all: b.frame(a.list, a.results)}
	if s != nil {
		set := elements(assigned(append(append([]clc.Stmt(nil), s.yes...), s.no...)))
		found.yes = b.frame(append(append([]clc.Stmt(nil), a.before...), s.yes...), set)
		found.no = b.frame(append(append([]clc.Stmt(nil), a.before...), s.no...), set)
	}
	if found.test == nil || found.all == nil || s != nil && (found.yes == nil || found.no == nil) {
		return unknown, 0
	}
	count, least := 0, even
	for start := 0; start < borderStarts && count < borderPoints && b.used < benchBorder && least != apart; start++ {
		if m := found.one(); m != 0 {
			count++
			least = min(least, m)
		}
	}
	if count >= borderLeast || least == apart {
		return least, b.used
	}
	return unknown, b.used
}

// trial is the trial of a border.
type trial struct {
	*bench
	test, all, yes, no *host.Frame
}

// gaps returns the differences of what a condition compares.
func gaps(cond clc.Expr) (all []clc.Expr) {
	switch e := cond.(type) {
	case *clc.Unary:
		return gaps(e.X)
	case *clc.Cast:
		return gaps(e.X)
	case *clc.Binary:
		if e.Op == "&&" || e.Op == "||" {
			return append(gaps(e.X), gaps(e.Y)...)
		}
		if e.X.Of().Floating() {
			return []clc.Expr{&clc.Binary{Op: "-", X: e.X, Y: e.Y, Type: e.X.Of(), Pos: e.Pos}}
		}
	}
	return nil
}

func (t *trial) truth(x []float64) (yes, ok bool) {
	out, ok := t.values(t.test, x)
	return ok && out[0] != 0, ok
}

// cross makes two points those on the sides of the border, next to where a line through them crosses it, and reports
// whether it found that. It follows one of the differences that are compared to 0, by secants.
func (t *trial) cross(x, y []float64) bool {
	u, ok1 := t.values(t.test, x)
	v, ok2 := t.values(t.test, y)
	switch {
	case !ok1 || !ok2:
		return false
	case (u[0] != 0) != (v[0] != 0):
		return true
	case len(u) < 2:
		return false
	}
	c := 1 + int(t.next()*float64(len(u)-1))
	on := func(at float64) []float64 {
		z := slices.Clone(x)
		for i := range z {
			z[i] += at * (y[i] - x[i])
		}
		return z
	}
	a, b, ga, gb := 0., 1., u[c], v[c]
	for range secants {
		next := b - gb*(b-a)/(gb-ga)
		if !(math.Abs(next) < farthest) {
			return false
		}
		out, ok := t.values(t.test, on(next))
		if !ok {
			return false
		}
		a, ga, b, gb = b, gb, next, out[c]
		if gb == 0 || math.Abs(b-a) < 1e-9 {
			break
		}
	}
	near := 1e-6 * (1 + math.Abs(b))
	one, other := on(b-near), on(b+near)
	first, ok1 := t.truth(one)
	second, ok2 := t.truth(other)
	copy(x, one)
	copy(y, other)
	return ok1 && ok2 && first != second
}

// one looks for a point on the border, between two points on its sides, and says how they meet there; 0 if it finds
// none.
func (t *trial) one() meeting {
	t.k = int(4 * t.next())
	x := t.point()
	y := t.partner(x)
	direction := make([]float64, len(x))
	for i := range x {
		direction[i] = y[i] - x[i]
	}
	if !t.cross(x, y) {
		return 0
	}
	first, _ := t.truth(x)
	middle := make([]float64, len(x))
	for moved := true; moved; {
		moved = false
		for i := range x {
			middle[i] = x[i] + (y[i]-x[i])/2
			moved = moved || middle[i] != x[i] && middle[i] != y[i]
		}
		side, ok := t.truth(middle)
		if !ok {
			return 0
		}
		if side == first {
			copy(x, middle)
		} else {
			copy(y, middle)
		}
	}
	if m := t.meet(x, y, direction, first); m != bent {
		return m
	}
	return t.slopes(x, direction)
}

// meet compares the values of the sides of a branch at points next to each other. It returns bent where they meet. What
// one of the sides changes by very near is no difference.
func (t *trial) meet(x, y, direction []float64, first bool) meeting {
	one, other := t.yes, t.no
	if one == nil {
		one, other = t.all, t.all
	} else if !first {
		one, other = other, one
	}
	away, _ := t.aside(x, direction, borderNearest)
	u, okU := t.values(one, x)
	v, okV := t.values(other, y)
	w, okW := t.values(one, away)
	z, okZ := t.values(other, away)
	if !okU || !okV || !okW || !okZ {
		return 0
	}
	for i := range u {
		scale := borderAway*max(math.Abs(u[i]), math.Abs(v[i])) + 10*max(math.Abs(w[i]-u[i]), math.Abs(z[i]-v[i]))
		switch {
		case math.IsNaN(u[i]) && math.IsNaN(v[i]):
			return 0
		case math.IsInf(scale, 0) || math.IsNaN(scale):
			if u[i] != v[i] {
				return apart
			}
		case !(math.Abs(u[i]-v[i]) <= scale):
			return apart
		}
	}
	return bent
}

// slopes compares the slopes of the results on both sides of a point. Where they are the same, their difference is the
// less the nearer they are.
func (t *trial) slopes(x, direction []float64) meeting {
	var differences [2][]float64
	var lost []float64
	for n, h := range []float64{borderNear, borderNearer} {
		above, below := t.aside(x, direction, h)
		u, ok1 := t.values(t.all, above)
		v, ok2 := t.values(t.all, x)
		w, ok3 := t.values(t.all, below)
		if !ok1 || !ok2 || !ok3 {
			return 0
		}
		lost = make([]float64, len(u))
		for i := range u {
			differences[n] = append(differences[n], math.Abs(u[i]-v[i]-(v[i]-w[i]))/h)
			lost[i] = 1e-14 * (math.Abs(u[i]) + math.Abs(v[i]) + math.Abs(w[i])) / h
		}
	}
	for i, far := range differences[0] {
		if near := differences[1][i]; !(near <= borderBend*far+lost[i]) {
			return bent
		}
	}
	return even
}
