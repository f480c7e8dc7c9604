package host

import "github.com/clopt/clopt/internal/clc"

// list compiles statements.
func (c *compiler) list(body []clc.Stmt) run {
	all := make([]run, len(body))
	for j, s := range body {
		all[j] = c.statement(s)
	}
	return inOrder(all)
}

// inOrder runs statements in order, until one leaves a block.
func inOrder(all []run) run {
	switch len(all) {
	case 0:
		return func(*Frame) int { return 0 }
	case 1:
		return all[0]
	}
	return func(r *Frame) int {
		for _, s := range all {
			if left := s(r); left != 0 {
				return left
			}
		}
		return 0
	}
}

func (c *compiler) statement(s clc.Stmt) run {
	switch s := s.(type) {
	case *clc.Assign:
		return c.assign(s)
	case *clc.If:
		cond, yes, no := c.truthOf(s.Cond), c.list(s.Then), c.list(s.Else)
		return func(r *Frame) int {
			if cond(r) {
				return yes(r)
			}
			return no(r)
		}
	case *clc.Loop:
		return loop(s, c.truthOf(s.Cond), c.list(s.Body), c.list(s.Post))
	case *clc.Block:
		number := c.block(s)
		return block(number, c.list(s.Body))
	case *clc.Leave:
		number := c.block(s.Block)
		return func(*Frame) int { return number }
	case *clc.Put:
		index, value := c.whole(s.Index), c.real(s.Value)
		return func(r *Frame) int { r.put(index(r), value(r)); return 0 }
	}
	c.fail(s.At(), "%T", s)
	return func(*Frame) int { return 0 }
}

// block returns the number of a block, from 1.
func (c *compiler) block(b *clc.Block) int {
	if c.blocks[b] == 0 {
		c.blocks[b] = len(c.blocks) + 1
	}
	return c.blocks[b]
}

func block(number int, body run) run {
	return func(r *Frame) int {
		if left := body(r); left != number {
			return left
		}
		return 0
	}
}

// loop counts the operations of its rounds, and ends after the last that the frame may do.
func loop(s *clc.Loop, cond func(*Frame) bool, body, post run) run {
	cost := max(1, costOf(s.Body)+costOf(s.Post)+costOfExpr(s.Cond))
	pos := s.Pos
	return func(r *Frame) int {
		for cond(r) {
			r.left -= cost
			if r.left < 0 {
				r.tooLong(pos)
				return 0
			}
			if left := body(r); left != 0 {
				return left
			}
			if left := post(r); left != 0 {
				return left
			}
		}
		return 0
	}
}

func (c *compiler) assign(s *clc.Assign) run {
	a := c.arrays[s.To]
	if s.To.Type.Floating() {
		v := c.real(s.Value)
		if s.Element == nil {
			return func(r *Frame) int { r.reals[a.base] = v(r); return 0 }
		}
		at := c.element(s.To, s.Element, a, s.Pos)
		return func(r *Frame) int {
			if i := at(r); i >= 0 {
				r.reals[i] = v(r)
			}
			return 0
		}
	}
	v := c.whole(s.Value)
	if s.Element == nil {
		return func(r *Frame) int { r.ints[a.base] = v(r); return 0 }
	}
	at := c.element(s.To, s.Element, a, s.Pos)
	return func(r *Frame) int {
		if i := at(r); i >= 0 {
			r.ints[i] = v(r)
		}
		return 0
	}
}

// costOf returns the operations of statements, one round of each loop excepted, which counts its own.
func costOf(body []clc.Stmt) (cost int64) {
	for _, s := range body {
		switch s := s.(type) {
		case *clc.Assign:
			cost += 1 + costOfExpr(s.Value)
			if s.Element != nil {
				cost += costOfExpr(s.Element)
			}
		case *clc.If:
			cost += costOfExpr(s.Cond) + max(costOf(s.Then), costOf(s.Else))
		case *clc.Loop:
			cost += costOfExpr(s.Cond)
		case *clc.Block:
			cost += costOf(s.Body)
		case *clc.Put:
			cost += 1 + costOfExpr(s.Index) + costOfExpr(s.Value)
		}
	}
	return cost
}

// callCost is about how many operators take the time of a function.
const callCost = 5

func costOfExpr(e clc.Expr) int64 {
	cost := int64(1)
	switch e := e.(type) {
	case *clc.Choice:
		return cost + costOfExpr(e.Cond) + max(costOfExpr(e.Then), costOfExpr(e.Else))
	case *clc.Call:
		cost += callCost
	}
	for _, part := range clc.Operands(e) {
		cost += costOfExpr(part)
	}
	return cost
}
