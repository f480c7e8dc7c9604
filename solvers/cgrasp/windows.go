package cgrasp

// windows says which variables interact: two do if a component reads both. Component k reads the variables
// stride*k+from to stride*k+to. stride 0: all variables interact.
type windows struct {
	n, comps         int // variables and components
	stride, from, to int
}

// meet returns the range of variables that share a component with variable i.
func (w *windows) meet(i int) (from, to int) {
	if w.stride == 0 {
		return 0, w.n
	}
	first := 0
	if i >= w.to {
		first = (i - w.to + w.stride - 1) / w.stride
	}
	last := -1
	if i >= w.from {
		last = min((i-w.from)/w.stride, w.comps-1)
	}
	if last < first {
		return i, i + 1 // no component reads it
	}
	return min(i, w.stride*first+w.from), max(i+1, min(w.stride*last+w.to+1, w.n))
}
