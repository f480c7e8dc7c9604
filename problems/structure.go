package problems

import "slices"

// Structure describes which variables each component reads and what it costs. Windows, Offsets, Grid, Lists,
// RepeatedLists and Everything make one; it is immutable. Blocks, parts, colours and evaluation by differences are
// derived from it alone.
type Structure struct {
	n, m int // variables and components
	windows
	grid grid // component k reads neighbours of cell k
	lists
	whole   bool  // any component may read any variable
	costs   []int // of the components, in turn; nil: 1
	inner   int   // inner sums of a component
	squares []int // of which components are sums, in turn; nil: not declared
	slopes  bool  // of the squares, by the device text
	memo    *memo // nil: nothing is kept
}

// windows are those of components: component k reads stride*k+from … stride*k+to, cut at the last variable.
type windows struct {
	stride, from, to int   // stride 0: there are none
	offsets          []int // then it reads only stride*k + each of these, which increase; nil: all between
}

// lists are those of components and of variables. They repeat every vars variables and comps components: component k of
// the first period reads list[start[k]:start[k+1]], and variable i of it touches the components
// touch[first[i]:first[i+1]], in increasing order.
type lists struct {
	vars, comps  int // vars 0: there are none
	start, list  []uint32
	first, touch []uint32
}

// Windows returns the structure of m components over n variables in which component k reads the variables stride*k+from
// to stride*k+to, both included, as far as they are below n. It panics unless n, m and stride are at least 1 and 0 <=
// from <= to.
func Windows(n, m, stride, from, to int) Structure {
	if n < 1 || m < 1 || stride < 1 || from < 0 || to < from {
		panic("problems: windows need n, m and stride of at least 1, and 0 <= from <= to")
	}
	return Structure{n: n, m: m, windows: windows{stride: stride, from: from, to: to}, memo: new(memo)}
}

// Offsets returns the structure of m components over n variables in which component k reads the variables stride*k + o
// for each o of offsets, as far as they are below n. It keeps the slice. It panics unless n, m and stride are at least
// 1, and offsets are in increasing order from 0 or more.
func Offsets(n, m, stride int, offsets []int) Structure {
	if len(offsets) == 0 {
		panic("problems: offsets are empty")
	}
	for j := 1; j < len(offsets); j++ {
		if offsets[j] <= offsets[j-1] {
			panic("problems: offsets need increasing order")
		}
	}
	from, to := offsets[0], offsets[len(offsets)-1]
	s := Windows(n, m, stride, from, to)
	if to-from+1 > len(offsets) {
		s.offsets = offsets
	}
	return s
}

// Lists returns the structure in which component k reads the variables list[start[k]:start[k+1]], all below n. It keeps
// both slices. It panics for other variables, and unless start goes from 0 to the length of list without falling.
func Lists(n int, start, list []uint32) Structure { return RepeatedLists(1, n, start, list) }

// RepeatedLists returns the structure of equal tiles of vars variables each, which read their own variables only. With
// c = len(start)-1 components a tile, component t*c + k reads t*vars + v for each v in list[start[k]:start[k+1]], all
// below vars. It keeps both slices; its memory does not depend on the number of tiles.
func RepeatedLists(tiles, vars int, start, list []uint32) Structure {
	c := len(start) - 1
	if tiles < 1 || vars < 1 || c < 1 || start[0] != 0 || int(start[c]) != len(list) || !slices.IsSorted(start) ||
		len(list) > 0 && int64(slices.Max(list)) >= int64(vars) {
		panic("problems: lists need tiles, variables below vars, and starts from 0 to the length of the list")
	}
	s := Structure{n: tiles * vars, m: tiles * c, memo: new(memo),
		lists: lists{vars: vars, comps: c, start: start, list: list, first: make([]uint32, vars+1)}}
	// A variable may be twice in a list; its component counts once.
	last := make([]uint32, vars) // component that touched last, plus one
	each := func(do func(k, i uint32)) {
		clear(last)
		for k := range uint32(c) {
			for _, i := range list[start[k]:start[k+1]] {
				if last[i] != k+1 {
					last[i] = k + 1
					do(k, i)
				}
			}
		}
	}
	each(func(_, i uint32) { s.first[i+1]++ })
	for i := range vars {
		s.first[i+1] += s.first[i]
	}
	s.touch = make([]uint32, s.first[vars])
	next := append([]uint32(nil), s.first[:vars]...)
	each(func(k, i uint32) {
		s.touch[next[i]] = k
		next[i]++
	})
	return s
}

// Everything returns the structure of m components that may read any of n variables.
func Everything(n, m int) Structure { return Structure{n: n, m: m, whole: true, memo: new(memo)} }

// Costing returns s with component k costing costs[k mod len(costs)], each at least 1. It keeps the slice.
func (s Structure) Costing(costs ...int) Structure {
	s.costs, s.memo = costs, new(memo)
	return s
}

// WithInner returns s with components that are functions of inner sums: c_k(x) = h_k(s_1(x), …, s_inner(x)), where each
// component has sums of its own, and h_k rises, or at least never falls, with each of them. (Conn, Gould and Toint,
// 1992, call such an objective group partially separable.) The item form of the text then has the sums and h_k instead
// of the component, see Text.
func (s Structure) WithInner(inner int) Structure {
	s.inner = inner
	return s
}

// Inner returns the number of inner sums of a component; 0 if components are not declared to be functions of sums.
func (s Structure) Inner() int { return s.inner }

// Squared returns s with component k being the sum of counts[k mod len(counts)] squares, each at least 1. The device
// text has the form Residuals then. It keeps the slice.
func (s Structure) Squared(counts ...int) Structure {
	s.squares = counts
	return s
}

// WithSlopes returns s with or without the declaration that the device text has the derivatives of all numbers whose
// squares a component adds, for about twice the work of the component. Without them they take two values of the
// component for each variable.
func (s Structure) WithSlopes(has bool) Structure {
	s.slopes = has
	return s
}

// Slopes reports whether the device text has derivatives of the numbers that are squared, see Residuals.
func (s Structure) Slopes() bool { return s.slopes }

// Variables returns n, the number of variables.
func (s Structure) Variables() int { return s.n }

// Components returns m, the number of components.
func (s Structure) Components() int { return s.m }

// Cost returns the cost of evaluating component k, at least 1.
func (s Structure) Cost(k int) int {
	if len(s.costs) == 0 {
		return 1
	}
	return s.costs[k%len(s.costs)]
}

// Squares returns the number of squares of which component k is the sum, and 0 if that is not declared.
func (s Structure) Squares(k int) int {
	if len(s.squares) == 0 {
		return 0
	}
	return s.squares[k%len(s.squares)]
}

// DifferencesWork returns the work of differences by every variable, as a multiple of that of a value: every component
// is evaluated twice for each variable that it reads.
func (s Structure) DifferencesWork() float64 {
	if s.whole {
		return 2 * float64(s.n)
	}
	comps := s.m
	if s.vars > 0 {
		comps = s.comps
	}
	if len(s.costs) <= 1 {
		return 2 * float64(s.allReads()) / float64(comps)
	}
	var reads []int
	all, changed := 0.0, 0.0
	for k := range comps {
		cost := float64(s.Cost(k))
		reads = s.Reads(k, reads[:0])
		all += cost
		changed += cost * float64(len(reads))
	}
	return 2 * changed / all
}

// allReads returns how many variables the components of a period read in all. It is for structures that are not Whole.
func (s Structure) allReads() (total int) {
	switch {
	case s.grid.steps != nil:
		for _, step := range s.grid.steps {
			cells := 1
			for a, size := range s.grid.size {
				cells *= max(0, size-max(step[a], -step[a]))
			}
			total += cells
		}
		return total
	case s.stride == 0:
		return len(s.list)
	}
	offsets := s.offsets
	if offsets == nil {
		offsets = appendRange(nil, s.from, s.to+1)
	}
	for _, o := range offsets {
		total += min(s.m, max(0, s.n-o+s.stride-1)/s.stride)
	}
	return total
}

// Window returns the stride and the first and last variable that component 0 reads, for Windows and Offsets.
// Component k reads no variable outside stride*k+from to stride*k+to. ok is false for another structure.
func (s Structure) Window() (stride, from, to int, ok bool) {
	return s.stride, s.from, s.to, s.stride > 0
}

// Repeats returns the numbers of variables and components after which lists repeat; ok is false for another structure,
// and for lists that do not repeat.
func (s Structure) Repeats() (vars, comps int, ok bool) {
	return s.vars, s.comps, s.vars > 0 && s.vars < s.n
}

// Period returns the structure of which s is a number of copies side by side, if lists repeat, or windows have no
// variables in common. Any other structure is its own only period.
func (s Structure) Period() (one Structure, periods int) {
	vars, comps := s.vars, s.comps
	if s.stride > s.to {
		vars, comps = s.stride, 1
	}
	splits := func(list []int) bool { return len(list) > 0 && comps%len(list) != 0 }
	if comps == 0 || s.n*comps != s.m*vars || splits(s.costs) || splits(s.squares) {
		return s, 1
	}
	one = s
	one.n, one.m = vars, comps
	return one, s.n / vars
}

// Whole reports whether every component may read every variable.
func (s Structure) Whole() bool { return s.whole }

// Reads appends the variables that component k may read to dst and returns it.
func (s Structure) Reads(k int, dst []int) []int {
	switch {
	case s.whole:
		return appendRange(dst, 0, s.n)
	case s.grid.steps != nil:
		for _, step := range s.grid.steps {
			if i, ok := s.grid.from(k, step, 1); ok {
				dst = append(dst, i)
			}
		}
		return dst
	case s.offsets != nil:
		for _, o := range s.offsets {
			if i := s.stride*k + o; i < s.n {
				dst = append(dst, i)
			}
		}
		return dst
	case s.stride > 0:
		return appendRange(dst, s.stride*k+s.from, min(s.stride*k+s.to+1, s.n))
	}
	base := k / s.comps * s.vars
	k %= s.comps
	for _, i := range s.list[s.start[k]:s.start[k+1]] {
		dst = append(dst, base+int(i))
	}
	return dst
}

// ComponentsOf appends the components that may read variable i to dst, in increasing order, and returns it.
func (s Structure) ComponentsOf(i int, dst []int) []int {
	switch {
	case s.whole:
		return appendRange(dst, 0, s.m)
	case s.grid.steps != nil:
		for _, step := range slices.Backward(s.grid.steps) {
			if k, ok := s.grid.from(i, step, -1); ok {
				dst = append(dst, k)
			}
		}
		return dst
	case s.offsets != nil:
		for _, o := range slices.Backward(s.offsets) {
			if s.touches(i, o) {
				dst = append(dst, (i-o)/s.stride)
			}
		}
		return dst
	case s.stride > 0:
		lo, hi := s.touchWindow(i)
		return appendRange(dst, lo, hi)
	}
	base := i / s.vars * s.comps
	i %= s.vars
	for _, k := range s.touch[s.first[i]:s.first[i+1]] {
		dst = append(dst, base+int(k))
	}
	return dst
}

// touches reports whether there is a component that reads variable i at offset o.
func (s Structure) touches(i, o int) bool {
	return i >= o && (i-o)%s.stride == 0 && (i-o)/s.stride < s.m
}

// touchWindow returns the half-open range of components whose window contains variable i.
func (s Structure) touchWindow(i int) (lo, hi int) {
	lo = max(0, (i-s.to+s.stride-1)/s.stride)
	if i < s.to {
		lo = 0
	}
	if i < s.from {
		return 0, 0
	}
	return lo, min((i-s.from)/s.stride+1, s.m)
}

// Touched returns the number of components that may read variable i.
func (s Structure) Touched(i int) int {
	switch {
	case s.whole:
		return s.m
	case s.grid.steps != nil:
		return len(s.ComponentsOf(i, nil))
	case s.offsets != nil:
		count := 0
		for _, o := range s.offsets {
			count += Flag(s.touches(i, o))
		}
		return count
	case s.stride > 0:
		lo, hi := s.touchWindow(i)
		return max(0, hi-lo)
	}
	i %= s.vars
	return int(s.first[i+1] - s.first[i])
}

// MeanTouched returns the mean of Touched over all variables.
func (s Structure) MeanTouched() float64 {
	if s.whole {
		return float64(s.m)
	}
	if s.grid.steps != nil {
		return s.grid.meanTouched()
	}
	if s.stride == 0 {
		return float64(len(s.touch)) / float64(s.vars)
	}
	return float64(s.allReads()) / float64(s.n)
}

// TouchTables returns the lists of ComponentsOf as tables for a device: components
// touch[touch_start[i]:touch_start[i+1]] read variable i of the first period. For offsets, component (i-o)/stride, if
// there is one, reads variable i for each o of touch[touch_start[i%stride]:touch_start[i%stride+1]]. For grids,
// component i-o, modulo 2^32, reads variable i for each o of touch[touch_start[c]:touch_start[c+1]] with the class c of
// cell i, see GridClass. It returns nil for windows and for Everything, where a device computes them.
func (s Structure) TouchTables() []Table {
	touch, first := s.touch, s.first
	if s.grid.steps != nil {
		touch, first = s.grid.classes(-1)
	}
	if s.offsets != nil {
		first = []uint32{0}
		for r := range s.stride {
			for _, o := range slices.Backward(s.offsets) {
				if o%s.stride == r {
					touch = append(touch, uint32(o))
				}
			}
			first = append(first, uint32(len(touch)))
		}
	}
	if first == nil {
		return nil
	}
	return []Table{{Name: "touch", Uint: touch}, {Name: "touch_start", Uint: first}}
}

// ReadTables returns the variables that components read as tables for a device, and false for windows, grids and
// Everything. Component k reads k/comps*vars + v for each v in reads[start[k%comps]:start[k%comps+1]], which are in
// increasing order; those that are not below the number of variables do not exist.
func (s Structure) ReadTables() (reads, start []uint32, vars, comps int, ok bool) {
	switch {
	case s.offsets != nil:
		for _, o := range s.offsets {
			reads = append(reads, uint32(o))
		}
		return reads, []uint32{0, uint32(len(reads))}, s.stride, 1, true
	case s.start == nil:
		return nil, nil, 0, 0, false
	}
	reads = slices.Clone(s.list)
	for k := range s.comps {
		slices.Sort(reads[s.start[k]:s.start[k+1]])
	}
	return reads, s.start, s.vars, s.comps, true
}

func appendRange(dst []int, lo, hi int) []int {
	for i := lo; i < hi; i++ {
		dst = append(dst, i)
	}
	return dst
}
