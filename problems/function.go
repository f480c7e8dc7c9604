package problems

import "context"

// Call is a function of the host. It returns the values of points, each of Domain().N numbers, in their order; a value
// may be NaN or infinite. It neither keeps nor changes a point. After an error, such as that of ctx once that has
// ended, it returns the values of the first points that it knows, with the error.
type Call func(ctx context.Context, points [][]float64) ([]float64, error)

// CallOf returns the function of the host that gives the only sum of p, of which Objective makes the value. It is nil
// if p has a device text. A problem with such a function needs no device, and none takes part in a run.
func CallOf(p Problem) Call {
	if c, ok := p.(interface{ Call() Call }); ok {
		return c.Call()
	}
	return nil
}

// function is the problem of a function of the host.
type function struct {
	name  Spec
	about Info
	box   Domain
	reads Structure
	call  Call
}

// NewFunction returns the problem of a function of the host over a box, of which nothing but values is known. Faults of
// the box are found by Validate.
func NewFunction(name Spec, about Info, box Domain, call Call) Problem {
	return &function{name, about, box, Everything(box.N, 1), call}
}

// Call returns the function.
func (f *function) Call() Call { return f.call }

// Spec returns the name that NewFunction got.
func (f *function) Spec() Spec { return f.name }

// Info returns what NewFunction got.
func (f *function) Info() Info { return f.about }

// Domain returns the box.
func (f *function) Domain() Domain { return f.box }

// Structure returns one component that may read every variable.
func (f *function) Structure() Structure { return f.reads }

// Tiling returns one tile.
func (f *function) Tiling() Tiling { return f.reads.Tiling() }

// Linear returns nil: the value is the only sum, but no sum of parts.
func (f *function) Linear() []float64 { return nil }

// Accumulators returns 1.
func (f *function) Accumulators() int { return 1 }

// Objective returns the value of the function.
func (f *function) Objective(acc []float64) float64 { return acc[0] }

// Text returns ErrNoForm: devices cannot compute the function.
func (f *function) Text(prec Precision, form Form) (Text, error) {
	if err := CheckText(prec, form); err != nil {
		return Text{}, err
	}
	return Text{}, ErrNoForm
}

// Tolerance returns 0: a second call of a function that repeats has the same bits.
func (f *function) Tolerance(Precision) float64 { return 0 }
