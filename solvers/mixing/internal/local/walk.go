package local

import (
	"math"
	"slices"

	"github.com/clopt/clopt/internal/problems/rules"
	"github.com/clopt/clopt/problems/graph"
)

// field is a graph as the searches read it: its rows, and what is left of the weights without those of the rows. It
// does not change.
type field struct {
	n    int
	root int // the vertex that never flips: a partition and its complement are the same cut
	g    *graph.Graph
	rows *rules.Rows
	rest *graph.Graph

	followers *rules.Followers

	weights []int64 // by row, and one for no row: the weight of its edges
	own     []int64 // by vertex: the sum of the weights of its rows
	matrix  []int32 // the weights of rest for all pairs; nil: some are too large for that
	dense   bool    // there are so many that a row of the matrix is added faster than a list
}

// denser is the share of all possible edges from which on a row of the matrix is added faster than a list of
// neighbours.
const denser = 0.25

// root returns the vertex that never flips.
func root(g *graph.Graph) int { return g.N() - 1 }

func newField(g *graph.Graph, r *rules.Rules) *field {
	n, root, rows := g.N(), root(g), r.Rows
	f := &field{n: n, root: root, g: g, rows: rows, rest: rows.Rest(g, root), own: make([]int64, n),
		followers: r.Followers}
	for k := range len(rows.Rows) + 1 {
		f.weights = append(f.weights, rows.Weight(int32(k)))
	}
	for v, of := range rows.Of {
		f.own[v] = f.weights[of[0]] + f.weights[of[1]]
	}
	if slices.ContainsFunc(f.rest.Weights, func(w int64) bool { return w > math.MaxInt32 || w < math.MinInt32 }) {
		return f
	}
	f.dense = float64(len(f.rest.Neighbors)) >= denser*float64(n)*float64(n)
	f.matrix = make([]int32, n*n)
	for v := range n {
		for e := f.rest.Offsets[v]; e < f.rest.Offsets[v+1]; e++ {
			f.matrix[v*n+int(f.rest.Neighbors[e])] = int32(f.rest.Weights[e])
		}
	}
	return f
}

// weight returns the weight between two vertices, 0 if there is no edge.
func (f *field) weight(u, v int) int64 {
	w := f.rows.Coupled(u, v)
	if f.matrix != nil {
		return w + int64(f.matrix[u*f.n+v])
	}
	lo, hi := f.rest.Offsets[u], f.rest.Offsets[u+1]
	if k, ok := slices.BinarySearch(f.rest.Neighbors[lo:hi], uint32(v)); ok {
		return w + f.rest.Weights[lo+k]
	}
	return w
}

// Partition is a partition, a bit for each vertex in the order of the graph, and its cut.
type Partition struct {
	Row []uint64
	F   int64
}

// better takes a partition with a larger cut.
func (p *Partition) better(row []uint64, f int64) {
	if p.Row == nil || f > p.F {
		p.Row, p.F = append(p.Row[:0], row...), f
	}
}

// valid reports whether p is nothing yet, or a partition of g.
func (p *Partition) valid(g *graph.Graph) bool {
	if p.Row == nil {
		return true
	}
	if len(p.Row) != words(g.N()) {
		return false
	}
	cut := int64(0)
	for v := range g.N() {
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			if u := int(g.Neighbors[e]); u < v && side(p.Row, u) != side(p.Row, v) {
				cut += g.Weights[e]
			}
		}
	}
	return cut == p.F
}

func words(n int) int { return (n + 63) / 64 }

func side(row []uint64, v int) uint64 { return row[v>>6] >> (v & 63) & 1 }

// walk is a partition that changes by flips, with what each flip would gain.
type walk struct {
	*field
	cut   int64
	spin  []int64    // 1 or -1 by vertex; that of the root is 1
	pull  []int64    // by vertex: the weights of rest times the spins of its neighbours
	whole []int64    // by row: its weight times the sum of its spins
	on    [][]int32  // by row: the vertices that are not on the side of the root
	place [][2]int32 // by vertex: where it is in the lists of its rows
}

func newWalk(f *field, row []uint64) *walk {
	k := len(f.rows.Rows)
	w := &walk{field: f, spin: make([]int64, f.n), pull: make([]int64, f.n), whole: make([]int64, k+1),
		on: make([][]int32, k), place: make([][2]int32, f.n)}
	w.set(row)
	return w
}

// set takes a partition.
func (w *walk) set(row []uint64) {
	root := side(row, w.root)
	for v := range w.n {
		w.spin[v] = 1 - 2*int64(side(row, v)^root)
	}
	w.cut = 0
	for r, each := range w.rows.Rows {
		sum, size := int64(0), int64(len(each.Members))
		for _, v := range each.Members {
			sum += w.spin[v]
		}
		w.whole[r] = each.Weight * sum
		w.cut += each.Weight * ((size - sum) / 2) * ((size + sum) / 2)
	}
	for v := range w.n {
		sum := int64(0)
		for e := w.rest.Offsets[v]; e < w.rest.Offsets[v+1]; e++ {
			u := int(w.rest.Neighbors[e])
			sum += w.rest.Weights[e] * w.spin[u]
			if u < v && w.spin[u] != w.spin[v] {
				w.cut += w.rest.Weights[e]
			}
		}
		w.pull[v] = sum
	}
	w.sort()
}

// sort lists the vertices of the rows in rising order, as they are after a resume.
func (w *walk) sort() {
	for r := range w.on {
		w.on[r] = w.on[r][:0]
	}
	for v, s := range w.spin {
		if s < 0 {
			w.list(v)
		}
	}
}

// row stores the partition.
func (w *walk) row(to []uint64) {
	clear(to)
	for v, s := range w.spin {
		if s < 0 {
			to[v>>6] |= 1 << (v & 63)
		}
	}
}

// note stores the partition if its cut is larger than that of best.
func (w *walk) note(best *Partition) {
	if w.cut > best.F {
		w.row(best.Row)
		best.F = w.cut
	}
}

// gain is what a flip of v adds to the cut.
func (w *walk) gain(v int) int64 {
	of := w.rows.Of[v]
	return w.spin[v]*(w.pull[v]+w.whole[of[0]]+w.whole[of[1]]) - w.own[v]
}

// both is what two flips gain less than the sum of what each gains.
func (w *walk) both(u, v int) int64 { return 2 * w.weight(u, v) * w.spin[u] * w.spin[v] }

// degree is what a flip of v costs.
func (w *walk) degree(v int) int64 { return int64(w.rest.Offsets[v+1] - w.rest.Offsets[v]) }

// flip moves v to the other side.
func (w *walk) flip(v int) {
	w.cut += w.gain(v)
	s, pull := w.spin[v], w.pull
	w.spin[v] = -s
	lo, hi := w.rest.Offsets[v], w.rest.Offsets[v+1]
	switch {
	case w.dense && s < 0:
		for u, x := range w.matrix[v*w.n:][:len(pull)] {
			pull[u] += 2 * int64(x)
		}
	case w.dense:
		for u, x := range w.matrix[v*w.n:][:len(pull)] {
			pull[u] -= 2 * int64(x)
		}
	default:
		near, weights := w.rest.Neighbors[lo:hi], w.rest.Weights[lo:hi]
		weights = weights[:len(near)]
		for k, u := range near {
			pull[u] -= 2 * s * weights[k]
		}
	}
	for _, r := range w.rows.Of[v] {
		w.whole[r] -= 2 * s * w.weights[r]
	}
	if s > 0 {
		w.list(v)
	} else {
		w.unlist(v)
	}
}

// list adds v to the lists of its rows.
func (w *walk) list(v int) {
	for k, r := range w.rows.Of[v] {
		if int(r) < len(w.on) {
			w.place[v][k] = int32(len(w.on[r]))
			w.on[r] = append(w.on[r], int32(v))
		}
	}
}

// unlist removes v from the lists of its rows.
func (w *walk) unlist(v int) {
	for k, r := range w.rows.Of[v] {
		if int(r) == len(w.on) {
			continue
		}
		on, at := w.on[r], w.place[v][k]
		last := on[len(on)-1]
		on[at] = last
		if w.rows.Of[last][0] == r {
			w.place[last][0] = at
		} else {
			w.place[last][1] = at
		}
		w.on[r] = on[:len(on)-1]
	}
}
