package mixing

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/graphtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// A child has every component of the difference from one side, each that gains and
// none that loses; its cut and hash are those of its bits, and all of it is counted.
func TestCross(t *testing.T) {
	for name, g := range graphtest.Small() {
		if !fitsComponents(g) {
			continue
		}
		m, p := serialTest(g, 6, rng.Key{Seed: 3})
		gen := m.x.graph
		best := *m.elite
		best.row = slices.Clone(best.row)
		for i := range p.n {
			for mate := range uint32(p.n + 1) {
				forced := mate == uint32(p.n)
				other := best.row
				if forced {
					mate = mateElite
				} else {
					other = p.row(int(mate))
				}
				f, hash := p.f[i], p.hash[i]
				before := *m.counts
				leads := f > best.f || best.is(f, hash, m.x.whole)
				m.cross(p, i, mate, &best)
				next := p.next[i*p.words : (i+1)*p.words]
				if p.f[i] != cutOf(gen, next) || p.hash[i] != m.x.hashOf(next) || p.f[i] < f {
					t.Fatalf("%s: cut %d of a child that has %d, its parent %d", name, p.f[i], cutOf(gen, next), f)
				}
				parts, edges := partsOf(gen, p.row(i), other)
				if m.values-before.values != int64(len(parts)) || m.edges-before.edges != edges {
					t.Errorf("%s: %d components of %d edges, want %d of %d", name, m.values-before.values, m.edges-before.edges, len(parts), edges)
				}
				took := 0
				for _, c := range parts {
					o := slices.Clone(p.row(i))
					for _, v := range c {
						o[v>>6] ^= 1 << (v & 63)
					}
					gain, flipped := cutOf(gen, o)-f, 0
					for _, v := range c {
						if side(next, v) != side(p.row(i), v) {
							flipped++
						}
					}
					if gain > 0 || gain == 0 && !forced && !leads {
						took++
						if flipped != len(c) {
							t.Fatalf("%s: %d of %d vertices of a component that gains %d", name, flipped, len(c), gain)
						}
					} else if flipped != 0 && !(forced && took == 0) {
						t.Fatalf("%s: %d vertices of a component that gains %d", name, flipped, gain)
					}
				}
				if forced && took == 0 && !slices.Equal(next, best.row) {
					t.Fatalf("%s: the elitist gave nothing and was not copied", name)
				}
				p.f[i], p.hash[i] = f, hash
			}
		}
	}
}

// partsOf is the components of the smaller difference of two partitions, and the
// edges with an end in it, by spreading labels until nothing changes.
func partsOf(g *graph.Graph, a, b []uint64) (parts [][]uint32, edges int64) {
	n := g.N()
	in := make([]bool, n)
	size := 0
	for v := range in {
		if in[v] = side(a, uint32(v)) != side(b, uint32(v)); in[v] {
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

// Devices make the children that the host makes, with groups of any size.
func TestComponentsTwin(t *testing.T) {
	for name, g := range graphtest.Small() {
		if !fitsComponents(g) {
			continue
		}
		for _, v := range shorttest.Rows(1, []struct {
			devices int
			m       GOMEA
			opt     shard.Options
		}{
			{3, GOMEA{Population: 7, Linkage: components, Force: "off"}, shard.Options{LaunchTime: 1e-6}},
			{1, GOMEA{Population: 9, Linkage: components}, shard.Options{}},
			{2, GOMEA{Population: 8, Linkage: components, group: 16, spill: true}, shard.Options{}},
		}) {
			t.Run(fmt.Sprintf("%s on %d with %s", name, v.devices, v.m.String()), func(t *testing.T) {
				r := runOf(t, &v.m, g, solvertest.OpenFirst(t, v.devices, v.opt), rng.Key{Seed: 8, Run: 2})
				if _, ok, err := r.Step(context.Background(), 1<<40); !ok || err != nil {
					t.Fatal(ok, err)
				}
				m, p := twinOf(r)
				for gen := range 9 {
					sameTwin(t, r, m, p, gen)
					if _, _, err := r.engine.advance(context.Background(), r.state.Populations[0], 1<<50); err != nil {
						t.Fatal(err)
					}
					if err := m.crossAll(context.Background(), p); err != nil {
						t.Fatal(err)
					}
					p.rows, p.next = p.next, p.rows
					p.generation++
				}
				sameCounts(t, r, m.counts)
			})
		}
	}
}

// What mixing by components would not look at is refused, or asks for the tree.
func TestComponentsRefuse(t *testing.T) {
	for _, set := range []map[string]string{
		{"linkage": "components", "bound": "10"}, {"linkage": "components", "similarity": "weight"},
		{"linkage": "components", "donor": "single"}, {"sweeps": "10"}, {"local": "ls", "sweeps": "10"},
	} {
		if m, err := solvers.Configure(&GOMEA{}, set); err == nil {
			t.Errorf("%v is taken as %s", set, m)
		}
	}
	p := solvertest.ParseProblem(t, "maxcut:torus=6x6").(problems.Cut)
	for bound, want := range map[string]string{"auto": components, "10": "tree"} {
		m, err := solvers.Configure(&GOMEA{}, map[string]string{"local": "sa", "bound": bound})
		if err != nil || m.(*GOMEA).mixes(p) != want {
			t.Errorf("bound=%s: %v, want %s", bound, err, want)
		}
	}
}

// Mates are uniform among other cuts; a complement is the same cut.
func TestMates(t *testing.T) {
	const n, whole = 20, 0xabcdef
	for _, others := range []int{1, 12} {
		p := newPopulation(0, n, 1)
		for i := range n {
			p.f[i], p.hash[i] = 5, 77
			if i%2 == 0 {
				p.hash[i] ^= whole
			}
			if i > 0 && i <= others {
				p.hash[i] = uint64(1000 + i)
			}
		}
		el := &elite{}
		count := make([]int, n)
		const draws = 24000
		for k := range draws {
			p.generation = uint32(k)
			count[p.mate(rng.Key{Seed: 1}, p.cuts(whole), 0)]++
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
		*el = elite{f: 9, found: true}
		if p.idle[0] = patience(n) + 1; p.mates(rng.Key{}, el, whole, true)[0] != mateElite || p.mates(rng.Key{}, el, whole, false)[0] == mateElite {
			t.Error("who idles has the elitist for a mate, where improvement is forced")
		}
	}
	p := newPopulation(0, 3, 1)
	if p.mates(rng.Key{}, &elite{}, whole, true)[1] != mateNone {
		t.Error("a mate where all are one cut")
	}
}

// A population of annealed individuals begins anew with twice the sweeps and
// individuals; the optimum is known.
func TestGrowing(t *testing.T) {
	p, err := catalog.Parse("maxcut:tile=12x12,p=0.5,seed=3", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	known, _ := p.Info().BestKnown()
	var best [2]float64
	for k, variant := range []string{"parallel", "serial"} {
		m := &GOMEA{Local: "sa", Variant: variant, Sweeps: 4}
		res, err := solvers.Minimize(context.Background(), p, solvertest.OpenFirst(t, 1, shard.Options{}), solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 2e5, Target: &known}}, m)
		if err != nil {
			t.Fatal(err)
		}
		if best[k] = res.F; res.F != known || !res.Confirmed {
			t.Errorf("%s: %v after work %v, the optimum is %v", variant, res.F, res.Work, known)
		}
	}
	m := &GOMEA{Local: "sa", Sweeps: 4}
	r := runOf(t, m, p.(problems.Cut).Graph(), solvertest.OpenFirst(t, 1, shard.Options{}), rng.Key{Seed: 1})
	n, sweeps, restarts := r.size(0), 4, 0
	for restarts < 3 {
		if _, ok, err := r.Step(context.Background(), 1<<40); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if r.state.Restarts > restarts {
			restarts, sweeps = r.state.Restarts, 2*sweeps
			if got := r.engine.(*parallelEngine).annealing.sweeps(); got != sweeps {
				t.Errorf("restart %d: %d sweeps, want %d", restarts, got, sweeps)
			}
		}
	}
	if r.size(0) != 8*n {
		t.Errorf("%d individuals after three restarts of %d", r.size(0), n)
	}
}

// The text of the settings gives the same method back, one that grows as well.
func TestGrowingText(t *testing.T) {
	m := &GOMEA{Local: "sa"}
	pairs := map[string]string{}
	for _, pair := range strings.Split(m.String(), ",") {
		key, value, _ := strings.Cut(pair, "=")
		pairs[key] = value
	}
	again, err := solvers.Configure(&GOMEA{}, pairs)
	if err != nil {
		t.Fatal(err)
	}
	g := again.(*GOMEA)
	if !g.grows() || g.first(1000) != m.first(1000) || g.sweeps() != m.sweeps() || g.String() != m.String() {
		t.Errorf("%s came back as %s", m, g)
	}
	if (&GOMEA{Local: "sa", Base: 16}).grows() || (&GOMEA{Local: "ls"}).grows() {
		t.Error("interleaved populations do not grow")
	}
}

// Where a graph freezes: on a torus, B = 3 and w = 1; on a chain, nowhere.
func TestFreezing(t *testing.T) {
	var torus, chain [][3]int
	const n = 12
	for v := range n * n {
		torus = append(torus, [3]int{v, v/n*n + (v+1)%n, 2}, [3]int{v, (v + n) % (n * n), -2})
		if v > 0 {
			chain = append(chain, [3]int{v - 1, v, 8})
		}
	}
	if got, want := freezing(graphtest.Build(n*n, torus)), 2/(2*math.Atanh(math.Sqrt(1./3))); math.Abs(got-want) > 1e-6 {
		t.Errorf("torus: %v, want %v", got, want)
	}
	if got := freezing(graphtest.Build(n*n, chain)); math.Abs(got-2) > 1e-6 {
		t.Errorf("chain: %v, want a quarter of the weight", got)
	}
}
