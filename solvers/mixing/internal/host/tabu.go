package host

import (
	"math"
	"slices"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
)

// Tabu is a tabu search for large cuts by flips of single vertices, with restarts (Glover, Kochenberger and Alidaee
// 1998, doi:10.1287/mnsc.44.3.336; Palubeckis 2004, doi:10.1023/B:ANOR.0000039522.58036.68):
//
//	from a random partition, or in three of four starts from the best one with a fifth of its vertices flipped:
//	   flip the vertex that gains most, or costs least, of those that are free
//	   it is free again after 20 moves and up to 9 more, or fewer of a small graph
//	   after some moves without a larger cut since the start: start again
//
// A flip that leads to a larger cut than any before is always free. So the search climbs out of valleys that annealing
// leaves only by chance, such as those between the points that keep the rules of a QUBO with large penalties.
type Tabu struct {
	*TabuState

	g     *graph.Graph
	key   rng.Key
	fixed int     // the vertex that never flips: a partition and its complement are the same cut
	gains []int64 // what flipping a vertex adds to F; nil: not known
}

// TabuState is the state of a tabu search. Partitions are stored as bits, in the order of the vertices of the graph.
type TabuState struct {
	Row   []uint64 // the partition; nil before the first move
	Best  []uint64 // that of the largest cut; nil: none is known
	F     int64    // the cut of Row
	BestF int64    // the cut of Best
	Since int64    // the largest cut since the start
	Last  int64    // the move that found it
	Free  []int64  // by vertex: the first move that may flip it
	Moves int64    // flips since the beginning

	Flipped int64 // edges at the vertices that were flipped
	Cost    int64 // edges and vertices that were looked at
}

// MostOfTabu is the largest number of vertices for a tabu search, which looks at all of them for each move.
const MostOfTabu = 1 << 12

const (
	mostTenure = 20
	// Draws of moves and of starts have different counters.
	ofMoves  = 0
	ofStarts = 1
)

// NewTabu returns a search on g that goes on from a state, which it changes. The zero state is that of a new search.
func NewTabu(g *graph.Graph, key rng.Key, state *TabuState) *Tabu {
	t := &Tabu{TabuState: state, g: g, key: key}
	largest := -1.0
	for v := range g.N() {
		sum := 0.0
		for _, w := range g.Weights[g.Offsets[v]:g.Offsets[v+1]] {
			sum += math.Abs(float64(w))
		}
		if sum > largest {
			t.fixed, largest = v, sum
		}
	}
	return t
}

// Known gives the search a partition that others have found, with its cut f. It becomes the best one if f is larger.
func (t *Tabu) Known(row []uint64, f int64) {
	if t.Best == nil || f > t.BestF {
		t.Best, t.BestF = append(t.Best[:0], row...), f
	}
}

// Run makes moves that cost about as much as cost allows, at least one, and returns their number and that of the edges
// at the vertices that were flipped. Known has told of a partition before. On one vertex there are no moves.
func (t *Tabu) Run(cost int64) (moves, edges int64) {
	n := t.g.N()
	if n < 2 {
		return 0, 0
	}
	if t.gains == nil {
		t.measure()
	}
	tenure := min(mostTenure, n/4)
	before := t.Flipped
	for end := t.Cost + cost; moves == 0 || t.Cost < end; moves++ {
		if t.Moves-t.Last > patience(n) {
			t.start()
		}
		draw := t.draw(ofMoves)
		v := t.choose(int(rng.Int(draw, uint32(n))))
		t.flip(v)
		t.Moves++
		t.Free[v] = t.Moves + int64(tenure) + int64(draw&0xffff)%int64(min(10, tenure+1))
		t.Cost += int64(n)
		if t.F > t.Since {
			t.Since, t.Last = t.F, t.Moves
		}
		t.Known(t.Row, t.F)
	}
	return moves, t.Flipped - before
}

// patience is the number of moves on n vertices without a larger cut after which the search starts again.
func patience(n int) int64 { return 20*int64(n) + 500 }

// draw returns 32 random bits for the next move.
func (t *Tabu) draw(who uint32) uint32 {
	return t.key.Word(uint32(t.Moves), who, uint32(t.Moves>>32), rng.Kick)
}

// choose returns the vertex that is flipped next: of the best ones the first one from vertex first on, in a circle.
func (t *Tabu) choose(first int) (best int) {
	most := int64(math.MinInt64)
	better := t.BestF - t.F // a flip that gains more is free
	look := func(from, to int) {
		for v := from; v < to; v++ {
			gain := t.gains[v]
			if gain > most && v != t.fixed && (t.Free[v] <= t.Moves || gain > better) {
				best, most = v, gain
			}
		}
	}
	look(first, len(t.gains))
	look(0, first)
	return best
}

// start begins again, from a random partition in one of four starts, and else from the best one with a fifth of its
// vertices flipped, or a few less. All vertices are free.
func (t *Tabu) start() {
	n := t.g.N()
	draw := t.draw(ofStarts)
	if draw&3 == 0 {
		for k := range t.Row {
			words := t.key.Words(uint32(t.Moves), ofStarts+1+uint32(k), uint32(t.Moves>>32), rng.Kick)
			t.Row[k] = uint64(words[0])<<32 | uint64(words[1])
		}
		if n%64 != 0 {
			t.Row[len(t.Row)-1] &= 1<<(n%64) - 1
		}
	} else {
		copy(t.Row, t.Best)
		for k := range n/5 + 1 {
			v := rng.Int(t.key.Word(uint32(t.Moves), ofStarts+1+uint32(k), uint32(t.Moves>>32), rng.Kick), uint32(n))
			t.Row[v>>6] ^= 1 << (v & 63)
		}
	}
	clear(t.Free)
	t.F = CutOf(t.g, t.Row)
	t.Since, t.Last = t.F, t.Moves
	t.measure()
	t.Cost += int64(len(t.g.Neighbors))
}

// measure computes what each flip gains. The first search begins at the partition that it knows.
func (t *Tabu) measure() {
	n := t.g.N()
	if t.Row == nil {
		t.Row, t.Free = slices.Clone(t.Best), make([]int64, n)
		t.F, t.Since = t.BestF, t.BestF
	}
	t.gains = make([]int64, n)
	for v := range n {
		for e := t.g.Offsets[v]; e < t.g.Offsets[v+1]; e++ {
			t.gains[v] += t.signed(v, e)
		}
	}
}

// signed returns the weight of the edge e of v if its ends are on the same side, and else minus that.
func (t *Tabu) signed(v, e int) int64 {
	if Side(t.Row, uint32(v)) == Side(t.Row, t.g.Neighbors[e]) {
		return t.g.Weights[e]
	}
	return -t.g.Weights[e]
}

// flip moves a vertex to the other side.
func (t *Tabu) flip(v int) {
	t.F += t.gains[v]
	t.gains[v] = -t.gains[v]
	for e := t.g.Offsets[v]; e < t.g.Offsets[v+1]; e++ {
		t.gains[t.g.Neighbors[e]] -= 2 * t.signed(v, e)
	}
	t.Row[v>>6] ^= 1 << (v & 63)
	degree := int64(t.g.Offsets[v+1] - t.g.Offsets[v])
	t.Flipped += degree
	t.Cost += degree
}

// Valid reports whether the state is one of a search on the graph.
func (t *Tabu) Valid() bool {
	of := func(row []uint64, f int64) bool { return len(row) == Words(t.g.N()) && CutOf(t.g, row) == f }
	return t.Moves >= 0 && t.Last >= 0 && (t.Best == nil || of(t.Best, t.BestF)) &&
		(t.Row == nil || t.Best != nil && of(t.Row, t.F) && len(t.Free) == t.g.N())
}
