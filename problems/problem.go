package problems

import (
	"fmt"
	"math"
)

// Precision is the format of variables and of component arithmetic on a
// device. Sums over components are float64 (or pairs of float32) in both.
type Precision int

const (
	FP64 Precision = iota // float64 variables and arithmetic, the default
	FP32                  // float32 variables and arithmetic
)

// String returns "fp64" or "fp32", the spelling of flags and files.
func (p Precision) String() string {
	if p == FP32 {
		return "fp32"
	}
	return "fp64"
}

// ParsePrecision reads "fp64" or "fp32".
func ParsePrecision(s string) (Precision, error) {
	switch s {
	case "fp64":
		return FP64, nil
	case "fp32":
		return FP32, nil
	}
	return FP64, fmt.Errorf("unknown precision %q; use fp64 or fp32", s)
}

// Bits is the size of one variable: 64 or 32.
func (p Precision) Bits() int {
	if p == FP32 {
		return 32
	}
	return 64
}

// Problem is an objective f(x) = g(a), a_j = Σ_k c_kj(x), to be minimised
// over a box. The components c_k are device text; g runs on the host. A
// Problem is immutable and safe for concurrent use.
type Problem interface {
	// Spec is the canonical text that Parse turns back into this problem,
	// for example "cec2013/f4:mode=paper,n=1000000".
	Spec() string
	// Dim is n, the number of variables.
	Dim() int
	// Box is the interval of every variable.
	Box() (lo, hi float64)
	// Tiling cuts variables and components into tiles.
	Tiling() Tiling
	// Accumulators is the length of a, at least 1.
	Accumulators() int
	// Objective is g: the value to be minimised from the accumulators. It
	// does not keep acc. The result may be NaN or infinite.
	Objective(acc []float64) float64
	// Text is what a device needs to evaluate the components in precision p.
	// It returns an error that says what to do where p would overflow.
	Text(p Precision) (Text, error)
	// Tolerance is the relative difference between a device value of
	// precision p and the host reference that counts as agreement.
	Tolerance(p Precision) float64
}

// BoxIn is the box of p as a device of a precision has it: in FP32 the largest
// interval of float32 numbers inside it, so that no variable leaves the box by
// rounding.
func BoxIn(p Problem, prec Precision) (lo, hi float64) {
	lo, hi = p.Box()
	return inside(lo, hi, prec)
}

// inside is the largest interval of numbers of a precision within [lo, hi].
func inside(lo, hi float64, prec Precision) (float64, float64) {
	if prec == FP64 {
		return lo, hi
	}
	l, h := float32(lo), float32(hi)
	if float64(l) < lo {
		l = math.Nextafter32(l, float32(math.Inf(1)))
	}
	if float64(h) > hi {
		h = math.Nextafter32(h, float32(math.Inf(-1)))
	}
	return float64(l), float64(h)
}

// Hosted is a Problem with an independent host reference in float64 Go.
// Built-in problems have one; a user's device text has none.
type Hosted interface {
	Problem
	// HostTile adds the components of tile t to acc[0:Accumulators()].
	// x holds the variables Tiling().Reads(t), in order.
	HostTile(t int, x, acc []float64)
}

// Optimum is a Problem whose minimum is known.
type Optimum interface {
	// BestKnown is the smallest value known, and whether there is one.
	BestKnown() (f float64, ok bool)
}

// Signed is a Problem that was stated as a maximization; inside everything
// is minimised, so values shown to a person are multiplied by Sign.
type Signed interface {
	Sign() float64 // +1 or -1
}

// Source is a named piece of OpenCL C. Line is the line of File on which Text
// starts (1-based; 0 means 1), so that build errors name the user's line.
type Source struct {
	File string
	Line int
	Text string
}

// Define is one constant of the device text.
type Define struct{ Name, Value string }

// Table is a constant array, whole on every device, that device text reads
// as d.Name[i]. Exactly one of Real and Uint is set. A Pair table in float32
// has a second array d.Name_lo with what rounding d.Name[i] to float32 lost,
// so that PAIR_SUB(x, d, Name, i) keeps the digits of x - Name[i].
type Table struct {
	Name string
	Real []float64
	Uint []uint32
	Pair bool
}

// Text is the device side of a problem: constants, tables and OpenCL C that
// defines either
//
//	static void component(uint k, point x, data d, real *acc)
//
// which adds c_k(x) to acc (item form), or, when Cooperative,
//
//	static void tile(uint t, const point *x, data d, local real *scratch, local sum *tree, sum *acc)
//
// which all work-items of a group call together for tile t of the points
// x[0..POINTS), each leaving partial sums in its own acc[point*ACCS + a] through sum_add
// (cooperative form). Both read variable i (global index) as at(x, i).
// kernels/lib documents the helpers.
//
// The item form may say with #define TOGETHER(k) that component k is wide, and
// give
//
//	static void component_together(uint k, point x, data d, local real *scratch, sum *acc)
//
// which a group calls for one component, as tile is for a tile: solvers that
// decide about parts of a tile use it.
type Text struct {
	Parts       []string // names of texts in package kernels, e.g. "problems/cec2013/cec2013.cl"
	Sources     []Source // the user's own texts, after Parts
	Defines     []Define
	Tables      []Table
	Cooperative bool
	Scratch     int    // reals of local memory that tile() uses for one point
	Panel       Panel  // how the text takes several points at once
	Options     string // further build options
}

// Panel is how a text evaluates several points of a tile in one work-group, which
// reads what they share once. The zero Panel: one point. Processors are given
// one point, and other devices as many as their local memory holds.
type Panel struct {
	Points  int // the most points, a power of two; the text sees POINTS
	Scratch int // reals of local memory that tile() uses for each of several points
	Group   int // work-items that tile() needs for several points
	// One: that form is the better one for a single point as well. The text sees PANEL where it is to be used.
	One bool
}

// Checkpointed is a Problem whose benchmark prescribes the numbers of
// evaluations at which results are compared.
type Checkpointed interface {
	// Checkpoints lists them in increasing order; the caller does not change
	// the slice.
	Checkpoints() []int64
}

// PrecisionError says that a problem cannot be evaluated in a precision.
type PrecisionError struct {
	Spec      string
	Precision Precision
	Reason    string // in place of "overflows in PRECISION"
}

// Error names the problem and the way out.
func (e *PrecisionError) Error() string {
	if e.Reason != "" {
		return fmt.Sprintf("%s in %v: %s; use fp64", e.Spec, e.Precision, e.Reason)
	}
	return fmt.Sprintf("%s overflows in %v; use fp64", e.Spec, e.Precision)
}
