package diff

import (
	"slices"

	"github.com/clopt/clopt/internal/clc"
)

// jumps rewrites statements without blocks and jumps to their ends. A jump sets a flag, and what it passes over is done
// where the flag is 0. Where a branch ends with a jump, what follows moves to the other branch, and needs no flag.
type jumps struct {
	names names
	flags map[*clc.Block]*clc.Var
}

// list rewrites a list of statements. ends are the blocks that end where the list ends: a jump there does nothing.
func (j *jumps) list(list []clc.Stmt, ends []*clc.Block) (out []clc.Stmt) {
	for i, s := range list {
		rest := list[i+1:]
		last := ends
		if len(rest) > 0 {
			last = nil
		}
		switch s := s.(type) {
		case *clc.Leave:
			if !slices.Contains(ends, s.Block) {
				out = append(out, set1(j.flag(s.Block), 1, s.Pos))
			}
			return out
		case *clc.If:
			if leaves(s.Then) && len(rest) > 0 {
				return append(out, j.branch(&clc.If{Cond: s.Cond, Then: s.Then, Else: slices.Concat(s.Else, rest),
					Pos: s.Pos}, ends))
			}
			if leaves(s.Else) && len(rest) > 0 {
				return append(out, j.branch(&clc.If{Cond: s.Cond, Then: slices.Concat(s.Then, rest), Else: s.Else,
					Pos: s.Pos}, ends))
			}
			out = append(out, j.branch(s, last))
		case *clc.Loop:
			out = append(out, j.loop(s, last)...)
		case *clc.Block:
			body := j.list(s.Body, append(slices.Clone(last), s))
			if f := j.flags[s]; f != nil {
				out = append(out, set1(f, 0, s.Pos))
			}
			out = append(out, body...)
		default:
			out = append(out, s)
		}
		if away := j.away(s); len(away) > 0 && len(rest) > 0 {
			return append(out, &clc.If{Cond: none(away), Then: j.list(rest, ends), Pos: rest[0].At()})
		}
	}
	return out
}

func (j *jumps) branch(s *clc.If, ends []*clc.Block) clc.Stmt {
	return &clc.If{Cond: s.Cond, Then: j.list(s.Then, ends), Else: j.list(s.Else, ends), Pos: s.Pos}
}

func (j *jumps) loop(s *clc.Loop, ends []*clc.Block) []clc.Stmt {
	s, after := turned(s, ends)
	l := &clc.Loop{Cond: s.Cond, Body: j.list(s.Body, nil), Post: j.list(s.Post, nil), Pos: s.Pos}
	if away := j.away(s); len(away) > 0 {
		if n, ok := s.Cond.(*clc.Number); ok && n.Bits != 0 {
			l.Cond = none(away)
		} else {
			l.Cond = &clc.Binary{Op: "&&", X: none(away), Y: l.Cond, Type: clc.Int, Pos: s.Pos}
		}
		if len(l.Post) > 0 {
			l.Post = []clc.Stmt{&clc.If{Cond: none(away), Then: l.Post, Pos: s.Pos}}
		}
	}
	return append([]clc.Stmt{l}, after...)
}

// turned gives a loop without a condition that begins with assignments of integers and a break, such as one over
// j-- > 0, the condition of the break. The assignments are done once more after the loop.
func turned(s *clc.Loop, ends []*clc.Block) (l *clc.Loop, after []clc.Stmt) {
	if n, ok := s.Cond.(*clc.Number); !ok || n.Bits == 0 {
		return s, nil
	}
	n := 0
	for n < len(s.Body) {
		a, ok := s.Body[n].(*clc.Assign)
		if !ok || a.Element != nil || a.To.Type.Floating() {
			break
		}
		n++
	}
	if n == len(s.Body) {
		return s, nil
	}
	test, ok := s.Body[n].(*clc.If)
	if !ok || len(test.Then) != 1 || len(test.Else) > 0 {
		return s, nil
	}
	leave, ok := test.Then[0].(*clc.Leave)
	if !ok || !slices.Contains(ends, leave.Block) {
		return s, nil
	}
	breaks := 0
	statements(s.Body, func(s clc.Stmt) {
		if l, ok := s.(*clc.Leave); ok && l.Block == leave.Block {
			breaks++
		}
	})
	if breaks > 1 {
		return s, nil
	}
	cond := test.Cond
	for _, a := range slices.Backward(s.Body[:n]) {
		cond = replaced(&clc.If{Cond: cond}, a.(*clc.Assign)).(*clc.If).Cond
	}
	body := slices.Concat(s.Body[:n], s.Body[n+1:])
	return &clc.Loop{Cond: not(cond), Body: body, Post: s.Post, Pos: s.Pos}, s.Body[:n]
}

// flag returns the flag of a block.
func (j *jumps) flag(b *clc.Block) *clc.Var {
	f := j.flags[b]
	if f == nil {
		f = j.names.new("left", clc.Int, 0, b.Pos)
		j.flags[b] = f
	}
	return f
}

// away returns the flags that jumps in a statement set whose blocks are around it.
func (j *jumps) away(s clc.Stmt) (all []*clc.Var) {
	within := map[*clc.Block]bool{}
	statements([]clc.Stmt{s}, func(s clc.Stmt) {
		switch s := s.(type) {
		case *clc.Block:
			within[s] = true
		case *clc.Leave:
			if f := j.flags[s.Block]; f != nil && !within[s.Block] && !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	})
	return all
}

// leaves reports whether a list always ends with a jump.
func leaves(list []clc.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *clc.Leave:
		return true
	case *clc.If:
		return leaves(s.Then) && leaves(s.Else)
	}
	return false
}

// none is the condition that all flags are 0.
func none(flags []*clc.Var) clc.Expr {
	var all clc.Expr
	for _, f := range flags {
		not := &clc.Unary{Op: '!', X: use(f), Pos: f.Pos}
		if all == nil {
			all = not
		} else {
			all = &clc.Binary{Op: "&&", X: all, Y: not, Type: clc.Int, Pos: f.Pos}
		}
	}
	return all
}

// set1 sets an integer.
func set1(v *clc.Var, to uint64, pos clc.Pos) clc.Stmt {
	return &clc.Assign{To: v, Value: &clc.Number{Type: v.Type, Bits: to, Pos: pos}, Pos: pos}
}
