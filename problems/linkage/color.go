package linkage

import (
	"slices"

	"github.com/clopt/clopt/problems/graph"
)

// Groups divides the sets of a Model into groups. The sets of a group may be mixed
// at the same time: no two of them share a vertex, and no edge joins them. Group k
// is Sets[Offsets[k]:Offsets[k+1]], as indices into Model.Sets, the largest sets
// first.
type Groups struct {
	Offsets []int
	Sets    []uint32
}

// N returns the number of groups.
func (g *Groups) N() int { return len(g.Offsets) - 1 }

// Of returns group k. The caller must not change it.
func (g *Groups) Of(k int) []uint32 { return g.Sets[g.Offsets[k]:g.Offsets[k+1]] }

// Color divides the sets of m into groups by the rule of Welsh and Powell (1967,
// doi:10.1093/comjnl/10.1.85). It takes the sets in decreasing order of the number
// of sets that they touch, and puts each into the first group without any of these.
// g must be in the order of m (see Relabel).
//
// The graph of touching sets is never built. A set touches the sets inside it and
// all sets that contain a vertex of its closed neighbourhood, which are found by
// climbing from the neighbours. Every set that touches a set inside F touches F or
// is F. F therefore comes before the sets inside it, and they need not be checked.
func Color(g *graph.Graph, m *Model) *Groups {
	n := len(m.Sets)
	t := &touching{g: g, m: m, seen: make([]uint32, n)}
	degree := make([]int, n)
	t.each(func(s int, around []int32) {
		degree[s] = 2*m.Sets[s].Len() - 2 + len(around)
	}, nil)
	order := byFalling(degree)
	color := make([]int32, n)
	for s := range color {
		color[s] = -1
	}
	var taken []uint32 // by color: the last round in which a touching set had it
	count := []int{}
	round := uint32(0)
	t.each(func(s int, around []int32) {
		round++
		for _, a := range around {
			if c := color[a]; c >= 0 {
				taken[c] = round
			}
		}
		c := slices.IndexFunc(taken, func(r uint32) bool { return r != round })
		if c < 0 {
			c = len(taken)
			taken, count = append(taken, 0), append(count, 0)
		}
		color[s] = int32(c)
		count[c]++
	}, order)
	groups := &Groups{Offsets: make([]int, len(count)+1), Sets: make([]uint32, n)}
	for c, k := range count {
		groups.Offsets[c+1] = groups.Offsets[c] + k
	}
	next := slices.Clone(groups.Offsets)
	bySize := make([]int, n)
	for s := range bySize {
		bySize[s] = m.Sets[s].Len()
	}
	for _, s := range byFalling(bySize) {
		groups.Sets[next[color[s]]] = s
		next[color[s]]++
	}
	return groups
}

// touching finds the sets that touch a set and are not inside it.
type touching struct {
	g      *graph.Graph
	m      *Model
	seen   []uint32 // by set: the last round in which it was found
	round  uint32
	around []int32
}

// each calls f for the sets in the given order; nil is the order of their numbers.
func (t *touching) each(f func(s int, around []int32), order []uint32) {
	for i := range t.m.Sets {
		s := i
		if order != nil {
			s = int(order[i])
		}
		t.find(s)
		f(s, t.around)
	}
}

func (t *touching) find(s int) {
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
