package problems

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Form is one of the forms that the device text of a problem can have.
type Form int

const (
	// Tile is the fastest form for whole tiles: the item form or a cooperative one.
	Tile Form = iota
	// Item has one work-item for a component.
	Item
	// Partial is Item with the objective, for methods that decide on the device:
	//
	//	static real objective(const sum *acc, data d)
	//
	// returns g. It reads an accumulator as sum_real(acc[j]).
	Partial
	// Residuals is Item with the numbers whose squares are added, where Structure has Squares:
	//
	//	static void component_residuals(uint k, point x, data d, global real *r)
	//
	// writes the Squares(k) numbers r[0], r[1], … of component k, which adds the sum of their squares to acc[0]. Where
	// Structure has Slopes, the text also has
	//
	//	static void component_slopes(uint k, point x, real size, data d, global real *slopes)
	//	static void component_slope(uint k, uint v, data d, global const real *slopes, global real *by)
	//
	// The first one writes as many numbers as there are squares, from which all their derivatives follow. The second
	// one writes the derivatives by variable v of those that Structure.Reads lists. They are finite, and come from
	// differences. A step is size times the number that changes, which may be a rotated variable, or times 1e-3 of the
	// interval if that is larger.
	Residuals
)

// Validate returns an error unless f is one of the forms.
func (f Form) Validate() error {
	if f < Tile || f > Residuals {
		return fmt.Errorf("form is %d; use Tile, Item, Partial or Residuals", int(f))
	}
	return nil
}

// CheckText returns an error unless prec and form are a precision and a form. Problem.Text begins with it.
func CheckText(prec Precision, form Form) error { return errors.Join(prec.Validate(), form.Validate()) }

// ErrNoForm means that a problem has no device text of a form.
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

// Defines are constants of the device text in order.
type Defines []Define

// Add appends a constant with the value that fmt.Sprint writes.
func (d *Defines) Add(name string, value any) { *d = append(*d, Define{name, fmt.Sprint(value)}) }

// Literal returns v as an OpenCL C literal of type real, such as R(80.0).
func Literal(v float64) string {
	s := strconv.FormatFloat(v, 'g', 17, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return "R(" + s + ")"
}

// Flag returns 1 for true and 0 for false, as the value of a constant.
func Flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Table is a constant array that every device holds as a whole, and that device text reads as d.Name[i]. Exactly one of
// Real and Uint is set. In float32 a Pair table has a second array d.Name_lo, which holds what d.Name[i] lost in
// rounding, so that PAIR_SUB(x, d, Name, i) keeps the digits of x - Name[i].
type Table struct {
	Name string
	Real []float64
	Uint []uint32
	Pair bool
}

// Number is a whole number that device text reads as d.Name, such as the length of a table.
type Number struct {
	Name  string
	Value uint32
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
// Where the structure declares inner sums, the item form has, instead of component,
//
//	static void component_inner(uint k, point x, data d, real *inner)
//	static real component_value(uint k, const real *inner, data d)
//
// The first adds the sums of component k to inner[0..INNER), which are 0 before, and the second returns c_k from them,
// for the only accumulator.
//
// The item form may define TOGETHER(k), which is true if component k is wide, and
//
//	static void component_together(uint k, point x, data d, local real *scratch, sum *acc)
//
// which all work-items of a group call together for one component. Methods that decide about parts of a tile use it.
// With inner sums it has component_inner_together(k, x, d, scratch, inner) in its place, with real *inner, which leaves
// all sums in every item.
type Text struct {
	Before      []Source // texts before Parts
	Parts       []string // names of texts in package kernels, e.g. "problems/cec2013/cec2013.cl"
	Sources     []Source // the user's own texts, after Parts
	Defines     []Define
	Tables      []Table
	Numbers     []Number
	Fixed       string // where it needs the numbers of variables and components as constants; "": nowhere
	Cooperative bool
	Scratch     int    // reals of local memory that tile() uses for one point
	Panel       Panel  // how the text takes several points at once
	Options     string // further build options
}

// Panel describes how a text evaluates several points of a tile in one work-group, which then reads shared data only
// once. The zero Panel evaluates one point. Processors evaluate one point at a time, and other devices as many as fit
// in their local memory.
type Panel struct {
	Points  int // the most points, a power of two; the text sees POINTS
	Scratch int // reals of local memory that tile() uses for each of several points
	Group   int // work-items that tile() needs for several points
	// One is true if this form is faster for a single point, too. The text sees PANEL where the form is used.
	One bool
}
