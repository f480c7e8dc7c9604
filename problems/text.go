package problems

import (
	"errors"
	"fmt"
	"strconv"
)

// Form is a form of the device text of a problem.
type Form int

const (
	// Tile is the best form for whole tiles: the item form, or a cooperative one.
	Tile Form = iota
	// Item is one work-item a component.
	Item
	// Partial is Item with the objective on the device, which decides there:
	//
	//	static real objective(const sum *acc, data d)
	//
	// is g. It reads an accumulator as sum_real(acc[j]).
	Partial
)

// ErrNoForm says that a problem has no device text of a form.
var ErrNoForm = errors.New("no device text of this form")

// Source is a named piece of OpenCL C. Line is the line of File on which Text
// starts (1-based; 0 means 1), so that build errors name the user's line.
type Source struct {
	File string
	Line int
	Text string
}

// Define is one constant of the device text.
type Define struct{ Name, Value string }

// Defines are constants of the device text, in their order.
type Defines []Define

// Add appends a constant, as fmt.Sprint writes its value.
func (d *Defines) Add(name string, value any) { *d = append(*d, Define{name, fmt.Sprint(value)}) }

// Literal is v as the text of a real: R(8e+01).
func Literal(v float64) string { return "R(" + strconv.FormatFloat(v, 'e', -1, 64) + ")" }

// Flag is a truth as the value of a constant, 1 or 0.
func Flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

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
