package local

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/problems/rules"
	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/graphtest"
)

// penalties is a QUBO as people make it.
type penalties struct {
	linear []int64
	pairs  map[[2]int]int64
}

func newPenalties(n int) *penalties { return &penalties{make([]int64, n), map[[2]int]int64{}} }

func (q *penalties) add(i, j int, w int64) {
	if i == j {
		q.linear[i] += w
	} else {
		q.pairs[[2]int{min(i, j), max(i, j)}] += w
	}
}

// one adds weight·(the number of ones - count)².
func (q *penalties) some(weight, count int64, members ...int) {
	for k, i := range members {
		q.add(i, i, weight*(1-2*count))
		for _, j := range members[:k] {
			q.add(i, j, 2*weight)
		}
	}
}

// graph returns the cut whose largest value is the smallest one of q; the root is the last vertex.
func (q *penalties) graph(t *testing.T) *graph.Graph {
	t.Helper()
	var edges [][3]int
	n := len(q.linear)
	root := make([]int64, n)
	for i, a := range q.linear {
		root[i] = -2 * a
	}
	for p, w := range q.pairs {
		if w != 0 {
			edges = append(edges, [3]int{p[0], p[1], int(w)})
			root[p[0]] -= w
			root[p[1]] -= w
		}
	}
	for i, w := range root {
		if w != 0 {
			edges = append(edges, [3]int{i, n, int(w)})
		}
	}
	return graphtest.Build(n+1, edges)
}

// tour returns a round trip through five cities in a row, one variable for each city and place.
func tour(t *testing.T, penalty int64) *graph.Graph {
	const m = 5
	q := newPenalties(m * m)
	for i := range m {
		var row, column []int
		for j := range m {
			row, column = append(row, i*m+j), append(column, j*m+i)
			for at := range m {
				q.add(i*m+at, j*m+(at+1)%m, int64(max(i-j, j-i)))
			}
		}
		q.some(penalty, 1, row...)
		q.some(penalty, 1, column...)
	}
	return q.graph(t)
}

// halves returns a bisection of a ring of n vertices.
func halves(t *testing.T, n int, penalty int64) *graph.Graph {
	q := newPenalties(n)
	var all []int
	for i := range n {
		j := (i + 1) % n
		q.add(i, i, 1)
		q.add(j, j, 1)
		q.add(i, j, -2)
		all = append(all, i)
	}
	q.some(penalty, int64(n/2), all...)
	return q.graph(t)
}

func cutOf(g *graph.Graph, row []uint64) int64 {
	sides := make([]uint8, g.N())
	for v := range sides {
		sides[v] = uint8(side(row, v))
	}
	return g.Cut(sides)
}

// graphs are small ones, with and without rows.
func graphs(t *testing.T) map[string]*graph.Graph {
	all := graphtest.Small()
	all["tour"], all["halves"], all["heavy halves"] = tour(t, 40), halves(t, 30, 1), halves(t, 30, 1<<33)
	return all
}

// With the weights of rows apart, a partition has the cut that it has in the graph, and so has each that differs by one
// flip or by two.
func TestWalk(t *testing.T) {
	for name, g := range graphs(t) {
		n := g.N()
		if n < 2 {
			continue
		}
		f := newField(g, rules.Of(g, root(g)))
		d := draws(7)
		row := make([]uint64, words(n))
		w := newWalk(f, row)
		for range 1000 {
			d.fill(row, n)
			w.set(row)
			u, v := d.below(n), d.below(n)
			if cut := cutOf(g, row); w.cut != cut {
				t.Fatalf("%s: the cut is %d, not %d", name, cut, w.cut)
			}
			if u == v || u == w.root || v == w.root {
				continue
			}
			both := w.cut + w.gain(u) + w.gain(v) - w.both(u, v)
			one := w.cut + w.gain(u)
			w.flip(u)
			if w.row(row); w.cut != cutOf(g, row) || w.cut != one {
				t.Fatalf("%s: the cut of a flip is %d, not %d or %d", name, cutOf(g, row), w.cut, one)
			}
			w.flip(v)
			if w.row(row); w.cut != cutOf(g, row) || w.cut != both {
				t.Fatalf("%s: the cut of two flips is %d, not %d or %d", name, cutOf(g, row), w.cut, both)
			}
			for r, on := range w.on {
				for _, v := range on {
					if w.spin[v] > 0 || w.rows.Of[v][0] != int32(r) && w.rows.Of[v][1] != int32(r) {
						t.Fatalf("%s: vertex %d is in the list of row %d", name, v, r)
					}
				}
			}
		}
	}
}

// A search knows its best partition, and makes the same moves if it goes on from its state.
func TestState(t *testing.T) {
	key := rng.Key{Seed: 3, Run: 2}
	for name, g := range graphs(t) {
		st := &State{}
		whole := New(g, key, st)
		whole.Known(make([]uint64, words(g.N())), 0)
		for turn := range 12 {
			saved := &State{}
			if err := checkpoint.Decode(checkpoint.Encode(st), saved); err != nil {
				t.Fatal(err)
			}
			again := New(g, key, saved)
			if !again.Valid() {
				t.Fatalf("%s: the state after %d turns is not valid", name, turn)
			}
			moves, cost := whole.Run(20_000)
			if m, c := again.Run(20_000); m != moves || c != cost ||
				!bytes.Equal(checkpoint.Encode(saved), checkpoint.Encode(st)) {
				t.Fatalf("%s: turn %d makes %d moves of %d, and from the state %d of %d", name, turn, moves, cost, m, c)
			}
		}
		if f := cutOf(g, st.Best.Row); f != st.Best.F {
			t.Errorf("%s: the best cut is %d, not %d", name, f, st.Best.F)
		}
		if st.Best.F++; New(g, key, st).Valid() {
			t.Errorf("%s: a state with another best cut is valid", name)
		}
	}
}

// A turn costs no more than it may.
func TestMost(t *testing.T) {
	for name, g := range graphs(t) {
		s := New(g, rng.Key{Seed: 1}, &State{})
		s.Known(make([]uint64, words(g.N())), 0)
		for range 200 {
			if _, cost := s.Run(1 << 10); cost > 1<<10+s.Most() {
				t.Errorf("%s: a turn costs %d, and %d more than it should at most", name, cost, s.Most())
			}
		}
	}
}

// A search finds the optima of small graphs in some turns.
func TestOptima(t *testing.T) {
	for n := 2; n <= 13; n++ {
		for seed := range uint32(4) {
			var edges [][3]int
			for u := range n {
				for v := range u {
					if w := (rng.Key{Seed: seed}).Words(uint32(u*n+v), uint32(n), 0, rng.Check); w[0]&3 != 0 {
						edges = append(edges, [3]int{v, u, int(w[1]%41) - 20})
					}
				}
			}
			g := graphtest.Build(n, edges)
			best := int64(0)
			for k := range 1 << (n - 1) {
				best = max(best, cutOf(g, []uint64{uint64(k)}))
			}
			s := New(g, rng.Key{Seed: seed}, &State{})
			s.Known([]uint64{0}, 0)
			for range 4 {
				s.Run(100_000)
			}
			if s.Best.F != best {
				t.Errorf("%d vertices, seed %d: %d, and the optimum is %d", n, seed, s.Best.F, best)
			}
		}
	}
}

// Moves that keep rows find what single flips do not: large penalties do not slow the search down.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name  string
		g     *graph.Graph
		value int64 // without constants, of the QUBO
	}{
		{"tour", tour(t, 1000), 8 - 2*5*1000},
		{"halves of 200", halves(t, 200, 60), 2 - 60*100*100},
	} {
		for seed := range uint32(3) {
			s := New(c.g, rng.Key{Seed: seed}, &State{})
			s.Known(make([]uint64, words(c.g.N())), 0)
			for range 30 {
				s.Run(1 << 20)
			}
			if f := -s.Best.F / 2; f != c.value {
				t.Errorf("%s, seed %d: %d, and the optimum is %d", c.name, seed, f, c.value)
			}
		}
	}
}

// square adds weight·(the sum of factors times variables - right)².
func (q *penalties) square(weight, right int64, variables []int, factors []int64) {
	for k, i := range variables {
		q.add(i, i, weight*factors[k]*(factors[k]-2*right))
		for j, b := range variables[:k] {
			q.add(i, b, 2*weight*factors[k]*factors[j])
		}
	}
}

// sacks is a choice of n things with three limits, which have slack bits, and the value of the best one.
func sacks(t *testing.T, n int, limit, weight int64) (*graph.Graph, int64) {
	slack := []int64{1, 2, 4, 8, limit - 15}
	q := newPenalties(n + 3*len(slack))
	d := draws(11)
	values, sizes := make([]int64, n), [3][]int64{}
	all := make([]int, n)
	for i := range n {
		all[i], values[i] = i, int64(1+d.below(50))
		q.add(i, i, -values[i])
	}
	for c := range sizes {
		variables := slices.Clone(all)
		for k := range slack {
			variables = append(variables, n+len(slack)*c+k)
		}
		for range n {
			sizes[c] = append(sizes[c], int64(1+d.below(9)))
		}
		q.square(weight, limit, variables, append(slices.Clone(sizes[c]), slack...))
	}
	best := int64(0)
	for choice := range 1 << n {
		var sum [3]int64
		value := int64(0)
		for i := range n {
			if choice>>i&1 == 1 {
				for c := range sum {
					sum[c] += sizes[c][i]
				}
				value += values[i]
			}
		}
		if slices.Max(sum[:]) <= limit {
			best = max(best, value)
		}
	}
	return q.graph(t), -best - 3*limit*limit*weight
}

// signs is the sum of the squares of the autocorrelations of n signs, with a variable for each product of two.
func signs(t *testing.T, n int, weight int64) *graph.Graph {
	q := newPenalties(n * (n + 1) / 2)
	product := map[[2]int]int{}
	next := n
	for i := range n {
		for j := range i {
			product[[2]int{j, i}] = next
			q.add(i, j, weight)
			q.add(next, i, -2*weight)
			q.add(next, j, -2*weight)
			q.add(next, next, 3*weight)
			next++
		}
	}
	for lag := 1; lag < n; lag++ {
		var variables []int
		var factors []int64
		for i := range n - lag { // s·s' is 1 - 2·x - 2·x' + 4·x·x'
			variables = append(variables, i, i+lag, product[[2]int{i, i + lag}])
			factors = append(factors, -2, -2, 4)
		}
		sum := map[int]int64{}
		for k, v := range variables {
			sum[v] += factors[k]
		}
		variables = slices.Sorted(maps.Keys(sum))
		factors = factors[:0]
		for _, v := range variables {
			factors = append(factors, sum[v])
		}
		q.square(1, -int64(n-lag), variables, factors)
	}
	return q.graph(t)
}

// A move has the gain of its flips, and the vertices that follow have their best sides then.
func TestFollow(t *testing.T) {
	sack, _ := sacks(t, 8, 20, 300)
	for name, g := range map[string]*graph.Graph{"sacks": sack, "signs": signs(t, 7, 40)} {
		f := newField(g, rules.Of(g, root(g)))
		a := newAnneal(f, &annealState{Row: make([]uint64, words(g.N()))})
		d := draws(5)
		row := make([]uint64, words(g.N()))
		for range 1000 {
			d.fill(row, g.N())
			a.set(row)
			v := d.below(g.N() - 1)
			if len(f.followers.By[v]) == 0 {
				continue
			}
			a.fresh()
			a.with(v)
			a.follow()
			cut := a.cut + a.gained
			a.apply()
			if a.row(row); cut != a.cut || cut != cutOf(g, row) {
				t.Fatalf("%s: the cut after a move is %d, not %d", name, cutOf(g, row), cut)
			}
			last := f.followers.Groups[f.followers.By[v][len(f.followers.By[v])-1]] // no other one moved after it
			for choice := range 1 << len(last.Members) {
				for k, u := range last.Members {
					row[u>>6] = row[u>>6]&^(1<<(u&63)) | uint64(choice>>k&1)<<(u&63)
				}
				if better := cutOf(g, row); better > cut {
					t.Fatalf("%s: the best sides of %v make a cut of %d, not %d", name, last.Members, better, cut)
				}
			}
		}
	}
}

// Moves find optima that single flips and swaps do not: variables follow others.
func TestFollowers(t *testing.T) {
	sack, best := sacks(t, 18, 30, 20_000)
	// The value of signs has the constants (13-1)² + … + 1² = 650 besides.
	for _, c := range []struct {
		name  string
		g     *graph.Graph
		value int64
	}{{"sacks", sack, best}, {"signs", signs(t, 13, 2000), 6 - 650}} {
		for seed := range uint32(3) {
			s := New(c.g, rng.Key{Seed: seed}, &State{})
			s.Known(make([]uint64, words(c.g.N())), 0)
			for range 8 {
				s.Run(1 << 20)
			}
			if f := -s.Best.F / 2; f != c.value {
				t.Errorf("%s, seed %d: %d, and the optimum is %d", c.name, seed, f, c.value)
			}
		}
	}
}

// The contests of a sparse graph choose a vertex that gains as much as any that may be flipped.
func TestLists(t *testing.T) {
	var edges [][3]int
	d := draws(3)
	for v := 1; v < 1000; v++ {
		for range 3 {
			edges = append(edges, [3]int{d.below(v), v, 1 + d.below(3)})
		}
	}
	for name, g := range map[string]*graph.Graph{"sparse": graphtest.Build(1000, edges), "halves": halves(t, 800, 25)} {
		f := newField(g, rules.Of(g, root(g)))
		s := &tabuState{}
		s.begin(f)
		a := newTabu(f, s)
		if a.free == nil {
			t.Fatalf("%s: there are no lists", name)
		}
		best := &Partition{Row: make([]uint64, words(g.N()))}
		a.run(2000, &d, best)
		a.free.fill(s, &d)
		for range 3000 {
			enough := best.F - a.cut
			v := a.choose(d.next(), enough)
			listed := a.free
			a.free = nil
			if u := a.choose(d.next(), enough); a.gain(u) != a.gain(v) {
				t.Fatalf("%s: vertex %d gains %d, and %d gains %d", name, v, a.gain(v), u, a.gain(u))
			}
			a.free = listed
			a.Moves++
			a.flip(v)
			a.Free[v] = a.Moves + 10 + int64(d.below(9))
			a.free.flipped(v, a.Moves, a.Free[v], d.next())
			a.note(best)
		}
	}
}
