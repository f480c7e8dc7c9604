package graph

import (
	"maps"
	"slices"
)

// perRemoval is the number of entries that take as long as the removal of a vertex itself.
const perRemoval = 64

// widest is the largest number of neighbours of a vertex that is removed: tables have 8 bytes an entry.
const widest = 26

// hub returns the vertex with the most neighbours, the last one of several. It is not removed: all sides of a partition
// can change, so its side is known.
func (g *Graph) hub() (hub uint32) {
	for v := range g.N() {
		if g.Offsets[v+1]-g.Offsets[v] >= g.Offsets[hub+1]-g.Offsets[hub] {
			hub = uint32(v)
		}
	}
	return hub
}

// elimination returns the removals of all vertices but the hub, without choices, in the first of two orders that needs
// no more entries: that of an end of the graph, which suits grids, and that of the fewest neighbours, which suits
// graphs with several vertices that are joined to many.
func (g *Graph) elimination(hub uint32, entries int) (order []removal, ok bool) {
	if g.N() > entries/perRemoval {
		return nil, false
	}
	order, ok = g.removals(hub, entries, &endwise{rest: g.fromEnd(hub)})
	if !ok {
		order, ok = g.removals(hub, entries, new(fewest))
	}
	return order, ok
}

// chooser chooses which vertex is removed next.
type chooser interface {
	// has says how many neighbours a vertex has: first of all vertices, and later of those that have lost some or have
	// others.
	has(v uint32, neighbours int)
	// next returns a vertex. It may have been removed.
	next() uint32
}

// endwise chooses always a vertex with at most two neighbours if there is one, since that joins at most two others, and
// else the first one of the rest.
type endwise struct{ few, rest []uint32 }

func (c *endwise) has(v uint32, neighbours int) {
	if neighbours <= 2 {
		c.few = append(c.few, v)
	}
}

func (c *endwise) next() (v uint32) {
	list := &c.few
	if len(c.few) == 0 {
		list = &c.rest
	}
	v, *list = (*list)[0], (*list)[1:]
	return v
}

// fewest chooses a vertex with the fewest neighbours.
type fewest struct {
	by  [][]uint32 // vertices that have or had so many
	now []int      // neighbours of each vertex
}

func (c *fewest) has(v uint32, neighbours int) {
	for int(v) >= len(c.now) {
		c.now = append(c.now, 0)
	}
	for neighbours >= len(c.by) {
		c.by = append(c.by, nil)
	}
	c.now[v], c.by[neighbours] = neighbours, append(c.by[neighbours], v)
}

func (c *fewest) next() (v uint32) {
	for n := 0; ; {
		last := len(c.by[n]) - 1
		if last < 0 {
			n++
			continue
		}
		v, c.by[n] = c.by[n][last], c.by[n][:last]
		if c.now[v] == n {
			return v
		}
	}
}

// removals returns the removals in the order of a chooser.
func (g *Graph) removals(hub uint32, entries int, from chooser) (order []removal, ok bool) {
	removed, near := make([]bool, g.N()), make([]map[uint32]bool, g.N()) // nil: the neighbours are those of g
	removed[hub] = true
	neighbours := func(v uint32) map[uint32]bool {
		if near[v] == nil {
			near[v] = map[uint32]bool{}
			for _, u := range g.Neighbors[g.Offsets[v]:g.Offsets[v+1]] {
				if u != hub {
					near[v][u] = true
				}
			}
		}
		return near[v]
	}
	for v := range uint32(g.N()) {
		degree := g.Offsets[v+1] - g.Offsets[v]
		if _, joined := slices.BinarySearch(g.Neighbors[g.Offsets[v]:g.Offsets[v+1]], hub); joined {
			degree--
		}
		if v != hub {
			from.has(v, degree)
		}
	}
	for len(order) < g.N()-1 {
		v := from.next()
		if removed[v] {
			continue
		}
		removed[v] = true
		scope := slices.Sorted(maps.Keys(neighbours(v)))
		if entries -= perRemoval + 1<<min(len(scope), 61); entries < 0 || len(scope) > widest {
			return nil, false
		}
		for _, u := range scope {
			delete(neighbours(u), v)
			for _, w := range scope {
				if w != u {
					near[u][w] = true
				}
			}
			from.has(u, len(near[u]))
		}
		near[v] = nil
		order = append(order, removal{vertex: v, scope: scope})
	}
	return order, true
}

// fromEnd returns the vertices but the hub in breadth-first order without it, in each connected component from one of
// those that are farthest from the first vertex of the component.
func (g *Graph) fromEnd(hub uint32) (order []uint32) {
	reached := make([]uint8, g.N()) // by how many searches
	reached[hub] = 2
	search := func(from uint32, list []uint32) []uint32 {
		reached[from]++
		list = append(list, from)
		for k := len(list) - 1; k < len(list); k++ {
			for _, u := range g.Neighbors[g.Offsets[list[k]]:g.Offsets[list[k]+1]] {
				if reached[u] < reached[from] {
					reached[u]++
					list = append(list, u)
				}
			}
		}
		return list
	}
	for v := range g.N() {
		if reached[v] == 0 {
			first := search(uint32(v), nil)
			order = search(first[len(first)-1], order)
		}
	}
	return order
}
