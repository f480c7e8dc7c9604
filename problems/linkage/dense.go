package linkage

import (
	"slices"

	"github.com/clopt/clopt/problems/rng"
)

// Dense returns the linkage tree of n vertices with all similarities given:
// sim[i·n+j] = sim[j·n+i]. It overwrites sim by sums between clusters. Ties and
// bound are as in Sparse. It takes O(n²) steps along chains of best neighbours.
func Dense(n int, sim []float64, bound int, key rng.Key) *Model {
	if bound <= 0 {
		bound = n
	}
	d := &dense{n: n, sums: sim, bound: bound, tag: tags(n, key), size: make([]int, n)}
	f := newForest(n)
	node := make([]uint32, n)
	for v := range n {
		d.size[v], node[v] = 1, uint32(v)
		d.live = append(d.live, v)
	}
	onChain := make([]bool, n)
	var chain []int
	starts := slices.Clone(d.live)
	for len(starts) > 0 {
		start := starts[len(starts)-1]
		starts = starts[:len(starts)-1]
		if d.size[start] == 0 {
			continue
		}
		chain = append(chain, start)
		onChain[start] = true
		for len(chain) > 0 {
			last := len(chain) - 1
			a := chain[last]
			b := d.best(a)
			if b >= 0 && !onChain[b] {
				chain = append(chain, b)
				onChain[b] = true
				continue
			}
			onChain[a] = false
			chain = chain[:last]
			if b >= 0 {
				b = chain[last-1] // as in sparse.chain
				onChain[b] = false
				chain = chain[:last-1]
				d.merge(a, b)
				node[a] = f.join(node[a], node[b])
				starts = append(starts, a)
			}
		}
	}
	return f.model()
}

type dense struct {
	n, bound int
	sums     []float64
	size     []int
	tag      []uint32
	live     []int
}

// best returns the best neighbour of cluster a, or -1.
func (d *dense) best(a int) int {
	best, at := near{}, -1
	row := d.sums[a*d.n : (a+1)*d.n]
	for _, b := range d.live {
		if b == a || d.size[a]+d.size[b] > d.bound {
			continue
		}
		e := near{row[b] / float64(d.size[b]), uint32(b), uint32(d.size[b]), d.tag[b]}
		if at < 0 || e.before(best) {
			best, at = e, b
		}
	}
	return at
}

// merge adds cluster b to cluster a.
func (d *dense) merge(a, b int) {
	d.size[a], d.size[b] = d.size[a]+d.size[b], 0
	d.tag[a] = mixTag(d.tag[a], d.tag[b])
	kept := d.live[:0]
	for _, c := range d.live {
		if c == b {
			continue
		}
		kept = append(kept, c)
		if c != a {
			d.sums[a*d.n+c] += d.sums[b*d.n+c]
			d.sums[c*d.n+a] = d.sums[a*d.n+c]
		}
	}
	d.live = kept
}
