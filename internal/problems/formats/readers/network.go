package readers

import (
	"github.com/clopt/clopt/internal/problems/input"
)

// network is a graph whose vertices and edges a text describes one after the other, with an identity for each vertex.
type network struct {
	directed bool
	vertices []vertex
	byID     map[string]int
	links    []link
	others   others
	weighed  bool // an edge has a weight
}

type vertex struct{ id, label string }

type link struct {
	from, to string
	weight   []byte // nil: 1
	at       int
}

// vertex adds a vertex.
func (g *network) vertex(id, label string, at int) error {
	if g.byID == nil {
		g.byID = map[string]int{}
	}
	if _, twice := g.byID[id]; twice {
		return fault(at, "the vertex %s is there twice. Rename one.", input.Shown([]byte(id)))
	}
	g.byID[id] = len(g.vertices)
	g.vertices = append(g.vertices, vertex{id, label})
	return nil
}

// names returns the labels of the vertices if each has one of its own, and otherwise their identities.
func (g *network) names() []string {
	names := make([]string, len(g.vertices))
	seen := map[string]bool{}
	for i, v := range g.vertices {
		names[i] = v.label
		seen[v.label] = true
	}
	if len(seen) == len(names) && !seen[""] {
		return names
	}
	for i, v := range g.vertices {
		names[i] = v.id
	}
	return names
}

// tell tells the sink the whole graph. An edge that a directed graph has in both directions is one.
func (g *network) tell(to Sink, at int) (Facts, error) {
	if err := to.Size(len(g.vertices), 0, g.names(), at); err != nil {
		return Facts{}, err
	}
	for _, e := range g.links {
		u, ok := g.byID[e.from]
		v, known := g.byID[e.to]
		if !ok || !known {
			missing := e.from
			if ok {
				missing = e.to
			}
			return Facts{}, fault(e.at, "the vertex %s of this edge is not in the file. Add it.",
				input.Shown([]byte(missing)))
		}
		c, digits := int64(1), 0
		if e.weight != nil {
			g.weighed = true
			var err error
			if c, digits, err = number(e.weight, e.at); err != nil {
				return Facts{}, err
			}
		}
		if err := to.Term(u, v, c, digits, e.at); err != nil {
			return Facts{}, err
		}
	}
	var facts Facts
	if g.directed {
		facts.Repeats = Equal
	}
	if !g.weighed {
		facts.Others = g.others
	}
	return facts, nil
}
