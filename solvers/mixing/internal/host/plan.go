package host

import (
	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
)

// Plan is a mixture in the form that devices have.
type Plan struct {
	X      *Mixture
	Groups *linkage.Classes // of sets that do not touch
	Sets   []uint32         // lo, hi, number, by groups
	Larges []uint32         // places in Sets of those with more than LargeSet vertices
	Words  int              // uint32s of a row
}

// NewPlan returns the plan of a graph with a linkage model.
func NewPlan(g *graph.Graph, m *linkage.Model, key rng.Key) *Plan {
	p := &Plan{X: NewMixture(g, m, key), Words: 2 * Words(g.N())}
	p.Groups = linkage.Color(p.X.Graph, m)
	for t, set := range p.Groups.Members {
		s := m.Sets[set]
		p.Sets = append(p.Sets, s.Lo, s.Hi, set)
		if s.Len() > LargeSet {
			p.Larges = append(p.Larges, uint32(t))
		}
	}
	return p
}

// PlanAtMost returns a plan that is as large as that of any linkage tree of g, or of sets of one vertex each. It has no
// contents, because building a tree takes seconds for a million vertices.
func PlanAtMost(g *graph.Graph, tree bool) *Plan {
	n := g.N()
	p := &Plan{X: &Mixture{Graph: g, Hash: make([]uint64, n)}, Words: 2 * Words(n)}
	sets := n
	if tree {
		sets = max(2*n-1, 0)
		p.Larges = make([]uint32, max(n-LargeSet, 0))
	}
	p.Sets = make([]uint32, 3*sets)
	p.Groups = &linkage.Classes{Offsets: make([]int, sets+1)}
	return p
}
