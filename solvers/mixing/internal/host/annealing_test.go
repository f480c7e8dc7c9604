package host

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/graphtest"
)

// Chains that are annealed together in a word have the same bits as chains that are annealed one by one, whether gains
// are counted or added up. A root whose sum is too large for counters stays.
func TestAnnealWord(t *testing.T) {
	graphs := graphtest.Small()
	graphs["rooted"], graphs["rooted, rough"] = graphtest.Rooted(1), graphtest.Rooted(5000)
	graphs["hubs, rough"] = graphtest.Scaled(graphs["hubs"], 5000)
	for name, g := range graphs {
		key := rng.Key{Seed: 3, Run: 1}
		shape, _ := shapeOfWords(g) // also where words would not be chosen
		a := NewAnnealing(shape, 12, key)
		fixed := a.Sliced.fixed
		if (fixed >= 0) != (strings.HasPrefix(name, "rooted") || name == "hubs, rough") {
			t.Errorf("%s: vertex %d is fixed", name, fixed)
		}
		if large := name == "large w" || strings.HasSuffix(name, "rough"); (a.Sliced.Sums != nil) != large {
			t.Errorf("%s: gains are added up: %v", name, !large)
		}
		if c := a.Sliced.Counters; c != nil && (c.LargestBunches() > 0) != (name == "hubs") {
			t.Errorf("%s: %d bunches of a class", name, c.LargestBunches())
		}
		x := NewMixture(g, linkage.Univariate(g.N()), key)
		for _, n := range []int{1, 7, 32} {
			p, q := NewPopulation(3, 64, Words(g.N())), NewPopulation(3, 64, Words(g.N()))
			p.Allocate()
			q.Allocate()
			rows, longest := [][]uint64{}, int64(0)
			for i := range n {
				p.Draw(key, 32+i, g.N())
				q.Draw(key, 32+i, g.N())
				sweeps, err := a.Chain(context.Background(), x, p.Row(32+i), p.Who(32+i), 5, 0, len(a.Temps))
				if err != nil {
					t.Fatal(err)
				}
				longest = max(longest, sweeps)
				rows = append(rows, q.Row(32+i))
			}
			sweeps, err := a.Word(context.Background(), rows, q.Who(32), 5, 0, len(a.Temps))
			if err != nil || sweeps != longest || !slices.Equal(p.Rows, q.Rows) {
				t.Errorf("%s, %d chains: %d sweeps, one by one %d; equal: %v; %v", name, n, sweeps, longest,
					slices.Equal(p.Rows, q.Rows), err)
			}
			p.Draw(key, 32, g.N())
			if fixed >= 0 && Side(rows[0], uint32(fixed)) != Side(p.Row(32), uint32(fixed)) {
				t.Errorf("%s: the fixed vertex has flipped", name)
			}
		}
	}
}

// A torus freezes at the temperature for B = 3 and w = 1, and a path never.
func TestFreezing(t *testing.T) {
	var torus, chain [][3]int
	const n = 12
	for v := range n * n {
		torus = append(torus, [3]int{v, v/n*n + (v+1)%n, 2}, [3]int{v, (v + n) % (n * n), -2})
		if v > 0 {
			chain = append(chain, [3]int{v - 1, v, 8})
		}
	}
	got, want := freezing(graphtest.Build(n*n, torus), -1), 2/(2*math.Atanh(math.Sqrt(1./3)))
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("torus: %v, want %v", got, want)
	}
	if got := freezing(graphtest.Build(n*n, chain), -1); math.Abs(got-2) > 1e-6 {
		t.Errorf("path: %v, want a quarter of the weight", got)
	}
}

// A hub of 100 edges counts as a vertex of 32, and in a denser graph as one of twice the mean.
func TestFreezingHub(t *testing.T) {
	for _, c := range []struct{ steps, most int }{{2, 32}, {12, 50}} {
		const n = 144
		var edges [][3]int
		degrees := make([]int, n+1)
		add := func(u, v int) {
			edges = append(edges, [3]int{u, v, 1})
			degrees[u]++
			degrees[v]++
		}
		for v := range n {
			for k := range c.steps {
				add(v, (v+k+1)%n)
			}
			if v < 100 {
				add(v, n)
			}
		}
		degrees[n] = c.most
		pairs, arcs := 0, 0
		for _, d := range degrees {
			pairs += d * (d - 1)
			arcs += d
		}
		want := 1 / (2 * math.Atanh(math.Sqrt(float64(arcs)/float64(pairs))))
		if got := freezing(graphtest.Build(n+1, edges), -1); math.Abs(got-want) > 1e-6 {
			t.Errorf("%d steps: %v, want %v", c.steps, got, want)
		}
	}
}

// Edges of the vertex that never flips do not change the temperature, however heavy they are, and a graph that has no
// others has one.
func TestFreezingFixed(t *testing.T) {
	const heavy = 5
	want := freezing(graphtest.Complete(100, 100, 100), heavy)
	if got := freezing(graphtest.Complete(100, 100, 90000), heavy); math.Abs(got/want-1) > 0.01 {
		t.Errorf("with heavy edges %v, want %v", got, want)
	}
	a := NewAnnealing(ShapeOf(graphtest.Complete(100, 100, 90000)), 10, rng.Key{})
	if a.Temps[0] > float32(0.7*want) {
		t.Errorf("annealing begins at %v, and the graph freezes at %v", a.Temps[0], want)
	}
	if got := freezing(graphtest.Build(2, [][3]int{{0, 1, 8}}), 0); got != 2 {
		t.Errorf("one edge: %v, want a quarter of the weight", got)
	}
}

// The root of a QUBO has an edge to every vertex, often a heavy one. These edges do not change the temperatures of a
// sparse graph either.
func TestFreezingRoot(t *testing.T) {
	const n = 300
	temps := func(root int) []float32 {
		var edges [][3]int
		for v := range n {
			edges = append(edges, [3]int{v, (v + 1) % n, 2}, [3]int{v, (v + 17) % n, 2}, [3]int{v, n, root})
		}
		a := NewAnnealing(ShapeOf(graphtest.Build(n+1, edges)), 10, rng.Key{})
		if a.Dense != nil {
			t.Fatal("the graph is dense")
		}
		return a.Temps
	}
	if light, heavy := temps(2), temps(-160); !slices.Equal(light, heavy) {
		t.Errorf("temperatures %v with heavy edges of the root, %v with light ones", heavy[:10], light[:10])
	}
}

// Annealing begins at 0.75 of the temperature of freezing, at 0.6 where chains keep fields, or at 0.5 on a graph of
// hubs, and ends at 0.075.
func TestHottest(t *testing.T) {
	const sweeps = 10
	kinds := map[float64]int{}
	for name, g := range graphtest.Small() {
		if g.M() == 0 {
			continue
		}
		shape, hot := ShapeOf(g), 0.75
		a := NewAnnealing(shape, sweeps, rng.Key{})
		if a.Dense != nil {
			hot = 0.6
		} else if shape.ofHubs() {
			hot = 0.5
		}
		kinds[hot]++
		freezes := freezing(g, shape.Heavy)
		first, last := hot*freezes, (hot+(0.075-hot)*(sweeps-1)/sweeps)*freezes
		if a.Temps[0] != float32(first) || math.Abs(float64(a.Temps[sweeps-1])/last-1) > 1e-6 || a.Temps[sweeps] != 0 {
			t.Errorf("%s: from %v to %v and %v; want from %v to %v and 0", name, a.Temps[0], a.Temps[sweeps-1],
				a.Temps[sweeps], first, last)
		}
	}
	if len(kinds) != 3 {
		t.Errorf("graphs by where annealing begins: %v", kinds)
	}
}
