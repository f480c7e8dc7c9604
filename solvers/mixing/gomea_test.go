package mixing

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/graphtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// The change of a set is the difference of two full evaluations, for both
// landscapes and through many flips; all vertices change nothing, and a set
// changes what its complement does.
func TestFieldDelta(t *testing.T) {
	for name, g := range graphtest.Small() {
		n := g.N()
		model := linkage.Univariate(n)
		r := linkage.Relabel(g, model.Order)
		o, after := make([]uint64, wordsOf(n)), make([]uint64, wordsOf(n))
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
			want, touched := cutOf(r, after)-cutOf(r, own[0]), int64(0)
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
					t.Fatalf("%s, landscape %d: flipping %d of [%d, %d) changes %d by %d edges, want %d by %d", name, k, len(d), lo, hi, got, edges, want, touched)
				}
				f.flip(d)
			}
			if len(d) == n && want != 0 {
				t.Errorf("%s: flipping all changes %d", name, want)
			}
			if !slices.Equal(own[0], after) || !slices.Equal(own[1], after) {
				t.Fatalf("%s: a flip is wrong", name)
			}
		}
	}
}

// gainsOf is the landscape with gains, whatever the density.
func gainsOf(g *graph.Graph) *gainField[int64] {
	f := &gainField[int64]{rows: &rows[int64]{off: make([]uint32, g.N()+1)}, gain: make([]int64, g.N()), above: make([]uint32, g.N())}
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

// Populations take turns as published, and a population that has stopped is
// passed over without changing the order of the others.
func TestSchedule(t *testing.T) {
	var s schedule
	var got []int
	for range 21 {
		got = append(got, s.turn()+1)
		s.done()
	}
	if want := []int{1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("turns %v, want %v", got, want)
	}
	s = schedule{base: 1}
	got = nil
	for range 6 {
		got = append(got, s.turn()+1)
		s.done()
	}
	if want := []int{2, 2, 2, 2, 3, 2}; !slices.Equal(got, want) {
		t.Errorf("without the first: turns %v, want %v", got, want)
	}
}

// Donors are uniform among the parents that differ, few or many, and never the
// individual itself.
func TestDonorUniform(t *testing.T) {
	const n, draws = 40, 60000
	for _, differing := range []int{1, 3, 39} {
		p := newPopulation(0, n, 1)
		p.room()
		s := linkage.Set{Lo: 5, Hi: 9}
		for i := range n {
			p.rows[i] = 1 << 20 // outside the set
			if i < differing || differing == 39 && i != 17 {
				p.rows[i] |= 1 << 6
			}
		}
		p.rows[17] = 0
		p.agree()
		count := make([]int, n)
		for k := range draws {
			p.generation = uint32(k)
			count[p.donor(rng.Key{Seed: 1}, 0, p.rows[17:18], 17, 3, s)]++
		}
		chi, want := 0.0, float64(draws)/float64(differing)
		for i, c := range count {
			if p.rows[i]&(1<<6) == 0 {
				if c != 0 {
					t.Errorf("%d differ: %d does not and was taken", differing, i)
				}
				continue
			}
			chi += (float64(c) - want) * (float64(c) - want) / want
		}
		if df := float64(differing - 1); chi > df+5*math.Sqrt(2*df)+1e-9 {
			t.Errorf("%d differ: chi-square %.1f", differing, chi)
		}
		p.rows[17] = 1 << 6
		if differing == 39 && p.donor(rng.Key{}, 0, p.rows[17:18], 17, 3, s) >= 0 {
			t.Error("a donor where all agree")
		}
	}
}

// Looking at all sets and taking the first by priority is what looking in the
// order of priorities until one helps does.
func TestForcedImprovement(t *testing.T) {
	g := graphtest.Small()["sparse"]
	key := rng.Key{Seed: 5}
	m, p := serialTest(g, 8, key)
	took := 0
	for state := range 1000 {
		p.generation = uint32(state)
		for i := range p.n {
			p.populate(key, i, g.N())
		}
		copy(m.elite.row, p.row(0))
		m.elite.f, m.elite.hash = cutOf(m.x.graph, p.row(0)), m.x.hashOf(p.row(0))
		begin := func() {
			copy(m.o, p.row(1))
			if state%2 == 1 { // nearly the elitist
				copy(m.o, p.row(0))
				m.o[0] ^= 1 << (state % 64)
			}
			m.f, m.hash = cutOf(m.x.graph, m.o), m.x.hashOf(m.o)
			m.x.field.start(m.o)
		}
		begin()
		m.improveFirst(p, 1)
		first, f := slices.Clone(m.o), m.f
		begin()
		before := m.f
		for k := range m.order {
			m.order[k] = uint32(k)
		}
		slices.SortStableFunc(m.order, func(a, b uint32) int {
			x, y := key.Word(a, p.who(1), p.generation, rng.Force), key.Word(b, p.who(1), p.generation, rng.Force)
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return int(a) - int(b)
		})
		m.improveInOrder()
		if !slices.Equal(m.o, first) || m.f != f || m.hash != m.x.hashOf(m.o) || m.f != cutOf(m.x.graph, m.o) {
			t.Fatalf("state %d: %d and %d", state, m.f, f)
		}
		if m.f > before && !slices.Equal(m.o, m.elite.row) {
			took++
		}
	}
	if took < 100 {
		t.Errorf("only %d of 1000 states were improved", took)
	}
}

// No individual gets worse in a generation, the elitist neither, and every cut
// and hash is that of its bits.
func TestGenerationsRise(t *testing.T) {
	for name, g := range graphtest.Small() {
		m, p := serialTest(g, 12, rng.Key{Seed: 6})
		for range 8 {
			f, best := slices.Clone(p.f), m.elite.f
			m.generation(p)
			for i := range p.n {
				if p.f[i] < f[i] || p.f[i] != cutOf(m.x.graph, p.row(i)) || p.hash[i] != m.x.hashOf(p.row(i)) {
					t.Fatalf("%s: individual %d of cut %d, was %d, is %d", name, i, p.f[i], f[i], cutOf(m.x.graph, p.row(i)))
				}
			}
			if m.elite.f < best || m.elite.f < slices.Max(p.f) || m.elite.f != cutOf(m.x.graph, m.elite.row) {
				t.Fatalf("%s: elitist %d, was %d", name, m.elite.f, best)
			}
		}
	}
}

// bruteForce is the largest cut of a small graph.
func bruteForce(g *graph.Graph) (best int64) {
	side := make([]uint8, g.N())
	for k := range 1 << max(g.N()-1, 0) {
		for v := range side {
			side[v] = uint8(k >> v & 1)
		}
		best = max(best, g.Cut(side))
	}
	return best
}

// Optima of tiny graphs, known or enumerated, by every variant and model.
func TestTinyOptima(t *testing.T) {
	ring := func(n, w int) *graph.Graph {
		var e [][3]int
		for v := range n {
			e = append(e, [3]int{v, (v + 1) % n, w})
		}
		return graphtest.Build(n, e)
	}
	complete := func(n int, weight func(k int) int) *graph.Graph {
		var e [][3]int
		for u := range n {
			for v := range u {
				e = append(e, [3]int{v, u, weight(len(e))})
			}
		}
		return graphtest.Build(n, e)
	}
	one := func(int) int { return 1 }
	mixed := func(k int) int { return bits.OnesCount(uint(k*2654435761))%13 - 6 }
	cases := []struct {
		g    *graph.Graph
		want int64
	}{
		{ring(3, 1), 2}, {ring(12, 1), 12}, {ring(13, 1), 12}, {ring(9, -2), 0}, {complete(9, one), 20},
		{graphtest.Build(6, [][3]int{{0, 1, 1}, {0, 2, 3}, {0, 3, -1}, {0, 5, 2}}), 6},
		{graphtest.Build(1, nil), 0}, {graphtest.Build(70, nil), 0}, {graphtest.Build(2, [][3]int{{0, 1, -4}}), 0},
		{complete(14, mixed), -1}, {complete(11, func(k int) int { return mixed(k) << 40 }), -1},
	}
	group := solvertest.OpenFirst(t, 1, shard.Options{})
	for k, c := range cases {
		if c.want < 0 {
			c.want = bruteForce(c.g)
		}
		methods := []*GOMEA{{Variant: "serial"}, {Variant: "serial", Linkage: "learned", Donor: "single"}, {Variant: "serial", Linkage: "sparse", Bound: 4, Local: "ls"},
			{Variant: "serial", Linkage: "univariate", Force: "off", Local: "sa", Sweeps: 5}, {Variant: "serial", Similarity: "weight", Population: 8}}
		if k%3 == 0 {
			methods = append(methods, &GOMEA{})
		}
		for _, m := range methods {
			goal := -float64(c.want)
			res, err := solvers.Minimize(context.Background(), cut.NewMaxCut(c.g), group, solvers.Settings{
				Key: rng.Key{Seed: 7}, Budget: solvers.Budget{Evaluations: 300000, Target: &goal}}, m)
			if err != nil {
				t.Fatalf("case %d with %s: %v", k, m, err)
			}
			if res.F != goal || !res.Confirmed {
				t.Errorf("case %d with %s: cut %g, the largest is %d", k, m, -res.F, c.want)
			}
		}
	}
}

// A limit applies to the work and is kept, and small limits are refused.
func TestGomeaLimit(t *testing.T) {
	p := cut.NewMaxCut(graphtest.Small()["sparse"])
	group := solvertest.OpenFirst(t, 1, shard.Options{})
	for _, m := range []*GOMEA{{Variant: "serial"}, {}, {Local: "sa", Base: 16, Sweeps: 20}} {
		for _, limit := range []int64{16, 1000, 20000} {
			res, err := solvers.Minimize(context.Background(), p, group, solvers.Settings{Budget: solvers.Budget{Evaluations: limit}}, m)
			if m.Local == "sa" && limit < 4000 {
				if err == nil {
					t.Errorf("%s: %d is enough for %v", m, limit, res.Work)
				}
				continue
			}
			least := 0.8 * float64(limit)
			if m.Local == "sa" {
				least = 0.2 * float64(limit) // the next population may take 15,400
			}
			if err != nil || res.Work > float64(limit) || limit == 20000 && res.Work < least || res.Status != solvers.Evaluations {
				t.Errorf("%s, limit %d: work %v, %v, %v", m, limit, res.Work, res.Status, err)
			}
		}
		if _, err := solvers.Minimize(context.Background(), p, group, solvers.Settings{Budget: solvers.Budget{Evaluations: 15}}, m); err == nil {
			t.Errorf("%s: a limit below a population was taken", m)
		}
	}
}

// A start point is part of the first population.
func TestGomeaStart(t *testing.T) {
	g := graphtest.Small()["ring"]
	p := cut.NewMaxCut(g)
	x := make([]float64, g.N())
	for v := 1; v < g.N(); v++ { // cut every edge of weight 1
		x[v] = x[v-1]
		if g.Weights[g.Offsets[v-1]+min(v-1, 1)] > 0 || v == 1 {
			x[v] = 1 - x[v-1]
		}
	}
	f, err := problems.Eval(p, x)
	if err != nil {
		t.Fatal(err)
	}
	for _, variant := range []string{"serial", "parallel"} {
		var first solvers.Sample
		_, err := solvers.Minimize(context.Background(), p, solvertest.OpenFirst(t, 1, shard.Options{}), solvers.Settings{X0: [][]float64{x}, Budget: solvers.Budget{Evaluations: 16},
			Recorder: record(func(s solvers.Sample) { first = s })}, &GOMEA{Variant: variant})
		if err != nil {
			t.Fatal(err)
		}
		if first.Best > f {
			t.Errorf("%s: %v after the first step, the start point has %v", variant, first.Best, f)
		}
	}
}

// Known optima of graphs of a size that needs the method.
func TestGomeaPlanted(t *testing.T) {
	group := solvertest.OpenFirst(t, 1, shard.Options{})
	for _, spec := range shorttest.Rows(1, []string{"maxcut:tile=12x12,p=0.5,seed=3", "maxcut:torus=20x20,weights=unit"}) {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		known, ok := p.Info().BestKnown()
		if !ok {
			t.Fatalf("%s: no known optimum", spec)
		}
		for _, m := range []*GOMEA{{Variant: "serial"}, {Local: "ls"}} {
			res, err := solvers.Minimize(context.Background(), p, group, solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 3e5, Target: &known}}, m)
			if err != nil {
				t.Fatal(err)
			}
			if res.F != known || !res.Confirmed {
				t.Errorf("%s with %s: %v after work %v, optimum %v", spec, m, res.F, res.Work, known)
			}
		}
	}
}

// The trace and the result are the same on any number of devices.
func TestGomeaDevices(t *testing.T) {
	p := cut.NewMaxCut(graphtest.Small()["dense"])
	for _, m := range []solvers.Solver{&GOMEA{Base: 4}, &GOMEA{Base: 6, Local: "sa", Sweeps: 10, spill: true}} {
		var first []solvers.Sample
		var x []float64
		for _, v := range []struct {
			devices int
			opt     shard.Options
		}{{1, shard.Options{}}, {2, shard.Options{LaunchTime: 1e-6}}, {3, shard.Options{Weights: []float64{1, 0, 2}}}, {5, shard.Options{NoCheck: true}}} {
			var all []solvers.Sample
			res, err := solvers.Minimize(context.Background(), p, solvertest.OpenFirst(t, v.devices, v.opt), solvers.Settings{
				Key: rng.Key{Seed: 2}, Budget: solvers.Budget{Evaluations: 8000},
				Recorder: record(func(s solvers.Sample) { s.Elapsed = 0; all = append(all, s) })}, m)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first, x = all, res.X
			}
			if !slices.Equal(all, first) || !slices.Equal(x, res.X) {
				t.Errorf("%s: another run on %d devices", m, v.devices)
			}
		}
		if len(first) < 10 {
			t.Errorf("%s: %d steps", m, len(first))
		}
	}
}

func ExampleGOMEA() {
	m, err := solvers.Configure(&GOMEA{}, map[string]string{"base": "32", "local": "sa"})
	fmt.Println(m, err)
	// Output: population=auto,base=32,linkage=auto,bound=auto,similarity=abs,fi=on,donor=differing,local=sa,sweeps=500,variant=parallel <nil>
}

// A population that is created after the run was cancelled is given up.
func TestCreateIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := solvertest.ParseProblem(t, "maxcut:gnp=40,p=0.1,weights=pm1,seed=1")
	for _, variant := range []string{"serial", "parallel"} {
		m := &GOMEA{Variant: variant}
		run, err := m.Start(context.Background(), p, solvertest.OpenFirst(t, 1, shard.Options{}), solvers.Setup{})
		if err != nil {
			t.Fatal(err)
		}
		defer run.Close()
		r := run.(*gomeaRun)
		if err := r.engine.create(ctx, r.newPopulation(0), nil); err != context.Canceled {
			t.Errorf("%s: %v", variant, err)
		}
	}
}

// Graphs that the indices of kernels cannot hold are refused; they were mixed wrongly.
func TestAddressed(t *testing.T) {
	for _, c := range []struct {
		vertices, edges int
		ok              bool
	}{
		{0, 0, true}, {715827882, 1<<31 - 1, true}, {715827884, 0, false}, {2, 1 << 31, false},
	} {
		if err := addressed(c.vertices, c.edges); (err == nil) != c.ok {
			t.Errorf("%d vertices and %d edges: %v", c.vertices, c.edges, err)
		}
	}
}
