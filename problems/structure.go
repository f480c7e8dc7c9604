package problems

// Structure says which variables each component reads, and with that which
// components a change of one variable touches. Make one with Windows, Lists or
// Everything; it is immutable.
type Structure struct {
	n, m int
	// windows: component k reads stride*k+from … stride*k+to, cut at n
	stride, from, to int
	// lists: component k reads list[start[k]:start[k+1]], and variable i
	// touches comps[first[i]:first[i+1]], in increasing order
	start, list  []uint32
	first, comps []uint32
	whole        bool
}

// Windows is the structure of m components over n variables of which
// component k reads the variables stride*k+from up to and including
// stride*k+to, as far as they are below n. stride is at least 1.
func Windows(n, m, stride, from, to int) Structure {
	if n < 1 || m < 1 || stride < 1 || from < 0 || to < from {
		panic("problems: windows that make no sense")
	}
	return Structure{n: n, m: m, stride: stride, from: from, to: to}
}

// Lists is the structure in which component k reads the variables
// list[start[k]:start[k+1]], all below n. It keeps both slices.
func Lists(n int, start, list []uint32) Structure {
	s := Structure{n: n, m: len(start) - 1, start: start, list: list, first: make([]uint32, n+1)}
	// A variable may stand twice in a list; it touches its component once.
	last := make([]uint32, n) // component that touched last, plus one
	each := func(do func(k, i uint32)) {
		clear(last)
		for k := range uint32(s.m) {
			for _, i := range list[start[k]:start[k+1]] {
				if last[i] != k+1 {
					last[i] = k + 1
					do(k, i)
				}
			}
		}
	}
	each(func(_, i uint32) { s.first[i+1]++ })
	for i := range n {
		s.first[i+1] += s.first[i]
	}
	s.comps = make([]uint32, s.first[n])
	next := append([]uint32(nil), s.first[:n]...)
	each(func(k, i uint32) {
		s.comps[next[i]] = k
		next[i]++
	})
	return s
}

// Everything is the structure of m components that may read any of n variables.
func Everything(n, m int) Structure { return Structure{n: n, m: m, whole: true} }

// Variables is n and Components is m.
func (s Structure) Variables() int  { return s.n }
func (s Structure) Components() int { return s.m }

// Window returns what Windows was given; ok is false for another structure.
func (s Structure) Window() (stride, from, to int, ok bool) {
	return s.stride, s.from, s.to, s.stride > 0
}

// Whole says that nothing is known: every component may read every variable.
func (s Structure) Whole() bool { return s.whole }

// Reads appends the variables that component k may read to dst.
func (s Structure) Reads(k int, dst []int) []int {
	switch {
	case s.whole:
		return appendRange(dst, 0, s.n)
	case s.stride > 0:
		return appendRange(dst, s.stride*k+s.from, min(s.stride*k+s.to+1, s.n))
	}
	for _, i := range s.list[s.start[k]:s.start[k+1]] {
		dst = append(dst, int(i))
	}
	return dst
}

// Touch appends the components that may read variable i to dst, in increasing
// order.
func (s Structure) Touch(i int, dst []int) []int {
	switch {
	case s.whole:
		return appendRange(dst, 0, s.m)
	case s.stride > 0:
		lo, hi := s.touchWindow(i)
		return appendRange(dst, lo, hi)
	}
	for _, k := range s.comps[s.first[i]:s.first[i+1]] {
		dst = append(dst, int(k))
	}
	return dst
}

// touchWindow is the half-open range of components whose window holds i.
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

// Touched is the number of components that variable i touches.
func (s Structure) Touched(i int) int {
	switch {
	case s.whole:
		return s.m
	case s.stride > 0:
		lo, hi := s.touchWindow(i)
		return max(0, hi-lo)
	}
	return int(s.first[i+1] - s.first[i])
}

// TouchTables are the lists of touched components by variable for a device:
// variable i touches touch[touch_start[i]:touch_start[i+1]]. nil for windows
// and for Everything, which a device computes.
func (s Structure) TouchTables() []Table {
	if s.start == nil {
		return nil
	}
	return []Table{{Name: "touch", Uint: s.comps}, {Name: "touch_start", Uint: s.first}}
}

func appendRange(dst []int, lo, hi int) []int {
	for i := lo; i < hi; i++ {
		dst = append(dst, i)
	}
	return dst
}
