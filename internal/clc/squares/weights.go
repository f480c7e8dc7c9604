package squares

import (
	"math"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/host"
)

// signs knows which expressions are never below 0, and which do not depend on the point.
type signs struct {
	*sites
	k       *clc.Var
	tables  map[string]host.Table
	depends map[*clc.Var]bool // on the point
	known   map[*clc.Var]bool // never below 0; while it is being found, it is
}

func signsOf(t *clc.Tree, s *sites, tables map[string]host.Table) *signs {
	g := &signs{sites: s, k: t.K, tables: tables, depends: map[*clc.Var]bool{}, known: map[*clc.Var]bool{}}
	for changed := true; changed; {
		changed = false
		for a := range s.within {
			if !g.depends[a.To] && (g.varies(a.Value) || a.Element != nil && g.varies(a.Element)) {
				g.depends[a.To], changed = true, true
			}
		}
	}
	return g
}

// varies reports whether an expression depends on the point.
func (g *signs) varies(e clc.Expr) (found bool) {
	each(e, func(x clc.Expr) {
		switch x := x.(type) {
		case *clc.Point:
			found = true
		case *clc.Use:
			found = found || g.depends[x.Var]
		}
	})
	return found
}

// positive reports whether an expression is known not to be below 0.
func (g *signs) positive(e clc.Expr) bool {
	if t := e.Of(); t.Unsigned() {
		return true
	}
	switch e := e.(type) {
	case *clc.Number:
		if e.Type.Floating() {
			return e.Value >= 0
		}
		return int64(e.Bits) >= 0
	case *clc.Use:
		return e.Var == g.k || g.positiveVar(e.Var)
	case *clc.Table:
		return g.positiveTable(e)
	case *clc.Cast:
		return g.positive(e.X)
	case *clc.Choice:
		return g.positive(e.Then) && g.positive(e.Else)
	case *clc.Unary:
		return e.Op == '!'
	case *clc.Binary:
		switch e.Op {
		case "+", "/", "*":
			return e.Op == "*" && clc.Same(e.X, e.Y) || g.positive(e.X) && g.positive(e.Y)
		case "%", ">>":
			return g.positive(e.X)
		case "&":
			return g.positive(e.X) || g.positive(e.Y)
		case "-":
			return false
		}
		return e.Of() == clc.Int && e.Op != "<<" && e.Op != "|" && e.Op != "^" // comparisons
	case *clc.Call:
		return g.positiveCall(e)
	}
	return false
}

func (g *signs) positiveCall(e *clc.Call) bool {
	switch e.Function {
	case "sq", "exp", "exp2", "exp10", "fabs", "sqrt", "rsqrt", "cosh", "hypot", "root", "erfc", "acos":
		return true
	case "pown":
		n, ok := e.Args[1].(*clc.Number)
		return ok && n.Bits%2 == 0 || g.positive(e.Args[0])
	case "pow", "powr", "cbrt", "tanh", "sinh", "atan", "asin", "log1p", "expm1", "floor", "ceil", "rint", "round",
		"trunc", "tgamma":
		return e.Function == "powr" || g.positive(e.Args[0])
	case "fmax", "max", "imax":
		return g.positive(e.Args[0]) || g.positive(e.Args[1])
	case "fmin", "min", "imin", "fma", "mad":
		for _, a := range e.Args {
			if !g.positive(a) {
				return false
			}
		}
		return true
	}
	return false
}

// positiveVar reports whether all that a variable is set to is known not to be below 0.
func (g *signs) positiveVar(v *clc.Var) bool {
	if known, ok := g.known[v]; ok {
		return known
	}
	g.known[v] = true
	if v.Const != nil {
		for i := range v.Const {
			g.known[v] = g.known[v] && g.positive(&v.Const[i])
		}
		return g.known[v]
	}
	for _, s := range g.of[v] {
		if !g.positive(s.assign.Value) {
			g.known[v] = false
			clear(g.known) // what was found in between may rest on it
			g.known[v] = false
			return false
		}
	}
	g.known[v] = len(g.of[v]) > 0
	return g.known[v]
}

// positiveTable reports whether no entry of a table that an index c·i + r, i ≥ 0, may name is below 0.
func (g *signs) positiveTable(e *clc.Table) bool {
	table, ok := g.tables[e.Name]
	if !ok || table.Real == nil {
		return ok && table.Uint != nil
	}
	first, step := rowOf(e.Index)
	for i := first; i < len(table.Real); i += step {
		if !(table.Real[i] >= 0) || math.IsInf(table.Real[i], 1) {
			return false
		}
	}
	return true
}

// rowOf returns r and c of an index c·i + r; 0 and 1 of another one.
func rowOf(e clc.Expr) (r, c int) {
	number := func(e clc.Expr) (int, bool) {
		n, ok := e.(*clc.Number)
		if !ok || n.Bits == 0 || n.Bits >= 1<<16 {
			return 0, false
		}
		return int(n.Bits), true
	}
	if cast, ok := e.(*clc.Cast); ok {
		return rowOf(cast.X)
	}
	b, ok := e.(*clc.Binary)
	if !ok {
		return 0, 1
	}
	switch b.Op {
	case "*":
		for _, x := range []clc.Expr{b.X, b.Y} {
			if n, ok := number(x); ok {
				return 0, n
			}
		}
	case "+":
		for _, of := range [][2]clc.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			if n, ok := number(of[1]); ok {
				r, c := rowOf(of[0])
				return (r + n) % c, c
			}
		}
	}
	return 0, 1
}
