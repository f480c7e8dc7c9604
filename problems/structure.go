package problems

// Structure describes which variables each component reads and what it costs. Windows, Lists, RepeatedLists and
// Everything make one; it is immutable. Blocks, parts, colours and evaluation by differences are derived from it alone.
type Structure struct {
	n, m int
	// windows: component k reads stride*k+from … stride*k+to, cut at n
	stride, from, to int
	// lists, which repeat every vars variables and comps components: component k
	// of the first period reads list[start[k]:start[k+1]], and variable i of it
	// touches touch[first[i]:first[i+1]], in increasing order
	vars, comps  int
	start, list  []uint32
	first, touch []uint32
	whole        bool
	costs        []int // of the components, in turn; nil: 1
}

// Windows returns the structure of m components over n variables in which component k reads the variables stride*k+from
// to stride*k+to, both included, as far as they are below n. It panics unless n, m and stride are at least 1 and 0 <=
// from <= to.
func Windows(n, m, stride, from, to int) Structure {
	if n < 1 || m < 1 || stride < 1 || from < 0 || to < from {
		panic("problems: windows need n, m and stride of at least 1, and 0 <= from <= to")
	}
	return Structure{n: n, m: m, stride: stride, from: from, to: to}
}

// Lists returns the structure in which component k reads the variables list[start[k]:start[k+1]], all below n. It keeps
// both slices.
func Lists(n int, start, list []uint32) Structure { return RepeatedLists(1, n, start, list) }

// RepeatedLists returns the structure of equal tiles of vars variables each, which read their own variables only. With
// c = len(start)-1 components a tile, component t*c + k reads t*vars + v for each v in list[start[k]:start[k+1]], all
// below vars. It keeps both slices; its memory does not depend on the number of tiles.
func RepeatedLists(tiles, vars int, start, list []uint32) Structure {
	c := len(start) - 1
	s := Structure{n: tiles * vars, m: tiles * c, vars: vars, comps: c, start: start, list: list,
		first: make([]uint32, vars+1)}
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
func Everything(n, m int) Structure { return Structure{n: n, m: m, whole: true} }

// Costing returns s with component k costing costs[k mod len(costs)], each at least 1. It keeps the slice.
func (s Structure) Costing(costs ...int) Structure {
	s.costs = costs
	return s
}

// Variables returns n, the number of variables.
func (s Structure) Variables() int { return s.n }

// Components returns m, the number of components.
func (s Structure) Components() int { return s.m }

// Cost returns the cost of evaluating component k, at least 1.
func (s Structure) Cost(k int) int {
	if s.costs == nil {
		return 1
	}
	return s.costs[k%len(s.costs)]
}

// Window returns the arguments of Windows; ok is false for another structure.
func (s Structure) Window() (stride, from, to int, ok bool) {
	return s.stride, s.from, s.to, s.stride > 0
}

// Repeats returns the numbers of variables and components after which lists repeat; ok is false for another structure,
// and for lists that do not repeat.
func (s Structure) Repeats() (vars, comps int, ok bool) {
	return s.vars, s.comps, s.vars > 0 && s.vars < s.n
}

// Whole reports whether every component may read every variable.
func (s Structure) Whole() bool { return s.whole }

// Reads appends the variables that component k may read to dst and returns it.
func (s Structure) Reads(k int, dst []int) []int {
	switch {
	case s.whole:
		return appendRange(dst, 0, s.n)
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
	total, n := 0.0, s.n
	if s.stride > 0 {
		// Whole windows, and those that are cut at the last variable.
		whole := min(max((s.n-s.to-1+s.stride)/s.stride, 0), s.m)
		total = float64(whole) * float64(s.to-s.from+1)
		for k := whole; k < s.m && s.stride*k+s.from < s.n; k++ {
			total += float64(s.n - s.stride*k - s.from)
		}
	} else {
		total, n = float64(len(s.touch)), s.vars
	}
	return total / float64(n)
}

// TouchTables returns the lists of ComponentsOf as tables for a device: components
// touch[touch_start[i]:touch_start[i+1]] read variable i of the first period. It returns nil for windows and for
// Everything, where a device computes them.
func (s Structure) TouchTables() []Table {
	if s.start == nil {
		return nil
	}
	return []Table{{Name: "touch", Uint: s.touch}, {Name: "touch_start", Uint: s.first}}
}

func appendRange(dst []int, lo, hi int) []int {
	for i := lo; i < hi; i++ {
		dst = append(dst, i)
	}
	return dst
}
