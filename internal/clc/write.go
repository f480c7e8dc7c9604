package clc

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Writer writes statements and expressions as OpenCL C of the prelude: at(x, i), d.NAME[i], R(0.5). The zero value is
// ready to use.
type Writer struct {
	Name  func(v *Var) string          // returns what a variable is called; nil: its name
	Point func(index string) string    // returns a variable of the objective; nil: at(x, INDEX)
	Along func(index string) string    // returns an entry of a direction; nil: along(x, INDEX)
	Put   func(index, v string) string // returns a Put without its semicolon; nil: put(out, INDEX, V)
	// Global says that the results of a tree are in global memory.
	Global bool

	text    strings.Builder
	indent  int
	labels  map[*Block]string
	last    int          // label
	offsets map[*Var]int // of Global arrays
}

// String returns what was written.
func (w *Writer) String() string { return w.text.String() }

// Line writes a line at the present depth.
func (w *Writer) Line(format string, args ...any) {
	w.text.WriteString(strings.Repeat("    ", w.indent))
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
}

// Indent makes the lines that follow deeper by a number of steps, which may be negative.
func (w *Writer) Indent(by int) { w.indent += by }

// typeNames are the types as they are written.
var typeNames = [...]string{"void", "bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float",
	"real", "double"}

// String returns the type as it is written.
func (t Type) String() string { return typeNames[t] }

func (w *Writer) name(v *Var) string {
	if w.Name != nil {
		return w.Name(v)
	}
	return v.Name
}

// Declare writes the declaration of a variable. One that is Const has its elements.
func (w *Writer) Declare(v *Var) {
	size := ""
	if v.Len > 0 {
		size = fmt.Sprintf("[%d]", v.Len)
	}
	if v.Const == nil {
		w.Line("%s %s%s;", v.Type, w.name(v), size)
		return
	}
	all := make([]string, len(v.Const))
	for i := range v.Const {
		all[i] = w.Expr(&v.Const[i])
	}
	w.Line("const %s %s%s = { %s };", v.Type, w.name(v), size, strings.Join(all, ", "))
}

// Undefine writes lines after which the names of a tree mean no macros of a text before it.
func (w *Writer) Undefine(t *Tree) {
	for _, v := range append([]*Var{t.K, t.Out, t.In}, t.Vars...) {
		if v != nil {
			w.Line("#undef %s", w.name(v))
		}
	}
}

// Tree writes a tree of Parse as the function of the objective that it is, or an adjoint, whose result has the type
// gradient. Element i of all arrays that are Global, one after the other, is TAPE(i); those that are Shared are at
// out.shared.
func (w *Writer) Tree(t *Tree) {
	w.offsets = map[*Var]int{}
	offset := 0
	for _, v := range t.Vars {
		if v.Global {
			w.Line("// %s[%d] begins at TAPE(%d).", w.name(v), v.Len, offset)
			w.offsets[v] = offset
			offset += v.Len
		}
	}
	switch {
	case t.Out == nil:
		w.Line("static void %s(uint %s, point x, data d, const real *%s, gradient out)", t.Name, w.name(t.K),
			w.name(t.In))
	case t.In != nil:
		w.Line("static real %s(uint %s, const real *%s, data d)", t.Name, w.name(t.K), w.name(t.In))
	case w.Global:
		w.Line("static void %s(uint %s, point x, data d, global real *%s)", t.Name, w.name(t.K), w.name(t.Out))
	default:
		w.Line("static void %s(uint %s, point x, data d, real *%s)", t.Name, w.name(t.K), w.name(t.Out))
	}
	w.Line("{")
	w.indent++
	if t.In != nil && t.Out != nil {
		w.Line("real %s[1] = { R(0.0) };", w.name(t.Out))
	}
	offset = 0
	for _, v := range t.Vars {
		switch {
		case v.Global:
		case slices.Contains(t.Shared, v):
			w.Line("local %s *%s = out.shared + %d;", v.Type, w.name(v), offset)
			offset += v.Len
		default:
			w.Declare(v)
		}
	}
	w.Stmts(t.Body)
	if t.In != nil && t.Out != nil {
		w.Line("return %s[0];", w.name(t.Out))
	}
	w.indent--
	w.Line("}")
}

// Stmts writes statements. A Leave that no break or continue can be is a goto.
func (w *Writer) Stmts(list []Stmt) { w.list(list, nil, nil) }

// list writes statements; break leaves one of the blocks, and continue the other.
func (w *Writer) list(list []Stmt, breaks, continues *Block) {
	for _, s := range list {
		switch s := s.(type) {
		case *Assign:
			w.Line("%s;", w.assign(s))
		case *Put:
			put := func(index, v string) string { return "put(out, " + index + ", " + v + ")" }
			if w.Put != nil {
				put = w.Put
			}
			w.Line("%s;", put(w.expr(s.Index, 1), w.expr(s.Value, 1)))
		case *Barrier:
			w.Line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);")
		case *If:
			w.branch(s, breaks, continues)
		case *Loop:
			w.loop(s, nil)
		case *Block:
			w.block(s, breaks, continues)
		case *Leave:
			switch s.Block {
			case breaks:
				w.Line("break;")
			case continues:
				w.Line("continue;")
			default:
				w.Line("goto %s;", w.label(s.Block))
			}
		}
	}
}

func (w *Writer) label(b *Block) string {
	if w.labels == nil {
		w.labels = map[*Block]string{}
	}
	if w.labels[b] == "" {
		w.last++
		w.labels[b] = fmt.Sprintf("leave_%d", w.last)
	}
	return w.labels[b]
}

// assign returns an assignment, with an operator where it has that form.
func (w *Writer) assign(s *Assign) string {
	to := w.Expr(&Use{Var: s.To, Element: s.Element})
	if b, ok := s.Value.(*Binary); ok && len(b.Op) == 1 && strings.Contains("+-*/", b.Op) && b.Type == s.To.Type {
		if u, ok := b.X.(*Use); ok && u.Var == s.To && w.Expr(u) == to {
			if n, ok := b.Y.(*Number); ok && n.Bits == 1 && !n.Type.Floating() && (b.Op == "+" || b.Op == "-") {
				return to + b.Op + b.Op
			}
			return to + " " + b.Op + "= " + w.Expr(b.Y)
		}
	}
	return to + " = " + w.Expr(s.Value)
}

// branch writes an If, and those in its other branch as else if.
func (w *Writer) branch(s *If, breaks, continues *Block) {
	w.Line("if (%s) {", w.Expr(s.Cond))
	for {
		w.indent++
		w.list(s.Then, breaks, continues)
		w.indent--
		if len(s.Else) != 1 {
			break
		}
		next, ok := s.Else[0].(*If)
		if !ok {
			break
		}
		s = next
		w.Line("} else if (%s) {", w.Expr(s.Cond))
	}
	if len(s.Else) > 0 {
		w.Line("} else {")
		w.indent++
		w.list(s.Else, breaks, continues)
		w.indent--
	}
	w.Line("}")
}

// loop writes a loop, which break leaves for the end of a block around it.
func (w *Writer) loop(s *Loop, end *Block) {
	post, plain := make([]string, len(s.Post)), true
	for i, one := range s.Post {
		a, ok := one.(*Assign)
		if plain = plain && ok; plain {
			post[i] = w.assign(a)
		}
	}
	cond := w.Expr(s.Cond)
	switch {
	case !plain:
		w.Line("while (%s) {", cond)
	case len(post) == 0:
		w.Line("while (%s) {", cond)
	default:
		w.Line("for (; %s; %s) {", cond, strings.Join(post, ", "))
	}
	w.indent++
	if b, ok := one(s.Body); ok && plain {
		w.list(b.Body, end, b)
	} else {
		w.list(s.Body, end, nil)
	}
	if !plain {
		w.list(s.Post, end, nil)
	}
	w.indent--
	w.Line("}")
}

// one returns the only statement of a list if it is a block.
func one(list []Stmt) (*Block, bool) {
	if len(list) != 1 {
		return nil, false
	}
	b, ok := list[0].(*Block)
	return b, ok
}

// block writes a block. That around a loop alone ends with the loop.
func (w *Writer) block(b *Block, breaks, continues *Block) {
	if len(b.Body) == 1 {
		if l, ok := b.Body[0].(*Loop); ok {
			w.loop(l, b)
			w.end(b)
			return
		}
	}
	w.list(b.Body, breaks, continues)
	w.end(b)
}

// end writes the label of a block, if a goto needs it.
func (w *Writer) end(b *Block) {
	if w.labels[b] != "" {
		w.Line("%s:;", w.labels[b])
	}
}

// Helpers are functions that a text of a Writer may call.
const Helpers = `static real fract_of(real v) { real w; return fract(v, &w); }
static real modf_of(real v) { real w; return modf(v, &w); }
`

// Expr returns the text of an expression.
func (w *Writer) Expr(e Expr) string { return w.expr(e, 0) }

// unaryStrength is how strongly an operator of one operand binds; strengths has the others.
const unaryStrength = 11

// expr returns the text of an expression as an operand of an operator of some strength.
func (w *Writer) expr(e Expr, outer int) string {
	text, own := "", unaryStrength+1
	switch e := e.(type) {
	case *Number:
		return numberText(e)
	case *Use:
		text = w.name(e.Var)
		if e.Var.Global {
			return fmt.Sprintf("TAPE(%du + %s)", w.offsets[e.Var], w.expr(e.Element, strengths["+"]))
		}
		if e.Element != nil {
			text += "[" + w.expr(e.Element, 0) + "]"
		}
	case *Point:
		if w.Point != nil {
			return w.Point(w.expr(e.Index, 0))
		}
		text = "at(x, " + w.expr(e.Index, 0) + ")"
	case *Along:
		if w.Along != nil {
			return w.Along(w.expr(e.Index, 0))
		}
		text = "along(x, " + w.expr(e.Index, 0) + ")"
	case *Table:
		text = "d." + e.Name + "[" + w.expr(e.Index, 0) + "]"
	case *Symbol:
		text = e.Name
	case *Unary:
		own = unaryStrength
		text = string(e.Op) + w.expr(e.X, unaryStrength+1)
	case *Binary:
		own = strengths[e.Op]
		left, right := own, own+1
		if own <= strengths["<<"] && own != strengths["&&"] { // compilers warn of what few people know
			left = strengths["+"]
			right = left
		}
		text = w.expr(e.X, left) + " " + e.Op + " " + w.expr(e.Y, right)
	case *Choice:
		own = 0
		text = w.expr(e.Cond, 1) + " ? " + w.expr(e.Then, 1) + " : " + w.expr(e.Else, 1)
		if outer == 0 {
			return text
		}
		own = -1
	case *Cast:
		own = unaryStrength
		text = "(" + e.To.String() + ")" + w.expr(e.X, unaryStrength+1)
	case *Call:
		var args []string
		if strings.HasPrefix(e.Function, "kink_") {
			args = append(args, "x")
		}
		for _, a := range e.Args {
			args = append(args, w.expr(a, 1))
		}
		text = callName(e.Function) + "(" + strings.Join(args, ", ") + ")"
	}
	if own < outer {
		return "(" + text + ")"
	}
	return text
}

// callName is the name of a function in the language.
func callName(name string) string {
	switch f := Functions[name]; {
	case name == "fract", name == "modf":
		return name + "_of"
	case f.Kind == Integers, name == "iselect":
		return name[1:]
	}
	return name
}

// numberText returns a number with its type.
func numberText(n *Number) string {
	if c, ok := constants[n.Text]; ok {
		if c.typ == n.Type {
			return n.Text
		}
		return "(" + n.Type.String() + ")" + n.Text
	}
	if n.Type.Floating() {
		return floatText(n)
	}
	signed := int64(n.Bits)
	switch n.Type {
	case Int:
		if signed == math.MinInt32 {
			return "(-2147483647 - 1)"
		}
		return bracketed(strconv.FormatInt(signed, 10))
	case UInt:
		return strconv.FormatUint(n.Bits, 10) + "u"
	case Long:
		if signed == math.MinInt64 {
			return "(-9223372036854775807L - 1L)"
		}
		return bracketed(strconv.FormatInt(signed, 10) + "L")
	case ULong:
		return strconv.FormatUint(n.Bits, 10) + "UL"
	}
	return "(" + n.Type.String() + ")" + bracketed(strconv.FormatInt(signed, 10))
}

func bracketed(text string) string {
	if strings.HasPrefix(text, "-") {
		return "(" + text + ")"
	}
	return text
}

// floatText returns a floating point number with its type.
func floatText(n *Number) string {
	text := n.Text
	switch {
	case math.IsNaN(n.Value):
		return "(" + n.Type.String() + ")NAN"
	case math.IsInf(n.Value, 0):
		return "(" + n.Type.String() + ")" + map[bool]string{true: "INFINITY", false: "(-INFINITY)"}[n.Value > 0]
	case text == "":
		text = strconv.FormatFloat(n.Value, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
	}
	switch n.Type {
	case Real:
		return "R(" + text + ")"
	case Float:
		return bracketed(text + "f")
	}
	return bracketed(text)
}
