package graph_test

import (
	"testing"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/graphtest"
)

// squared returns the graph of weights q·a_i·a_j, with edges to a root as last vertex.
func squared(q int64, a, root []int64) *graph.Graph {
	var edges [][3]int
	n := len(a)
	for i, x := range a {
		for j, y := range a[:i] {
			if x*y != 0 {
				edges = append(edges, [3]int{j, i, int(q * x * y)})
			}
		}
		if root[i] != 0 {
			edges = append(edges, [3]int{i, n, int(root[i])})
		}
	}
	return graphtest.Build(n+1, edges)
}

func largestOf(g *graph.Graph) (best int64) {
	n := g.N()
	side := make([]uint8, n)
	for k := range 1 << (n - 1) {
		for v := range n - 1 {
			side[v] = uint8(k >> v & 1)
		}
		best = max(best, g.Cut(side))
	}
	return best
}

// A square has the largest cut of all partitions, with factors of both signs, with edges to the root that follow from
// the factors and with others.
func TestSquare(t *testing.T) {
	for seed := range uint32(60) {
		word := func(k, what int) int64 {
			return int64(rng.Key{Seed: seed}.Word(uint32(k), uint32(what), 0, rng.Check) >> 8)
		}
		n := 4 + int(word(0, 0)%9)
		a, root := make([]int64, n), make([]int64, n)
		q := 1 + word(0, 1)%7
		for i := range a {
			a[i] = 1 + word(i, 2)%60
			if seed%3 == 1 && word(i, 3)&1 == 0 {
				a[i] = -a[i]
			}
			root[i] = a[i] * q * (word(0, 4)%120 - 60)
			if seed%2 == 1 {
				root[i] += word(i, 5)%400 - 200
			}
		}
		g := squared(q, a, root)
		best, side, ok := g.Largest(0)
		if !ok {
			t.Errorf("seed %d: %d·%v is no square", seed, q, a)
			continue
		}
		if want := largestOf(g); best != want || g.Cut(side) != want {
			t.Errorf("seed %d: %d·%v with %v to the root: the cut is %d, %d of its sides, and %d the largest", seed, q,
				a, root, best, g.Cut(side), want)
		}
	}
}

// Numbers of 22 bits are split evenly, and a knapsack of 300 pieces is filled, where no search of neighbours does it.
func TestSquareLarge(t *testing.T) {
	word := func(k, what int) int64 {
		return int64(rng.Key{Seed: 9}.Word(uint32(k), uint32(what), 0, rng.Check) >> 10)
	}
	numbers, all := make([]int64, 150), int64(0)
	for i := range numbers {
		numbers[i] = 1 + word(i, 0)
		all += numbers[i]
	}
	best, _, ok := squared(1, numbers, make([]int64, 150)).Largest(0)
	if want := (all / 2) * (all - all/2); !ok || best != want {
		t.Errorf("the cut of 150 numbers is %d, %v, and an even split has %d", best, ok, want)
	}
	// As a·a for each piece, and room for 4000: linear terms so that the square is -(S-4000)².
	pieces, root := make([]int64, 300), make([]int64, 300)
	most := make([]int64, 4001)
	for i := range pieces {
		pieces[i] = 1 + word(i, 1)%50
	}
	all = 0
	for _, a := range pieces {
		all += a
	}
	const q = 1000
	for i, a := range pieces {
		value := 1 + word(i, 2)%50
		root[i] = q*a*(2*4000-all) + value
		for s := 4000; s >= int(a); s-- {
			if v := most[s-int(a)] + value; most[s-int(a)] > 0 || s == int(a) {
				most[s] = max(most[s], v)
			}
		}
	}
	best, _, ok = squared(q, pieces, root).Largest(0)
	if want := q*4000*4000 + most[4000]; !ok || best != want {
		t.Errorf("the cut of 300 pieces is %d, %v, and the best one %d", best, ok, want)
	}
}

// Graphs that are no squares are left to others.
func TestNoSquare(t *testing.T) {
	for name, g := range graphtest.Small() {
		if best, _, ok := g.Largest(0); ok && g.N() <= 16 && best != largestOf(g) {
			t.Errorf("%s: the cut is %d, and the largest one %d", name, best, largestOf(g))
		}
	}
	squares := 0
	for seed := range uint32(300) {
		n := 4 + int(seed%3)
		var edges [][3]int
		for u := range n {
			for v := range u {
				w := int(rng.Key{Seed: seed}.Word(uint32(u*n+v), 6, 0, rng.Check)>>8)%13 - 4
				if w != 0 {
					edges = append(edges, [3]int{v, u, w})
				}
			}
		}
		g := graphtest.Build(n, edges)
		best, _, ok := g.Largest(0)
		if ok {
			squares++
		}
		if ok && best != largestOf(g) {
			t.Errorf("seed %d: the cut is %d, and the largest one %d", seed, best, largestOf(g))
		}
	}
	if squares == 0 {
		t.Error("no graph of four vertices is a square")
	}
	a := []int64{3, 5, 7, 9, 11, 4}
	g := squared(2, a, make([]int64, 6))
	weights := append([]int64{}, g.Weights...)
	weights[0]++
	for v := range g.N() {
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			if int(g.Neighbors[e]) == 0 && v == int(g.Neighbors[0]) {
				weights[e]++
			}
		}
	}
	if _, _, ok := g.WithWeights(weights).Largest(0); ok {
		t.Error("a graph with another weight is a square")
	}
}
