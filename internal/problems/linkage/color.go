package linkage

import (
	"slices"

	"github.com/clopt/clopt/problems/graph"
)

// Color divides the sets of m into groups whose sets may be mixed at the same time: no two sets of a group share a
// vertex, and no edge joins them. The largest sets of a group come first. g must be in the order of m (see Relabel).
//
// It uses the rule of Welsh and Powell (1967, doi:10.1093/comjnl/10.1.85): it takes the sets in decreasing order of the
// number of sets that they touch, and puts each into the first group without any of these.
//
// The graph of touching sets is never built. A set touches the sets inside it and all sets that contain a vertex of its
// closed neighbourhood, which are found by climbing from the neighbours. Every set that touches a set inside F touches
// F or is F. F therefore comes before the sets inside it, and they need not be checked.
func Color(g *graph.Graph, m *Model) *Classes {
	n := len(m.Sets)
	t := &touching{g: g, m: m, seen: make([]uint32, n)}
	size := make([]int, n)
	degree := make([]int, n)
	group := make([]int32, n)
	for s := range group {
		size[s], group[s] = m.Sets[s].Len(), -1
		degree[s] = 2*size[s] - 2 + len(t.find(s))
	}
	var taken []uint32 // by group: the last round in which a touching set was in it
	for _, s := range byFalling(degree) {
		for _, a := range t.find(int(s)) {
			if k := group[a]; k >= 0 {
				taken[k] = t.round
			}
		}
		free := slices.IndexFunc(taken, func(r uint32) bool { return r != t.round })
		if free < 0 {
			free = len(taken)
			taken = append(taken, 0)
		}
		group[s] = int32(free)
	}
	return Divide(byFalling(size), group)
}

// touching finds the sets that touch a set and are not inside it.
type touching struct {
	g      *graph.Graph
	m      *Model
	seen   []uint32 // by set: the last round in which it was found
	round  uint32
	around []int32
}

// find begins a round and returns the sets that touch set s. The result is valid until the next round.
func (t *touching) find(s int) []int32 {
	t.round++
	t.around = t.around[:0]
	t.climb(t.m.Parent[s])
	f := t.m.Sets[s]
	lo, hi := t.g.Offsets[f.Lo], t.g.Offsets[f.Hi]
	for _, u := range t.g.Neighbors[lo:hi] {
		if u < f.Lo || u >= f.Hi {
			t.climb(int32(u))
		}
	}
	return t.around
}

// climb adds a set and the sets that contain it to around.
func (t *touching) climb(s int32) {
	for ; s >= 0 && t.seen[s] != t.round; s = t.m.Parent[s] {
		t.seen[s] = t.round
		t.around = append(t.around, s)
	}
}

// byFalling sorts indices by decreasing value. Among equals the higher index comes
// first, so that a set comes before the sets inside it.
func byFalling(value []int) []uint32 {
	most := 0
	for _, v := range value {
		most = max(most, v)
	}
	start := make([]int, most+2)
	for _, v := range value {
		start[most-v+1]++
	}
	for k := range most + 1 {
		start[k+1] += start[k]
	}
	order := make([]uint32, len(value))
	for i := len(value) - 1; i >= 0; i-- {
		k := most - value[i]
		order[start[k]] = uint32(i)
		start[k]++
	}
	return order
}
