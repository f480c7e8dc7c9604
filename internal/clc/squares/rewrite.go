package squares

import "github.com/clopt/clopt/internal/clc"

// rewriter makes the function of residuals, or that which reads a variable of the number of each, to count them.
//
// Where no loop adds any, the numbers of residuals are constants. Else next is the number of those before a part of the
// text. Branches without such loops share numbers, so that these do not depend on the point.
type rewriter struct {
	*finder
	out      *clc.Var
	next     *clc.Var // nil: no loop adds any
	noted    *clc.Var // counting: takes what is read; nil: it makes residuals
	offset   int      // of the next residual from next
	most     int      // offset of all
	counting bool
}

// counters is the number of the variable that is read for residual 0 to count it. No objective has as many.
const counters = 1 << 31

// number is the number of a residual.
func (r *rewriter) number(offset int, pos clc.Pos) clc.Expr {
	n := &clc.Number{Type: clc.UInt, Bits: uint64(offset), Pos: pos}
	if r.next == nil {
		return n
	}
	next := &clc.Use{Var: r.next, Pos: pos}
	if offset == 0 {
		return next
	}
	return &clc.Binary{Op: "+", X: next, Y: n, Type: clc.UInt, Pos: pos}
}

// flush adds the offset to next.
func (r *rewriter) flush(pos clc.Pos) (out []clc.Stmt) {
	if r.offset > 0 {
		out = append(out, &clc.Assign{To: r.next, Value: r.number(r.offset, pos), Pos: pos})
	}
	r.offset = 0
	return out
}

// looped reports whether a list has a loop that adds residuals.
func (r *rewriter) looped(list ...clc.Stmt) (found bool) {
	clc.Walk(list, func(s clc.Stmt) {
		if l, ok := s.(*clc.Loop); ok {
			found = found || r.adds(l.Body) || r.adds(l.Post)
		}
	}, nil)
	return found
}

// adds reports whether a list adds residuals.
func (r *rewriter) adds(list []clc.Stmt) (found bool) {
	clc.Walk(list, func(s clc.Stmt) {
		if a, ok := s.(*clc.Assign); ok {
			found = found || len(r.added[a]) > 0
		}
	}, nil)
	return found
}

func (r *rewriter) list(list []clc.Stmt) (out []clc.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *clc.Assign:
			out = append(out, r.assign(s)...)
		case *clc.If:
			out = append(out, r.branch(s)...)
		case *clc.Loop:
			looped := r.looped(s)
			if looped {
				out = append(out, r.flush(s.Pos)...)
			}
			body := r.list(s.Body)
			if looped {
				body = append([]clc.Stmt{}, body...)
				body = append(body, r.flush(s.Pos)...)
			}
			post := r.list(s.Post)
			if looped {
				post = append(post, r.flush(s.Pos)...)
			}
			out = append(out, &clc.Loop{Cond: s.Cond, Body: body, Post: post, Pos: s.Pos})
		case *clc.Block:
			*r.blocks[s] = clc.Block{Body: r.list(s.Body), Pos: s.Pos}
			out = append(out, r.blocks[s])
		case *clc.Leave:
			out = append(out, &clc.Leave{Block: r.blocks[s.Block], Pos: s.Pos})
		default:
			out = append(out, s)
		}
	}
	return out
}

// assign returns what comes before an assignment, and it or the residuals that take its place.
func (r *rewriter) assign(s *clc.Assign) (out []clc.Stmt) {
	if !r.counting {
		out = append(out, r.before[s]...)
	}
	roots, ok := r.added[s]
	if !ok {
		return append(out, s)
	}
	for _, root := range roots {
		at := r.number(r.offset, s.Pos)
		r.offset++
		r.most = max(r.most, r.offset)
		if r.counting {
			at = &clc.Binary{Op: "+", X: at, Y: &clc.Number{Type: clc.UInt, Bits: counters}, Type: clc.UInt, Pos: s.Pos}
			out = append(out, &clc.Assign{To: r.noted, Value: &clc.Point{Index: at, Pos: s.Pos}, Pos: s.Pos})
			continue
		}
		sum := &clc.Use{Var: r.out, Element: at, Pos: s.Pos}
		out = append(out, &clc.Assign{To: r.out, Element: at, Pos: s.Pos, Value: &clc.Binary{Op: "+", X: sum, Y: root,
			Type: clc.Real, Pos: s.Pos}})
	}
	return out
}

func (r *rewriter) branch(s *clc.If) (out []clc.Stmt) {
	looped := r.looped(s)
	if looped {
		out = r.flush(s.Pos)
	}
	before := r.offset
	then := r.list(s.Then)
	if looped {
		then = append(then, r.flush(s.Pos)...)
	}
	after := r.offset
	r.offset = before
	other := r.list(s.Else)
	if looped {
		other = append(other, r.flush(s.Pos)...)
	}
	r.offset = max(r.offset, after)
	return append(out, &clc.If{Cond: s.Cond, Then: then, Else: other, Pos: s.Pos})
}
