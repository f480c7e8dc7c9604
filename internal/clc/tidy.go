package clc

// mostGuards bounds the depth of the branches that guards become.
const mostGuards = 50

// tidy makes branches of jumps where it can: what follows "if (c) return;" becomes the other branch. It removes jumps
// to where a statement goes anyway, blocks without jumps, and what is never reached.
func tidy(list []Stmt) []Stmt {
	return (&tidier{}).list(list, nil)
}

type tidier struct{ deep int }

// list tidies a list after which ends the block, if that is not nil.
func (t *tidier) list(list []Stmt, end *Block) (out []Stmt) {
	for i, s := range list {
		last := i == len(list)-1
		switch s := s.(type) {
		case *Leave:
			if s.Block != end {
				out = append(out, s)
			}
			return out // what follows is never reached
		case *Assign:
			out = append(out, s)
		case *Loop:
			out = append(out, &Loop{Cond: s.Cond, Body: t.list(s.Body, nil), Post: t.list(s.Post, nil), Pos: s.Pos})
		case *Block:
			out = append(out, t.block(s, end, last)...)
		case *If:
			rest := list[i+1:]
			then, other := leaves(s.Then, end), leaves(s.Else, end)
			if end != nil && (then || other) && !last && t.deep < mostGuards {
				t.deep++
				branch := &If{Cond: s.Cond, Then: s.Then, Else: s.Else, Pos: s.Pos}
				if then && !other {
					branch.Else = append(append([]Stmt(nil), s.Else...), rest...)
				} else if other && !then {
					branch.Then = append(append([]Stmt(nil), s.Then...), rest...)
				}
				out = append(out, t.branch(branch, end)...)
				t.deep--
				return out
			}
			if last {
				out = append(out, t.branch(s, end)...)
			} else {
				out = append(out, t.branch(s, nil)...)
			}
		}
	}
	return out
}

// branch tidies an If after which ends the block, if that is not nil.
func (t *tidier) branch(s *If, end *Block) []Stmt {
	then, other := t.list(s.Then, end), t.list(s.Else, end)
	switch {
	case len(then) == 0 && len(other) == 0:
		return nil
	case len(then) == 0:
		return []Stmt{&If{Cond: not(s.Cond), Then: other, Pos: s.Pos}}
	}
	return []Stmt{&If{Cond: s.Cond, Then: then, Else: other, Pos: s.Pos}}
}

// block tidies a block, which becomes its statements if nothing leaves it.
func (t *tidier) block(s *Block, end *Block, last bool) []Stmt {
	body := t.list(s.Body, s)
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

// leaves reports whether a list ends with a jump to the end of a block.
func leaves(list []Stmt, b *Block) bool {
	if len(list) == 0 {
		return false
	}
	l, ok := list[len(list)-1].(*Leave)
	return ok && l.Block == b
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
