package graph

import (
	"testing"

	"github.com/clopt/clopt/problems/rng"
)

// TestReduce checks, for all partitions of what is left of small graphs, that Expand finds the largest cut of the whole
// graph with these sides and that Whole says it, and that no vertex stays that could be removed.
func TestReduce(t *testing.T) {
	smaller, halves := 0, 0
	for seed := range uint32(200) {
		n := 3 + int(seed%9)
		var edges Edges
		for u := range n {
			for v := range u {
				w := rng.Key{Seed: seed}.Words(uint32(n*u+v), 0, 0, rng.Generate)
				if rng.Int(w[0], uint32(n)) > 3 {
					continue
				}
				size := int64(1)
				if seed%2 == 1 {
					size += int64(rng.Int(w[1], 4))
				}
				edges.Add(v, u, size*(1-2*int64(w[2]&1&(seed>>2))), 0)
			}
		}
		g, _, _, _ := edges.Graph(n, false)
		r := g.Reduce()
		if r == nil {
			for v := range n {
				if g.Offsets[v+1]-g.Offsets[v] <= 2 {
					t.Errorf("seed %d: vertex %d stays", seed, v)
				}
			}
			continue
		}
		if err := r.Graph.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if left := r.Graph.N(); left < 2 || left != len(r.Vertices) {
			t.Fatalf("seed %d: %d vertices are left, %d of the whole graph", seed, left, len(r.Vertices))
		}
		smaller += n - r.Graph.N()
		halves += int(r.factor - 1)
		best := map[int]int64{} // by the sides of what is left
		side := make([]uint8, n)
		for bits := range 1 << n {
			for v := range side {
				side[v] = uint8(bits >> v & 1)
			}
			kept := 0
			for k, v := range r.Vertices {
				kept |= int(side[v]) << k
			}
			cut := g.Cut(side)
			if was, ok := best[kept]; !ok || cut > was {
				best[kept] = cut
			}
		}
		for kept, want := range best {
			left := make([]uint8, r.Graph.N())
			for k := range left {
				left[k] = uint8(kept >> k & 1)
			}
			whole := r.Expand(left)
			for k, v := range r.Vertices {
				if whole[v] != left[k] {
					t.Fatalf("seed %d: vertex %d is on another side", seed, v)
				}
			}
			if got, says := g.Cut(whole), r.Whole(r.Graph.Cut(left)); got != want || says != want {
				t.Fatalf("seed %d, sides %b: a cut of %d, said to be %d, want %d", seed, kept, got, says, want)
			}
		}
	}
	if smaller < 500 || halves < 10 {
		t.Errorf("%d vertices were removed, and %d times weights were doubled", smaller, halves)
	}
}

// TestReduceAll checks that two vertices of a tree are left, and that a vertex of many neighbours takes no long time.
func TestReduceAll(t *testing.T) {
	const n = 1 << 17
	var edges Edges
	for v := 1; v < n; v++ {
		edges.Add(v&1*(v/2), v, int64(v%5)+1, 0) // half of the vertices at vertex 0, and chains from the others
	}
	g, _, _, _ := edges.Graph(n, false)
	r := g.Reduce()
	if r == nil || r.Graph.N() != 2 {
		t.Fatalf("%+v is left of a tree", r)
	}
	side := make([]uint8, 2)
	if r.Graph.M() == 1 {
		side[1] = 1
	}
	sum := int64(0)
	for _, w := range g.Weights {
		sum += w / 2
	}
	if cut := g.Cut(r.Expand(side)); cut != r.Whole(r.Graph.Cut(side)) {
		t.Errorf("a cut of %d of a tree is said to be %d", cut, r.Whole(r.Graph.Cut(side)))
	}
}

// TestReduceHub checks the removal of vertices beside one that gets many neighbours, and that the result is kept.
func TestReduceHub(t *testing.T) {
	const rim = 1 << 16
	var edges Edges
	for v := range rim { // a wheel with a vertex on each spoke
		edges.Add(1+v, 1+(v+1)%rim, 3, 0)
		edges.Add(1+rim+v, 0, int64(1-2*(v%2)), 0)
		edges.Add(1+rim+v, 1+v, 1, 0)
	}
	g, _, _, _ := edges.Graph(1+2*rim, false)
	r := g.Reduce()
	if r == nil || r.Graph.N() != 2 {
		t.Fatalf("%+v is left of a wheel", r)
	}
	if g.Reduce() != r {
		t.Error("the graph was reduced twice")
	}
	side := []uint8{0, uint8(r.Graph.M() & 1)}
	if cut := g.Cut(r.Expand(side)); cut != r.Whole(r.Graph.Cut(side)) {
		t.Errorf("a cut of %d of a wheel is said to be %d", cut, r.Whole(r.Graph.Cut(side)))
	}
}
