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

// Parts that have components in common are made in layers, each of all variables, that work in turn: single variables,
// which need few components, and more of them, which change together. grains are about their numbers.
var grains = []int{1, 5, 25}

// layers returns the parts of p in layers, each of all variables, or why this method does not take them. Parts are as
// small as the components allow. If they then have components in common, there are more layers with larger parts,
// unless these are the same.
func (m *Graybox) layers(p problems.Problem) ([]*problems.Parts, error) {
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
	for _, parts := range layers {
		if err := m.takes(p, parts, small.Colours > 1); err != nil {
			return nil, err
		}
	}
	return layers, nil
}

// takes returns why this method does not take the parts of a layer. Open parts have components in common.
func (m *Graybox) takes(p problems.Problem, parts *problems.Parts, open bool) error {
	switch {
	case open && p.Linear() == nil:
		return solvers.Settingf("graybox: parts of %s have components in common, and its value is not linear "+
			"in its sums; name no method, and clopt chooses one", p.Spec())
	case parts.Colours > mostColours:
		return solvers.Settingf("graybox: the parts of %s have %d colours, and the most are %d; name "+
			"no method, and clopt chooses one", p.Spec(), parts.Colours, mostColours)
	}
	for _, part := range parts.Parts {
		switch n := len(part.Vars); {
		case n > MostVars:
			return solvers.Settingf("graybox: a part of %s has %d variables, and the most are %d; "+
				"name no method, and clopt chooses one", p.Spec(), n, MostVars)
		case open && m.Search == "axes" && n > 1 && n <= denseVars:
			return solvers.Settingf("search=axes is for parts that have no components in common; " +
				"use another search")
		}
	}
	return nil
}

// classes returns the classes of the parts of p. They take as much memory as the parts, so that only a plan and a run
// make them.
func (m *Graybox) classes(p problems.Problem, prec problems.Precision) ([]class, error) {
	layers, err := m.layers(p)
	if err != nil {
		return nil, err
	}
	var all []class
	number := 0
	for i, parts := range layers {
		all = append(all, m.layer(p, prec, i, number, parts, layers[0].Colours > 1)...)
		number += len(parts.Parts)
	}
	for i := range all {
		all[i].all = number
	}
	return all, nil
}

// Shapes of parts, beside the span rounded up to a power of two.
const (
	wideShape  = 0
	largeShape = -1 // wide without matrices
)

// shapeOf returns the shape of a part. One kernel works on all parts of a layer that have the same shape.
func shapeOf(part *problems.Part) int {
	switch n := len(part.Vars); {
	case n > denseVars:
		return largeShape
	case part.Reads > thinReads || n > thinVars:
		return wideShape
	default:
		return 1 << bits.Len(uint(n-1))
	}
}

// layer returns the classes of layer i, whose parts have numbers from first on.
func (m *Graybox) layer(p problems.Problem, prec problems.Precision, i, first int,
	parts *problems.Parts, open bool) (all []class) {
	counts := map[int]int{}
	for w := range parts.Parts {
		counts[shapeOf(&parts.Parts[w])]++
	}
	for _, shape := range slices.Sorted(maps.Keys(counts)) {
		c := class{layer: i, wide: shape <= wideShape, serial: true, linear: true, open: open,
			colours: parts.Colours, cost: parts.Cost,
			parts: make([]problems.Part, 0, counts[shape]), numbers: make([]int, 0, counts[shape])}
		if len(counts) == 1 {
			c.parts = parts.Parts
		}
		for w, part := range parts.Parts {
			if shapeOf(&part) != shape {
				continue
			}
			if len(counts) > 1 {
				c.parts = append(c.parts, part)
			}
			c.numbers = append(c.numbers, first+w)
			c.span = max(c.span, len(part.Vars))
			c.linear = c.linear && part.Vars[len(part.Vars)-1]-part.Vars[0] == len(part.Vars)-1
		}
		c.searches = m.searches(c.span, p.Structure().Whole(), prec)
		if open { // the derivatives change with the neighbours
			c.searches = slices.DeleteFunc(c.searches, func(s search) bool { return s == axes })
		}
		c.covers = c.mostCovers(min(p.Tiling().TileVars, p.Tiling().N))
		all = append(all, c)
	}
	return all
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
