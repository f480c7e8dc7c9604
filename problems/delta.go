package problems

// DeltaEvaluator holds a point of a Referenced problem with its accumulators, and updates them by differences while one
// variable at a time changes:
//
//	a_j(x with x_i := w) = a_j(x) - Σ c_kj(x) + Σ c_kj(x with x_i := w),   k ∈ ComponentsOf(i)
//
// It is not safe for concurrent use.
type DeltaEvaluator struct {
	p    Referenced
	s    Structure
	X    []float64 // the point; read only, it changes through Try and Take
	acc  []float64 // its accumulators
	next []float64 // those of the point tried
	part []float64
	comp []int
	i    int
	w    float64
	held bool // next belongs to i and w
}

// NewDeltaEvaluator evaluates p at x in full. It keeps a copy of x, whose length is p.Domain().N.
func NewDeltaEvaluator(p Referenced, x []float64) *DeltaEvaluator {
	a := p.Accumulators()
	e := &DeltaEvaluator{p: p, s: p.Structure(), X: make([]float64, p.Domain().N), acc: make([]float64, a),
		next: make([]float64, a), part: make([]float64, a)}
	e.Set(x)
	return e
}

// Set replaces the point by a copy of x, evaluates it in full and returns its value. It panics if x has another length.
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

// Try returns the value of the point with variable i replaced by w. It evaluates the components of i only, and leaves
// the point as it is.
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
	e.i = i
	e.w = w
	e.held = true
	return e.p.Objective(e.next)
}

// TryFull is Try by a full evaluation. It is for a point whose accumulators are not finite, where differences are NaN.
func (e *DeltaEvaluator) TryFull(i int, w float64) float64 {
	old := e.X[i]
	e.X[i] = w
	clear(e.next)
	for c := range e.s.m {
		e.add(c, e.next, 1)
	}
	e.X[i] = old
	e.i = i
	e.w = w
	e.held = true
	return e.p.Objective(e.next)
}

// Take moves to the point of the last Try or TryFull. It panics if there was none since the last Take, Set or Refresh.
func (e *DeltaEvaluator) Take() {
	if !e.held {
		panic("problems: nothing was tried")
	}
	e.X[e.i] = e.w
	e.acc, e.next = e.next, e.acc
	e.held = false
}

// Value returns the value of the point from its accumulators.
func (e *DeltaEvaluator) Value() float64 { return e.p.Objective(e.acc) }

// Accumulators returns the accumulators of the point. The caller must not change them.
func (e *DeltaEvaluator) Accumulators() []float64 { return e.acc }

// Restore sets the point and its accumulators to copies of x and acc, which X and Accumulators have had before. It
// evaluates nothing, so that the differences go on with the same bits. It panics if x or acc has another length.
func (e *DeltaEvaluator) Restore(x, acc []float64) {
	if len(x) != len(e.X) || len(acc) != len(e.acc) {
		panic("problems: a point of another problem")
	}
	copy(e.X, x)
	copy(e.acc, acc)
	e.held = false
}
