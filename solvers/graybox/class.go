package graybox

import (
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
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
	thinVars  = 32  // most variables of a part that one work-item works on
	thinReads = 8   // most variables of a component there; the variables of larger ones are read by many items
	denseVars = 128 // most variables of a part for which a search keeps a matrix

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

// partRow is the number of entries of a part in table.
const partRow = 7

// places returns where the map of variables begins in table.
func (c class) places() int {
	n := partRow * len(c.parts)
	for _, part := range c.parts {
		n += len(part.Vars) + len(part.Comps)
	}
	return n
}

// table returns the parts in the form that kernels/solvers/graybox/part.cl reads. used is the number of variables of
// a tile.
func (c class) table(used int) []uint32 {
	var head, lists []uint32
	at, reals := partRow*len(c.parts), 0
	list := func(numbers []int) (from, n uint32) {
		from = uint32(at)
		for _, k := range numbers {
			lists = append(lists, uint32(k))
		}
		at += len(numbers)
		return from, uint32(len(numbers))
	}
	for w, part := range c.parts {
		vars, n := list(part.Vars)
		comps, compsN := list(part.Comps)
		head = append(head, vars, n, comps, compsN, uint32(c.numbers[w]), uint32(part.Cost), uint32(reals))
		reals += c.reals(len(part.Vars))
	}
	return slices.Concat(head, lists, c.placeOf(used))
}

// placeBits is the number of bits of a place in its part; those above are the number of the part.
const placeBits = 10

// placeOf returns the map of variables: for each of those of a tile its place in its part, or, where parts read
// variables of each other, the places in all parts that have it, with their numbers.
func (c class) placeOf(used int) []uint32 {
	if c.linear {
		return nil
	}
	covers := 1
	if c.open {
		covers = c.covers
	}
	places, count := slices.Repeat([]uint32{math.MaxUint32}, covers*used), make([]int, used)
	for w, part := range c.parts {
		for k, v := range part.Vars {
			if places[covers*v+count[v]] = uint32(k); c.open {
				places[covers*v+count[v]] |= uint32(w << placeBits)
				count[v]++
			}
		}
	}
	return places
}

// dense reports whether searches keep a matrix for each part.
func (c class) dense() bool { return c.span <= denseVars }

// group returns the number of work-items of a group, a power of two.
func (c class) group() int {
	if !c.wide {
		return 64
	}
	return min(128, max(16, 1<<bits.Len(uint(c.span-1))))
}

// mostEach is the largest number of parts of a group of work-items.
const mostEach = 2048

// each returns the number of parts that a group of size work-items gets, of so many parts of a launch. The items of a
// group share the parts that do not rest, so it should have many, but the device needs many groups.
func (c class) each(parts, size int, info cl.Info) int {
	if c.wide {
		return 1
	}
	const groups = 16 // of a compute unit
	return min(max(device.RoundUp(parts/(groups*max(1, info.ComputeUnits)), size), size), mostEach)
}
