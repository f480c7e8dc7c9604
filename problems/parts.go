package problems

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Part is a set of variables that change together, with every component that reads one of them. Numbers of variables
// and components count from the first of the tile.
type Part struct {
	Vars   []int // in increasing order
	Comps  []int // in increasing order; those below 0 are of the tile before
	Colour int   // parts of one colour have no component in common
	Reads  int   // the most variables that one of the components reads
	Cost   int   // of the components
}

// Parts are the parts of a tile. All tiles of a problem have the same ones.
type Parts struct {
	Coef  []float64 // f = constant + Σ_a Coef[a]·acc_a; nil: f does not have this form
	Parts []Part    // ordered by colour
	// Colours is the number of colours. More than 1024 are not sought: then it is at least 1025, and no limit.
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
		return nil, fmt.Errorf("the grid of %s is not divided into parts", p.Spec())
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
	r, err := s.partsOf(t, grain)
	if err != nil {
		return nil, fmt.Errorf("a component of %s reads variables of the same part of two tiles", p.Spec())
	}
	return &Parts{Coef: p.Linear(), Parts: r.Parts, Colours: r.Colours, Cost: r.Cost}, nil
}

// memo has what was derived from a structure, so that it is not computed again. All copies of the structure have it.
type memo struct {
	sync.Mutex
	parts   map[partsKey]func() (*Parts, error)
	colours map[int]func() (*Colours, error) // of lists, by n
}

// keep returns the function at key of a map of m, which computes its value once. If there is none, it is derive.
func keep[K comparable, V any](m *memo, known *map[K]func() (V, error), key K,
	derive func() (V, error)) func() (V, error) {
	m.Lock()
	defer m.Unlock()
	if (*known)[key] == nil {
		if *known == nil {
			*known = map[K]func() (V, error){}
		}
		(*known)[key] = sync.OnceValues(derive)
	}
	return (*known)[key]
}

// partsKey is what parts depend on, beside what the copies of a structure have in common.
type partsKey struct{ n, m, vars, comps, grain int }

// mostKept is the largest number of variables of a tile whose parts or colours are kept. Parts need about 120 bytes a
// variable.
const mostKept = 1 << 22

// partsOf returns the parts of a tile, without coefficients. They are computed once for all copies of a structure, and
// are not to be changed.
func (s Structure) partsOf(t Tiling, grain int) (*Parts, error) {
	comps, vars := min(t.TileComps, t.M), min(t.TileVars, t.N)
	derive := func() (*Parts, error) { return s.derive(comps, vars, t.Tiles() > 1, grain) }
	if s.memo == nil || vars > mostKept {
		return derive()
	}
	key := partsKey{n: s.n, m: s.m, vars: vars, comps: comps, grain: grain}
	return keep(s.memo, &s.memo.parts, key, derive)()
}

// errTwoTiles says that a component reads variables of the same part of two tiles.
var errTwoTiles = errors.New("one part in two tiles")

// derive computes the parts of a tile of comps components and vars variables.
func (s Structure) derive(comps, vars int, repeat bool, grain int) (*Parts, error) {
	r := &Parts{}
	if s.whole {
		return r.all(s), nil
	}
	c := coverOf(s, comps, vars)
	stride, from, to, windows := s.Window()
	var parts rows
	if windows && to-from >= stride {
		parts = c.intervals(max(grain, stride), repeat)
	} else if parts = c.parts(grain, true); c.covers(parts) > mostCovers {
		parts = c.parts(grain, false)
	}
	touched := c.touched(parts)
	r.Parts = c.join(parts, touched)
	if !r.colour(comps, touched) {
		return nil, errTwoTiles
	}
	costs := make([]int, comps)
	for k := range costs {
		costs[k] = s.Cost(k)
		r.Cost += costs[k]
	}
	for w := range r.Parts {
		for _, k := range r.Parts[w].Comps {
			k = (k + comps) % comps
			r.Parts[w].Cost += costs[k]
			r.Parts[w].Reads = max(r.Parts[w].Reads, len(c.reads.row(k)))
		}
	}
	r.sort()
	return r, nil
}

// sort orders the parts by colour, and those of a colour as they were.
func (r *Parts) sort() {
	next := make([]int, r.Colours+1)
	for _, part := range r.Parts {
		next[part.Colour+1]++
	}
	for c := range r.Colours {
		next[c+1] += next[c]
	}
	sorted := make([]Part, len(r.Parts))
	for _, part := range r.Parts {
		sorted[next[part.Colour]] = part
		next[part.Colour]++
	}
	r.Parts = sorted
}

// SeparateParts returns the number of parts of p that share no components, and 0 if those that PartsOf makes of single
// components share some, or if there are none.
func SeparateParts(p Problem) int {
	if p.Structure().Whole() {
		return 0
	}
	p = Gathered(p)
	s, t := p.Structure(), p.Tiling()
	if _, _, _, windows := s.Window(); !windows {
		return s.separate(t) * t.Tiles()
	}
	parts, err := PartsOf(p, 1)
	if err != nil || parts.Colours > 1 {
		return 0
	}
	return len(parts.Parts) * t.Tiles()
}

// separate returns the number of parts of a tile of lists or a grid, and 0 at the first component that reads variables
// of several of them, or of the next tile.
func (s Structure) separate(t Tiling) (parts int) {
	part := make([]int32, min(t.TileVars, t.N)) // of each variable; 0: none yet
	var reads []int
	for k := range min(t.TileComps, t.M) {
		reads = s.Reads(k, reads[:0])
		own, fresh := int32(0), false
		for j, v := range reads {
			if v >= len(part) {
				return 0
			}
			if j == 0 {
				own = part[v]
				if fresh = own == 0; fresh {
					parts++
					own = int32(parts)
				}
			}
			if fresh && part[v] == 0 {
				part[v] = own
			}
			if part[v] != own {
				return 0
			}
		}
	}
	return parts
}

// rows are lists of numbers, one after the other.
type rows struct {
	start []int // of each row, and the end of the last one
	list  []int
}

func (r rows) len() int        { return len(r.start) - 1 }
func (r rows) row(i int) []int { return r.list[r.start[i]:r.start[i+1]:r.start[i+1]] }
func (r *rows) end()           { r.start = append(r.start, len(r.list)) }
func (r *rows) last() (n int)  { return len(r.list) - r.start[len(r.start)-1] }
func newRows(count, n int) rows {
	return rows{start: append(make([]int, 0, count+1), 0), list: make([]int, 0, n)}
}

// transposed returns rows of which row j has the numbers i of the rows that have j, in increasing order. There are n.
func (r rows) transposed(n int) rows {
	t := rows{start: make([]int, n+1), list: make([]int, len(r.list))}
	for _, j := range r.list {
		t.start[j+1]++
	}
	for j := range n {
		t.start[j+1] += t.start[j]
	}
	next := slices.Clone(t.start[:n])
	for i := range r.len() {
		for _, j := range r.row(i) {
			t.list[next[j]] = i
			next[j]++
		}
	}
	return t
}

// cover is a tile whose parts are sought.
type cover struct {
	vars  int
	reads rows // of each component; variables from vars on belong to the next tile
}

// coverOf returns the first tile of a structure, which has comps components and vars variables, without parts.
func coverOf(s Structure, comps, vars int) cover {
	c := cover{vars: vars, reads: newRows(comps, s.reading(comps))}
	for k := range comps {
		c.reads.list = s.Reads(k, c.reads.list)
		c.reads.end()
	}
	return c
}

// reading returns about how many variables the first comps components read, one after the other.
func (s Structure) reading(comps int) int {
	switch {
	case s.grid.steps != nil:
		return comps * len(s.grid.steps)
	case s.offsets != nil:
		return comps * len(s.offsets)
	case s.stride > 0:
		return comps * (s.to - s.from + 1)
	}
	return len(s.list)
}

// parts returns the variables of the parts. With whole, a component of more than grain variables gets all of them.
func (c cover) parts(grain int, whole bool) rows {
	taken := make([]bool, c.vars)
	parts := newRows(0, c.vars)
	gathers := false // the last part does
	for k := range c.reads.len() {
		vars, fresh := c.reads.row(k), 0
		for _, v := range vars {
			fresh += Flag(v < c.vars && !taken[v])
		}
		if fresh == 0 {
			continue
		}
		own := whole && len(vars) > max(grain, fewReads)
		if gathers && (own || parts.last()+fresh > grain) {
			parts.end()
		}
		for _, v := range vars {
			if v < c.vars && (own || !taken[v]) {
				parts.list = append(parts.list, v)
				taken[v] = true
			}
		}
		if gathers = !own; own {
			parts.end()
		}
	}
	if gathers {
		parts.end()
	}
	return parts.sorted()
}

// sorted sorts each row, and takes out numbers that it has twice.
func (r rows) sorted() rows {
	n := 0
	for i := range r.len() {
		row := r.row(i)
		slices.Sort(row)
		r.start[i] = n
		n += copy(r.list[n:], slices.Compact(row))
	}
	r.start[r.len()] = n
	return rows{start: r.start, list: r.list[:n]}
}

// intervals returns intervals of at most size variables, as equal as possible. In tiles that repeat, their number is
// even where it can be, so that two colours may do.
func (c cover) intervals(size int, repeat bool) rows {
	n := (c.vars + size - 1) / size
	if repeat && n%2 == 1 && n < c.vars {
		n++
	}
	parts := rows{start: make([]int, n+1), list: appendRange(nil, 0, c.vars)}
	for w := range parts.start {
		parts.start[w] = w * c.vars / n
	}
	return parts
}

// covers returns the largest number of parts that have a variable in common.
func (c cover) covers(parts rows) int {
	count := make([]int, c.vars)
	for _, v := range parts.list {
		count[v]++
	}
	return slices.Max(count)
}

// touched returns the parts that have variables of each component. Those of the next tile have numbers from the number
// of parts on.
func (c cover) touched(parts rows) rows {
	of, n := parts.transposed(c.vars), parts.len()
	t := newRows(c.reads.len(), len(c.reads.list))
	last := make([]int, 2*n) // component that touched last, plus one
	for k := range c.reads.len() {
		for _, v := range c.reads.row(k) {
			for _, w := range of.row(v % c.vars) {
				if w += v / c.vars * n; last[w] != k+1 {
					last[w] = k + 1
					t.list = append(t.list, w)
				}
			}
		}
		t.end()
	}
	return t
}

// join returns parts with their variables and components.
func (c cover) join(parts, touched rows) []Part {
	all := make([]Part, parts.len())
	comps := touched.transposed(2 * len(all)) // of the parts of this tile, and of the next one
	list := make([]int, 0, len(comps.list))
	for w := range all {
		from := len(list)
		for _, k := range comps.row(w + len(all)) {
			list = append(list, k-c.reads.len())
		}
		list = append(list, comps.row(w)...)
		all[w] = Part{Vars: parts.row(w), Comps: list[from:len(list):len(list)]}
	}
	return all
}

// colour gives parts that have a component in common different colours: each the first one that no part before has that
// is next to it. It returns false if a part has one of the comps components in common with the same part of the next
// tile.
func (r *Parts) colour(comps int, touched rows) bool {
	n := len(r.Parts)
	seen := make([]int, n) // component that was next to a part last, plus one
	for k := range comps {
		row := touched.row(k)
		for _, w := range row {
			if seen[w%n] == k+1 {
				return false
			}
			seen[w%n] = k + 1
		}
		r.Colours = max(r.Colours, len(row))
	}
	if r.Colours > maxColours {
		return true
	}
	var taken [maxColours + 1]int // by colour: the last part next to it, plus one
	for w := range r.Parts {
		part := &r.Parts[w]
		for _, k := range part.Comps {
			for _, other := range touched.row((k + comps) % comps) {
				if other %= n; other < w && r.Parts[other].Colour < len(taken) {
					taken[r.Parts[other].Colour] = w + 1
				}
			}
		}
		for part.Colour < len(taken) && taken[part.Colour] == w+1 {
			part.Colour++
		}
		r.Colours = max(r.Colours, part.Colour+1)
		if r.Colours > maxColours {
			break
		}
	}
	return true
}

// all returns r with one part, of all variables and components.
func (r *Parts) all(s Structure) *Parts {
	whole := Part{Vars: appendRange(nil, 0, s.Variables()), Comps: appendRange(nil, 0, s.Components()),
		Reads: s.Variables()}
	for k := range whole.Comps {
		whole.Cost += s.Cost(k)
	}
	r.Parts = []Part{whole}
	r.Colours = 1
	r.Cost = whole.Cost
	return r
}
