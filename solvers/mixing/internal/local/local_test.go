package local

import (
	"bytes"
	"testing"

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
		f := newField(g)
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
