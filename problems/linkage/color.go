package linkage

import (
	"slices"

	"github.com/clopt/clopt/problems/graph"
)

// Groups are sets that may be mixed at once: no two sets of a group share a
// vertex, and no edge joins them. Group k is Sets[Offsets[k]:Offsets[k+1]], as
// indices into Model.Sets, the largest sets first.
type Groups struct {
	Offsets []int
	Sets    []uint32
}

// N is the number of groups.
func (g *Groups) N() int { return len(g.Offsets) - 1 }

// Of returns group k; the caller does not change it.
func (g *Groups) Of(k int) []uint32 { return g.Sets[g.Offsets[k]:g.Offsets[k+1]] }

// Color groups the sets of m by the rule of Welsh and Powell (1967,
// doi:10.1093/comjnl/10.1.85): sets in falling order of how many others they
// touch, each in the first group that holds none of those. g is in the order of
// m (see Relabel).
//
// The graph of touching sets is never built. Those that touch a set are the sets
// inside it and all that hold a vertex of its closed neighbourhood, found by
// climbing from the neighbours. Every set that touches one inside F touches F
// or is F; so F comes before the sets inside it, and they forbid it nothing.
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
	var taken []uint32 // by color: the round in which it was taken
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

// touching finds the sets that touch a set and do not lie inside it.
type touching struct {
	g      *graph.Graph
	m      *Model
	seen   []uint32 // by set: the round in which it was seen
	round  uint32
	around []int32
}

// each calls f for the sets in order; nil: as they are numbered.
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

// climb notes a set and those that hold it.
func (t *touching) climb(s int32) {
	for ; s >= 0 && t.seen[s] != t.round; s = t.m.Parent[s] {
		t.seen[s] = t.round
		t.around = append(t.around, s)
	}
}

// byFalling sorts indices by falling value, among equals the later first, which
// puts sets before those inside them.
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
