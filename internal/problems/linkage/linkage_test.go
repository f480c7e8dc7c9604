package linkage

import (
	"fmt"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/graphtest"
)

func torus(rows, cols int, weight func(e uint32) int) *graph.Graph {
	var edges [][3]int
	for r := range rows {
		for c := range cols {
			v := r*cols + c
			edges = append(edges,
				[3]int{v, r*cols + (c+1)%cols, weight(uint32(2 * v))},
				[3]int{v, (r+1)%rows*cols + c, weight(uint32(2*v + 1))})
		}
	}
	return graphtest.Build(rows*cols, edges)
}

func plusMinus(e uint32) int { return 1 - 2*int(rng.Key{Seed: 1}.Word(e, 0, 0, rng.Check)>>31) }

// random makes a graph in which each pair is an edge with probability p. Its weight
// is from 1 to most and, if signed, negative for half of the edges.
func random(n int, p float64, most int, signed bool, seed uint32) *graph.Graph {
	var edges [][3]int
	for u := range n {
		for v := u + 1; v < n; v++ {
			w := rng.Key{Seed: seed}.Words(uint32(u*n+v), 0, 0, rng.Check)
			if rng.Uniform(w[0]) < p {
				weight := 1 + int(rng.Int(w[1], uint32(most)))
				if signed && w[2]>>31 == 1 {
					weight = -weight
				}
				edges = append(edges, [3]int{u, v, weight})
			}
		}
	}
	return graphtest.Build(n, edges)
}

// family returns the sets of a model by their vertices.
func family(m *Model) []string {
	var all []string
	for _, s := range m.Sets {
		v := slices.Clone(m.Order[s.Lo:s.Hi])
		slices.Sort(v)
		all = append(all, fmt.Sprint(v))
	}
	slices.Sort(all)
	return all
}

// reference is UPGMA as it is defined: each step compares all pairs.
func reference(n int, sim func(u, v int) float64, bound int, key rng.Key) []string {
	type cluster struct {
		v   []uint32
		tag uint32
	}
	var live []cluster
	for v, t := range tags(n, key) {
		live = append(live, cluster{[]uint32{uint32(v)}, t})
	}
	var sets []string
	for v := range n {
		sets = append(sets, fmt.Sprint([]int{v}))
	}
	for {
		bi, bj := -1, -1
		var best near
		for i, a := range live {
			for j, b := range live[:i] {
				if bound > 0 && len(a.v)+len(b.v) > bound {
					continue
				}
				sum := 0.0
				for _, u := range a.v {
					for _, v := range b.v {
						sum += sim(int(u), int(v))
					}
				}
				// The union and the tags of the pair take the place of those of a
				// cluster. The tags of a pair are compared as sums.
				e := near{key: sum / float64(len(a.v)*len(b.v)), size: uint32(len(a.v) + len(b.v))}
				better := bi < 0 || e.before(best)
				if bi >= 0 && e.key == best.key && e.size == best.size {
					better = uint64(a.tag)+uint64(b.tag) < uint64(live[bi].tag)+uint64(live[bj].tag)
				}
				if better {
					best, bi, bj = e, i, j
				}
			}
		}
		if bi < 0 {
			break
		}
		a, b := live[bi], live[bj]
		live = slices.Delete(live, bi, bi+1)
		live = slices.Delete(live, bj, bj+1)
		c := cluster{slices.Concat(a.v, b.v), mixTag(a.tag, b.tag)}
		live = append(live, c)
		if len(c.v) < n {
			v := slices.Clone(c.v)
			slices.Sort(v)
			sets = append(sets, fmt.Sprint(v))
		}
	}
	slices.Sort(sets)
	return sets
}

// The trees equal those of the definition, even with ties, with and without a bound.
func TestUPGMA(t *testing.T) {
	for seed := range uint32(50) {
		n := 5 + int(seed)%30
		most := 1 << 20 // distinct weights
		if seed%2 == 1 {
			most = 2 // many ties
		}
		g := random(n, 0.05+0.02*float64(seed%20), most, false, seed)
		key := rng.Key{Seed: seed}
		sim := Abs.Of(g)
		full := make([]float64, n*n)
		for v := range n {
			for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
				full[v*n+int(g.Neighbors[e])] = sim[e]
			}
		}
		bound := []int{0, 10, 4}[seed%3]
		want := reference(n, func(u, v int) float64 { return full[u*n+v] }, bound, key)
		if got := family(Sparse(g, sim, bound, key)); !slices.Equal(got, want) {
			t.Errorf("seed %d, n %d, bound %d: %d sets, want %d", seed, n, bound, len(got), len(want))
		}
		if got := family(Dense(n, full, bound, key)); !slices.Equal(got, want) {
			t.Errorf("seed %d, n %d, bound %d, dense: %d sets, want %d", seed, n, bound, len(got), len(want))
		}
	}
}

// Negative similarities are below those of vertices that are not neighbours.
func TestUPGMANegative(t *testing.T) {
	for seed := range uint32(20) {
		n := 4 + int(seed)
		g := random(n, 0.3+0.03*float64(seed), 1000, true, seed)
		sim := Weight.Of(g)
		full := make([]float64, n*n)
		for v := range n {
			for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
				full[v*n+int(g.Neighbors[e])] = sim[e]
			}
		}
		key := rng.Key{Seed: seed}
		want := reference(n, func(u, v int) float64 { return full[u*n+v] }, 0, key)
		if got := family(Sparse(g, sim, 0, key)); !slices.Equal(got, want) {
			t.Errorf("seed %d, n %d:\n%v\n%v", seed, n, got, want)
		}
	}
}

// check checks that a model is laminar, that intervals are within bounds, and that
// groups are independent and complete.
func check(t *testing.T, g *graph.Graph, m *Model, groups *Classes) {
	t.Helper()
	n := g.N()
	order := slices.Clone(m.Order)
	slices.Sort(order)
	for v, u := range order {
		if int(u) != v {
			t.Fatalf("order is not a permutation")
		}
	}
	for s, f := range m.Sets {
		if s < n && (int(f.Lo) != s || f.Len() != 1) {
			t.Fatalf("set %d is %v", s, f)
		}
		if f.Len() < 1 || f.Len() >= n {
			t.Fatalf("set %d has %d of %d vertices", s, f.Len(), n)
		}
		if p := m.Parent[s]; p >= 0 {
			if q := m.Sets[p]; int(p) <= s || q.Lo > f.Lo || q.Hi < f.Hi || q.Len() <= f.Len() {
				t.Fatalf("set %d %v has parent %d %v", s, f, p, q)
			}
		}
	}
	inside := make([]int, len(m.Sets)) // vertices in the children of a set
	for s, f := range m.Sets {
		if p := m.Parent[s]; p >= 0 {
			inside[p] += f.Len()
		}
	}
	for s, f := range m.Sets {
		if s >= n && inside[s] != f.Len() {
			t.Fatalf("set %d of %d vertices has children of %d", s, f.Len(), inside[s])
		}
	}
	seen := make([]bool, len(m.Sets))
	owner, near := make([]int, n), make([]int, n)
	round := 0
	for k := range groups.N() {
		round++
		for _, s := range groups.Of(k) {
			if seen[s] {
				t.Fatalf("set %d is in two groups", s)
			}
			seen[s] = true
			f := m.Sets[s]
			for v := f.Lo; v < f.Hi; v++ {
				if owner[v] == round || near[v] == round {
					t.Fatalf("group %d: vertex %d is in, or next to, two sets", k, v)
				}
				owner[v] = round
			}
			for v := f.Lo; v < f.Hi; v++ {
				for _, u := range g.Neighbors[g.Offsets[v]:g.Offsets[v+1]] {
					if u < f.Lo || u >= f.Hi {
						if owner[u] == round {
							t.Fatalf("group %d: an edge joins two sets at %d and %d", k, v, u)
						}
					}
				}
			}
		}
	}
	if slices.Contains(seen, false) {
		t.Fatal("a set is in no group")
	}
}

func TestGroups(t *testing.T) {
	for seed := range uint32(30) {
		g := random(20+3*int(seed), []float64{0, 0.02, 0.1, 0.5}[seed%4], 5, true, seed)
		for _, bound := range []int{0, 10} {
			m := Sparse(g, Abs.Of(g), bound, rng.Key{Seed: seed})
			r := Relabel(g, m.Order)
			check(t, r, m, Color(r, m))
		}
		u := Univariate(g.N())
		check(t, g, u, Color(g, u))
	}
	for _, n := range []int{1, 2, 3} {
		g := random(n, 1, 1, false, 0)
		m := Sparse(g, Abs.Of(g), 0, rng.Key{})
		if want := []int{0, 2, 4}[n-1]; len(m.Sets) != want {
			t.Errorf("%d vertices: %d sets, want %d", n, len(m.Sets), want)
		}
		check(t, Relabel(g, m.Order), m, Color(Relabel(g, m.Order), m))
	}
}

// A group is used again for every set that touches none of its sets. Single vertices of a graph without edges are one
// group, those of an even torus two, and those of a complete graph are all apart.
func TestFewestGroups(t *testing.T) {
	for want, g := range map[int]*graph.Graph{
		1: graphtest.Build(6, nil), 2: torus(6, 8, plusMinus), 7: random(7, 1, 1, false, 0),
	} {
		u := Univariate(g.N())
		if groups := Color(g, u); groups.N() != want {
			t.Errorf("%d vertices, %d edges: %d groups, want %d", g.N(), g.M(), groups.N(), want)
		}
	}
}

func TestRelabel(t *testing.T) {
	g := random(30, 0.3, 9, true, 4)
	m := Sparse(g, Abs.Of(g), 0, rng.Key{})
	r := Relabel(g, m.Order)
	side, moved := make([]uint8, 30), make([]uint8, 30)
	for p, v := range m.Order {
		side[v] = uint8(rng.Key{}.Word(v, 0, 0, rng.Check) >> 31)
		moved[p] = side[v]
		row := r.Neighbors[r.Offsets[p]:r.Offsets[p+1]]
		if !slices.IsSorted(row) || len(row) != g.Offsets[v+1]-g.Offsets[v] {
			t.Fatalf("row %d is %v", p, row)
		}
	}
	if g.Cut(side) != r.Cut(moved) {
		t.Errorf("cut %d, was %d", r.Cut(moved), g.Cut(side))
	}
}

func TestVertexClasses(t *testing.T) {
	for want, g := range map[int]*graph.Graph{
		1: graphtest.Build(3, nil),
		2: torus(6, 8, plusMinus),
		3: torus(5, 5, plusMinus),
		7: random(7, 1, 1, false, 0),
	} {
		c := VertexClasses(g)
		if c.N() > want+1 || want != 3 && c.N() != want {
			t.Errorf("%d classes, want %d", c.N(), want)
		}
		class := make([]int, g.N())
		for k := range c.N() {
			for _, v := range c.Of(k) {
				class[v] = k + 1
			}
		}
		for v := range class {
			for _, u := range g.Neighbors[g.Offsets[v]:g.Offsets[v+1]] {
				if class[v] == 0 || class[u] == class[v] {
					t.Fatalf("%d and %d are neighbours in class %d", u, v, class[v])
				}
			}
		}
	}
}

// The published results for these rules, within the differences that another order
// among equals makes.
func TestPublishedTrees(t *testing.T) {
	for _, want := range []struct {
		name                        string
		bound, sets                 int
		mean                        float64
		depth, colors, largest, med int
	}{
		{"G1", 0, 1598, 10.1, 12, 173, 488, 6}, {"G1", 10, 1499, 4.0, 4, 83, 10, 16},
		{"G1", 100, 1590, 7.5, 9, 165, 100, 6},
		{"G22", 0, 3998, 11.7, 14, 167, 1555, 8}, {"G22", 10, 3755, 4.1, 5, 44, 10, 85},
		{"G22", 100, 3973, 7.4, 8, 142, 100, 7},
		{"G55", 0, 9998, 15.1, 20, 119, 4969, 9}, {"G55", 10, 9347, 4.0, 5, 19, 10, 494},
		{"G55", 100, 9938, 7.5, 9, 61, 100, 27},
		{"G70", 0, 19998, 14.4, 20, 60, 8013, 35}, {"G65", 0, 15998, 13.4, 17, 37, 5470, 563},
		{"G81", 0, 39998, 14.7, 18, 42, 12782, 1290}, {"G81", 10, 37536, 4.1, 5, 15, 10, 2946},
		{"G81", 100, 39738, 7.4, 10, 24, 100, 2031},
	} {
		t.Run(fmt.Sprintf("%s-%d", want.name, want.bound), func(t *testing.T) {
			g := graphtest.MaxCut(t, "gset/"+want.name)
			m := Sparse(g, Abs.Of(g), want.bound, rng.Key{Seed: 1})
			r := Relabel(g, m.Order)
			groups := Color(r, m)
			check(t, r, m, groups)
			sizes, largest := 0, 0
			for _, s := range m.Sets {
				sizes += s.Len()
				largest = max(largest, s.Len())
			}
			var group []int
			for k := range groups.N() {
				group = append(group, len(groups.Of(k)))
			}
			slices.Sort(group)
			mean := float64(sizes) / float64(g.N())
			t.Logf("%d sets, sizes %.1f l, largest %d, depth %d, %d colors, median group %d; published %+v",
				len(m.Sets), mean, largest, m.Depth(), groups.N(), group[len(group)/2], want)
			near := func(what string, got, want, share float64) {
				if got < want*(1-share) || got > want*(1+share) {
					t.Errorf("%s is %g, published %g", what, got, want)
				}
			}
			near("number of sets", float64(len(m.Sets)), float64(want.sets), 0.002)
			near("sum of sizes", mean, want.mean, 0.1)
			near("colors", float64(groups.N()), float64(want.colors), 0.2)
			near("depth", float64(m.Depth()), float64(want.depth), 0.25)
		})
	}
}

func BenchmarkTree1e6(b *testing.B) {
	g := torus(1000, 1000, plusMinus)
	sim := Abs.Of(g)
	b.ReportAllocs()
	for b.Loop() {
		m := Sparse(g, sim, 0, rng.Key{Seed: 1})
		if len(m.Sets) != 1999998 {
			b.Fatal(len(m.Sets))
		}
	}
}

func BenchmarkColor1e6(b *testing.B) {
	g := torus(1000, 1000, plusMinus)
	m := Sparse(g, Abs.Of(g), 0, rng.Key{Seed: 1})
	r := Relabel(g, m.Order)
	for b.Loop() {
		groups := Color(r, m)
		b.ReportMetric(float64(groups.N()), "colors")
		b.ReportMetric(float64(m.Depth()), "depth")
	}
}
