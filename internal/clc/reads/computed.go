package reads

import (
	"slices"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/problems"
)

// share is the part of all pairs of a component and a variable above which lists say no more than that any component
// may read any variable.
const share = 0.25

// computed is what components read, in turn, each variable once and in increasing order.
type computed struct {
	t           Text
	start, list []uint32
	total       int  // of the list; above the share of all pairs it is not kept
	reads       int  // in all, with those of a variable that was read before
	grid        bool // all reads are those of neighbours on the grid
	steps       [27]bool
}

// compute computes the reads of all components. If declared is not nil, the error is an *Undeclared for a read that it
// does not have, and nothing is kept. Else the error, a *host.Error, says why they cannot be computed, or which
// variable does not exist.
func (t Text) compute(declared *problems.Structure) (*computed, error) {
	c := &computed{t: t, grid: t.Grid[0] > 0}
	if max(t.Components, t.Data.Variables) > mostReads {
		return c, &host.Error{Msg: tooMany}
	}
	var parts []*host.Reads
	var frames []*host.Frame
	for _, tree := range t.Trees {
		s, err := host.CompileReads(tree, t.Data)
		if err != nil {
			return c, err
		}
		parts, frames = append(parts, s), append(frames, s.NewFrame())
	}
	if declared == nil {
		c.start = make([]uint32, 1, t.Components+1)
	}
	last := make([]uint32, t.Data.Variables) // component that read it last, plus one
	left := int64(mostOperations)
	var own []uint32
	var places []clc.Pos // where they are read first
	var has []int
	for k := range t.Components {
		own, places = own[:0], places[:0]
		for j, s := range parts {
			took, err := s.Run(frames[j], k, left, func(i int64, pos clc.Pos) {
				if c.reads++; last[i] != uint32(k)+1 {
					last[i] = uint32(k) + 1
					own, places = append(own, uint32(i)), append(places, pos)
				}
			})
			if left -= took; err != nil {
				if host.IsTooLong(err) {
					err = &host.Error{Msg: tooMany}
				}
				return c, err
			}
		}
		if c.reads > mostReads {
			return c, &host.Error{Msg: tooMany}
		}
		if declared == nil {
			if c.add(k, own); c.tooWide() && !c.grid {
				return c, nil
			}
			continue
		}
		has = declared.Reads(k, has[:0])
		if j := missing(own, has); j >= 0 {
			return c, &Undeclared{k, int(own[j]), places[j]}
		}
	}
	return c, nil
}

const tooMany = "the components read too much to compute it"

// missing returns the place in own of a variable that is not in has, or -1.
func missing(own []uint32, has []int) int {
	if !slices.IsSorted(has) {
		slices.Sort(has)
	}
	for j, i := range own {
		if _, ok := slices.BinarySearch(has, int(i)); !ok {
			return j
		}
	}
	return -1
}

// add adds the reads of component k.
func (c *computed) add(k int, own []uint32) {
	for _, i := range own {
		c.grid = c.grid && c.neighbour(k, int(i))
	}
	if n := c.t.Data.Variables; len(own) == 0 && !c.grid { // every component of lists has a variable
		own = append(own, uint32(min(k*max(1, n/c.t.Components), n-1)))
	}
	c.total += len(own)
	if c.tooWide() {
		c.list, c.start = nil, nil
		return
	}
	slices.Sort(own)
	if room := len(c.list) + len(own); k >= 1024 && room > cap(c.list) { // as if those to come read as much
		c.list = slices.Grow(c.list, max(len(own), min(room*(c.t.Components-k)/k, mostReads-len(c.list))))
	}
	c.list = append(c.list, own...)
	c.start = append(c.start, uint32(len(c.list)))
}

func (c *computed) tooWide() bool {
	return float64(c.total) > share*float64(c.t.Data.Variables)*float64(c.t.Components)
}

// neighbour marks the step from cell k of the grid to cell i, if they are neighbours.
func (c *computed) neighbour(k, i int) bool {
	index, scale := 0, 1
	for a := 2; a >= 0; a-- {
		size := c.t.Grid[a]
		d := i%size - k%size
		if d < -1 || d > 1 {
			return false
		}
		index += (d + 1) * scale
		scale *= 3
		i /= size
		k /= size
	}
	c.steps[index] = true
	return true
}

// structure returns the smallest form of the reads.
func (c *computed) structure() problems.Structure {
	n, m := c.t.Data.Variables, c.t.Components
	if c.grid && c.total > 0 {
		var steps [][3]int
		for index, has := range c.steps {
			if has {
				steps = append(steps, [3]int{index/9 - 1, index/3%3 - 1, index%3 - 1})
			}
		}
		return problems.Grid(c.t.Grid, steps...)
	}
	if c.tooWide() || c.total == 0 {
		return problems.Everything(n, m)
	}
	for _, stride := range []int{1, max(1, n/m)} {
		if s, ok := c.windows(stride); ok {
			return s
		}
	}
	return problems.Lists(n, c.start, c.list)
}

// windows returns the structure of windows of a stride that is hardly larger than the lists.
func (c *computed) windows(stride int) (s problems.Structure, ok bool) {
	n, m := c.t.Data.Variables, c.t.Components
	var offsets []int
	for k := range m {
		for _, i := range c.list[c.start[k]:c.start[k+1]] {
			o := int(i) - stride*k
			at, has := slices.BinarySearch(offsets, o)
			if o < 0 || !has && len(offsets) == mostApart {
				return s, false
			}
			if !has {
				offsets = slices.Insert(offsets, at, o)
			}
		}
	}
	if s, ok = windows(n, m, stride, offsets); !ok {
		return s, false
	}
	return s, s.MeanTouched()*float64(n) <= float64(2*c.total+m)
}
