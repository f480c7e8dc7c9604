package local

import (
	"math"
	"slices"

	"github.com/clopt/clopt/problems/graph"
)

// anneal is annealing by sweeps over all vertices, of which each is followed by moves that keep the rows:
//
//	from a random partition without a flip that gains:
//	   heat, a sweep for each temperature, until half of the moves are accepted
//	   repeat, with twice the sweeps each time, until nothing moves any more:
//	      cool, slowly at the temperatures at which cuts have changed most in all times before
//
// The temperatures go from the largest sum of weights at a vertex to less than the smallest difference between two
// cuts, so neither penalties nor digits need to be known. An annealing that begins again heats the partition where it
// is or, every other time, the best one, less.
type anneal struct {
	*annealState
	*walk
	move
	hot, cold float64 // the largest and the smallest temperature
	patience  int64   // moves without a change after which nothing moves any more
}

// annealState is the state of an annealing between two turns.
type annealState struct {
	Row    []uint64
	Still  bool  // it has no flip that gains, and is being heated
	Times  int   // so many times cooled, and once heated before; 0: not yet
	Sweeps int   // of this time
	Swept  int   // of these
	Idle   int64 // moves since the last change
	First  int   // the level at which cooling begins
	Levels []level
	Share  []float64 // of the sweeps of this time that have been made at the end of each level
}

// level is what has been seen at temperatures near each other. All numbers are of sweeps, and fade with time.
type level struct {
	Tried, Taken float64 // moves
	Cut, Sweeps  float64 // the sum of the cuts after so many sweeps
}

const (
	levels      = 96
	firstSweeps = 64
	heating     = 1.5  // levels for each sweep
	hotEnough   = 0.45 // of the moves are accepted at the end of heating
	warmEnough  = 0.4  // at the beginning of cooling
	frozen      = 0.1  // moves in a sweep, and fewer: there is nothing to see
	warm        = 0.4  // of the sweeps are left out where the best partition is heated
	evenly      = 0.1  // of the sweeps go to all levels
	fading      = 4
	forgotten   = 1e-9 // sweeps, of a level that was seen long ago
	enough      = 0.9  // sweeps for a mean
	mostRise    = 20   // of the cut at a level, in temperatures, for each move of a sweep
	mostTimes   = 24   // that the number of sweeps is doubled
)

func (s *annealState) begin(f *field) {
	*s = annealState{Row: make([]uint64, words(f.n)), Levels: make([]level, levels),
		Share: make([]float64, levels)}
}

func (s *annealState) valid(g *graph.Graph) bool {
	return len(s.Row) == words(g.N()) && len(s.Levels) == levels && len(s.Share) == levels && s.Times >= 0 &&
		s.Times <= mostTimes && s.First >= 0 && s.First < levels && s.Swept >= 0
}

func newAnneal(f *field, s *annealState) *anneal {
	a := &anneal{annealState: s, walk: newWalk(f, s.Row), move: move{done: make([]int64, len(f.followers.Groups))}}
	unit := int64(0) // divides all weights
	for v := range f.n {
		sum := int64(0)
		for _, w := range f.g.Weights[f.g.Offsets[v]:f.g.Offsets[v+1]] {
			sum += max(w, -w)
			unit = divisor(unit, max(w, -w))
		}
		if v != f.root {
			a.hot = max(a.hot, float64(sum))
		}
	}
	a.cold = float64(max(unit, 1)) / 5
	a.hot = max(a.hot, 2*a.cold)
	a.patience = 3 * int64(f.n)
	for _, r := range f.rows.Rows {
		a.patience = max(a.patience, int64(len(r.Members))*int64(f.n))
	}
	return a
}

// ruled reports whether there are moves that keep rules.
func (f *field) ruled() bool { return len(f.rows.Rows) > 0 || len(f.followers.Groups) > 0 }

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// temperature returns that of a position from 0, where it is hot, to levels.
func (a *anneal) temperature(at float64) float64 { return a.hot * math.Pow(a.cold/a.hot, at/levels) }

// plan distributes the sweeps over the levels, so that the cut rises by as many of its standard deviations in each: by
// the square root of its rise, divided by the temperature, which is the heat capacity.
func (a *anneal) plan() {
	var weight [levels]float64
	step, last := math.Log(a.hot/a.cold)/levels, -1
	for b := a.First; b < levels; b++ {
		seen := a.Levels[b]
		if seen.Taken <= frozen*seen.Sweeps || seen.Sweeps < enough {
			continue // differences between times would count as a rise
		}
		if last >= 0 {
			before, width := a.Levels[last], float64(b-last)
			rise := max(0, seen.Cut/seen.Sweeps-before.Cut/before.Sweeps) / a.temperature(float64(b))
			rise = min(rise, mostRise*width*seen.Taken/seen.Sweeps)
			each := math.Sqrt(rise*step*width) / width
			for k := last; k < b; k++ {
				weight[k] += each / 2
				weight[k+1] += each / 2
			}
		}
		last = b
	}
	sum := 0.0
	for _, w := range weight {
		sum += w
	}
	floor := max(evenly*sum/float64(levels-a.First), math.SmallestNonzeroFloat32)
	all := 0.0
	for b := range levels {
		if b >= a.First {
			all += weight[b] + floor
		}
		a.Share[b] = all
	}
	for b := range a.Share {
		a.Share[b] /= all
	}
}

// position returns the position of the next sweep on the scale of temperatures.
func (a *anneal) position() float64 {
	if a.Times == 0 {
		return levels - 1 - heating*float64(a.Swept)
	}
	at := (float64(a.Swept) + 0.5) / float64(a.Sweeps)
	b, _ := slices.BinarySearch(a.Share, at)
	b = min(b, levels-1)
	before := 0.0
	if b > 0 {
		before = a.Share[b-1]
	}
	return float64(b) + (at-before)/(a.Share[b]-before)
}

func (a *anneal) run(cost int64, d *draws, best *Partition) counts {
	c := counts{found: a.cut}
	if a.Times == 0 && a.Swept == 0 && !a.Still && a.Idle == 0 {
		d.fill(a.Row, a.n)
		a.set(a.Row)
	}
	a.sort()
	for c.cost < cost {
		if a.ends() {
			a.again(best)
		}
		if !a.Still {
			tried, taken := a.sweep(0, d, &c)
			a.Still, a.Idle = taken == 0, tried
		} else {
			at := a.position()
			l, t := &a.Levels[int(at)], a.temperature(at)
			tried, taken := a.sweep(t, d, &c)
			changed := taken > 0
			if a.ruled() {
				kept, swapped := a.keep(t, d, &c)
				l.Tried, l.Taken = l.Tried+float64(kept), l.Taken+float64(swapped)
				changed = changed || swapped > 0
				tried += kept
			} else {
				l.Tried, l.Taken = l.Tried+float64(tried), l.Taken+float64(taken)
			}
			l.Cut += float64(a.cut)
			l.Sweeps++
			a.Swept++
			if a.Idle += tried; changed {
				a.Idle = 0
			}
		}
		c.found = max(c.found, a.cut)
		a.note(best)
	}
	a.row(a.Row)
	return c
}

// ends reports whether heating or cooling is complete.
func (a *anneal) ends() bool {
	if a.Times > 0 {
		return a.Swept == a.Sweeps || a.Idle > a.patience
	}
	at := a.position()
	if at < 0 {
		return true
	}
	before := a.Levels[int(min(at+heating, levels-1))]
	return a.Swept > 0 && before.Taken > hotEnough*before.Tried
}

// again begins to cool, with twice the sweeps: the partition as it is, or every other time the best one.
func (a *anneal) again(best *Partition) {
	a.Sweeps = firstSweeps << a.Times
	a.Times = min(a.Times+1, mostTimes)
	a.Swept, a.Idle, a.First = 0, 0, 0
	for b, l := range a.Levels {
		if l.Sweeps >= forgotten && l.Taken >= warmEnough*l.Tried {
			a.First = b
		}
	}
	a.plan()
	if a.Times > 2 && a.Times%2 == 0 { // what is good about the best partition stays
		for a.Share[a.First] < warm && a.First < levels-1 {
			a.First++
		}
		a.plan()
		a.set(best.Row)
	}
	for b := range a.Levels {
		l := &a.Levels[b]
		l.Tried, l.Taken, l.Cut, l.Sweeps = l.Tried/fading, l.Taken/fading, l.Cut/fading, l.Sweeps/fading
	}
}

// costOfTry is that of a flip that is tried.
const costOfTry = 3

// sweep tries to flip each vertex, and returns how many were tried, and how many flips have changed the cut.
func (a *anneal) sweep(temperature float64, d *draws, c *counts) (tried, taken int64) {
	for v := range a.n {
		if v == a.root {
			continue
		}
		tried++
		if gain := a.gain(v); d.accepts(gain, temperature) && (gain != 0 || temperature > 0) {
			a.flip(v)
			c.cost += a.degree(v)
			if gain != 0 {
				taken++
			}
		}
	}
	c.moves += tried
	c.cost += costOfTry * tried
	return tried, taken
}
