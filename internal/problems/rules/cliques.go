package rules

import (
	"slices"

	"github.com/clopt/clopt/problems/graph"
)

// share is the least part of the edges of one weight that cliques have to cover. Random graphs have few large cliques,
// which are no rules.
const share = 0.8

// early is the number of edges outside cliques after which a search ends if most edges so far are.
const early = 1000

// cliques returns sets of at least three vertices with edges of equal positive weights between all of them.
func cliques(g *graph.Graph, root int) (rows []Row) {
	s := searcher{g: g, root: root, of: make([]int, g.N()), mark: make([]int, g.N()), joined: map[[2]int32]bool{}}
	for _, w := range classes(g, root) {
		for _, members := range s.search(w) {
			rows = append(rows, Row{members, w})
		}
	}
	return rows
}

// searcher finds cliques.
type searcher struct {
	g      *graph.Graph
	root   int
	of     []int             // by vertex: the rows that have it
	mark   []int             // by vertex: the last clique that it may belong to
	marks  int               // the number of those
	joined map[[2]int32]bool // pairs that are in a row
	near   [][]int32         // by vertex: the neighbours by edges of the weight
}

// search returns the cliques of edges of a weight, or nothing if many of these edges are in none.
func (s *searcher) search(weight int64) (found [][]int32) {
	g, edges := s.g, 0
	s.near = make([][]int32, g.N())
	for v := range g.N() {
		for e := g.Offsets[v]; v != s.root && e < g.Offsets[v+1]; e++ {
			if u := g.Neighbors[e]; g.Weights[e] == weight && int(u) != s.root {
				s.near[v] = append(s.near[v], int32(u))
				edges++
			}
		}
	}
	outside := int((1 - share) * float64(edges) / 2) // edges that may be in no clique
	covered, bare := 0, 0
	for v := range int32(g.N()) {
		for _, u := range s.near[v] {
			if u < v || s.joined[pair(u, v)] {
				continue
			}
			members := s.clique(v, u)
			if members == nil {
				if bare++; bare > outside || bare > early && bare > covered {
					s.forget(found)
					return nil
				}
				continue
			}
			s.note(members, 1)
			found = append(found, members)
			covered += len(members) * (len(members) - 1) / 2
		}
	}
	return found
}

// clique returns the vertices that are neighbours of v and u, with these, if they are a clique that shares at most one
// vertex with other ones. nil: they are none.
func (s *searcher) clique(v, u int32) (members []int32) {
	if s.of[v] == mostOf || s.of[u] == mostOf {
		return nil
	}
	members = []int32{v, u}
	a, b := s.near[v], s.near[u]
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			if s.of[a[0]] < mostOf {
				members = append(members, a[0])
			}
			a, b = a[1:], b[1:]
		}
	}
	if len(members) < 3 {
		return nil
	}
	s.marks++
	for _, c := range members {
		s.mark[c] = s.marks
	}
	for i, c := range members {
		k := 1
		for _, d := range s.near[c] {
			if s.mark[d] == s.marks {
				k++
			}
		}
		if k != len(members) {
			return nil
		}
		for _, d := range members[:i] {
			if s.joined[pair(c, d)] {
				return nil
			}
		}
	}
	slices.Sort(members)
	return members
}

// note notes a clique, or takes the note back if by is -1.
func (s *searcher) note(members []int32, by int) {
	for i, c := range members {
		s.of[c] += by
		for _, d := range members[:i] {
			if by > 0 {
				s.joined[pair(c, d)] = true
			} else {
				delete(s.joined, pair(c, d))
			}
		}
	}
}

func (s *searcher) forget(all [][]int32) {
	for _, members := range all {
		s.note(members, -1)
	}
}

func pair(u, v int32) [2]int32 { return [2]int32{min(u, v), max(u, v)} }
