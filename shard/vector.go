package shard

import (
	"fmt"
	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
)

// vector is the buffer of Reals or Sums: the one of the two that is not nil.
type vector struct {
	f64 *cl.Buffer[float64]
	f32 *cl.Buffer[float32]
}

// alloc allocates n numbers of float64, or else of float32.
func alloc(d *cl.Device, double bool, n int) (v vector, err error) {
	if double {
		v.f64, err = cl.Alloc[float64](d, n)
	} else {
		v.f32, err = cl.Alloc[float32](d, n)
	}
	return v, err
}

// pointer returns the declaration of a kernel parameter for a vector of float64, or else of float32.
func pointer(double bool) cl.Arg {
	if double {
		return cl.Mem[float64]()
	}
	return cl.Mem[float32]()
}

// Arg returns the vector as an argument of a launch.
func (v vector) Arg() any {
	if v.f32 != nil {
		return v.f32
	}
	return v.f64
}

func (v vector) close() {
	v.f32.Close()
	v.f64.Close()
}

// Reals is a vector on one device that kernels declare as global real*: float64 or float32, by its precision.
type Reals struct{ vector }

// AllocReals allocates a vector of n reals on d. The contents are undefined. The caller closes it.
func AllocReals(d *cl.Device, prec problems.Precision, n int) (*Reals, error) {
	if err := prec.Validate(); err != nil {
		return nil, fmt.Errorf("shard: %w", err)
	}
	v, err := alloc(d, prec == problems.FP64, n)
	if err != nil {
		return nil, err
	}
	return &Reals{v}, nil
}

// RealArg returns the declaration of a kernel parameter global real*.
func RealArg(prec problems.Precision) cl.Arg { return pointer(prec == problems.FP64) }

// Write stores src from element off on, rounded to the precision of the vector, and waits.
func (r *Reals) Write(off int, src []float64) error {
	if r.f64 != nil {
		return r.f64.Write(off, src)
	}
	return r.f32.Write(off, singles(src))
}

func singles(src []float64) []float32 {
	v := make([]float32, len(src))
	for i, x := range src {
		v[i] = float32(x)
	}
	return v
}

// Send is Write without waiting; see cl.Buffer.
func (r *Reals) Send(off int, src []float64) error {
	if r.f64 != nil {
		return r.f64.Send(off, src)
	}
	return r.f32.Send(off, singles(src))
}

// Read reads len(dst) elements from element off on into dst.
func (r *Reals) Read(off int, dst []float64) error {
	if r.f64 != nil {
		return r.f64.Read(off, dst)
	}
	v := make([]float32, len(dst))
	if err := r.f32.Read(off, v); err != nil {
		return err
	}
	for i, x := range v {
		dst[i] = float64(x)
	}
	return nil
}

// Copy copies the n elements of src that begin at element from to those of r that begin at element at. It does not
// wait. Both vectors are on one device and of one precision.
func (r *Reals) Copy(at int, src *Reals, from, n int) error {
	if r.f64 != nil {
		return r.f64.Copy(at, src.f64, from, n)
	}
	return r.f32.Copy(at, src.f32, from, n)
}

// Raw is a vector on one device as bytes, for files.
type Raw interface {
	ReadBytes(off int, dst []byte) error
	WriteBytes(off int, src []byte) error
}

// Raw returns the vector as bytes, 8 or 4 an element.
func (r *Reals) Raw() Raw {
	if r.f64 != nil {
		return r.f64
	}
	return r.f32
}

// Close releases the vector. A second Close does nothing, and nil is allowed.
func (r *Reals) Close() {
	if r != nil {
		r.close()
	}
}

// Sums is a vector on one device that kernels declare as global sum*: float64, or pairs of float32 on a device without
// float64.
type Sums struct{ vector }

// AllocSums allocates a vector of n sums on d. The contents are undefined. The caller closes it.
func AllocSums(d *cl.Device, n int) (*Sums, error) {
	if !d.Info().FP64 {
		n *= 2
	}
	v, err := alloc(d, d.Info().FP64, n)
	if err != nil {
		return nil, err
	}
	return &Sums{v}, nil
}

// SumArg returns the declaration of a kernel parameter global sum* on d.
func SumArg(d *cl.Device) cl.Arg { return pointer(d.Info().FP64) }

// Read reads len(dst) sums from sum off on into dst. A pair becomes the nearest float64.
func (s *Sums) Read(off int, dst []float64) error {
	if s.f64 != nil {
		return s.f64.Read(off, dst)
	}
	v := make([]float32, 2*len(dst))
	if err := s.f32.Read(2*off, v); err != nil {
		return err
	}
	for i := range dst {
		dst[i] = float64(v[2*i]) + float64(v[2*i+1])
	}
	return nil
}

// Raw returns the vector as bytes, 8 an element: a float64, or a pair of float32.
func (s *Sums) Raw() Raw {
	if s.f64 != nil {
		return s.f64
	}
	return Window{s.f32, 2, 0}
}

// Window is a vector whose elements are Width consecutive elements of Of each, from element Off of Of on.
type Window struct {
	Of         Raw
	Width, Off int
}

// ReadBytes reads elements of the window from off on into dst.
func (w Window) ReadBytes(off int, dst []byte) error { return w.Of.ReadBytes(w.Off+off*w.Width, dst) }

// WriteBytes writes src to the elements of the window from off on.
func (w Window) WriteBytes(off int, src []byte) error { return w.Of.WriteBytes(w.Off+off*w.Width, src) }

// Close releases the vector. A second Close does nothing, and nil is allowed.
func (s *Sums) Close() {
	if s != nil {
		s.close()
	}
}
