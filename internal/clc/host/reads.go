package host

import "github.com/clopt/clopt/internal/clc"

// Reads is the part of a tree that decides which variables of the objective are read. Where the point decides whether
// a part of the tree is run, it is. So all that are read at any point are found, and those in such parts may be never.
type Reads struct {
	data Data
	f    *Function
	body run
}

// CompileReads compiles what the reads of a tree depend on. The error, an *Error, is that of Compile, or names a read
// whose index depends on the point.
func CompileReads(t *clc.Tree, data Data) (*Reads, error) {
	c := &readsCompiler{compiler: newCompiler(t, data), depends: dependsOf(t), needed: map[*clc.Var]bool{}}
	for c.changed = true; c.changed; {
		c.changed = false
		c.need(t.Body)
	}
	body := c.reads(t.Body, 0)
	if body == nil {
		body = inOrder(nil)
	}
	if c.err != nil {
		return nil, c.err
	}
	f := &Function{data: data, out: c.arrays[t.Out], in: c.arrays[t.In], pos: positionOf(t.Body), reals: c.reals,
		ints: c.ints, body: body, cost: c.kept + 1}
	return &Reads{data: data, f: f, body: body}, nil
}

// NewFrame returns a frame for Run.
func (s *Reads) NewFrame() *Frame { return s.f.NewFrame() }

// Run calls note with each variable that component k reads and the place, in any order and perhaps more than once.
// operations is how many operations and reads it may take, as Frame.Run counts them; it returns how many it took. The
// error, an *Error, is that of Frame.Run. A read outside of the variables is an error only if no point avoids it.
func (s *Reads) Run(r *Frame, k int, operations int64, note func(i int64, pos clc.Pos)) (took int64, err error) {
	r.note = note
	return r.Run(k, 0, nil, operations)
}

// readsCompiler compiles what reads depend on.
type readsCompiler struct {
	*compiler
	*depends
	needed map[*clc.Var]bool
	kept   int64 // statements that were compiled
}

// need marks the variables that indices of reads, and the conditions around them, are made of.
func (c *readsCompiler) need(body []clc.Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *clc.Assign:
			if c.needed[s.To] && !c.vars[s.To] {
				c.uses(s.Value)
				if s.Element != nil {
					c.uses(s.Element)
				}
			}
		case *clc.If:
			if c.matters(s) {
				c.uses(s.Cond)
			}
		case *clc.Loop:
			if c.matters(s) {
				c.uses(s.Cond)
			}
		}
		eachOf(s, func(e clc.Expr) {
			switch e := e.(type) {
			case *clc.Point:
				c.uses(e.Index)
			case *clc.Choice:
				if hasPoint(e.Then) || hasPoint(e.Else) {
					c.uses(e.Cond)
				}
			case *clc.Binary:
				if (e.Op == "&&" || e.Op == "||") && hasPoint(e.Y) {
					c.uses(e.X)
				}
			}
		}, c.need)
	}
}

// uses marks the variables of an expression.
func (c *readsCompiler) uses(e clc.Expr) {
	each(e, func(e clc.Expr) {
		if u, ok := e.(*clc.Use); ok {
			mark(c.depends, c.needed, u.Var)
		}
	})
}

// matters reports whether a statement reads variables of the objective, sets variables that are needed, or leaves a
// block.
func (c *readsCompiler) matters(s clc.Stmt) (found bool) {
	switch s := s.(type) {
	case *clc.Assign:
		found = c.needed[s.To] && !c.vars[s.To]
	case *clc.Leave:
		found = true
	}
	eachOf(s, func(e clc.Expr) {
		_, point := e.(*clc.Point)
		found = found || point
	}, func(body []clc.Stmt) {
		for _, s := range body {
			found = found || c.matters(s)
		}
	})
	return found
}

func hasPoint(e clc.Expr) (found bool) {
	each(e, func(e clc.Expr) {
		_, point := e.(*clc.Point)
		found = found || point
	})
	return found
}

// reads compiles the reads of statements, and what they depend on. The statements stand in so many regions. It returns
// nil if there is nothing to do.
func (c *readsCompiler) reads(body []clc.Stmt, regions int) run {
	var all []run
	for _, s := range body {
		if do := c.readsOf(s, regions); do != nil {
			all = append(all, do)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return inOrder(all)
}

func (c *readsCompiler) readsOf(s clc.Stmt, regions int) run {
	if !c.matters(s) {
		return nil
	}
	c.kept++
	switch s := s.(type) {
	case *clc.Assign:
		all := c.visits(regions, s.Element, s.Value)
		if c.needed[s.To] && !c.vars[s.To] {
			all = append(all, c.assign(s))
		}
		return inOrder(all)
	case *clc.If:
		cond := c.decide(s.Cond)
		known := !c.on(s.Cond)
		visits := inOrder(c.visits(regions, s.Cond))
		inner := regions + flagOf(!known)
		yes, no := orNothing(c.reads(s.Then, inner)), orNothing(c.reads(s.Else, inner))
		return func(r *Frame) int {
			visits(r)
			d := cond(r)
			if d != never {
				if left := yes(r); left != 0 {
					return left
				}
			}
			if d != always {
				return no(r)
			}
			return 0
		}
	case *clc.Loop:
		return c.readsOfLoop(s, regions)
	case *clc.Block:
		return block(c.block(s), orNothing(c.reads(s.Body, c.depth[s])))
	case *clc.Leave:
		if regions > c.depth[s.Block] { // what comes after it is run, too
			return nil
		}
		number := c.block(s.Block)
		return func(*Frame) int { return number }
	}
	return nil
}

func orNothing(do run) run {
	if do == nil {
		return inOrder(nil)
	}
	return do
}

// readsOfLoop runs a loop, or one round of it if the point decides how many there are: all rounds read the same.
func (c *readsCompiler) readsOfLoop(s *clc.Loop, regions int) run {
	visits := inOrder(c.visits(regions, s.Cond))
	if c.on(s.Cond) {
		cond, round := c.decide(s.Cond), c.reads(append(append([]clc.Stmt{}, s.Body...), s.Post...), regions+1)
		if round == nil {
			return visits
		}
		return func(r *Frame) int {
			visits(r)
			if cond(r) == never {
				return 0
			}
			return round(r)
		}
	}
	cond := c.truthOf(s.Cond)
	round := func(r *Frame) bool { visits(r); return cond(r) }
	return loop(&clc.Loop{Cond: s.Cond, Pos: s.Pos}, round, orNothing(c.reads(s.Body, regions)),
		orNothing(c.reads(s.Post, regions)))
}

// visits compiles the reads in expressions, of which some may be nil.
func (c *readsCompiler) visits(regions int, expressions ...clc.Expr) (all []run) {
	for _, e := range expressions {
		if e != nil && hasPoint(e) {
			all = append(all, c.visit(e, regions))
		}
	}
	return all
}

// visit compiles the reads in an expression that has some.
func (c *readsCompiler) visit(e clc.Expr, regions int) run {
	switch e := e.(type) {
	case *clc.Point:
		return c.visitPoint(e, regions)
	case *clc.Choice:
		known := !c.on(e.Cond)
		cond, first := c.decide(e.Cond), inOrder(c.visits(regions, e.Cond))
		yes, no := inOrder(c.visits(regions+flagOf(!known), e.Then)), inOrder(c.visits(regions+flagOf(!known), e.Else))
		return func(r *Frame) int {
			first(r)
			d := cond(r)
			if d != never {
				yes(r)
			}
			if d != always {
				no(r)
			}
			return 0
		}
	case *clc.Binary:
		if e.Op != "&&" && e.Op != "||" {
			break
		}
		enough := never
		if e.Op == "||" {
			enough = always
		}
		cond, first := c.decide(e.X), inOrder(c.visits(regions, e.X))
		second := inOrder(c.visits(regions+flagOf(c.on(e.X)), e.Y))
		return func(r *Frame) int {
			first(r)
			if cond(r) != enough {
				second(r)
			}
			return 0
		}
	}
	return inOrder(c.visits(regions, clc.Operands(e)...))
}

func (c *readsCompiler) visitPoint(e *clc.Point, regions int) run {
	if c.on(e.Index) {
		c.fail(e.Pos, "the index of a read depends on the point")
		return inOrder(nil)
	}
	index, n, pos, cost := c.whole(e.Index), int64(c.data.Variables), e.Pos, costOfExpr(e.Index)
	return func(r *Frame) int {
		i := index(r)
		r.left -= cost
		switch {
		case i < n:
			r.note(i, pos)
		case regions == 0:
			r.outside(i, pos)
		}
		return 0
	}
}

// decision is what is known of a condition before the point is.
type decision int

const (
	perhaps decision = iota
	always
	never
)

// decide compiles what is known of a condition.
func (c *readsCompiler) decide(e clc.Expr) func(*Frame) decision {
	if !c.on(e) {
		cond := c.truthOf(e)
		return func(r *Frame) decision {
			if cond(r) {
				return always
			}
			return never
		}
	}
	switch e := e.(type) {
	case *clc.Binary:
		switch e.Op {
		case "&&":
			return either(never, always, c.decide(e.X), c.decide(e.Y))
		case "||":
			return either(always, never, c.decide(e.X), c.decide(e.Y))
		}
	case *clc.Unary:
		if e.Op == '!' {
			x := c.decide(e.X)
			opposite := [...]decision{perhaps: perhaps, always: never, never: always}
			return func(r *Frame) decision { return opposite[x(r)] }
		}
	}
	return func(*Frame) decision { return perhaps }
}

// either compiles && and ||: one of the operands that is enough decides, and both that are not.
func either(enough, other decision, x, y func(*Frame) decision) func(*Frame) decision {
	return func(r *Frame) decision {
		a := x(r)
		if a == enough {
			return enough
		}
		switch b := y(r); {
		case b == enough:
			return enough
		case a == other && b == other:
			return other
		}
		return perhaps
	}
}
