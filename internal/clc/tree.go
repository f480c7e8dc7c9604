// Package clc reads an objective in OpenCL C as a tree.
//
// The tree is small: one function with all that it calls in place, without pointers, side effects in expressions, or
// conversions that are not written. What the language has beyond that is rewritten by the parser, or is outside of the
// subset, and then the text has no tree. That is no error: such a text is compiled and run as it is.
//
// The parser is one of its own, since those of C in Go know no address spaces, overloads of OpenCL C or vectors, and
// give an undeclared function the type int. It reads a function anew at each call, with what is known of its arguments,
// so that it needs no tree before this one.
package clc

// Type is the type of a scalar.
type Type uint8

// The types. Real is the type of variables and terms, double or float as the run has it: a Real and a Float make a
// Real, a Real and a Double a Double. Bool is also the type of nothing else: comparisons and logical operators are
// Int, as in C.
const (
	Void Type = iota
	Bool
	Char
	UChar
	Short
	UShort
	Int
	UInt
	Long
	ULong
	Float
	Real
	Double
)

// Floating reports whether values of the type are floating point numbers.
func (t Type) Floating() bool { return t >= Float }

// Unsigned reports whether values of the type are integers that wrap around at 0.
func (t Type) Unsigned() bool {
	return t == Bool || t == UChar || t == UShort || t == UInt || t == ULong
}

// Pos is a place in a file, from 1; columns are bytes.
type Pos struct {
	File      string
	Line, Col int
}

// Tree is one function of an objective with all that it calls in place.
type Tree struct {
	Name string // component, residuals, component_inner or component_value
	K    *Var   // the number of the component, a UInt
	// Out takes the results, an array of Real: the accumulators, residuals or inner sums; of component_value one
	// element, the value. The function begins with what the elements have; a component adds to them, and residuals
	// sets them. It is nil in an adjoint, whose results are what it puts.
	Out *Var
	In  *Var // the inner sums that component_value takes, or the weights of an adjoint, an array of Real; else nil
	// Vars are all variables of the function but K, Out and In, each once, in the order of their declarations. Those
	// of a function that is called twice are there twice.
	Vars   []*Var
	Shared []*Var // arrays of Vars that the items of a group have in common; only adjoints have them
	Body   []Stmt
	Nodes  int // statements and expressions
}

// Var is a variable of a function. Two variables never have the same name within a tree.
type Var struct {
	Name string
	Type Type
	Len  int // elements of an array, in one dimension, row by row; 0: a scalar
	// Global says that an array is too long for private memory. Only adjoints have such arrays.
	Global bool
	// Const holds the elements of an array that never changes, such as a table of the file; nil: it is a variable.
	Const []Number
	Pos   Pos
}

// Stmt is a statement.
type Stmt interface{ At() Pos }

// The statements.
type (
	// Assign sets a variable, or an element of an array, to a value of its type. Element is nil for a scalar; else an
	// integer.
	Assign struct {
		To      *Var
		Element Expr
		Value   Expr
		Pos     Pos
	}
	// If runs Then where Cond, an integer, is not 0, and Else elsewhere.
	If struct {
		Cond       Expr
		Then, Else []Stmt
		Pos        Pos
	}
	// Loop runs Body and then Post while Cond is not 0. A loop that tests at its end has Cond 1 and a Leave.
	Loop struct {
		Cond       Expr
		Body, Post []Stmt
		Pos        Pos
	}
	// Block runs its statements; a Leave of it goes to its end. A break leaves a block around a loop, a continue one
	// around the body of a loop, and a return one around what a function does.
	Block struct {
		Body []Stmt
		Pos  Pos
	}
	// Leave goes to the end of Block, which it stands in.
	Leave struct {
		Block *Block
		Pos   Pos
	}
	// Put is put(out, Index, Value): an adjoint adds Value, a Real, to entry Index, an UInt, of its result, which has
	// one for each variable of the objective.
	Put struct {
		Index, Value Expr
		Pos          Pos
	}
	// Barrier lets the items of a group wait for each other; then they see what all have set and put.
	Barrier struct{ Pos Pos }
)

// Expr is an expression. It has no side effects.
type Expr interface {
	At() Pos
	Of() Type // of its value
}

// The expressions. Both operands of an operator have the same type, with the exception of shifts: a Cast is there for
// every conversion.
type (
	// Number is a literal, or the value of an enumeration or of a macro of the prelude such as PI. Bits is its value if
	// Type is an integer, of two's complement; else Value is.
	Number struct {
		Type  Type
		Bits  uint64
		Value float64
		Text  string // as it was written, if it was, without R( )
		Pos   Pos
	}
	// Use is the value of a variable, or of an element of an array.
	Use struct {
		Var     *Var
		Element Expr // an integer; nil for a scalar
		Pos     Pos
	}
	// Point is at(x, Index), a Real: a variable of the objective. Index is an UInt.
	Point struct {
		Index Expr
		Pos   Pos
	}
	// Along is along(x, Index): entry Index of the direction of a tangent, which has one for each variable of the
	// objective. It is a Real.
	Along struct {
		Index Expr
		Pos   Pos
	}
	// Table is an element of a table of the objective, d.Name[Index]; reads and reads_start are tables, too. Index is
	// an integer.
	Table struct {
		Name  string
		Type  Type // Real or UInt
		Index Expr
		Pos   Pos
	}
	// Symbol is a number that is known before a run and is the same for all components: DIM, COMPS, GRID_X, or the size
	// of a table, d.Name_len. It is an UInt.
	Symbol struct {
		Name string // as it is written
		Pos  Pos
	}
	// Unary is -X, ~X or !X; Op is '-', '~' or '!'.
	Unary struct {
		Op  byte
		X   Expr
		Pos Pos
	}
	// Binary is X Op Y. Op is one of + - * / % & | ^ << >> == != < <= > >= && ||. Y is not computed where X decides
	// && or ||.
	Binary struct {
		Op   string
		X, Y Expr
		Type Type
		Pos  Pos
	}
	// Choice is Cond ? Then : Else, of which one is computed.
	Choice struct {
		Cond, Then, Else Expr
		Pos              Pos
	}
	// Cast is X as a value of another type, as C converts it.
	Cast struct {
		To  Type
		X   Expr
		Pos Pos
	}
	// Call is the value of a function of OpenCL C, or of the prelude, that has no other results. All arguments have
	// the types that Function says.
	Call struct {
		Function string // a key of Functions
		Type     Type
		Args     []Expr
		Pos      Pos
	}
)

// At returns the place.
func (s *Assign) At() Pos { return s.Pos }
func (s *If) At() Pos     { return s.Pos }
func (s *Loop) At() Pos   { return s.Pos }
func (s *Block) At() Pos  { return s.Pos }
func (s *Leave) At() Pos  { return s.Pos }
func (s *Put) At() Pos    { return s.Pos }

// At returns the place.
func (s *Barrier) At() Pos { return s.Pos }

// At returns the place.
func (e *Number) At() Pos { return e.Pos }
func (e *Use) At() Pos    { return e.Pos }
func (e *Point) At() Pos  { return e.Pos }
func (e *Along) At() Pos  { return e.Pos }
func (e *Table) At() Pos  { return e.Pos }
func (e *Symbol) At() Pos { return e.Pos }
func (e *Unary) At() Pos  { return e.Pos }
func (e *Binary) At() Pos { return e.Pos }
func (e *Choice) At() Pos { return e.Pos }
func (e *Cast) At() Pos   { return e.Pos }
func (e *Call) At() Pos   { return e.Pos }

// Of returns the type.
func (e *Number) Of() Type { return e.Type }
func (e *Use) Of() Type    { return e.Var.Type }
func (e *Point) Of() Type  { return Real }
func (e *Along) Of() Type  { return Real }
func (e *Table) Of() Type  { return e.Type }
func (e *Symbol) Of() Type { return UInt }
func (e *Unary) Of() Type  { return unaryType(e) }
func (e *Binary) Of() Type { return e.Type }
func (e *Choice) Of() Type { return e.Then.Of() }
func (e *Cast) Of() Type   { return e.To }
func (e *Call) Of() Type   { return e.Type }

func unaryType(e *Unary) Type {
	if e.Op == '!' {
		return Int
	}
	return e.X.Of()
}
