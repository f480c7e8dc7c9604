package clc

import "slices"

// mostGuards bounds the depth of the branches that guards become.
const mostGuards = 50

// tidy makes branches of jumps where it can: what follows "if (c) return;" becomes the other branch. It removes jumps
// to where a statement goes anyway, blocks without jumps, and what is never reached.
func tidy(list []Stmt) []Stmt {
	return (&tidier{}).list(list, nil)
}

type tidier struct{ deep int }

// list tidies a list at whose end some blocks end.
func (t *tidier) list(list []Stmt, ends []*Block) (out []Stmt) {
	for i, s := range list {
		last := i == len(list)-1
		switch s := s.(type) {
		case *Leave:
			if !slices.Contains(ends, s.Block) {
				out = append(out, s)
			}
			return out // what follows is never reached
		case *Assign:
			out = append(out, s)
		case *Loop:
			out = append(out, &Loop{Cond: s.Cond, Body: t.list(s.Body, nil), Post: t.list(s.Post, nil), Pos: s.Pos})
		case *Block:
			out = append(out, t.block(s, ends, last)...)
		case *If:
			rest := list[i+1:]
			then, other := leaves(s.Then, ends), leaves(s.Else, ends)
			if (then || other) && !last && t.deep < mostGuards {
				t.deep++
				branch := &If{Cond: s.Cond, Then: s.Then, Else: s.Else, Pos: s.Pos}
				if then && !other {
					branch.Else = append(append([]Stmt(nil), s.Else...), rest...)
				} else if other && !then {
					branch.Then = append(append([]Stmt(nil), s.Then...), rest...)
				}
				out = append(out, t.branch(branch, ends)...)
				t.deep--
				return out
			}
			if last {
				out = append(out, t.branch(s, ends)...)
			} else {
				out = append(out, t.branch(s, nil)...)
			}
		}
	}
	return out
}

// branch tidies an If at whose end some blocks end.
func (t *tidier) branch(s *If, ends []*Block) []Stmt {
	then, other := t.list(s.Then, ends), t.list(s.Else, ends)
	switch {
	case len(then) == 0 && len(other) == 0:
		return nil
	case len(then) == 0:
		return []Stmt{&If{Cond: not(s.Cond), Then: other, Pos: s.Pos}}
	}
	return []Stmt{&If{Cond: s.Cond, Then: then, Else: other, Pos: s.Pos}}
}

// block tidies a block, which becomes its statements if nothing leaves it.
func (t *tidier) block(s *Block, ends []*Block, last bool) []Stmt {
	if !last {
		ends = nil
	}
	body := t.list(s.Body, append(slices.Clone(ends), s))
	left := false
	walk(body, func(in Stmt) {
		if l, ok := in.(*Leave); ok && l.Block == s {
			left = true
		}
	}, nil)
	if !left {
		return body
	}
	s.Body = body
	return []Stmt{s}
}

// leaves reports whether a list ends with a jump to the end of one of some blocks.
func leaves(list []Stmt, ends []*Block) bool {
	if len(list) == 0 {
		return false
	}
	l, ok := list[len(list)-1].(*Leave)
	return ok && slices.Contains(ends, l.Block)
}

// not returns 1 where a condition is 0.
func not(e Expr) Expr {
	if b, ok := e.(*Binary); ok && !b.X.Of().Floating() {
		inverse := map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
		if op := inverse[b.Op]; op != "" {
			return &Binary{op, b.X, b.Y, Int, b.Pos}
		}
	}
	if u, ok := e.(*Unary); ok && u.Op == '!' && u.X.Of() == Int {
		return u.X
	}
	return &Unary{Op: '!', X: e, Pos: e.At()}
}
