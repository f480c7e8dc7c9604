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

const (
	mostCovers = 4 // the most parts that may have a variable in common
	fewReads   = 8 // variables of a component that gets no part of its own
)

// PartsOf covers the tiles of p with parts, using the structure alone. A component that reads more than grain
// variables, and more than eight, gets a part with all of them, so rotated groups that overlap have common variables.
// The variables of other components are gathered in order, by whole components, up to grain of them. If more than four
// parts would have a variable in common, no two have: each variable goes to the first. Windows that overlap are cut
// into intervals of at most grain variables, or of the stride.
//
// A component may read variables of the tile after its own. It belongs to parts of both tiles, and its number in those
// of the second one is below 0. The error names the property that is missing.
func PartsOf(p Problem, grain int) (*Parts, error) {
	s, t := p.Structure(), p.Tiling()
	if _, _, grid := s.Grid(); grid && t.Whole {
		return nil, fmt.Errorf("the grid of %s is not cut into parts", p.Spec())
	}
	if t.Whole {
		return nil, fmt.Errorf("any component of %s may read any variable, so it has no parts", p.Spec())
	}
	_, _, _, windows := s.Window() // the last tile may then be shorter
	if t.Tiles() > 1 && t.N%t.TileVars != 0 && !windows {
		return nil, fmt.Errorf("the tiles of %s differ", p.Spec())
	}
	if t.Halo > t.TileVars {
		return nil, fmt.Errorf("a component of %s reads variables of more than two tiles", p.Spec())
	}
	r := &Parts{Coef: p.Linear()}
	if s.Whole() {
		return r.all(s), nil
	}
	comps := min(t.TileComps, t.M)
	c := cover{vars: min(t.TileVars, t.N), reads: make([][]int, comps)}
	for k := range c.reads {
		c.reads[k] = s.Reads(k, nil)
		r.Cost += s.Cost(k)
	}
	stride, from, to, _ := s.Window()
	var parts [][]int
	if windows && to-from >= stride {
		parts = c.intervals(max(grain, stride), t.Tiles() > 1)
	} else if parts = c.parts(grain, true); c.covers(parts) > mostCovers {
		parts = c.parts(grain, false)
	}
	r.Parts = make([]Part, len(parts))
	for w, vars := range parts {
		r.Parts[w].Vars = vars
	}
	for k, touched := range c.touched(parts) {
		for _, of := range touched {
			w := &r.Parts[of.part]
			w.Comps = append(w.Comps, k-of.tile*comps)
			w.Cost += s.Cost(k)
		}
	}
	for w := range r.Parts {
		slices.Sort(r.Parts[w].Comps)
	}
	if !c.colour(r) {
		return nil, fmt.Errorf("a component of %s reads variables of the same part of two tiles", p.Spec())
	}
	slices.SortStableFunc(r.Parts, func(a, b Part) int { return a.Colour - b.Colour })
	return r, nil
}

// cover is a tile whose parts are sought.
type cover struct {
	vars  int
	reads [][]int // of each component; variables from vars on belong to the next tile
}

// parts returns the variables of the parts. With whole, a component of more than grain variables gets all of them.
func (c cover) parts(grain int, whole bool) (parts [][]int) {
	free := make([]bool, c.vars)
	for i := range free {
		free[i] = true
	}
	last := -1 // the part that gathers variables
	take := func(vars []int) {
		for _, v := range vars {
			if v < c.vars && free[v] {
				free[v] = false
				parts[last] = append(parts[last], v)
			}
		}
	}
	for _, vars := range c.reads {
		fresh := 0
		for _, v := range vars {
			fresh += Flag(v < c.vars && free[v])
		}
		own := whole && len(vars) > max(grain, fewReads)
		switch {
		case fresh == 0:
			continue
		case own || last < 0 || len(parts[last])+fresh > grain:
			parts = append(parts, nil)
			last = len(parts) - 1
		}
		take(vars)
		if own {
			parts[last] = nil
			for _, v := range vars {
				if v < c.vars {
					parts[last] = append(parts[last], v)
				}
			}
			last = -1
		}
	}
	for w := range parts {
		slices.Sort(parts[w])
		parts[w] = slices.Compact(parts[w])
	}
	return parts
}

// intervals returns intervals of at most size variables, as equal as possible. In tiles that repeat, their number is
// even where it can be, so that two colours may do.
func (c cover) intervals(size int, repeat bool) [][]int {
	n := (c.vars + size - 1) / size
	if repeat && n%2 == 1 && n < c.vars {
		n++
	}
	parts := make([][]int, n)
	for w := range parts {
		parts[w] = appendRange(nil, w*c.vars/n, (w+1)*c.vars/n)
	}
	return parts
}

// covers returns the largest number of parts that have a variable in common.
func (c cover) covers(parts [][]int) int {
	count := make([]int, c.vars)
	for _, vars := range parts {
		for _, v := range vars {
			count[v]++
		}
	}
	return slices.Max(count)
}

// partOf is a part of the tile of a component, or of the next one.
type partOf struct{ tile, part int }

// touched returns the parts that have variables of each component.
func (c cover) touched(parts [][]int) [][]partOf {
	of := make([][]int, c.vars)
	for w, vars := range parts {
		for _, v := range vars {
			of[v] = append(of[v], w)
		}
	}
	all := make([][]partOf, len(c.reads))
	for k, vars := range c.reads {
		for _, v := range vars {
			for _, w := range of[v%c.vars] {
				if one := (partOf{v / c.vars, w}); !slices.Contains(all[k], one) {
					all[k] = append(all[k], one)
				}
			}
		}
	}
	return all
}

// colour gives parts that have a component in common different colours. It returns false if a part has one in common
// with the same part of the next tile.
func (c cover) colour(r *Parts) bool {
	near := make([][]int, len(r.Parts)) // parts before, that have a component in common
	parts := make([][]int, len(r.Parts))
	for w, part := range r.Parts {
		parts[w] = part.Vars
	}
	for _, touched := range c.touched(parts) {
		for i, a := range touched {
			for _, b := range touched[:i] {
				if a.part == b.part {
					return false
				}
				w := max(a.part, b.part)
				near[w] = append(near[w], min(a.part, b.part))
			}
		}
	}
	for w := range r.Parts {
		taken := map[int]bool{}
		for _, other := range near[w] {
			taken[r.Parts[other].Colour] = true
		}
		for taken[r.Parts[w].Colour] {
			r.Parts[w].Colour++
		}
		r.Colours = max(r.Colours, r.Parts[w].Colour+1)
	}
	return true
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
