package problems

// DeltaEvaluator is a point of a Referenced problem with its accumulators, which
// are kept by differences while one variable after the other changes:
//
//	a_j(x with x_i := w) = a_j(x) - Σ c_kj(x) + Σ c_kj(x with x_i := w),   k ∈ ComponentsOf(i)
//
// It is used by one goroutine.
type DeltaEvaluator struct {
	p    Referenced
	s    Structure
	X    []float64 // the point; to be changed through Try and Take only
	acc  []float64 // its accumulators
	next []float64 // those of the point tried
	part []float64
	comp []int
	i    int
	w    float64
	held bool // next belongs to i, w
}

// NewDeltaEvaluator keeps a copy of x, evaluated in full.
func NewDeltaEvaluator(p Referenced, x []float64) *DeltaEvaluator {
	a := p.Accumulators()
	e := &DeltaEvaluator{p: p, s: p.Structure(), X: make([]float64, p.Domain().N), acc: make([]float64, a),
		next: make([]float64, a), part: make([]float64, a)}
	e.Set(x)
	return e
}

// Set replaces the point and returns its value, evaluated in full.
func (e *DeltaEvaluator) Set(x []float64) float64 {
	if len(x) != len(e.X) {
		panic("problems: a point of another problem")
	}
	copy(e.X, x)
	return e.Refresh()
}

// Refresh computes the accumulators of the point in full and returns its value.
func (e *DeltaEvaluator) Refresh() float64 {
	e.held = false
	clear(e.acc)
	for c := range e.s.m {
		e.add(c, e.acc, 1)
	}
	return e.p.Objective(e.acc)
}

// add adds sign times component c of the point to acc.
func (e *DeltaEvaluator) add(c int, acc []float64, sign float64) {
	clear(e.part)
	e.p.HostComponent(c, 0, e.X, e.part)
	for j, v := range e.part {
		acc[j] += sign * v
	}
}

// Try is the value of the point with variable i replaced by w. The point
// stays as it is.
func (e *DeltaEvaluator) Try(i int, w float64) float64 {
	e.comp = e.s.ComponentsOf(i, e.comp[:0])
	copy(e.next, e.acc)
	old := e.X[i]
	for _, c := range e.comp {
		e.X[i] = old
		e.add(c, e.next, -1)
		e.X[i] = w
		e.add(c, e.next, 1)
	}
	e.X[i] = old
	e.i, e.w, e.held = i, w, true
	return e.p.Objective(e.next)
}

// TryFull is Try by a full evaluation, for a point whose accumulators are not
// finite.
func (e *DeltaEvaluator) TryFull(i int, w float64) float64 {
	old := e.X[i]
	e.X[i] = w
	clear(e.next)
	for c := range e.s.m {
		e.add(c, e.next, 1)
	}
	e.X[i] = old
	e.i, e.w, e.held = i, w, true
	return e.p.Objective(e.next)
}

// Take makes the point that was tried last the point.
func (e *DeltaEvaluator) Take() {
	if !e.held {
		panic("problems: nothing was tried")
	}
	e.X[e.i] = e.w
	e.acc, e.next = e.next, e.acc
	e.held = false
}

// Value is the value of the point from its accumulators.
func (e *DeltaEvaluator) Value() float64 { return e.p.Objective(e.acc) }
