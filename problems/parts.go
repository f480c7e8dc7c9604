package problems

import (
	"fmt"
	"slices"
)

// Part is a set of variables that change together, with every component that reads one of them. Numbers of variables
// and components count from the first of the tile.
type Part struct {
	Vars   []int // in increasing order
	Comps  []int // in increasing order; those below 0 are of the tile before
	Colour int   // parts of one colour have no component in common
	Cost   int   // of the components
}

// Parts are the parts of a tile. All tiles of a problem have the same ones.
type Parts struct {
	Coef    []float64 // f = constant + Σ_a Coef[a]·acc_a; nil: f does not have this form
	Parts   []Part    // ordered by colour
	Colours int
	Cost    int // of all components of a tile
}

// PartsOf cuts the tiles of p into parts, using the structure alone. It goes through the components in order; each
// takes those of its variables that are still free. A part grows by whole components up to grain variables, and may
// exceed grain by one component. So each rotated group becomes a part, separable variables are grouped grain at a time,
// a chain is cut into intervals, and variables that groups share go to the first. Colours are assigned greedily. The
// error names the property that is missing.
func PartsOf(p Problem, grain int) (*Parts, error) {
	s, t := p.Structure(), p.Tiling()
	if t.Whole {
		return nil, fmt.Errorf("any component of %s may read any variable, so it has no parts", p.Spec())
	}
	_, _, _, windows := s.Window() // the last tile may then be shorter
	if t.Halo > 0 || t.Tiles() > 1 && t.N%t.TileVars != 0 && !windows {
		return nil, fmt.Errorf("the tiles of %s differ, or read variables of other tiles", p.Spec())
	}
	lo, hi := t.Comps(0)
	owner := make([]int, min(t.TileVars, t.N))
	for i := range owner {
		owner[i] = -1
	}
	r := &Parts{Coef: p.Linear()}
	if s.Whole() {
		return r.all(s), nil
	}
	reads, costs := make([][]int, hi-lo), make([]int, hi-lo)
	for k := range reads {
		reads[k], costs[k] = s.Reads(lo+k, nil), s.Cost(lo+k)
		r.Cost += costs[k]
		var fresh []int
		for _, v := range reads[k] {
			if owner[v] < 0 {
				owner[v] = 0
				fresh = append(fresh, v)
			}
		}
		last := len(r.Parts) - 1
		if last < 0 || len(r.Parts[last].Vars)+len(fresh) > grain {
			if len(fresh) == 0 {
				continue
			}
			r.Parts = append(r.Parts, Part{})
			last++
		}
		r.Parts[last].Vars = append(r.Parts[last].Vars, fresh...)
	}
	for w := range r.Parts {
		slices.Sort(r.Parts[w].Vars)
		for _, v := range r.Parts[w].Vars {
			owner[v] = w
		}
	}
	touched := make([][]int, len(reads)) // parts that a component reads
	for k, vars := range reads {
		for _, v := range vars {
			if w := owner[v]; !slices.Contains(touched[k], w) {
				touched[k] = append(touched[k], w)
				r.Parts[w].Comps = append(r.Parts[w].Comps, k)
				r.Parts[w].Cost += costs[k]
			}
		}
	}
	for w := range r.Parts {
		taken := map[int]bool{}
		for _, k := range r.Parts[w].Comps {
			for _, other := range touched[k] {
				if other < w {
					taken[r.Parts[other].Colour] = true
				}
			}
		}
		for taken[r.Parts[w].Colour] {
			r.Parts[w].Colour++
		}
		r.Colours = max(r.Colours, r.Parts[w].Colour+1)
	}
	slices.SortStableFunc(r.Parts, func(a, b Part) int { return a.Colour - b.Colour })
	return r, nil
}

// all returns r with one part, of all variables and components.
func (r *Parts) all(s Structure) *Parts {
	whole := Part{Vars: make([]int, s.Variables()), Comps: make([]int, s.Components())}
	for i := range whole.Vars {
		whole.Vars[i] = i
	}
	for k := range whole.Comps {
		whole.Comps[k] = k
		whole.Cost += s.Cost(k)
	}
	r.Parts, r.Colours, r.Cost = []Part{whole}, 1, whole.Cost
	return r
}
