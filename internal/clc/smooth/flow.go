package smooth

import (
	"maps"
	"slices"

	"github.com/clopt/clopt/internal/clc"
)

// state has the degrees of all variables at a place; nil: it is never reached.
type state map[*clc.Var]int

// follower follows what depends on the point through a tree.
type follower struct {
	tree  *clc.Tree
	in    int // the degree of the inner sums
	found *Class
	now   state
	left  map[*clc.Block]state // where a block is left
	torn  map[*clc.Block]bool  // blocks that are left where the point says so
	list  []clc.Stmt           // the list that is followed
	at    int                  // the statement of it
	loops int                  // around it
	quiet int                  // above 0: nothing is noted
	used  int64                // operations of trials of borders
	tried map[any]meeting      // borders
	bends map[any]bend         // calls, choices and branches that bend, and how they may be rounded
}

func newFollower(t *clc.Tree, in int, found *Class) *follower {
	return &follower{tree: t, in: in, found: found, now: state{}, left: map[*clc.Block]state{},
		torn: map[*clc.Block]bool{}, tried: map[any]meeting{}, bends: map[any]bend{}}
}

// follow follows the whole tree, and returns the degree of its results.
func (f *follower) follow() int {
	f.statements(f.tree.Body)
	if f.now == nil {
		return Constant
	}
	return f.variable(f.tree.Out)
}

func (f *follower) statements(list []clc.Stmt) {
	outer, at := f.list, f.at
	f.list = list
	for i, s := range list {
		if f.now == nil {
			break
		}
		f.at = i
		f.statement(s)
	}
	f.list, f.at = outer, at
}

func (f *follower) statement(s clc.Stmt) {
	switch s := s.(type) {
	case *clc.Assign:
		f.index(s.Element)
		degree := f.degree(s.Value)
		if s.To.Len > 0 {
			degree = max(degree, f.variable(s.To))
		}
		f.now[s.To] = degree
	case *clc.If:
		f.branch(s)
	case *clc.Loop:
		f.loop(s)
	case *clc.Block:
		f.statements(s.Body)
		f.now, _ = joined(f.now, f.left[s])
		delete(f.left, s)
		if f.torn[s] {
			f.unknown(s.Body)
		}
	case *clc.Leave:
		f.left[s.Block], _ = joined(f.left[s.Block], f.now)
		f.now = nil
	}
}

// joined is what is known at a place that is reached from two others, and whether that is more than of the first one.
func joined(a, b state) (both state, more bool) {
	switch {
	case b == nil:
		return a, false
	case a == nil:
		return maps.Clone(b), true
	}
	both = maps.Clone(a)
	for v, degree := range b {
		if degree > both[v] {
			both[v], more = degree, true
		}
	}
	return both, more
}

func (f *follower) branch(s *clc.If) {
	depends := f.condition(s.Cond)
	start := f.now
	f.now = maps.Clone(start)
	f.statements(s.Then)
	then := f.now
	f.now = maps.Clone(start)
	f.statements(s.Else)
	f.now, _ = joined(then, f.now)
	if !depends {
		return
	}
	if out := leaves(s); out != nil {
		for _, b := range out {
			f.torn[b] = true
		}
		f.step("a branch that jumps", s.Pos)
	} else {
		switch f.meet(s, s.Cond, &sides{s.Then, s.Else}) {
		case apart:
			f.step("a branch that jumps", s.Pos)
		case bent:
			f.kink("a branch", s.Pos)
			if then, other, ok := sidesOf(s); ok {
				f.bendsAt(s, s.Cond, then, other)
			}
		}
	}
	f.unknown([]clc.Stmt{s})
}

// unknown gives what a list sets the highest degree.
func (f *follower) unknown(list []clc.Stmt) {
	for _, v := range assigned(list) {
		if f.now != nil {
			f.now[v] = Other
		}
	}
}

func (f *follower) loop(s *clc.Loop) {
	f.loops++
	defer func() { f.loops-- }()
	for start := f.now; ; {
		f.now = start
		ends := f.condition(s.Cond)
		f.now = maps.Clone(start)
		f.statements(s.Body)
		if f.now != nil {
			f.statements(s.Post)
		}
		both, more := joined(start, f.now)
		if !more {
			f.now = start
			if ends {
				f.step("a loop whose end depends on x", s.Pos)
				f.unknown([]clc.Stmt{s})
			}
			return
		}
		start = both
	}
}

// leaves returns the blocks around a statement that something in it leaves.
func leaves(s clc.Stmt) (out []*clc.Block) {
	inside := map[*clc.Block]bool{}
	clc.Walk([]clc.Stmt{s}, func(s clc.Stmt) {
		switch s := s.(type) {
		case *clc.Block:
			inside[s] = true
		case *clc.Leave:
			if !inside[s.Block] {
				out = append(out, s.Block)
			}
		}
	}, nil)
	return out
}

// assigned returns the variables that a list sets.
func assigned(list []clc.Stmt) (all []*clc.Var) {
	clc.Walk(list, func(s clc.Stmt) {
		if a, ok := s.(*clc.Assign); ok && !slices.Contains(all, a.To) {
			all = append(all, a.To)
		}
	}, nil)
	return all
}

// meet returns how the sides of a border meet, which is that of a condition in the statement that is followed. sides
// are those of a branch; nil: a function has it.
func (f *follower) meet(key any, cond clc.Expr, s *sides) meeting {
	if f.quiet > 0 {
		return even
	}
	m, ok := f.tried[key]
	if !ok {
		m = bent
		if s != nil {
			m = apart
		}
		if f.used < benchAll {
			var used int64
			m, used = f.around().border(f.tree, cond, s)
			f.used += used
		}
		f.tried[key] = m
	}
	return m
}

// around returns what stands around the statement that is followed. A list that something leaves is cut to the
// statement.
func (f *follower) around() around {
	a := around{before: f.list[:f.at], list: f.list}
	for _, s := range f.list {
		if leaves(s) != nil {
			a = around{list: f.list[f.at : f.at+1]}
			if leaves(a.list[0]) != nil {
				a.list = nil
			}
			break
		}
	}
	for _, e := range elements(f.live(a.list)) {
		if e.(*clc.Use).Var == f.tree.Out && f.tree.Name == "residuals" {
			e = &clc.Binary{Op: "*", X: e, Y: e, Type: clc.Real}
		}
		a.results = append(a.results, e)
	}
	return a
}

// live returns the variables of a list that others see, or the list itself the next time.
func (f *follower) live(list []clc.Stmt) (vars []*clc.Var) {
	all, own := uses(f.tree.Body), uses(list)
	for _, v := range assigned(list) {
		if v == f.tree.Out || all[v] > own[v] || f.loops > 0 && !f.fresh(list, v) {
			vars = append(vars, v)
		}
	}
	return vars
}

// uses counts the uses of variables in a list.
func uses(list []clc.Stmt) map[*clc.Var]int {
	count := map[*clc.Var]int{}
	clc.Walk(list, nil, func(e clc.Expr) {
		if u, ok := e.(*clc.Use); ok {
			count[u.Var]++
		}
	})
	return count
}

// fresh reports whether a list sets a variable before it uses it.
func (f *follower) fresh(list []clc.Stmt, v *clc.Var) bool {
	for _, s := range list {
		if uses([]clc.Stmt{s})[v] > 0 {
			return false
		}
		if a, ok := s.(*clc.Assign); ok && a.To == v {
			return a.Element == nil
		}
	}
	return false
}
