package opencl

import (
	"fmt"
	"strings"
	"sync"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/smooth"
	"github.com/clopt/clopt/internal/clc/token"
	"github.com/clopt/clopt/problems"
)

// understood is what clopt reads of the text, made when it is asked for.
type understood struct {
	once   sync.Once
	trees  *clc.Trees
	opaque *clc.Opaque
}

// Trees returns the functions of the text as trees for runs in a precision, or why there are none. They belong to the
// objective, and must not be changed.
func (o *Objective) Trees(p problems.Precision) (*clc.Trees, *clc.Opaque) {
	u := &o.trees[0]
	if p == problems.FP32 {
		u = &o.trees[1]
	}
	u.once.Do(func() {
		if len(o.tokens) >= maxTokens {
			last := o.tokens[len(o.tokens)-1]
			u.opaque = &clc.Opaque{Pos: clc.Pos{File: last.File, Line: last.Line, Col: last.Col}, Reason: "is too long"}
			return
		}
		u.trees, u.opaque = clc.Parse(o.treeText(o.tokens, p))
	})
	return u.trees, u.opaque
}

// Class returns whether the objective is smooth, has kinks or has steps, of the text and the directive f together.
// known is false if the text has no trees.
func (o *Objective) Class() (c smooth.Class, known bool) {
	o.class.once.Do(func() {
		trees, opaque := o.Trees(problems.FP64)
		if opaque != nil {
			return
		}
		var g *clc.Tree
		if o.f.linear == nil {
			if g = o.gTree(); g == nil {
				return
			}
		}
		o.class.Class, o.class.known = smooth.Of(trees, g), true
	})
	return o.class.Class, o.class.known
}

// class is the class of an objective, made when it is asked for.
type class struct {
	smooth.Class
	once  sync.Once
	known bool
}

// gTree returns the directive f as a tree of component_value whose inner sums are the sums; nil if it is none.
func (o *Objective) gTree() *clc.Tree {
	var b strings.Builder
	b.WriteString("static void component_inner(uint k, point x, data d, real *inner) {} " +
		"static real component_value(uint k, const real *inner, data d) { ")
	for j := range o.sums {
		fmt.Fprintf(&b, "const real s%d = inner[%d]; ", j, j)
	}
	fmt.Fprintf(&b, "return %s; }", o.f.text)
	trees, opaque := clc.Parse(clc.Text{Tokens: token.Scan(o.path, max(o.fLine, 1), b.String(), maxTokens),
		Inner: o.sums, RealBits: 64})
	if opaque != nil {
		return nil
	}
	return trees.Value
}

// treeText returns the text with what is known of the text around it.
func (o *Objective) treeText(tokens []token.Token, p problems.Precision) clc.Text {
	t := clc.Text{Tokens: tokens, Tables: map[string]clc.Type{}, Sums: o.sums, Residuals: o.squares, Inner: o.inner,
		RealBits: p.Bits(), Symbols: map[string]uint32{"DIM": uint32(o.n), "COMPS": uint32(o.tiling.M)}}
	for _, table := range o.tables {
		t.Tables[table.Name] = clc.Real
		if table.Uint != nil {
			t.Tables[table.Name] = clc.UInt
		}
	}
	for _, n := range o.numbers {
		t.Symbols["d."+n.Name] = n.Value
	}
	if o.grid[0] > 0 {
		for a, name := range []string{"GRID_Z", "GRID_Y", "GRID_X"} {
			t.Symbols[name] = uint32(o.grid[a])
		}
	}
	return t
}
