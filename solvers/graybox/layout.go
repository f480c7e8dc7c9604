package graybox

import (
	"math"
	"math/bits"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers/device"
)

// partRow is the number of entries of a part in table.
const partRow = 7

// table returns the parts in the form that kernels/solvers/graybox/part.cl reads. used is the number of variables of
// a tile.
func (c class) table(used int) []uint32 {
	var head, lists []uint32
	at, reals := 1+partRow*len(c.parts), 0
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
	return slices.Concat([]uint32{uint32(at)}, head, lists, c.placeOf(used))
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
			places[covers*v+count[v]] = uint32(k)
			if c.open {
				places[covers*v+count[v]] |= uint32(w << placeBits)
				count[v]++
			}
		}
	}
	return places
}

// The numbers that a run keeps for each part, as in kernels/solvers/graybox/worker.cl.
const (
	partWords = 11
	pairs     = 10 // of lbfgs
)

// words returns how many words a run keeps for a part.
func (c class) words() int { return partWords + problems.Flag(c.open) }

// chainReals returns how many reals a chain has besides those of its variables.
func (c class) chainReals() int {
	if c.kinds() > int(lbfgs) {
		return 9
	}
	return 2
}

// own returns where the reals of the searches begin in those of a part.
func (c class) own() int {
	n := 3 + 1 + c.chainReals() + 1
	if len(c.searches) > 1 {
		n += 3*c.kinds() - 1
	}
	if c.open {
		n += 2 + c.span
	}
	return n
}

// reals returns how many reals a run keeps for a part of n variables.
func (c class) reals(n int) int {
	most := 0
	for _, s := range c.searches {
		switch s {
		case solisWets:
			most = max(most, n)
		case lbfgs:
			if c.dense() {
				most = max(most, (5+n+2)*n)
			} else {
				most = max(most, (5+2*pairs)*n+pairs)
			}
		case cma:
			most = max(most, (2*n+12)*n+2*c.offspring())
		case axes:
			most = max(most, (n+2)*n)
		}
	}
	return c.own() + most
}

// tileReals returns how many reals a run keeps for all parts of a tile, or for each part if they are thin.
func (c class) tileReals() int {
	if !c.wide {
		return c.reals(c.span)
	}
	n := 0
	for _, part := range c.parts {
		n += c.reals(len(part.Vars))
	}
	return n
}

const (
	fewestOffspring = 8
	mostOffspring   = 1024 // of a chain of cma
)

// offspring returns the largest number of offspring of a chain of cma. In small parts the values of the offspring
// would need more memory than the matrices.
func (c class) offspring() int {
	n := fewestOffspring
	for n < min(16*c.span, mostOffspring) {
		n *= 2
	}
	return n
}

// levels returns how many numbers of offspring chains of cma may have: the fewest, twice as many, and so on.
func (c class) levels() int { return bits.Len(uint(c.offspring() / fewestOffspring)) }

// room returns how many variables the kernels have room for in a part, at least span. Classes with the same room have
// programs in common. Processors have memory for more than the span; on other devices each of many items has its own.
func (c class) room(onlyCPU bool) int {
	switch {
	case c.span == 1 || c.span > denseVars:
		return c.span
	case c.wide || onlyCPU:
		return device.RoundUp(c.span, thinVars)
	default:
		return 1 << bits.Len(uint(c.span-1))
	}
}

// classLayout is where the numbers of a class are on a device: the struct graybox_layout of the kernels.
type classLayout struct {
	Columns   uint32 // parts of the class in a shard
	PerTile   uint32 // and in a tile
	All       uint32 // parts of all classes in a tile
	TileReals uint32 // see class.tileReals
	Own       uint32 // where the reals of the searches begin in those of a part
	Levels    uint32 // of cma
}

// layout returns the layout of the class, without Columns.
func (c class) layout() classLayout {
	return classLayout{PerTile: uint32(len(c.parts)), All: uint32(c.all),
		TileReals: uint32(c.tileReals()), Own: uint32(c.own()), Levels: uint32(c.levels())}
}

// partSums returns the number of sums of a part: accumulators, and inner sums of components.
func partSums(p problems.Problem) int { return p.Accumulators() + p.Structure().Inner() }

// localRows returns the points of a wide part in local memory: the point of the restart, the candidate and what cma
// draws.
func (c class) localRows() int {
	if slices.Contains(c.searches, cma) {
		return 10
	}
	return 2
}

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
