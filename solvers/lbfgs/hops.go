package lbfgs

import (
	"cmp"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/solvers"
)

// hops is the state of basin hopping: a chain of descents, each from the current minimum after a kick.
type hops struct {
	F, Best   float64   // values of the current minimum and of the best one of the chain
	Fruitless int       // descents in a row that found nothing better than Best
	Over      bool      // the next descent begins a chain
	Restarts  int       // chains that have ended
	Rises     []float64 // by which the last minima were above the current one
	Kicks     []kick    // that led to the last minima that were accepted
	Kick      kick      // of the descent that is on
}

// kick says how the current minimum is changed before a descent begins from it. Either some bodies are drawn anew, or
// single variables are moved, at most by Reach of their intervals.
type kick struct {
	Bodies       int // 0: single variables are moved
	Row          int // variables of a body where every component may read every variable
	Share, Reach float64
}

const (
	kept       = 16   // rises and kicks
	mostBodies = 3    // of a kick
	mostInRow  = 3    // variables of a body
	mostJoined = 64   // variables of a body, and those of a component that are searched for them
	same       = 1e-9 // minima are the same if their values differ by less than this part of them
)

// begin begins a chain at a minimum of value f.
func (h *hops) begin(f float64) {
	h.F = f
	h.Best = f
	h.Fruitless = 0
	h.Over = false
}

// land ends a descent after a kick. It reports whether its minimum, of value f, becomes the current one, by the rule of
// Metropolis at a temperature. u is uniform in (0, 1).
func (h *hops) land(f, temperature, u float64) bool {
	if h.Fruitless++; f < h.Best-same*math.Abs(h.Best) {
		h.Best, h.Fruitless = f, 0
	}
	rise := f - h.F
	other := math.Abs(rise) > same*math.Abs(h.F)
	if other && rise > 0 && host.Finite(rise) {
		h.Rises = newest(append(h.Rises, rise))
	}
	if !(rise <= 0 || rise <= -temperature*math.Log(u)) {
		return false
	}
	if other {
		h.Kicks = newest(append(h.Kicks, h.Kick))
	}
	h.F = f
	return true
}

// newest returns the last elements of a list, as many as are kept.
func newest[T any](list []T) []T { return slices.Clone(list[max(0, len(list)-kept):]) }

// temperature returns that of a chain: 0 until it has found nothing better for cold descents, then a quarter of the
// median rise.
func (h *hops) temperature(cold int) float64 {
	if h.Fruitless < cold || len(h.Rises) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(h.Rises))[len(h.Rises)/2] / 4
}

// kick draws the kick of a descent of n variables. Half of the kicks are one of the last that were accepted, a quarter
// draws bodies, and a quarter moves variables.
func (m *LBFGS) kick(h *hops, key rng.Key, descent, n int) kick {
	drawn := host.KickOf(key, descent, n)
	single := kick{Share: solvers.OrReal(m.Kick, drawn.Share), Reach: solvers.OrReal(m.Reach, drawn.Reach)}
	w := key.Words(0, forKick, uint32(descent), rng.Kick)
	switch {
	case m.Kick != nil || m.Reach != nil:
		return single
	case len(h.Kicks) > 0 && rng.Uniform(w[0]) < 0.5:
		return h.Kicks[rng.Int(w[1], uint32(len(h.Kicks)))]
	case rng.Uniform(w[2]) < 0.5:
		return kick{Bodies: 1 + int(rng.Int(w[3], mostBodies)), Row: 1 + int(rng.Int(w[1], mostInRow))}
	}
	return single
}

// forKick is the second number of the counters of draws that are made once for each kick. It is 0 for those of a
// variable.
const forKick = 1

// bodies returns the variables of the bodies that the kick of a descent draws anew.
func (k kick) bodies(s problems.Structure, key rng.Key, descent int) (all []int) {
	for b := range k.Bodies {
		w := key.Words(uint32(1+b), forKick, uint32(descent), rng.Kick)
		all = append(all, body(s, int(rng.Int(w[0], uint32(s.Variables()))), k.Row)...)
	}
	return all
}

// body returns the variables that the same components read as variable i, such as the coordinates of an atom. If they
// are many, it is i alone. If every component may read every variable, it is a row of variables, at a place where the
// coordinates of a point are usually stored.
func body(s problems.Structure, i, row int) []int {
	if s.Whole() {
		var all []int
		for v := i / row * row; v < s.Variables() && v/row == i/row; v++ {
			all = append(all, v)
		}
		return all
	}
	of := s.ComponentsOf(i, nil)
	if len(of) == 0 {
		return []int{i}
	}
	var all []int
	near := s.Reads(of[0], nil)
	if len(near) > mostJoined {
		return []int{i}
	}
	for _, j := range near {
		if slices.Equal(s.ComponentsOf(j, nil), of) {
			all = append(all, j)
		}
	}
	return all
}

// anew returns the value of variable i in a body that is drawn anew.
func anew(d problems.Domain, key rng.Key, descent, i int) float64 {
	lo, hi := d.Interval(i)
	w := key.Words(uint32(i), 0, uint32(descent), rng.Kick)
	return min(max(math.FMA(rng.Fine(w[1], w[2]), hi-lo, lo), lo), hi)
}

// metropolis returns the uniform number that decides whether the minimum of a descent is accepted.
func metropolis(key rng.Key, descent int) float64 {
	return rng.Uniform(key.Words(mostBodies+1, forKick, uint32(descent), rng.Kick)[0])
}

// patience returns the number of descents in a row that may find nothing better before a run of some descents ends.
func (m *LBFGS) patience(descents int) int {
	return cmp.Or(m.Patience, max(defaultPatience, descents/2))
}
