package linkage

import (
	"math"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
)

// Similarity is a measure of how much two neighbours of a graph belong together.
// Vertices that are not neighbours have similarity 0.
type Similarity int

// The similarities of the ends of an edge of weight w.
const (
	Abs       Similarity = iota // |w|
	Weight                      // w: with a negative weight, less similar than without an edge
	Adjacency                   // 1
)

// Of returns the similarities of g, one for each entry of g.Neighbors. It panics if s is none of the constants.
func (s Similarity) Of(g *graph.Graph) []float64 {
	if s < Abs || s > Adjacency {
		panic("linkage: a similarity is Abs, Weight or Adjacency")
	}
	sim := make([]float64, len(g.Weights))
	for e, w := range g.Weights {
		switch s {
		case Abs:
			sim[e] = math.Abs(float64(w))
		case Weight:
			sim[e] = float64(w)
		case Adjacency:
			sim[e] = 1
		}
	}
	return sim
}

// Sparse returns the linkage tree of a graph by UPGMA (Sokal and Michener 1958).
// Beginning with singletons, it merges the two clusters of the highest average
// similarity. Among equals it takes those with the smallest union, and then decides
// by draws. sim has the similarity of each entry of g.Neighbors, the same in both
// directions. No cluster gets more than bound vertices; 0 means no bound.
//
// Average similarity is reducible, even with ties: joining two clusters never brings
// them nearer to a third. Pairs that are each other's best may therefore merge in
// any order, and the tree is found along chains of best neighbours (Benzécri 1982;
// Müllner 2011, arXiv:1109.2378) in O(m log² m).
func Sparse(g *graph.Graph, sim []float64, bound int, key rng.Key) *Model {
	n := g.N()
	if bound <= 0 {
		bound = n
	}
	t := &sparse{clusters: newClusters(n, key), bound: uint32(bound), near: make([]nearHeap, n), sums: newPairs(g.M())}
	room := make([]near, len(sim))
	for v := range n {
		a, b := g.Offsets[v], g.Offsets[v+1]
		for e := a; e < b; e++ {
			u := g.Neighbors[e]
			room[e] = near{sim[e], u, 1, t.tag[u]}
			if int(u) > v {
				t.sums.set(uint32(v), u, sim[e])
			}
		}
		t.near[v] = room[a:b:b]
		t.near[v].order()
	}
	t.chain(t.best, t.merge)
	t.unrelated()
	t.renew() // only similarities below 0 are left
	t.floor = math.Inf(-1)
	t.chain(t.best, t.merge)
	return t.forest.model()
}

type sparse struct {
	clusters
	bound uint32
	near  []nearHeap // neighbours, best first; entries may be out of date
	sums  *pairs     // sums of similarities of neighbouring clusters
	floor float64    // only pairs with a key above this merge
	eager bool       // whether merges renew all entries of the cluster
}

// best returns the best neighbour of cluster a. An entry is brought up to date when
// it comes to the top. The key of an old entry is never too low, since clusters grow
// and a changed sum gets a new entry. For negative sums this is not so; see eager.
func (t *sparse) best(a uint32) (b uint32, ok bool) {
	h := &t.near[a]
	for len(*h) > 0 {
		top := (*h)[0]
		sum, live := 0.0, t.size[top.other] > 0
		if live {
			sum, live = t.sums.get(a, top.other)
		}
		if !live || t.size[a]+t.size[top.other] > t.bound {
			h.pop()
			continue
		}
		now := t.entry(top.other, sum)
		if now == top {
			return top.other, top.key > t.floor
		}
		(*h)[0] = now
		h.down(0)
	}
	return 0, false
}

func (t *sparse) entry(other uint32, sum float64) near {
	return near{sum / float64(t.size[other]), other, t.size[other], t.tag[other]}
}

// merge joins two clusters. The result has the slot of the one with more entries.
func (t *sparse) merge(a, b uint32) {
	if len(t.near[a]) < len(t.near[b]) {
		a, b = b, a
	}
	t.join(a, b)
	t.sums.take(a, b)
	for _, e := range t.near[b] {
		c := e.other
		sum, fresh := t.sums.take(b, c)
		if !fresh {
			continue // the entry is out of date
		}
		if old, both := t.sums.get(a, c); both {
			sum += old
		}
		t.sums.set(a, c, sum)
		t.near[a].push(t.entry(c, sum))
		t.near[c].push(t.entry(a, sum))
	}
	t.near[b] = nil
	if t.eager {
		t.renewOne(a)
	}
}

// unrelated merges clusters of similarity 0, the smallest union first. When it is
// called, no positive similarity is left.
func (t *sparse) unrelated() {
	var small nearHeap // by size, then tag
	for a, size := range t.size {
		if size > 0 {
			small = append(small, near{0, uint32(a), size, t.tag[a]})
		}
	}
	small.order()
	var held []near
	for len(small) > 1 {
		a := small.pop()
		held = held[:0]
		for len(small) > 0 && a.size+small[0].size <= t.bound {
			b := small.pop()
			if sum, related := t.sums.get(a.other, b.other); related && sum != 0 {
				held = append(held, b)
				continue
			}
			t.merge(a.other, b.other)
			if t.size[a.other] == 0 {
				a.other = b.other
			}
			small.push(near{0, a.other, t.size[a.other], t.tag[a.other]})
			break
		}
		for _, b := range held {
			small.push(b)
		}
	}
}

// renew brings every entry up to date. From then on merges keep them so.
func (t *sparse) renew() {
	t.eager = true
	for a := range t.near {
		h := t.near[a]
		if t.size[a] == 0 {
			continue
		}
		kept := h[:0]
		for _, e := range h {
			if sum, ok := t.sums.get(uint32(a), e.other); ok && t.size[e.other] > 0 {
				kept = append(kept, t.entry(e.other, sum))
			}
		}
		t.near[a] = kept
		kept.order()
	}
}

// renewOne adds an up-to-date entry of a to every neighbour.
func (t *sparse) renewOne(a uint32) {
	for _, e := range t.near[a] {
		if sum, ok := t.sums.get(a, e.other); ok {
			t.near[e.other].push(t.entry(a, sum))
		}
	}
}
