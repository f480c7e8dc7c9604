package problems

// Partial is a Problem that says which variables each component reads, so that
// a method that changes few variables of a point evaluates few components:
//
//	a_j(x with x_i := w) = a_j(x) - Σ c_kj(x) + Σ c_kj(x with x_i := w),   k ∈ Touch(i)
type Partial interface {
	Problem
	Structure() Structure
	// PartialText is Text in item form, with one function more:
	//
	//	static real objective(const sum *acc, data d)
	//
	// is g on the device, which decides there. It reads an accumulator as
	// sum_real(acc[j]).
	PartialText(p Precision) (Text, error)
}

// LinearOf returns c where p says that f = constant + Σ_a c_a·acc_a, else nil.
func LinearOf(p Problem) []float64 {
	if l, ok := p.(interface{ Linear() []float64 }); ok {
		return l.Linear()
	}
	return nil
}

// HostPartial is a Partial whose host reference has components as well.
type HostPartial interface {
	Hosted
	Partial
	// HostComponent adds c_k(x) to acc[0:Accumulators()]; x is a whole point.
	HostComponent(k int, x, acc []float64)
}

// Boxed is a Problem whose variables have intervals of their own. Its Box is
// the smallest interval that holds all of them.
type Boxed interface {
	Problem
	// Bounds is the interval of variable i.
	Bounds(i int) (lo, hi float64)
}

// BoundsOf is the interval of variable i: that of a Boxed problem, else the box.
func BoundsOf(p Problem, i int) (lo, hi float64) {
	if b, ok := p.(Boxed); ok {
		return b.Bounds(i)
	}
	return p.Box()
}

// BoundsIn is the interval of variable i as a device of a precision has it, see BoxIn.
func BoundsIn(p Problem, i int, prec Precision) (lo, hi float64) {
	lo, hi = BoundsOf(p, i)
	return inside(lo, hi, prec)
}

// OneBox says whether all variables of p have the same interval.
func OneBox(p Problem) bool {
	b, ok := p.(Boxed)
	if !ok {
		return true
	}
	lo, hi := b.Box()
	for i := range b.Dim() {
		if l, h := b.Bounds(i); l != lo || h != hi {
			return false
		}
	}
	return true
}

// Conditioned is a Hosted problem that knows how far rounding goes: terms that
// cancel, logarithms near zero.
type Conditioned interface {
	Hosted
	// HostScale adds to acc, for each accumulator, the size to which Tolerance
	// is relative in tile t; the arguments are those of HostTile.
	HostScale(t int, x, acc []float64)
}

// Kept is a point of a HostPartial with its accumulators, kept by differences
// while one variable after the other changes. It is used by one goroutine.
type Kept struct {
	p    HostPartial
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

// NewKept keeps a copy of x, evaluated in full.
func NewKept(p HostPartial, x []float64) *Kept {
	a := p.Accumulators()
	k := &Kept{p: p, s: p.Structure(), X: make([]float64, p.Dim()), acc: make([]float64, a), next: make([]float64, a), part: make([]float64, a)}
	k.Set(x)
	return k
}

// Set replaces the point and returns its value, evaluated in full.
func (k *Kept) Set(x []float64) float64 {
	if len(x) != len(k.X) {
		panic("problems: a point of another problem")
	}
	copy(k.X, x)
	return k.Refresh()
}

// Refresh computes the accumulators of the point in full and returns its value.
func (k *Kept) Refresh() float64 {
	k.held = false
	clear(k.acc)
	for c := range k.s.m {
		k.add(c, k.acc, 1)
	}
	return k.p.Objective(k.acc)
}

// add adds sign times component c of the point to acc.
func (k *Kept) add(c int, acc []float64, sign float64) {
	clear(k.part)
	k.p.HostComponent(c, k.X, k.part)
	for j, v := range k.part {
		acc[j] += sign * v
	}
}

// Try is the value of the point with variable i replaced by w. The point
// stays as it is.
func (k *Kept) Try(i int, w float64) float64 {
	k.comp = k.s.Touch(i, k.comp[:0])
	copy(k.next, k.acc)
	old := k.X[i]
	for _, c := range k.comp {
		k.X[i] = old
		k.add(c, k.next, -1)
		k.X[i] = w
		k.add(c, k.next, 1)
	}
	k.X[i] = old
	k.i, k.w, k.held = i, w, true
	return k.p.Objective(k.next)
}

// TryFull is Try by a full evaluation, for a point whose accumulators are not
// finite.
func (k *Kept) TryFull(i int, w float64) float64 {
	old := k.X[i]
	k.X[i] = w
	clear(k.next)
	for c := range k.s.m {
		k.add(c, k.next, 1)
	}
	k.X[i] = old
	k.i, k.w, k.held = i, w, true
	return k.p.Objective(k.next)
}

// Take makes the point that was tried last the point.
func (k *Kept) Take() {
	if !k.held {
		panic("problems: nothing was tried")
	}
	k.X[k.i] = k.w
	k.acc, k.next = k.next, k.acc
	k.held = false
}

// Value is the value of the point from its accumulators.
func (k *Kept) Value() float64 { return k.p.Objective(k.acc) }
