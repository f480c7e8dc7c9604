package smooth

import (
	"math"
	"slices"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/host"
)

// The sizes of what statements find on a bench.
const (
	benchVariables  = 256     // of the objective
	benchElements   = 1 << 12 // of each table
	benchSymbol     = 24      // the value of each symbol
	benchNumbers    = 1 << 10 // of the variables before the statements, and of those after them
	benchOperations = 1 << 16 // of one evaluation
	benchBorder     = 1 << 24 // of all of a border
	benchAll        = 1 << 26 // of all borders of a tree; what is left is not tried
)

// bench evaluates a list of statements at points. Variables that are set before the list are free: a point has a number
// for each of their elements, after the variables of the objective.
type bench struct {
	tree *clc.Tree
	free []*clc.Var
	data host.Data
	size int // numbers of a point
	k    int // the component
	used int64
	seed uint64
}

// newBench returns a bench for statements and expressions of a tree.
func newBench(t *clc.Tree, list []clc.Stmt, others ...clc.Expr) *bench {
	b := &bench{tree: t, size: benchVariables,
		data: host.Data{Symbols: map[string]uint32{}, Tables: map[string]host.Table{}}}
	note := func(v *clc.Var) {
		if v != t.K && v.Const == nil && !slices.Contains(b.free, v) {
			b.free = append(b.free, v)
			b.size += max(v.Len, 1)
		}
	}
	look := func(e clc.Expr) {
		switch e := e.(type) {
		case *clc.Use:
			note(e.Var)
		case *clc.Symbol:
			b.data.Symbols[e.Name] = benchSymbol
		case *clc.Table:
			if _, ok := b.data.Tables[e.Name]; !ok {
				b.data.Tables[e.Name] = b.table(e.Type)
			}
		}
	}
	clc.Walk(list, func(s clc.Stmt) {
		if a, ok := s.(*clc.Assign); ok {
			note(a.To)
		}
	}, look)
	for _, e := range others {
		clc.Walk([]clc.Stmt{&clc.If{Cond: e}}, nil, look)
	}
	b.data.Variables = b.size
	return b
}

// frame returns what evaluates a list and then results, as many as there are elements; nil if the host does not.
func (b *bench) frame(list []clc.Stmt, results []clc.Expr) *host.Frame {
	if b.size > benchVariables+benchNumbers || len(results) > benchNumbers {
		return nil
	}
	out := &clc.Var{Name: "results", Type: clc.Real, Len: max(len(results), 1)}
	body := append(b.given(), list...)
	for i, e := range results {
		if e.Of() != clc.Real {
			e = &clc.Cast{To: clc.Real, X: e}
		}
		body = append(body, &clc.Assign{To: out, Element: number(clc.Int, i), Value: e})
	}
	vars := slices.Clone(b.free)
	for _, v := range b.tree.Vars {
		if v.Const != nil {
			vars = append(vars, v)
		}
	}
	f, err := host.Compile(&clc.Tree{Name: "component", K: b.tree.K, Out: out, Vars: vars, Body: body}, b.data)
	if err != nil {
		return nil
	}
	return f.NewFrame()
}

func number(t clc.Type, v int) *clc.Number { return &clc.Number{Type: t, Bits: uint64(v)} }

// each calls do for each number of a point after the variables of the objective.
func (b *bench) each(do func(at int, v *clc.Var, element int)) {
	at := benchVariables
	for _, v := range b.free {
		for i := range max(v.Len, 1) {
			do(at, v, i)
			at++
		}
	}
}

// given sets the free variables to the numbers of the point.
func (b *bench) given() (list []clc.Stmt) {
	b.each(func(at int, v *clc.Var, element int) {
		from := clc.Expr(&clc.Point{Index: number(clc.UInt, at)})
		if v.Type != clc.Real {
			from = &clc.Cast{To: v.Type, X: from}
		}
		s := &clc.Assign{To: v, Value: from}
		if v.Len > 0 {
			s.Element = number(clc.Int, element)
		}
		list = append(list, s)
	})
	return list
}

// elements returns the uses of all elements of variables.
func elements(vars []*clc.Var) (all []clc.Expr) {
	for _, v := range vars {
		if v.Len == 0 {
			all = append(all, &clc.Use{Var: v})
		}
		for i := range v.Len {
			all = append(all, &clc.Use{Var: v, Element: number(clc.Int, i)})
		}
	}
	return all
}

// next returns a number from 0 to 1, by SplitMix64.
func (b *bench) next() float64 {
	b.seed += 0x9e3779b97f4a7c15
	z := b.seed
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) / (1 << 53)
}

// table returns a table. Integers are small, so that they may be indices.
func (b *bench) table(t clc.Type) (all host.Table) {
	for range benchElements {
		if t == clc.UInt {
			all.Uint = append(all.Uint, uint32(4*b.next()))
		} else {
			all.Real = append(all.Real, 4*b.next()-1)
		}
	}
	return all
}

// point returns a point of some size. Integers are small.
func (b *bench) point() []float64 {
	x := make([]float64, b.size)
	size := math.Pow(10, 5*b.next()-3)
	for i := range x {
		x[i] = size * (2*b.next() - 1)
	}
	b.each(func(at int, v *clc.Var, _ int) {
		if !v.Type.Floating() {
			x[at] = math.Floor(4 * b.next())
		}
	})
	return x
}

// partner returns another point with the same integers.
func (b *bench) partner(x []float64) []float64 {
	y := b.point()
	b.each(func(at int, v *clc.Var, _ int) {
		if !v.Type.Floating() {
			y[at] = x[at]
		}
	})
	return y
}

// aside returns the points at a distance from another one, in a direction and against it. Integers stay.
func (b *bench) aside(x, direction []float64, h float64) (above, below []float64) {
	above, below = slices.Clone(x), slices.Clone(x)
	for i := range x {
		above[i] += h * direction[i]
		below[i] -= h * direction[i]
	}
	b.each(func(at int, v *clc.Var, _ int) {
		if !v.Type.Floating() {
			above[at], below[at] = x[at], x[at]
		}
	})
	return above, below
}

// values returns the results of a frame at a point.
func (b *bench) values(f *host.Frame, x []float64) ([]float64, bool) {
	clear(f.Out())
	took, err := f.Run(b.k, 0, x, benchOperations)
	b.used += max(took, 1)
	return slices.Clone(f.Out()), err == nil
}
