package samples

import (
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
)

// search is a partition that changes one vertex at a time.
type search struct {
	graph *graph.Graph
	free  int     // the first vertices, which are variables; the root, if there is one, stays where it is
	side  []uint8 // of all vertices
	gain  []int64 // by how much the cut grows when a variable changes its side
	cut   int64
	cost  int64 // what was done so far, in edges and variables seen
	until []int // of each variable the move before which it does not change again
}

// The bounds of a search: what it costs, about a second of a core, and after how many walks without another point it
// ends.
const (
	mostCost = 500_000_000
	idle     = 200
)

// begin computes the gains of the partition.
func (s *search) begin() {
	s.gain = make([]int64, s.free)
	s.cut = s.graph.Cut(s.side)
	for v := range s.gain {
		for e := s.graph.Offsets[v]; e < s.graph.Offsets[v+1]; e++ {
			if w := s.graph.Weights[e]; s.side[s.graph.Neighbors[e]] == s.side[v] {
				s.gain[v] += w
			} else {
				s.gain[v] -= w
			}
		}
	}
	s.cost += int64(len(s.graph.Neighbors) + s.free)
}

// flip changes the side of a variable.
func (s *search) flip(v int) {
	s.cut += s.gain[v]
	s.gain[v] = -s.gain[v]
	s.side[v] ^= 1
	for e := s.graph.Offsets[v]; e < s.graph.Offsets[v+1]; e++ {
		u := int(s.graph.Neighbors[e])
		if u >= s.free {
			continue
		}
		if w := s.graph.Weights[e]; s.side[u] == s.side[v] {
			s.gain[u] += 2 * w
		} else {
			s.gain[u] -= 2 * w
		}
	}
	s.cost += int64(s.graph.Offsets[v+1] - s.graph.Offsets[v])
}

// walk offers the points of tabu walks (Glover 1989, doi:10.1287/ijoc.1.3.190) from the partition, from members of the
// pool that are changed at random, and from random points, in turn, and all neighbours of the members. A walk counts
// for the best point that it has seen, if that is a member.
func (s *search) walk(p *pool, key rng.Key) {
	row := make([]uint64, (s.free+63)/64)
	quiet := 0
	for k := uint32(0); s.cost < mostCost && quiet < idle; k++ {
		changes := p.changes
		if k > 0 {
			s.start(p, k, key)
		}
		s.tabu(p, row, k, key)
		s.expand(p, row)
		if quiet++; p.changes != changes {
			quiet = 0
		}
	}
}

// start goes to the point from which walk k begins.
func (s *search) start(p *pool, k uint32, key rng.Key) {
	part := uint32(1 << 31) // a random point
	if k&1 == 1 {
		unpack(p.members[int(k/2)%len(p.members)].row, s.side[:s.free])
		part = 1 << (28 + k/2%3) // changes of a 16th, an eighth or a quarter of the variables
	}
	for v := range s.free {
		if key.Word(uint32(v), 2, k, rng.Kick) < part {
			s.side[v] ^= 1
		}
	}
	s.begin()
}

// tabu makes a walk, which ends after some moves without a better point.
func (s *search) tabu(p *pool, row []uint64, k uint32, key rng.Key) {
	s.until = make([]int, s.free)
	best := s.cut
	var top *member
	tenure := min(20, s.free/4)
	for move, since := 1, 0; since < 2*s.free+100 && s.cost < mostCost; move++ {
		chosen := -1
		for v, gain := range s.gain {
			if s.until[v] <= move && (chosen < 0 || gain > s.gain[chosen]) || s.cut+gain > best {
				if chosen < 0 || gain > s.gain[chosen] {
					chosen = v
				}
			}
		}
		if chosen < 0 {
			return
		}
		s.cost += int64(s.free)
		s.flip(chosen)
		s.until[chosen] = move + tenure + int(key.Word(uint32(move), 3, k, rng.Kick)>>28)
		if since++; s.cut > best {
			best, since = s.cut, 0
		}
		if p.takes(s.cut) {
			pack(s.side[:s.free], row)
			p.offer(row, s.cut)
		}
		if since == 0 {
			top = nil
			if n := len(p.members); n > 0 && s.cut >= p.members[n-1].cut {
				pack(s.side[:s.free], row)
				top = p.find(row)
			}
		}
	}
	if top != nil {
		top.count++
	}
}

// expand offers all neighbours of the members whose neighbours have not been offered.
func (s *search) expand(p *pool, row []uint64) {
	for s.cost < mostCost {
		var m *member
		for _, o := range p.members {
			if !o.expanded {
				m = o
				break
			}
		}
		if m == nil {
			return
		}
		m.expanded = true
		unpack(m.row, s.side[:s.free])
		s.begin()
		for v, gain := range s.gain {
			if p.takes(s.cut + gain) {
				copy(row, m.row)
				row[v>>6] ^= 1 << (v & 63)
				p.offer(row, s.cut+gain)
			}
		}
	}
}
