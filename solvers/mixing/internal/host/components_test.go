package host

import (
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/graphtest"
)

// An offspring takes every component of the difference that gains and none that loses. Its cut and hash are those of
// its bits, and values and edges are counted.
func TestCross(t *testing.T) {
	for name, g := range graphtest.Small() {
		if !ShapeOf(g).FitsComponents() {
			continue
		}
		m, p := serialTest(g, 6, rng.Key{Seed: 3})
		gen := m.X.Graph
		best := *m.Elite
		best.Row = slices.Clone(best.Row)
		for i := range p.N {
			for mate := range uint32(p.N + 1) {
				forced := mate == uint32(p.N)
				other := best.Row
				if forced {
					mate = mateElite
				} else {
					other = p.Row(int(mate))
				}
				f, hash := p.F[i], p.Hash[i]
				before := *m.Counts
				leads := f > best.F || best.Is(f, hash, m.X.Whole)
				m.cross(p, i, mate, &best)
				next := p.NextRow(i)
				if p.F[i] != CutOf(gen, next) || p.Hash[i] != m.X.HashOf(next) || p.F[i] < f {
					t.Fatalf("%s: the cut is given as %d, the bits have %d and the parent %d", name, p.F[i], CutOf(gen,
						next), f)
				}
				parts, edges := partsOf(gen, p.Row(i), other)
				if m.Values-before.Values != int64(len(parts)) || m.Edges-before.Edges != edges {
					t.Errorf("%s: %d components of %d edges, want %d of %d", name, m.Values-before.Values,
						m.Edges-before.Edges, len(parts), edges)
				}
				took := 0
				for _, c := range parts {
					o := slices.Clone(p.Row(i))
					for _, v := range c {
						o[v>>6] ^= 1 << (v & 63)
					}
					gain, flipped := CutOf(gen, o)-f, 0
					for _, v := range c {
						if Side(next, v) != Side(p.Row(i), v) {
							flipped++
						}
					}
					if gain > 0 || gain == 0 && !forced && !leads {
						took++
						if flipped != len(c) {
							t.Fatalf("%s: %d of %d vertices flipped of a component that gains %d", name, flipped,
								len(c), gain)
						}
					} else if flipped != 0 && !(forced && took == 0) {
						t.Fatalf("%s: %d vertices flipped of a component that gains %d", name, flipped, gain)
					}
				}
				if forced && took == 0 && !slices.Equal(next, best.Row) {
					t.Fatalf("%s: no component of the elitist gains, and it was not copied", name)
				}
				p.F[i], p.Hash[i] = f, hash
			}
		}
	}
}

// partsOf returns the components of the smaller difference of two partitions, and the number of edges with an end in
// it. It spreads labels until nothing changes.
func partsOf(g *graph.Graph, a, b []uint64) (parts [][]uint32, edges int64) {
	n := g.N()
	in := make([]bool, n)
	size := 0
	for v := range in {
		if in[v] = Side(a, uint32(v)) != Side(b, uint32(v)); in[v] {
			size++
		}
	}
	if 2*size > n {
		for v := range in {
			in[v] = !in[v]
		}
	}
	label := make([]int, n)
	for v := range label {
		label[v] = v
	}
	for again := true; again; {
		again = false
		for v := range n {
			for _, u := range g.Neighbors[g.Offsets[v]:g.Offsets[v+1]] {
				if in[v] && in[u] && label[u] < label[v] {
					label[v], again = label[u], true
				}
			}
		}
	}
	of := map[int][]uint32{}
	for v := range n {
		if in[v] {
			of[label[v]] = append(of[label[v]], uint32(v))
		}
		for _, u := range g.Neighbors[g.Offsets[v]:g.Offsets[v+1]] {
			if int(u) > v && (in[u] || in[v]) {
				edges++
			}
		}
	}
	for _, c := range of {
		parts = append(parts, c)
	}
	return parts, edges
}

// Mates are uniform among other cuts; a complement is the same cut.
func TestMates(t *testing.T) {
	const n, whole = 20, 0xabcdef
	for _, others := range []int{1, 12} {
		p := NewPopulation(0, n, 1)
		for i := range n {
			p.F[i], p.Hash[i] = 5, 77
			if i%2 == 0 {
				p.Hash[i] ^= whole
			}
			if i > 0 && i <= others {
				p.Hash[i] = uint64(1000 + i)
			}
		}
		el := &Elite{}
		count := make([]int, n)
		const draws = 24000
		for k := range draws {
			p.Generation = uint32(k)
			count[p.Mates(rng.Key{Seed: 1}, el, whole, false)[0]]++
		}
		for i, c := range count {
			want := float64(draws) / float64(others)
			if i == 0 || i > others {
				want = 0
			}
			if math.Abs(float64(c)-want) > 5*math.Sqrt(want) {
				t.Errorf("%d others: %d was drawn %d times, want %g", others, i, c, want)
			}
		}
		*el = Elite{F: 9, Found: true}
		if p.Idle[0] = Patience(n) + 1; p.Mates(rng.Key{}, el, whole, true)[0] != mateElite ||
			p.Mates(rng.Key{}, el, whole, false)[0] == mateElite {
			t.Error("an individual that has idled too long mates with the elitist only if improvement is forced")
		}
	}
	p := NewPopulation(0, 3, 1)
	if p.Mates(rng.Key{}, &Elite{}, whole, true)[1] != mateNone {
		t.Error("an individual has a mate although all are one cut")
	}
}
