package linkage

import (
	"math/bits"

	"github.com/clopt/clopt/problems/rng"
)

// clusters is a clustering in progress. A cluster has the slot of one of its vertices. The slots of clusters that were
// merged into others have size 0.
type clusters struct {
	forest *forest
	size   []uint32 // vertices
	node   []uint32 // in the forest
	tag    []uint32 // random numbers, which break ties
}

// newClusters returns n clusters of one vertex each.
func newClusters(n int, key rng.Key) clusters {
	c := clusters{newForest(n), make([]uint32, n), count(n), tags(n, key)}
	for v := range c.size {
		c.size[v] = 1
	}
	return c
}

// join makes cluster b a part of cluster a.
func (c *clusters) join(a, b uint32) {
	c.node[a] = c.forest.join(c.node[a], c.node[b])
	c.tag[a] = mixTag(c.tag[a], c.tag[b])
	c.size[a], c.size[b] = c.size[a]+c.size[b], 0
}

// mixTag returns the tag of the union of two clusters. Their order does not matter.
func mixTag(a, b uint32) uint32 {
	h := (uint64(a) + uint64(b) + 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9
	h ^= bits.RotateLeft64(h, 31)
	return uint32((h * 0x94D049BB133111EB) >> 32)
}

// chain follows best neighbours, beginning with every cluster, and merges pairs that are each other's best, as long as
// best finds any.
func (c *clusters) chain(best func(a uint32) (b uint32, ok bool), merge func(a, b uint32)) {
	onChain := make([]bool, len(c.size))
	starts := count(len(c.size))
	var chain []uint32
	for len(starts) > 0 {
		start := starts[len(starts)-1]
		starts = starts[:len(starts)-1]
		if c.size[start] == 0 {
			continue
		}
		chain = append(chain, start)
		onChain[start] = true
		for len(chain) > 0 {
			last := len(chain) - 1
			a := chain[last]
			b, ok := best(a)
			if ok && !onChain[b] {
				chain = append(chain, b)
				onChain[b] = true
				continue
			}
			onChain[a] = false
			chain = chain[:last]
			if ok {
				// b is the cluster before a in the chain, except where rounding makes two clusters break a tie
				// differently.
				b = chain[last-1]
				onChain[b] = false
				chain = chain[:last-1]
				merge(a, b)
				starts = append(starts, a, b) // one of them is left
			}
		}
	}
}

// forest records the merges of a clustering. Node v < n is vertex v, node n+k is the
// k-th merge.
type forest struct {
	n     int
	pairs [][2]uint32 // the two nodes that a merge joins
	root  []bool      // by node: whether it has not been joined to another
}

func newForest(n int) *forest {
	f := &forest{n: n, root: make([]bool, n, 2*n)}
	for v := range f.root {
		f.root[v] = true
	}
	return f
}

func (f *forest) join(a, b uint32) (node uint32) {
	f.root[a], f.root[b] = false, false
	f.pairs, f.root = append(f.pairs, [2]uint32{a, b}), append(f.root, true)
	return uint32(f.n + len(f.pairs) - 1)
}

// model numbers the leaves from left to right and lists the sets.
func (f *forest) model() *Model {
	m := &Model{Order: make([]uint32, 0, f.n)}
	// Visit the leaves below each root, the left one first. A node on the stack is visited twice.
	type visit struct {
		node uint32
		lo   int32 // -1: not opened yet
	}
	nodes := make([]Set, 0, len(f.pairs)) // of merges, in the order of leaving them
	var stack []visit
	for r := len(f.root) - 1; r >= 0; r-- {
		if f.root[r] {
			stack = append(stack, visit{uint32(r), -1})
		}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			switch {
			case int(top.node) < f.n:
				m.Order = append(m.Order, top.node)
				stack = stack[:len(stack)-1]
			case top.lo < 0:
				top.lo = int32(len(m.Order))
				p := f.pairs[int(top.node)-f.n]
				stack = append(stack, visit{p[1], -1}, visit{p[0], -1})
			default:
				nodes = append(nodes, Set{uint32(top.lo), uint32(len(m.Order))})
				stack = stack[:len(stack)-1]
			}
		}
	}
	m.singletons()
	open := make([]int32, 0, 64) // sets without a parent so far, by position
	next := 0
	for _, s := range nodes {
		for ; next < int(s.Hi); next++ {
			open = append(open, int32(next))
		}
		if s.Len() == f.n {
			continue
		}
		at := int32(len(m.Sets))
		m.Sets, m.Parent = append(m.Sets, s), append(m.Parent, -1)
		for len(open) > 0 && m.Sets[open[len(open)-1]].Lo >= s.Lo {
			m.Parent[open[len(open)-1]] = at
			open = open[:len(open)-1]
		}
		open = append(open, at)
	}
	return m
}

// tags returns random numbers of the vertices, which break ties.
func tags(n int, key rng.Key) []uint32 {
	t := make([]uint32, n)
	for b := 0; b < n; b += 4 {
		w := key.Words(uint32(b>>2), 0, 0, rng.Linkage)
		copy(t[b:], w[:])
	}
	return t
}
