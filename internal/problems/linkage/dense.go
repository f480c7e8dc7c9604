package linkage

import "github.com/clopt/clopt/problems/rng"

// Dense returns the linkage tree of n vertices with all similarities given: sim[i·n+j] = sim[j·n+i]. It overwrites sim
// by sums between clusters. Ties and bound are as in Sparse. It takes O(n²) steps along chains of best neighbours.
func Dense(n int, sim []float64, bound int, key rng.Key) *Model {
	if bound <= 0 {
		bound = n
	}
	d := &dense{n: n, sums: sim, bound: uint32(bound), clusters: newClusters(n, key)}
	for v := range n {
		d.live = append(d.live, uint32(v))
	}
	d.chain(d.best, d.merge)
	return d.forest.model()
}

type dense struct {
	clusters
	n     int
	bound uint32
	sums  []float64
	live  []uint32 // slots in use
}

// best returns the best neighbour of cluster a.
func (d *dense) best(a uint32) (b uint32, ok bool) {
	var best near
	row := d.sums[int(a)*d.n : (int(a)+1)*d.n]
	for _, b := range d.live {
		if b == a || d.size[a]+d.size[b] > d.bound {
			continue
		}
		e := near{row[b] / float64(d.size[b]), b, d.size[b], d.tag[b]}
		if !ok || e.before(best) {
			best, ok = e, true
		}
	}
	return best.other, ok
}

// merge adds cluster b to cluster a.
func (d *dense) merge(a, b uint32) {
	d.join(a, b)
	kept := d.live[:0]
	for _, c := range d.live {
		if c == b {
			continue
		}
		kept = append(kept, c)
		if c != a {
			to, from := int(a)*d.n+int(c), int(b)*d.n+int(c)
			d.sums[to] += d.sums[from]
			d.sums[int(c)*d.n+int(a)] = d.sums[to]
		}
	}
	d.live = kept
}
