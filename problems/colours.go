package problems

import (
	"fmt"
	"slices"
)

// Colours gives each variable of a structure a colour. No component reads two variables of one colour, so they can
// change at the same time without affecting each other.
type Colours struct {
	Count int // colours, at least 1
	// For windows and repeated lists the colours repeat: variable i has colour Residues[i mod Period]. Period is 0 for
	// lists that do not repeat.
	Period   int
	Residues []int
	// Other lists: colour c has the variables Order[Start[c]:Start[c+1]], in increasing order.
	Start, Order []uint32
}

// maxColours is the largest number of colours. With more of them, hardly any two variables are independent.
const maxColours = 1024

// ColoursOf colours the variables of s greedily in increasing order. For windows it computes one period only, so the
// memory does not depend on their number. It fails where every component may read every variable, and where more than
// 1024 colours are needed. The colours of lists are computed once for all copies of a structure, and are not to be
// changed.
func ColoursOf(s Structure) (*Colours, error) {
	switch {
	case s.whole:
		return nil, fmt.Errorf("any component may read any variable, so that no two are independent")
	case s.grid.steps != nil:
		// As if rows and planes had no ends.
		var offsets []int
		for _, step := range s.grid.steps {
			offsets = append(offsets, s.grid.offset(step))
		}
		slices.Sort(offsets)
		offsets = slices.Compact(offsets)
		for j, o := range slices.Backward(offsets) {
			offsets[j] = o - offsets[0]
		}
		return offsetColours(1, offsets), nil
	case s.offsets != nil:
		return offsetColours(s.stride, s.offsets), nil
	case s.stride > 0:
		if w := s.to - s.from + 1; w > maxColours {
			return nil, fmt.Errorf(
				"a component reads %d variables; with more than %d, hardly any two variables are independent", w,
				maxColours)
		}
		return windowColours(s.stride, s.from, s.to), nil
	}
	return s.coloursOfLists()
}

// coloursOfLists returns what listColours does for s.
func (s Structure) coloursOfLists() (*Colours, error) {
	derive := func() (*Colours, error) { return listColours(s) }
	if s.memo == nil || s.vars > mostKept {
		return derive()
	}
	return keep(s.memo, &s.memo.colours, s.n, derive)()
}

// windowColours computes the colours of one period. The period P is at least to-from+1 and a multiple of the stride, so
// no window has two variables of one residue, and P/stride windows begin in it.
func windowColours(stride, from, to int) *Colours {
	w := to - from + 1
	c := &Colours{Count: 1, Period: (w + stride - 1) / stride * stride}
	c.Residues = make([]int, c.Period)
	for r := range c.Residues {
		taken := make([]bool, c.Period+1)
		for k := range c.Period / stride {
			first := (stride*k + from) % c.Period
			if at := (r - first + c.Period) % c.Period; at >= w {
				continue // not in this window
			}
			for j := range w {
				if other := (first + j) % c.Period; other < r {
					taken[c.Residues[other]] = true
				}
			}
		}
		for taken[c.Residues[r]] {
			c.Residues[r]++
		}
		c.Count = max(c.Count, c.Residues[r]+1)
	}
	return c
}

// morePeriods is how many periods offsetColours tries beyond the number of offsets.
const morePeriods = 64

// offsetColours computes the colours of one period. A period is a multiple of the stride in which no two offsets have
// the same residue. Of the periods that are tried the one with the fewest colours is taken, and the smallest of these.
func offsetColours(stride int, offsets []int) *Colours {
	var best *Colours
	for p := stride; best == nil || best.Count > len(offsets) && p <= stride*(len(offsets)+morePeriods); p += stride {
		if c := periodColours(p, stride, offsets); c != nil && (best == nil || c.Count < best.Count) {
			best = c
		}
	}
	return best
}

// periodColours colours a period greedily in increasing order. It returns nil where two offsets have the same residue.
func periodColours(period, stride int, offsets []int) *Colours {
	seen := make([]bool, period)
	for _, o := range offsets {
		if seen[o%period] {
			return nil
		}
		seen[o%period] = true
	}
	c := &Colours{Count: 1, Period: period, Residues: make([]int, period)}
	last := make([]int, period+1) // by colour: the last residue next to it, plus one
	for r := range period {
		for _, o := range offsets {
			if o%stride != r%stride {
				continue // no component reads residue r at this offset
			}
			for _, other := range offsets {
				if near := ((r+other-o)%period + period) % period; near < r {
					last[c.Residues[near]] = r + 1
				}
			}
		}
		for last[c.Residues[r]] == r+1 {
			c.Residues[r]++
		}
		c.Count = max(c.Count, c.Residues[r]+1)
	}
	return c
}

// listColours colours the variables of one period; the others repeat them.
func listColours(s Structure) (*Colours, error) {
	colour := make([]uint16, s.vars)
	last := make([]int, maxColours+1) // by colour: the last variable next to it, plus one
	c := &Colours{Count: 1}
	var counts [maxColours + 1]uint32
	for i := range s.vars {
		for _, k := range s.touch[s.first[i]:s.first[i+1]] {
			for _, j := range s.list[s.start[k]:s.start[k+1]] {
				if int(j) < i {
					last[colour[j]] = i + 1
				}
			}
		}
		for last[colour[i]] == i+1 {
			if colour[i]++; colour[i] == maxColours {
				return nil, fmt.Errorf(
					"variable %d shares components with variables of %d colours; hardly any two are independent",
					i, maxColours)
			}
		}
		counts[colour[i]]++
		c.Count = max(c.Count, int(colour[i])+1)
	}
	if s.vars < s.n {
		c.Period, c.Residues = s.vars, make([]int, s.vars)
		for i, k := range colour {
			c.Residues[i] = int(k)
		}
		return c, nil
	}
	c.Start, c.Order = make([]uint32, c.Count+1), make([]uint32, s.n)
	for k := range c.Count {
		c.Start[k+1] = c.Start[k] + counts[k]
	}
	next := append([]uint32(nil), c.Start...)
	for i, k := range colour {
		c.Order[next[k]] = uint32(i)
		next[k]++
	}
	return c, nil
}

// Of returns the residues of a colour in increasing order. It returns nil for lists that do not repeat.
func (c *Colours) Of(colour int) (residues []uint32) {
	for r, k := range c.Residues {
		if k == colour {
			residues = append(residues, uint32(r))
		}
	}
	return residues
}
