// Package host evaluates a tree of package clc in Go: floating point numbers as float64, or as float32 where the text
// says so, and integers with the width and the sign that they have on a device.
//
// A tree is compiled once to closures. A Function is what becomes of it; a Frame holds the variables of one evaluation.
//
// Files, each after those it needs: host.go, pow.go, special.go, functions.go, integer.go, whole.go,
// rounding.go, real.go, statement.go, sum.go, reference.go, depends.go, reads.go.
package host

import (
	"fmt"

	"github.com/clopt/clopt/internal/clc"
)

// Data is what a tree finds around it.
type Data struct {
	Variables int               // of the objective
	Single    bool              // the type Real is float32; else float64
	Symbols   map[string]uint32 // by the names of clc.Symbol
	Tables    map[string]Table  // by the names of clc.Table
	// Blur, if it is not 0, changes the results of functions that devices do not compute exactly, by some units of the
	// last digit that are drawn with it.
	Blur uint64
	// Operators says that Blur changes results of operators, too: those that are not exact are rounded up or down.
	// Functions are off by one unit then.
	Operators bool
}

// Table is a table of an objective. One of its fields is set, or none if it is empty.
type Table struct {
	Real []float64
	Uint []uint32
}

// Error is a place of a text that the host cannot evaluate, or at which a device would do something undefined.
type Error struct {
	Pos     clc.Pos
	Msg     string
	Outside bool // a read of a variable that does not exist
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Pos.File, e.Pos.Line, e.Pos.Col, e.Msg)
}

// Function is a compiled tree. It is safe for concurrent use.
type Function struct {
	data        Data
	body        run
	cost        int64 // operations, but for those of loops
	reals, ints int   // variables of a frame
	out, in     array
	pos         clc.Pos
}

// Compile compiles a tree. It keeps the tables. The error, an *Error, names a symbol, table or function that data or
// the host does not have.
func Compile(t *clc.Tree, data Data) (*Function, error) {
	c := newCompiler(t, data)
	f := &Function{data: data, out: c.arrays[t.Out], in: c.arrays[t.In], pos: positionOf(t.Body)}
	f.body = c.list(t.Body)
	f.cost = costOf(t.Body)
	f.reals, f.ints = c.reals, c.ints
	if c.err != nil {
		return nil, c.err
	}
	return f, nil
}

func positionOf(body []clc.Stmt) clc.Pos {
	if len(body) == 0 {
		return clc.Pos{}
	}
	return body[0].At()
}

// Frame holds the variables of one evaluation at a time. It is not safe for concurrent use.
type Frame struct {
	f     *Function
	reals []float64
	ints  []int64
	k     int64
	first int
	x     []float64
	draw  uint64 // of Data.Blur
	left  int64  // operations until the end; below 0 after an error, which ends all loops
	err   *Error
	note  func(i int64, pos clc.Pos) // called with each variable that is read; nil: not wanted
	put   func(i int64, v float64)
	along func(i int64) float64
}

// NewFrame returns a frame of the function.
func (f *Function) NewFrame() *Frame {
	return &Frame{f: f, reals: make([]float64, f.reals), ints: make([]int64, f.ints)}
}

// In returns the elements of Tree.In, which the caller sets before Run. It is empty if the tree has none.
func (r *Frame) In() []float64 { return r.reals[r.f.in.base:][:r.f.in.length] }

// Out returns the elements of Tree.Out. The caller sets them before Run, which changes them.
func (r *Frame) Out() []float64 { return r.reals[r.f.out.base:][:r.f.out.length] }

// Run evaluates the function for component k. x[0] is variable number first; x needs all that the component reads, and
// is not kept. operations is how many operations it may take. Run returns how many it took: one for each operator or
// use of a variable, some more for a function. The error is an *Error.
func (r *Frame) Run(k, first int, x []float64, operations int64) (took int64, err error) {
	r.k, r.first, r.x, r.err = int64(uint32(k)), first, x, nil
	r.left, r.draw = operations-r.f.cost, r.f.data.Blur*(2*uint64(k)+1)
	kept := max(r.f.out.base+r.f.out.length, r.f.in.base+r.f.in.length)
	clear(r.reals[kept:])
	clear(r.ints)
	if r.left < 0 {
		r.tooLong(r.f.pos)
	}
	r.f.body(r)
	if r.err != nil {
		return operations, r.err
	}
	return operations - r.left, nil
}

// fail notes the first error, and ends all loops.
func (r *Frame) fail(pos clc.Pos, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{Pos: pos, Msg: fmt.Sprintf(format, args...)}
	}
	r.left = -1
}

// TooLong is the message of an error for a function that takes more operations than it may.
const TooLong = "too many operations for the host"

func (r *Frame) tooLong(pos clc.Pos) { r.fail(pos, TooLong) }

// Watch calls note with each variable of the objective that Run reads from now on, and the place; nil ends that.
func (r *Frame) Watch(note func(i int64, pos clc.Pos)) { r.note = note }

// outside fails for a variable that does not exist. Large numbers are those below 0, which a uint is not.
func (r *Frame) outside(i int64, pos clc.Pos) {
	if i >= 1<<31 {
		i -= 1 << 32
	}
	if r.err == nil {
		r.fail(pos, "component %d reads variable %d of %d", r.k, i, r.f.data.Variables)
		r.err.Outside = true
	}
}

// Derive says what an adjoint puts its values to, and what a tangent has as its direction. A tree that puts, or has a
// direction, cannot be run without.
func (r *Frame) Derive(put func(i int64, v float64), along func(i int64) float64) {
	r.put, r.along = put, along
}

// point returns variable i of the objective.
func (r *Frame) point(i int64, pos clc.Pos) float64 {
	at := i - int64(r.first)
	if r.note != nil {
		r.note(i, pos)
	}
	switch {
	case i >= int64(r.f.data.Variables):
		r.outside(i, pos)
		return 0
	case at < 0 || at >= int64(len(r.x)):
		r.fail(pos, "component %d reads variable %d, which is not declared for it", r.k, i)
		return 0
	}
	return r.x[at]
}

// run runs a statement or a list of them. It returns 0, or the number of the block that is left.
type run func(*Frame) int

// real and whole compute expressions.
type (
	real  func(*Frame) float64
	whole func(*Frame) int64
)

// array is where the elements of a variable are in a frame. A scalar has one.
type array struct{ base, length int }

// compiler compiles a tree.
type compiler struct {
	data        Data
	k           *clc.Var
	arrays      map[*clc.Var]array
	reals, ints int
	blocks      map[*clc.Block]int
	err         error
}

func newCompiler(t *clc.Tree, data Data) *compiler {
	c := &compiler{data: data, k: t.K, arrays: map[*clc.Var]array{}, blocks: map[*clc.Block]int{}}
	// Run keeps the elements of Out and In, which are the first.
	for _, v := range []*clc.Var{t.Out, t.In} {
		if v != nil {
			c.place(v)
		}
	}
	for _, v := range t.Vars {
		if v.Const == nil {
			c.place(v)
		}
	}
	return c
}

func (c *compiler) place(v *clc.Var) {
	next := &c.ints
	if v.Type.Floating() {
		next = &c.reals
	}
	c.arrays[v] = array{*next, max(1, v.Len)}
	*next += max(1, v.Len)
}

// fail notes the first error.
func (c *compiler) fail(pos clc.Pos, format string, args ...any) {
	if c.err == nil {
		c.err = &Error{Pos: pos, Msg: fmt.Sprintf(format, args...)}
	}
}

// single reports whether numbers of a floating type are rounded to float32.
func (c *compiler) single(t clc.Type) bool { return t == clc.Float || t == clc.Real && c.data.Single }
