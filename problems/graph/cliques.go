package graph

import (
	"fmt"
	"math/bits"

	"github.com/clopt/clopt/internal/problems/input"
)

// Complete makes the complete graph of n vertices, with edges in lexicographic
// order. With weights of 1 the largest cut is ⌊n²/4⌋.
func Complete(n int, law Weights, seed uint32) (*Instance, error) {
	if n < 1 {
		return nil, fmt.Errorf("%d vertices; use 1 or more", n)
	}
	b, err := newBuilder(n, float64(n)*float64(n-1)/2, law, seed, kindComplete)
	if err != nil {
		return nil, err
	}
	for u := range n {
		for v := u + 1; v < n; v++ {
			b.join(u, v)
		}
	}
	in := settle(b.finish(n))
	if law == Unit && !in.Known {
		in.Best = int64(n/2) * int64(n-n/2)
		in.Known = true
		in.Side = make([]uint8, n)
		for v := range n / 2 {
			in.Side[v] = 1
		}
	}
	return in, nil
}

// enumerated is the size of the largest clique of which Cliques tries all cuts.
const enumerated = 20

// Cliques makes a chain of cliques of size vertices each. A bridge joins the last
// vertex of each clique to the first vertex of the next. Edges are made clique by
// clique in lexicographic order, with the bridge after its clique. Whatever the cuts
// of the cliques are, a bridge can be cut or not, so that the largest cut is the sum
// of the largest cuts of the cliques and of the positive bridges. It is known for
// cliques of up to 20 vertices.
func Cliques(count, size int, law Weights, seed uint32) (*Instance, error) {
	switch {
	case count < 1 || size < 2:
		return nil, fmt.Errorf("%d cliques of %d vertices; use at least 1 of at least 2", count, size)
	case count > input.MaxIndex/size:
		return nil, fmt.Errorf("%d cliques of %d vertices; there may be up to %d vertices", count, size, input.MaxIndex)
	}
	m := float64(count)*float64(size)*float64(size-1)/2 + float64(count-1)
	b, err := newBuilder(count*size, m, law, seed, kindCliques)
	if err != nil {
		return nil, err
	}
	in := &Instance{Known: size <= enumerated}
	if in.Known {
		in.Side = make([]uint8, count*size)
	}
	for k := range count {
		first, from := k*size, len(b.W)
		for u := range size {
			for v := u + 1; v < size; v++ {
				b.join(first+u, first+v)
			}
		}
		if in.Known {
			best, cut := bestClique(b.W[from:], size)
			in.Best += best
			if k > 0 { // turn the clique over if the bridge is not cut as it should be
				bridge := b.W[from-1]
				in.Best += max(bridge, 0)
				if (uint8(cut&1) != in.Side[first-1]) != (bridge > 0) {
					cut = ^cut
				}
			}
			for v := range size {
				in.Side[first+v] = uint8(cut >> v & 1)
			}
		}
		if k+1 < count {
			b.join(first+size-1, first+size)
		}
	}
	in.Graph = b.finish(count * size)
	return in, nil
}

// bestClique tries all cuts of a clique, in the order of a Gray code, and returns a
// largest one. Bit v of cut is the side of vertex v.
func bestClique(w []int64, size int) (best int64, cut uint32) {
	var weight [enumerated][enumerated]int64
	e := 0
	for u := range size {
		for v := u + 1; v < size; v++ {
			weight[u][v], weight[v][u] = w[e], w[e]
			e++
		}
	}
	value, side := int64(0), uint32(0)
	for code := uint32(1); code < 1<<(size-1); code++ {
		flip := bits.TrailingZeros32(code) // never the last vertex
		for v := range size {
			if side>>v&1 == side>>flip&1 {
				value += weight[flip][v]
			} else {
				value -= weight[flip][v]
			}
		}
		side ^= 1 << flip
		if value > best {
			best, cut = value, side
		}
	}
	return best, cut
}
