package diff

import "github.com/clopt/clopt/internal/clc"

// Component returns one function of all those of an objective: that which adds a component to the sums. Where an
// objective has residuals, it is the sum of their squares.
func Component(t *clc.Trees) *clc.Tree {
	switch {
	case t.Component != nil:
		return t.Component
	case t.Residuals != nil:
		return squared(t.Residuals)
	}
	return composed(t.Inner, t.Value)
}

// component makes a tree with an only sum.
func component(of *clc.Tree, vars []*clc.Var) (*clc.Tree, names) {
	n := newNames(of)
	out := n.new("acc", clc.Real, 1, of.Out.Pos)
	return &clc.Tree{Name: "component", K: of.K, Out: out, Vars: append(vars, of.Vars...)}, n
}

// at is an element of an array.
func at(v *clc.Var, i int) *clc.Use {
	return &clc.Use{Var: v, Element: &clc.Number{Type: clc.UInt, Bits: uint64(i), Pos: v.Pos}, Pos: v.Pos}
}

// begun sets all elements of an array to 0.
func begun(v *clc.Var) (list []clc.Stmt) {
	for i := range v.Len {
		list = append(list, assign(at(v, i), number(0, at(v, i))))
	}
	return list
}

// squared adds the squares of residuals.
func squared(t *clc.Tree) *clc.Tree {
	c, _ := component(t, []*clc.Var{t.Out})
	c.Body = append(begun(t.Out), &clc.Block{Body: t.Body, Pos: t.Out.Pos})
	for j := range t.Out.Len {
		r := at(t.Out, j)
		c.Body = append(c.Body, assign(at(c.Out, 0), binary("+", at(c.Out, 0), binary("*", r, r))))
	}
	return c
}

// composed adds the value of inner sums.
func composed(inner, value *clc.Tree) *clc.Tree {
	c, n := component(inner, []*clc.Var{inner.Out})
	of := map[*clc.Var]*clc.Var{value.In: inner.Out, value.K: inner.K}
	for _, v := range append([]*clc.Var{value.Out}, value.Vars...) {
		own := *v
		own.Name = n.new(v.Name, v.Type, v.Len, v.Pos).Name
		of[v] = &own
		c.Vars = append(c.Vars, &own)
	}
	result := of[value.Out]
	c.Body = append(begun(inner.Out), &clc.Block{Body: inner.Body, Pos: inner.Out.Pos})
	c.Body = append(c.Body, begun(result)...)
	j := jumps{n, map[*clc.Block]*clc.Var{}}
	body := changed(j.list(value.Body, nil), func(u *clc.Use) *clc.Use {
		if own := of[u.Var]; own != nil {
			return &clc.Use{Var: own, Element: u.Element, Pos: u.Pos}
		}
		return u
	})
	c.Body = append(c.Body, body...)
	for _, f := range j.flags {
		c.Vars = append(c.Vars, f)
	}
	c.Body = append(c.Body, assign(at(c.Out, 0), binary("+", at(c.Out, 0), at(result, 0))))
	return c
}
