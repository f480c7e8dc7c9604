package host

import (
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/graphtest"
)

// For both kinds of field and after many flips, delta is the difference of two full evaluations. Flipping all vertices
// changes nothing, and flipping a set changes as much as flipping its complement.
func TestFieldDelta(t *testing.T) {
	for name, g := range graphtest.Small() {
		n := g.N()
		model := linkage.Univariate(n)
		r := linkage.Relabel(g, model.Order)
		o, after := make([]uint64, Words(n)), make([]uint64, Words(n))
		narrow := &rows[int64]{}
		if f, ok := fieldOf[int64](r).(*gainField[int64]); ok {
			narrow = f.rows
		} else {
			narrow = fieldOf[int64](r).(*bitField[int64]).rows
		}
		both := []field{&bitField[int64]{rows: narrow}, gainsOf(r)}
		key := rng.Key{Seed: 4}
		for k := range o {
			o[k] = uint64(key.Word(uint32(k), 0, 0, rng.Check))<<32 | uint64(key.Word(uint32(k), 1, 0, rng.Check))
		}
		if n%64 != 0 {
			o[len(o)-1] &= 1<<(n%64) - 1
		}
		own := [2][]uint64{slices.Clone(o), slices.Clone(o)}
		for k, f := range both {
			f.start(own[k])
		}
		for trial := range uint32(60) {
			w := key.Words(trial, 2, 0, rng.Check)
			lo := rng.Int(w[0], uint32(n))
			hi := lo + 1 + rng.Int(w[1], uint32(n)-lo)
			if trial%10 == 0 {
				lo, hi = 0, uint32(n)
			}
			member := make([]uint64, (hi-1)>>6-lo>>6+1)
			for v := lo; v < hi; v++ {
				if trial%10 == 0 || key.Word(v, trial, 1, rng.Check)&1 == 1 {
					member[(v-lo&^63)>>6] |= 1 << (v & 63)
				}
			}
			d := members(nil, member, lo&^63)
			copy(after, own[0])
			for _, v := range d {
				after[v>>6] ^= 1 << (v & 63)
			}
			want, touched := CutOf(r, after)-CutOf(r, own[0]), int64(0)
			in := make([]bool, n)
			for _, v := range d {
				in[v] = true
			}
			for v := range n {
				for _, u := range r.Neighbors[r.Offsets[v]:r.Offsets[v+1]] {
					if int(u) > v && (in[u] || in[v]) {
						touched++
					}
				}
			}
			for k, f := range both {
				if len(d) == 0 {
					continue
				}
				got, edges := f.delta(d, lo, hi, member)
				if got != want || edges != touched {
					t.Fatalf("%s, field %d: flipping %d vertices of [%d, %d) changes %d with %d edges, want %d with %d",
						name, k, len(d), lo, hi, got, edges, want, touched)
				}
				f.flip(d)
			}
			if len(d) == n && want != 0 {
				t.Errorf("%s: flipping all vertices changes the cut by %d", name, want)
			}
			if !slices.Equal(own[0], after) || !slices.Equal(own[1], after) {
				t.Fatalf("%s: the fields have flipped other bits", name)
			}
		}
	}
}

// gainsOf returns a field that keeps gains, also for a sparse graph.
func gainsOf(g *graph.Graph) *gainField[int64] {
	f := &gainField[int64]{rows: &rows[int64]{off: make([]uint32, g.N()+1)}, gain: make([]int64, g.N()),
		above: make([]uint32, g.N())}
	for v := range f.off {
		f.off[v] = uint32(g.Offsets[v])
	}
	for e, u := range g.Neighbors {
		f.arcs = append(f.arcs, arc[int64]{u, g.Weights[e]})
	}
	for v := range f.above {
		f.above[v] = f.off[v]
		for f.above[v] < f.off[v+1] && f.arcs[f.above[v]].to < uint32(v) {
			f.above[v]++
		}
	}
	return f
}
