package host

import (
	"math/bits"

	"github.com/clopt/clopt/problems/graph"
)

// field computes how the cut of a partition o, stored as bits, changes if a set of vertices flips. With s_uv = +1 if u
// and v are on the same side and else -1, flipping the set D changes the cut by
//
//	delta(D) = Σ_{(u,v) in E, u in D, v not in D} w_uv s_uv
//	         = Σ_{v in D} g_v - 2 Σ_{(u,v) in E, both in D} w_uv s_uv,   g_v = delta({v})
//
// The first form reads the bits of neighbours, the second keeps the gains g of all vertices. That pays if vertices have
// many neighbours and few steps are accepted. All numbers are whole, so the order of additions does not matter.
type field interface {
	// start sets o. From then on, the caller changes o by flip only.
	start(o []uint64)
	// delta returns the change of the cut if the vertices d flip, which are in [lo, hi), and the number of edges with
	// an end in d. member has d as bits, from the word of lo on.
	delta(d []uint32, lo, hi uint32, member []uint64) (change, edges int64)
	// flip flips the vertices d of o.
	flip(d []uint32)
	// bind sets o and returns functions for the change of the cut if a vertex flips, and for its flip.
	bind(o []uint64) (gain func(v uint32) int64, flip func(v uint32))
}

// gainsFrom is the mean degree from which gains are kept.
const gainsFrom = 8

// KeepsGains reports whether g has so many edges that gains are kept.
func KeepsGains(g *graph.Graph) bool { return 2*g.M() > gainsFrom*g.N() }

// newField returns a field for partitions of g. Weights are int32 if they fit.
func newField(g *graph.Graph) field {
	for _, w := range g.Weights {
		if w != int64(int32(w)) {
			return fieldOf[int64](g)
		}
	}
	return fieldOf[int32](g)
}

func fieldOf[W int32 | int64](g *graph.Graph) field {
	r := &rows[W]{off: make([]uint32, g.N()+1), arcs: make([]arc[W], len(g.Neighbors))}
	for v := range r.off {
		r.off[v] = uint32(g.Offsets[v])
	}
	for e, u := range g.Neighbors {
		r.arcs[e] = arc[W]{u, W(g.Weights[e])}
	}
	if !KeepsGains(g) {
		return &bitField[W]{rows: r}
	}
	f := &gainField[W]{rows: r, gain: make([]int64, g.N()), above: make([]uint32, g.N())}
	for v := range f.above {
		e := r.off[v]
		for e < r.off[v+1] && r.arcs[e].to < uint32(v) {
			e++
		}
		f.above[v] = e
	}
	return f
}

// arc is an edge as seen from one of its ends.
type arc[W int32 | int64] struct {
	to uint32
	w  W
}

type rows[W int32 | int64] struct {
	o    []uint64
	off  []uint32
	arcs []arc[W]
}

// Side returns the side of vertex v in o.
func Side(o []uint64, v uint32) uint64 { return o[v>>6] >> (v & 63) & 1 }

// gainOf returns g_v, from the bits of the neighbours.
func (r *rows[W]) gainOf(v uint32) (gain int64) {
	own := Side(r.o, v)
	for _, a := range r.arcs[r.off[v]:r.off[v+1]] {
		gain += r.signed(a, own)
	}
	return gain
}

// signed returns w·s for an arc of a vertex on side own.
func (r *rows[W]) signed(a arc[W], own uint64) int64 {
	differ := int64(Side(r.o, a.to) ^ own)
	return (int64(a.w) ^ -differ) + differ
}

// bitField is a field that reads bits.
type bitField[W int32 | int64] struct{ *rows[W] }

func (f *bitField[W]) start(o []uint64) { f.o = o }

func (f *bitField[W]) delta(d []uint32, lo, hi uint32, member []uint64) (change, edges int64) {
	if len(d) == 1 {
		v := d[0]
		return f.gainOf(v), int64(f.off[v+1] - f.off[v])
	}
	base := lo &^ 63
	inside := int64(0)
	for _, v := range d {
		own := Side(f.o, v)
		row := f.arcs[f.off[v]:f.off[v+1]]
		edges += int64(len(row))
		for _, a := range row {
			if a.to-lo < hi-lo && member[(a.to-base)>>6]>>(a.to&63)&1 != 0 {
				inside++
				continue
			}
			change += f.signed(a, own)
		}
	}
	return change, edges - inside/2
}

func (f *bitField[W]) bind(o []uint64) (func(uint32) int64, func(uint32)) {
	f.start(o)
	return f.gainOf, func(v uint32) { o[v>>6] ^= 1 << (v & 63) }
}

func (f *bitField[W]) flip(d []uint32) {
	for _, v := range d {
		f.o[v>>6] ^= 1 << (v & 63)
	}
}

// gainField is a field that keeps gains.
type gainField[W int32 | int64] struct {
	*rows[W]
	gain  []int64
	above []uint32 // first arc of a row to a later vertex
}

func (f *gainField[W]) start(o []uint64) {
	f.o = o
	for v := range f.gain {
		f.gain[v] = f.gainOf(uint32(v))
	}
}

func (f *gainField[W]) delta(d []uint32, lo, hi uint32, member []uint64) (change, edges int64) {
	for _, v := range d {
		change += f.gain[v]
		edges += int64(f.off[v+1] - f.off[v])
	}
	if len(d) == 1 {
		return change, edges
	}
	base := lo &^ 63
	for _, v := range d {
		own := Side(f.o, v)
		for _, a := range f.arcs[f.above[v]:f.off[v+1]] {
			if a.to >= hi {
				break
			}
			if member[(a.to-base)>>6]>>(a.to&63)&1 != 0 {
				change -= 2 * f.signed(a, own)
				edges--
			}
		}
	}
	return change, edges
}

func (f *gainField[W]) bind(o []uint64) (func(uint32) int64, func(uint32)) {
	f.start(o)
	one := make([]uint32, 1)
	return func(v uint32) int64 { return f.gain[v] }, func(v uint32) {
		one[0] = v
		f.flip(one)
	}
}

func (f *gainField[W]) flip(d []uint32) {
	for _, v := range d {
		f.o[v>>6] ^= 1 << (v & 63)
		f.gain[v] = -f.gain[v]
		own := Side(f.o, v)
		for _, a := range f.arcs[f.off[v]:f.off[v+1]] {
			f.gain[a.to] += 2 * f.signed(a, own)
		}
	}
}

// CutOf returns the cut of the partition o of g: the weights of edges from side 1 to side 0.
func CutOf(g *graph.Graph, o []uint64) (cut int64) {
	across := make([]int64, g.N()) // all bits of a vertex on side 0
	for v := range across {
		across[v] = int64(Side(o, uint32(v))) - 1
	}
	for v, side := range across {
		if side != 0 {
			continue
		}
		lo, hi := g.Offsets[v], g.Offsets[v+1]
		weights := g.Weights[lo:hi]
		for e, u := range g.Neighbors[lo:hi] {
			cut += weights[e] & across[u]
		}
	}
	return cut
}

// members appends the vertices whose bits are set in words to d. The first bit is vertex base.
func members(d []uint32, words []uint64, base uint32) []uint32 {
	for k, w := range words {
		for ; w != 0; w &= w - 1 {
			d = append(d, base+uint32(64*k+bits.TrailingZeros64(w)))
		}
	}
	return d
}

// masks returns the bits of an interval in its first and in its last word.
func masks(lo, hi uint32) (first, last uint64) {
	return ^uint64(0) << (lo & 63), ^uint64(0) >> (63 - (hi-1)&63)
}

// differ reports whether two partitions differ in [lo, hi).
func differ(a, b []uint64, lo, hi uint32) bool {
	first, last := masks(lo, hi)
	i, j := lo>>6, (hi-1)>>6
	if i == j {
		return (a[i]^b[i])&first&last != 0
	}
	if (a[i]^b[i])&first != 0 || (a[j]^b[j])&last != 0 {
		return true
	}
	for k := i + 1; k < j; k++ {
		if a[k] != b[k] {
			return true
		}
	}
	return false
}
