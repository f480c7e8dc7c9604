// Package rules finds what people want to hold in the graph of a QUBO.
//
//	Of ──► Rules ┬─ Rows: of some variables a certain number should be 1. Such a rule is a penalty
//	             │        P·(x_1 + … + x_m - k)², so each two of its variables have the coupling 2P. Rest: the weights
//	             │        without them
//	             └─ Followers: variables that stand for others, as slack bits and products do
package rules

import (
	"slices"

	"github.com/clopt/clopt/problems/graph"
)

// Rules are those of a graph.
type Rules struct {
	Rows      *Rows
	Followers *Followers
}

// Of returns the rules of g. The root is the vertex that is no variable: the other vertices are 1 where they are on the
// other side.
func Of(g *graph.Graph, root int) *Rules { return &Rules{findRows(g, root), findFollowers(g, root)} }

// Any reports whether there is a rule.
func (r *Rules) Any() bool { return len(r.Rows.Rows) > 0 || len(r.Followers.Groups) > 0 }

// Row is a set of vertices, each two of which have an edge of one weight, or of at least that, see Rows.Whole.
type Row struct {
	Members []int32 // in rising order, at least three
	Weight  int64   // of each edge, in the unit of the graph
}

// Rows are those of a graph. A vertex is in at most two, and two rows share at most one vertex. The zero value of Of
// and Cross is not that of a graph without rows.
type Rows struct {
	Rows []Row
	// Of has the numbers of the rows of each vertex; len(Rows) is none.
	Of [][2]int32
	// Cross has, at a·len(Rows)+b, the vertex that is in the rows a and b, or -1. nil: no vertex is in two rows.
	Cross []int32
	// Whole means that there is one row, of all vertices but the root, whose edges weigh about the same. Its weight is
	// that of more than half of the pairs, or 0.
	Whole bool
}

// mostOf is the number of rows that a vertex may be in.
const mostOf = 2

// findRows returns the rows of g.
func findRows(g *graph.Graph, root int) *Rows {
	r := &Rows{Of: make([][2]int32, g.N())}
	weight, all := whole(g, root)
	if weight == 0 {
		r.Rows = cliques(g, root)
	}
	if all && len(r.Rows) == 0 {
		row := Row{Weight: weight}
		for v := range g.N() {
			if v != root {
				row.Members = append(row.Members, int32(v))
			}
		}
		r.Rows, r.Whole = []Row{row}, true
	}
	k := int32(len(r.Rows))
	for v := range r.Of {
		r.Of[v] = [mostOf]int32{k, k}
	}
	for i, row := range r.Rows {
		for _, v := range row.Members {
			if of := &r.Of[v]; of[0] == k {
				of[0] = int32(i)
			} else {
				of[1] = int32(i)
				r.crossed(v)
			}
		}
	}
	return r
}

// crossed notes that v is in two rows.
func (r *Rows) crossed(v int32) {
	k := len(r.Rows)
	if r.Cross == nil {
		r.Cross = make([]int32, k*k)
		for i := range r.Cross {
			r.Cross[i] = -1
		}
	}
	a, b := int(r.Of[v][0]), int(r.Of[v][1])
	r.Cross[a*k+b], r.Cross[b*k+a] = v, v
}

// Weight returns the weight of row k, 0 for none.
func (r *Rows) Weight(k int32) int64 {
	if int(k) == len(r.Rows) {
		return 0
	}
	return r.Rows[k].Weight
}

// Coupled returns the weight of the row that two vertices share, 0 if there is none.
func (r *Rows) Coupled(u, v int) int64 {
	a, b := r.Of[u], r.Of[v]
	switch {
	case a[0] == b[0], a[0] == b[1]:
		return r.Weight(a[0])
	case a[1] == b[1], a[1] == b[0]:
		return r.Weight(a[1])
	}
	return 0
}

// Rest returns g without the weights of the rows: a graph of the other edges, and of those that weigh something else,
// with the difference.
func (r *Rows) Rest(g *graph.Graph, root int) *graph.Graph {
	n := g.N()
	rest := &graph.Graph{Offsets: make([]int, 1, n+1), Unit: g.Unit}
	add := func(u uint32, w int64) {
		if w != 0 {
			rest.Neighbors, rest.Weights = append(rest.Neighbors, u), append(rest.Weights, w)
		}
	}
	for v := range n {
		next := 0 // a row of all has pairs that have no edge
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			u := g.Neighbors[e]
			for ; r.Whole && next < int(u); next++ {
				r.absent(v, next, root, add)
			}
			next = int(u) + 1
			add(u, g.Weights[e]-r.Coupled(v, int(u)))
		}
		for ; r.Whole && next < n; next++ {
			r.absent(v, next, root, add)
		}
		rest.Offsets = append(rest.Offsets, len(rest.Neighbors))
	}
	return rest
}

// absent adds what a pair without an edge has less than others.
func (r *Rows) absent(u, v, root int, add func(u uint32, w int64)) {
	if u != v && u != root && v != root {
		add(uint32(v), -r.Rows[0].Weight)
	}
}

// whole reports whether the weights of all pairs are about the same and positive, and returns the weight that more than
// half of them have, or 0.
func whole(g *graph.Graph, root int) (weight int64, ok bool) {
	const least, spread = 4, 2 // vertices; the largest variance, in squares of the mean
	n := g.N() - 1
	if n < least {
		return 0, false
	}
	sum, squares, votes := 0.0, 0.0, 0
	each := func(use func(w int64)) {
		for v := range g.N() {
			for e := g.Offsets[v]; v != root && e < g.Offsets[v+1]; e++ {
				if int(g.Neighbors[e]) != root {
					use(g.Weights[e])
				}
			}
		}
	}
	each(func(w int64) {
		f := float64(w)
		sum, squares = sum+f, squares+f*f
		switch { // the vote of Boyer and Moore
		case votes == 0:
			weight, votes = w, 1
		case w == weight:
			votes++
		default:
			votes--
		}
	})
	pairs := float64(n) * float64(n-1)
	mean := sum / pairs
	if mean <= 0 || squares/pairs-mean*mean > spread*mean*mean {
		return 0, false
	}
	same := 0
	each(func(w int64) {
		if w == weight {
			same++
		}
	})
	if 2*float64(same) <= pairs {
		weight = 0
	}
	return weight, true
}

// classes returns the positive weights that most edges have, the most frequent one first, from those of some vertices.
func classes(g *graph.Graph, root int) (weights []int64) {
	const vertices, most, least = 64, 8, 3
	counts := map[int64]int{}
	n := g.N()
	for v := 0; v < n; v += 1 + n/vertices {
		for e := g.Offsets[v]; v != root && e < g.Offsets[v+1]; e++ {
			if w := g.Weights[e]; w > 0 && int(g.Neighbors[e]) != root {
				counts[w]++
			}
		}
	}
	for w, k := range counts {
		if k >= least {
			weights = append(weights, w)
		}
	}
	slices.SortFunc(weights, func(a, b int64) int {
		switch {
		case counts[a] != counts[b]:
			return counts[b] - counts[a]
		case a > b:
			return -1
		}
		return 1
	})
	return weights[:min(len(weights), most)]
}
