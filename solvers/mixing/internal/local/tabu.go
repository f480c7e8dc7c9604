package local

import (
	"math"

	"github.com/clopt/clopt/problems/graph"
)

// tabu is a tabu search by flips of single vertices, with restarts (Glover, Kochenberger and Alidaee 1998,
// doi:10.1287/mnsc.44.3.336; Palubeckis 2004, doi:10.1023/B:ANOR.0000039522.58036.68):
//
//	from a random partition, or in three of four starts from the best one with up to a fifth of its vertices flipped:
//	   flip the vertex that gains most, or costs least, of those that are free
//	   it is free again after 20 moves and up to 9 more, or fewer of a small graph
//	   after some moves without a larger cut since the start: start again
//
// A flip that leads to a larger cut than any before is always free. So the search climbs out of valleys that annealing
// leaves only by chance.
type tabu struct {
	*tabuState
	*walk
	plain bool   // no row has a weight of its own
	free  *lists // of a sparse graph; nil: it looks at all vertices
}

// tabuState is the state of a tabu search between two turns.
type tabuState struct {
	Row   []uint64 // the partition
	Free  []int64  // by vertex: the first move that may flip it
	Moves int64    // since the beginning
	Since int64    // the largest cut since the start
	Last  int64    // the move that found it
}

const (
	mostTenure = 20
	mostMore   = 10
)

// begin makes a new state, which starts with its first move.
func (s *tabuState) begin(f *field) {
	*s = tabuState{Row: make([]uint64, words(f.n)), Free: make([]int64, f.n), Last: -patience(f.n) - 1}
}

func (s *tabuState) valid(g *graph.Graph) bool {
	return len(s.Row) == words(g.N()) && len(s.Free) == g.N() && s.Moves >= 0
}

func newTabu(f *field, s *tabuState) *tabu {
	t := &tabu{tabuState: s, walk: newWalk(f, s.Row), plain: true}
	for _, w := range f.weights {
		t.plain = t.plain && w == 0
	}
	if listed(f) {
		t.free = newLists(t.walk)
	}
	return t
}

// patience is the number of moves on n vertices without a larger cut after which the search starts again.
func patience(n int) int64 { return 20*int64(n) + 500 }

func (t *tabu) run(cost int64, d *draws, best *Partition) counts {
	n := t.n
	tenure := min(mostTenure, n/4)
	c := counts{found: t.Since}
	if t.free != nil {
		t.free.fill(t.tabuState, d)
		c.cost += int64(n)
	}
	for c.cost < cost {
		if t.Moves-t.Last > patience(n) {
			t.start(d, best)
			c.cost += int64(n + len(t.rest.Neighbors))
		}
		r := d.next()
		v := t.choose(r, best.F-t.cut)
		c.moves++
		t.Moves++
		if t.free == nil {
			c.cost += int64(n)
		}
		if v < 0 {
			continue
		}
		t.flip(v)
		c.cost += t.degree(v)
		t.Free[v] = t.Moves + int64(tenure) + int64(r&0xffff)%int64(min(mostMore, tenure+1))
		if t.free != nil {
			t.free.flipped(v, t.Moves, t.Free[v], r)
			c.cost += costOfListed * (4 + t.degree(v))
		}
		if t.cut > t.Since {
			t.Since, t.Last = t.cut, t.Moves
			c.found = max(c.found, t.cut)
			t.note(best)
		}
	}
	t.row(t.Row)
	return c
}

// choose returns the vertex that is flipped next, one of the best, from random bits; -1 if none is free. A flip that
// gains more than enough is free.
func (t *tabu) choose(r uint64, enough int64) (best int) {
	if t.free != nil {
		return t.free.choose(t.Moves, enough, r)
	}
	best = -1
	most := int64(math.MinInt64)
	n, now, root := t.n, t.Moves, t.root
	first := int(r >> 32 * uint64(n) >> 32) // of equal gains, the next one in a circle wins
	spin, pull, free := t.spin[:n], t.pull[:n], t.Free[:n]
	look := func(from, to int) {
		for v := from; v < to; v++ {
			if gain := spin[v] * pull[v]; gain > most && (free[v] <= now || gain > enough) && v != root {
				best, most = v, gain
			}
		}
	}
	if !t.plain {
		of, whole, own := t.rows.Of[:n], t.whole, t.own[:n]
		look = func(from, to int) {
			for v := from; v < to; v++ {
				gain := spin[v]*(pull[v]+whole[of[v][0]]+whole[of[v][1]]) - own[v]
				if gain > most && (free[v] <= now || gain > enough) && v != root {
					best, most = v, gain
				}
			}
		}
	}
	look(first, n)
	look(0, first)
	return best
}

// leastFlipped is the smallest number of vertices that are flipped at a start.
const leastFlipped = 8

// start begins again, from a random partition in one of four starts, and else from the best one with some of its
// vertices flipped, up to a fifth: as often between 10 and 20 as between 100 and 200. All vertices are free.
func (t *tabu) start(d *draws, best *Partition) {
	if d.next()&3 == 0 {
		d.fill(t.Row, t.n)
	} else {
		copy(t.Row, best.Row)
		most := float64(t.n)/5 + 1
		least := min(leastFlipped, most)
		for range int(least * math.Pow(most/least, d.part())) {
			v := d.below(t.n)
			t.Row[v>>6] ^= 1 << (v & 63)
		}
	}
	t.set(t.Row)
	clear(t.Free)
	t.Since, t.Last = t.cut, t.Moves
	if t.free != nil {
		t.free.fill(t.tabuState, d)
	}
}
