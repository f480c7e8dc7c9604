package graybox

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// class is the parts of a tile that one kernel works on. All tiles are alike.
type class struct {
	parts   []problems.Part // ordered by colour
	numbers []int           // of the parts, among those of all classes
	all     int             // parts of a tile, of all classes
	open    bool            // parts have components in common, and read variables of each other
	layer   int
	colours int  // of the parts of the layer
	covers  int  // the most parts of the class that have a variable in common
	span    int  // variables of the largest part
	wide    bool // a group of work-items works on a part; otherwise each item has a part of its own
	serial  bool // a group has one work-item on processors; false in a test
	linear  bool // the variables of each part are consecutive
	cost    int  // of all components of a tile

	searches []search
}

// MostVars is the largest number of variables of a part: candidates are in local memory.
const MostVars = 1024

const (
	thinVars  = 32 // most variables of a part that one work-item works on
	thinReads = 8  // most variables of a component there; the variables of larger ones are read by many items

	mostColours = 64 // of parts; with more of them, few parts work at the same time
)

// Parts that have components in common are cut in layers, each of all variables, that work in turn: single variables,
// which need few components, and more of them, which change together. grains are about their numbers.
var grains = []int{1, 5, 25}

// cut returns the classes of the parts of p. Parts are as small as the components allow. If they then have components
// in common, there are more layers with larger parts, unless these are the same.
func (m *Graybox) cut(p problems.Problem, prec problems.Precision) ([]class, error) {
	small, err := problems.PartsOf(p, grains[0])
	if err != nil {
		return nil, solvers.Settingf("graybox: %v; name no method, and clopt chooses one", err)
	}
	layers := []*problems.Parts{small}
	for _, grain := range grains[1:] {
		if small.Colours == 1 {
			break
		}
		large, err := problems.PartsOf(p, grain)
		if err == nil && len(large.Parts) < len(layers[len(layers)-1].Parts) && large.Colours <= mostColours {
			layers = append(layers, large)
		}
	}
	var all []class
	number := 0
	for i, parts := range layers {
		classes, err := m.layer(p, prec, i, number, parts, small.Colours > 1)
		if err != nil {
			return nil, err
		}
		all = append(all, classes...)
		number += len(parts.Parts)
	}
	for i := range all {
		all[i].all = number
	}
	return all, nil
}

// layer returns the classes of layer i, whose parts have numbers from first on.
func (m *Graybox) layer(p problems.Problem, prec problems.Precision, i, first int,
	parts *problems.Parts, open bool) (all []class, err error) {
	switch {
	case open && p.Linear() == nil:
		return nil, solvers.Settingf("graybox: parts of %s have components in common, and its value is not linear "+
			"in its sums; name no method, and clopt chooses one", p.Spec())
	case parts.Colours > mostColours:
		return nil, solvers.Settingf("graybox: the parts of %s have %d colours, and the most are %d; name "+
			"no method, and clopt chooses one", p.Spec(), parts.Colours, mostColours)
	}
	s := p.Structure()
	byShape := map[int]*class{} // by span, rounded up to a power of two; 0: wide; -1: wide without matrices
	for number, part := range parts.Parts {
		if len(part.Vars) > MostVars {
			return nil, solvers.Settingf("graybox: a part of %s has %d variables, and the most are %d; "+
				"name no method, and clopt chooses one", p.Spec(), len(part.Vars), MostVars)
		}
		shape := 1 << bits.Len(uint(len(part.Vars)-1))
		if part.Reads > thinReads || len(part.Vars) > thinVars {
			shape = 0
		}
		if len(part.Vars) > denseVars {
			shape = -1
		}
		c := byShape[shape]
		if c == nil {
			c = &class{layer: i, wide: shape <= 0, serial: true, linear: true, open: open,
				colours: parts.Colours, cost: parts.Cost}
			byShape[shape] = c
		}
		c.parts, c.numbers = append(c.parts, part), append(c.numbers, first+number)
		c.span = max(c.span, len(part.Vars))
		c.linear = c.linear && part.Vars[len(part.Vars)-1]-part.Vars[0] == len(part.Vars)-1
	}
	for _, shape := range slices.Sorted(maps.Keys(byShape)) {
		c := byShape[shape]
		c.searches = m.searches(c.span, s.Whole(), prec)
		if open { // the derivatives change with the neighbours
			c.searches = slices.DeleteFunc(c.searches, func(s search) bool { return s == axes })
		}
		if len(c.searches) == 0 {
			return nil, solvers.Settingf("search=axes is for parts that have no components in common; " +
				"use another search")
		}
		c.covers = c.mostCovers(min(p.Tiling().TileVars, p.Tiling().N))
		all = append(all, *c)
	}
	return all, nil
}

// mostCovers returns the most parts of the class that have one of the first n variables in common, at least 1.
func (c class) mostCovers(n int) int {
	count := make([]int, n)
	for _, part := range c.parts {
		for _, v := range part.Vars {
			count[v]++
		}
	}
	return max(1, slices.Max(count))
}

// turn returns the first part of a colour and the number of its parts.
func (c class) turn(colour int) (first, count int) {
	for w, part := range c.parts {
		if part.Colour == colour {
			if count == 0 {
				first = w
			}
			count++
		}
	}
	return first, count
}

// dense reports whether searches keep a matrix for each part.
func (c class) dense() bool { return c.span <= denseVars }

// kinds returns one more than the largest number of a search of c.
func (c class) kinds() int { return int(slices.Max(c.searches)) + 1 }
