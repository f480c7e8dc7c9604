package clc

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// ctype is a type of the language, as far as the subset has it.
type ctype struct {
	base    Type
	record  *record // a struct
	handle  handle
	pointer bool  // to elements of this type, arrays of dims
	dims    []int // of an array, or of what a pointer points to
}

// handle is a type of which a text sees nothing.
type handle uint8

const (
	point handle = iota + 1
	data
)

// scalar reports whether values of the type are numbers.
func (t ctype) scalar() bool {
	return !t.pointer && t.dims == nil && t.record == nil && t.handle == 0 && t.base != Void
}

// void reports whether a type has no values.
func (t ctype) void() bool { return t.base == Void && t.record == nil && t.handle == 0 }

// array reports whether a value stands for the place of its first element.
func (t ctype) array() bool { return t.dims != nil && !t.pointer }

// element is the type of an element of an array or of what a pointer points to.
func (t ctype) element() ctype {
	if t.pointer {
		t.pointer = false
		return t
	}
	t.dims = t.dims[1:]
	if len(t.dims) == 0 {
		t.dims = nil
	}
	return t
}

// size is the number of numbers, or of structs, in a value.
func (t ctype) size() int {
	n := 1
	for _, d := range t.dims {
		n *= d
	}
	return n
}

// same reports whether places of two types can stand for each other.
func (t ctype) same(o ctype) bool {
	return t.base == o.base && t.record == o.record && t.handle == o.handle && slices.Equal(t.dims, o.dims)
}

// record is a struct. Its variables are those of its fields, one after the other.
type record struct {
	fields []field
	width  int // variables
}

type field struct {
	name  string
	typ   ctype
	first int // variable
}

// place is where a value is stored: an element of a variable, of each of the variables of a struct, or of a table.
type place struct {
	vars    []*Var
	table   string
	element Expr // nil: the only one, or the first
}

// value is an expression, or what it stands for.
type value struct {
	typ    ctype
	expr   Expr    // of a number
	place  *place  // where it is stored; of an array its first element; of a pointer what it points to
	symbol *symbol // it is this variable
}

// symbol is what a name means.
type symbol struct {
	typ      ctype
	isType   bool
	place    *place // of a variable, and what a pointer points to; nil: it does not yet
	slot     *Var   // the element that a pointer points to, if that changes
	name     string // of a pointer
	fixed    bool   // it is const
	expr     Expr   // what it stands for
	function *function
	opaque   string // why it cannot be used
}

// function is a function of the text.
type function struct {
	name   string
	result ctype
	params []param
	at     int // its first token, and that of its body
	body   int
	pos    Pos
}

type param struct {
	name  string
	typ   ctype
	fixed bool
}

// scope has the names of a block.
type scope struct {
	names map[string]*symbol
	outer *scope
}

func (s *scope) find(name string) *symbol {
	for ; s != nil; s = s.outer {
		if found := s.names[name]; found != nil {
			return found
		}
	}
	return nil
}

func (s *scope) set(name string, to *symbol) {
	if s.names == nil {
		s.names = map[string]*symbol{}
	}
	s.names[name] = to
}

// inner does something in a scope of its own.
func (p *parser) inner(do func()) {
	before := p.scope
	p.scope = &scope{outer: before}
	do()
	p.scope = before
}

// types are the words of types of one word.
var types = map[string]Type{"void": Void, "bool": Bool, "char": Char, "uchar": UChar, "short": Short,
	"ushort": UShort, "int": Int, "uint": UInt, "long": Long, "ulong": ULong, "float": Float, "real": Real,
	"double": Double, "size_t": ULong, "ptrdiff_t": Long, "uintptr_t": ULong, "intptr_t": Long, "_Bool": Bool}

// unsignedOf has the types without a sign of those with one.
var unsignedOf = map[Type]Type{Char: UChar, Short: UShort, Int: UInt, Long: ULong}

// qualifiers may stand before or after a type. Those that are true make it constant.
var qualifiers = map[string]bool{"const": true, "static": false, "inline": false, "constant": true, "global": false,
	"private": false, "volatile": false, "restrict": false, "__constant": true, "__global": false,
	"__private": false, "register": false, "auto": false, "__inline": false, "__restrict": false}

// vector matches the names of vector types.
var vector = regexp.MustCompile(`^(?:u?char|u?short|u?int|u?long|float|double|half|real)(?:2|3|4|8|16)$`)

// name returns a name for a variable of the tree, which is the given one if that is free.
func (p *parser) name(want string) string {
	if want == "" {
		want = "v"
	}
	name := want
	for p.taken[name] || types[name] != 0 || strings.HasSuffix(name, "_t") || vector.MatchString(name) {
		p.last[want]++
		name = fmt.Sprintf("%s_%d", want, p.last[want]+1)
	}
	p.taken[name] = true
	return name
}

// variable adds a variable to the tree.
func (p *parser) variable(name string, t Type, length int, pos Pos) *Var {
	v := &Var{Name: p.name(name), Type: t, Len: length, Pos: pos}
	p.tree.Vars = append(p.tree.Vars, v)
	return v
}

// variables adds the variables of a type, those of a struct with the names of its fields.
func (p *parser) variables(name string, t ctype, pos Pos) []*Var {
	length := 0
	if t.dims != nil {
		length = t.size()
	}
	if length > maxArray {
		p.failAt(pos, "has an array of %d elements", length)
	}
	if t.record == nil {
		return []*Var{p.variable(name, t.base, length, pos)}
	}
	var all []*Var
	for _, f := range t.record.fields {
		own := f.typ
		if t.dims != nil {
			own.dims = slices.Concat(t.dims, own.dims)
		}
		all = append(all, p.variables(name+"_"+f.name, own, pos)...)
	}
	return all
}

// otherNames are names that generated text may use.
var otherNames = strings.Fields(`real sum data point component residuals component_inner component_value objective
	R PI DIM COMPS ACCS INNER GRID_X GRID_Y GRID_Z REAL_BITS BOX_LO BOX_HI if else for while do break continue return
	goto switch case default int uint long ulong char uchar short ushort float double bool half void const constant
	global local private kernel static inline struct union enum typedef sizeof unsigned signed restrict volatile min max
	abs sincos printf select barrier put`)
