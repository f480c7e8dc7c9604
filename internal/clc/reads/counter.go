package reads

import "github.com/clopt/clopt/internal/clc"

// counter is a variable that counts the rounds of a loop: it is set before it, changed by step after each round, and
// the loop goes on while it is below or above bound.
type counter struct {
	v     *clc.Var
	from  clc.Expr
	step  int64
	bound clc.Expr
	op    string // < <= > >=
	// unsigned: the two are compared as unsigned numbers.
	unsigned bool
}

// counters finds the counters of loops. They stand nowhere else.
func (p *prover) counters(body []clc.Stmt) {
	for j, s := range body {
		if loop := loopOf(s); loop != nil {
			p.counterOf(loop, body[:j])
		}
		switch s := s.(type) {
		case *clc.If:
			p.counters(s.Then)
			p.counters(s.Else)
		case *clc.Loop:
			p.counters(s.Body)
		case *clc.Block:
			p.counters(s.Body)
		}
	}
}

// loopOf returns the loop that a statement is, or a block is around.
func loopOf(s clc.Stmt) *clc.Loop {
	for {
		switch t := s.(type) {
		case *clc.Loop:
			return t
		case *clc.Block:
			if len(t.Body) != 1 {
				return nil
			}
			s = t.Body[0]
		default:
			return nil
		}
	}
}

func (p *prover) counterOf(loop *clc.Loop, before []clc.Stmt) {
	if len(loop.Post) != 1 {
		return
	}
	next, ok := loop.Post[0].(*clc.Assign)
	if !ok || next.Element != nil || next.To.Type.Floating() || len(p.assigns[next.To]) != 2 {
		return
	}
	c := counter{v: next.To, step: stepOf(next)}
	for j := len(before) - 1; j >= 0 && c.from == nil; j-- {
		first, ok := before[j].(*clc.Assign)
		if !ok {
			return
		}
		if first.To == c.v {
			c.from = first.Value
		}
	}
	if c.from == nil || c.step == 0 || !c.goesOn(loop.Cond) || uses(c.v, []clc.Stmt{loop}) < uses(c.v, p.body) {
		return
	}
	p.counter[c.v] = c
}

// uses counts the uses of a variable.
func uses(v *clc.Var, body []clc.Stmt) (n int) {
	clc.Walk(body, nil, func(e clc.Expr) {
		if u, ok := e.(*clc.Use); ok && u.Var == v {
			n++
		}
	})
	return n
}

// stepOf returns c of v = v + c, or 0.
func stepOf(s *clc.Assign) int64 {
	e, ok := bare(s.Value).(*clc.Binary)
	if !ok {
		return 0
	}
	by, constant := bare(e.Y).(*clc.Number)
	if u, ok := bare(e.X).(*clc.Use); !ok || u.Var != s.To || !constant || by.Type.Floating() {
		return 0
	}
	switch c := signed(by.Type, by.Bits); e.Op {
	case "+":
		return c
	case "-":
		return -c
	}
	return 0
}

// bare returns an expression without conversions between integers.
func bare(e clc.Expr) clc.Expr {
	for {
		c, ok := e.(*clc.Cast)
		if !ok || c.To < clc.Int || c.To.Floating() || c.X.Of().Floating() {
			return e
		}
		e = c.X
	}
}

// goesOn finds the bound in the condition of the loop, or in a part of it without which it is not true.
func (c *counter) goesOn(cond clc.Expr) bool {
	e, ok := cond.(*clc.Binary)
	if !ok {
		return false
	}
	if e.Op == "&&" {
		return c.goesOn(e.X) || c.goesOn(e.Y)
	}
	mirrored := map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}
	if mirrored[e.Op] == "" {
		return false
	}
	c.unsigned = e.X.Of().Unsigned()
	if u, ok := bare(e.X).(*clc.Use); ok && u.Var == c.v {
		c.op, c.bound = e.Op, e.Y
		return true
	}
	if u, ok := bare(e.Y).(*clc.Use); ok && u.Var == c.v {
		c.op, c.bound = mirrored[e.Op], e.X
		return true
	}
	return false
}

// count returns the values of a counter in its loop.
func (p *prover) count(c counter) affine {
	from, to := p.value(c.from), p.value(c.bound)
	if !from.exact || !to.exact || from.times != to.times {
		return affine{}
	}
	first, last := from.adds[0], from.adds[len(from.adds)-1]
	low, high := to.adds[0], to.adds[len(to.adds)-1]
	switch {
	case c.step > 0 && (c.op == "<" || c.op == "<="):
		if c.op == "<" {
			high--
		}
		low = first
	case c.step < 0 && (c.op == ">" || c.op == ">="):
		if c.op == ">" {
			low++
		}
		high = last
	default:
		return affine{}
	}
	// The test after the last round has to be right, too.
	all := affine{from.times, []int64{min(low, low+c.step), max(high, high+c.step, low)}, true}
	least, _ := p.ends(all)
	if all = p.fit(c.v.Type, all); !all.exact || c.unsigned && least < 0 || high-low > large {
		return affine{}
	}
	values := affine{from.times, nil, true}
	for _, v := range from.adds {
		for n := 0; (n == 0 || v >= low && v <= high) && len(values.adds) <= mostAdds; n++ {
			values.adds = append(values.adds, v)
			v += c.step
		}
	}
	return values.normal()
}
