package multistart

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// class is the parts of a tile that one kernel works on. All tiles are alike.
type class struct {
	parts   []problems.Part
	numbers []int // of the parts, among those of all classes
	all     int   // parts of a tile, of all classes
	span    int   // variables of the largest part
	wide    bool  // a group of work-items works on a part; otherwise each item has a part of its own
	serial  bool  // a group has one work-item on processors; false in a test
	linear  bool  // the variables of each part are consecutive
	cost    int   // of all components of a tile

	searches []search
}

const (
	thinVars  = 32   // most variables of a part that one work-item works on
	thinReads = 8    // most variables of a component there; the variables of larger ones are read by many items
	mostVars  = 1024 // most variables of a part: candidates are in local memory
	denseVars = 128  // most variables of a part for which a search keeps a matrix
)

// cut returns the classes of the parts of p. Parts are as small as the components allow.
func (m *Multistart) cut(p problems.Problem, prec problems.Precision) ([]class, error) {
	common := solvers.Settingf("multistart: parts of %s have components in common; use --solver graybox", p.Spec())
	if p.Tiling().Halo > 0 {
		return nil, common
	}
	parts, err := problems.PartsOf(p, 1)
	if err != nil {
		return nil, solvers.Settingf("multistart: %v; use --solver masw", err)
	}
	if parts.Colours > 1 {
		return nil, common
	}
	lo, _ := p.Tiling().Comps(0)
	s := p.Structure()
	for _, part := range parts.Parts {
		if len(part.Vars) > mostVars {
			return nil, solvers.Settingf("multistart: a part of %s has %d variables, and the most are %d; "+
				"use --solver masw", p.Spec(), len(part.Vars), mostVars)
		}
	}
	byShape := map[int]*class{} // by span, rounded up to a power of two; 0: wide; -1: wide without matrices
	for number, part := range parts.Parts {
		reads := 0
		for _, k := range part.Comps {
			reads = max(reads, len(s.Reads(lo+k, nil)))
		}
		shape := 1 << bits.Len(uint(len(part.Vars)-1))
		if reads > thinReads || len(part.Vars) > thinVars {
			shape = 0
		}
		if len(part.Vars) > denseVars {
			shape = -1
		}
		c := byShape[shape]
		if c == nil {
			c = &class{all: len(parts.Parts), wide: shape <= 0, serial: true, linear: true,
				cost: parts.Cost}
			byShape[shape] = c
		}
		c.parts, c.numbers = append(c.parts, part), append(c.numbers, number)
		c.span = max(c.span, len(part.Vars))
		c.linear = c.linear && part.Vars[len(part.Vars)-1]-part.Vars[0] == len(part.Vars)-1
	}
	var all []class
	for _, shape := range slices.Sorted(maps.Keys(byShape)) {
		c := byShape[shape]
		c.searches = m.searches(c.span, prec)
		all = append(all, *c)
	}
	return all, nil
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

// table returns the parts in the form that kernels/solvers/multistart/part.cl reads. used is the number of variables of
// a tile.
func (c class) table(used int) []uint32 {
	var head, lists []uint32
	place := make([]uint32, used)
	at, reals := partRow*len(c.parts), 0
	for w, part := range c.parts {
		head = append(head, uint32(at), uint32(len(part.Vars)), uint32(at+len(part.Vars)), uint32(len(part.Comps)),
			uint32(c.numbers[w]), uint32(part.Cost), uint32(reals))
		reals += c.reals(len(part.Vars))
		at += len(part.Vars) + len(part.Comps)
		for k, v := range part.Vars {
			lists, place[v] = append(lists, uint32(v)), uint32(k)
		}
		for _, k := range part.Comps {
			lists = append(lists, uint32(k))
		}
	}
	return slices.Concat(head, lists, place)
}

// dense says whether searches keep a matrix for each part.
func (c class) dense() bool { return c.span <= denseVars }

// group returns the number of work-items of a group, a power of two.
func (c class) group() int {
	if !c.wide {
		return 64
	}
	return min(128, max(16, 1<<bits.Len(uint(c.span-1))))
}
