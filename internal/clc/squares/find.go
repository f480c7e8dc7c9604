package squares

import (
	"fmt"
	"slices"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/host"
)

// finder follows what is added to the value of an objective.
type finder struct {
	*signs
	tree   *clc.Tree
	taken  map[string]bool
	made   []*clc.Var
	roots  map[*clc.Var][]*clc.Var    // that hold the roots of a variable; nil while they are being found
	before map[*clc.Assign][]clc.Stmt // what is to be done before an assignment
	added  map[*clc.Assign][]clc.Expr // the residuals in place of an assignment
	blocks map[*clc.Block]*clc.Block  // of the function that is made
	first  clc.Pos                    // of a square
}

// Find finds whether an objective is a sum of squares.
func Find(t Text) (found Found) {
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(fail)
			if !ok {
				panic(r)
			}
			found = Found{Why: &f.Reason}
		}
	}()
	tree := t.Trees.Component
	switch {
	case t.Trees.Residuals != nil:
		return Found{Residuals: summed(t.Trees.Residuals), Counts: []int{t.Trees.Residuals.Out.Len}}
	case tree == nil:
		refuse(t.Trees.Inner.K.Pos, "has inner sums")
	case t.Weights == nil:
		refuse(clc.Pos{}, "//@ f is no weighted sum")
	}
	sites := sitesOf(tree)
	f := &finder{signs: signsOf(tree, sites, t.Data.Tables), tree: tree, taken: map[string]bool{"x": true, "d": true,
		tree.K.Name: true, tree.Out.Name: true}, roots: map[*clc.Var][]*clc.Var{}, before: map[*clc.Assign][]clc.Stmt{},
		added: map[*clc.Assign][]clc.Expr{}}
	for _, v := range tree.Vars {
		f.taken[v.Name] = true
	}
	f.sums(t.Weights)
	return f.result(t)
}

// sums follows what is added to the sums, which have weights.
func (f *finder) sums(weights []float64) {
	out := slices.Clone(f.of[f.tree.Out])
	if len(out) != f.uses[f.tree.Out] {
		refuse(f.tree.K.Pos, "uses a sum for something else than to add to it")
	}
	for _, s := range out {
		j, ok := s.assign.Element.(*clc.Number)
		rest, adds := addition(s.assign)
		switch {
		case !ok || j.Bits >= uint64(len(weights)):
			refuse(s.assign.Pos, "adds to a sum that a variable names")
		case !adds:
			refuse(s.assign.Pos, "does not add to a sum")
		}
		w := weights[j.Bits]
		switch {
		case w == 0:
			f.added[s.assign] = []clc.Expr{}
		case !(w > 0):
			refuse(s.assign.Pos, "adds to a sum with the weight %g", w)
		default:
			number := &clc.Number{Type: clc.Real, Value: w, Pos: s.assign.Pos}
			f.follow(s, rest, product{num: []clc.Expr{number}})
		}
	}
	if f.first.Line == 0 {
		refuse(f.tree.K.Pos, "adds nothing that depends on the point")
	}
}

// newVar makes a variable of a new name.
func (f *finder) newVar(name string, pos clc.Pos) *clc.Var {
	free := name
	for i := 2; f.taken[free]; i++ {
		free = fmt.Sprintf("%s_%d", name, i)
	}
	f.taken[free] = true
	v := &clc.Var{Name: free, Type: clc.Real, Pos: pos}
	f.made = append(f.made, v)
	return v
}

// The limits of residuals: those of a component, those of all, and the operations to count them.
const (
	mostSquares = 1 << 20
	mostInAll   = 1 << 28
	mostCounted = 1 << 26
)

// result makes the function of the residuals, and counts them.
func (f *finder) result(t Text) Found {
	tree := f.tree
	out := &clc.Var{Name: tree.Out.Name, Type: clc.Real, Pos: tree.Out.Pos}
	r := &rewriter{finder: f, out: out}
	var begin []clc.Stmt
	if r.looped(tree.Body...) {
		r.next = f.newVar("next", tree.K.Pos)
		r.next.Type = clc.UInt
		begin = append(begin, &clc.Assign{To: r.next, Value: &clc.Number{Type: clc.UInt, Pos: tree.K.Pos},
			Pos: tree.K.Pos})
	}
	made := &clc.Tree{Name: "component_residuals", K: tree.K, Out: out, Body: append(begin, r.all()...)}
	counts := []int{r.most}
	if r.next != nil {
		counts = f.counted(t, &clc.Tree{Name: "count", K: tree.K, Out: out, Vars: slices.Concat(tree.Vars, f.made),
			Body: append(begin, r.counter()...)})
	}
	out.Len = slices.Max(counts)
	used := map[*clc.Var]bool{}
	clc.Walk(made.Body, func(s clc.Stmt) {
		made.Nodes++
		if a, ok := s.(*clc.Assign); ok {
			used[a.To] = true
		}
	}, func(e clc.Expr) {
		made.Nodes++
		if u, ok := e.(*clc.Use); ok {
			used[u.Var] = true
		}
	})
	made.Vars = slices.DeleteFunc(slices.Concat(tree.Vars, f.made), func(v *clc.Var) bool { return !used[v] })
	return Found{Residuals: made, Counts: counts, At: f.first}
}

// all rewrites the whole text.
func (r *rewriter) all() []clc.Stmt {
	r.blocks = map[*clc.Block]*clc.Block{}
	clc.Walk(r.tree.Body, func(s clc.Stmt) {
		if b, ok := s.(*clc.Block); ok {
			r.blocks[b] = &clc.Block{}
		}
	}, nil)
	r.offset = 0
	return r.list(r.tree.Body)
}

// counter is the text that reads variable i for residual i.
func (r *rewriter) counter() []clc.Stmt {
	c := *r
	c.counting = true
	c.noted = c.newVar("noted", r.tree.K.Pos)
	return c.all()
}

// counted counts the residuals of each component.
func (f *finder) counted(t Text, tree *clc.Tree) []int {
	tree.Vars = slices.Concat(f.tree.Vars, f.made)
	data := t.Data
	data.Variables = counters + mostSquares
	reads, err := host.CompileReads(tree, data)
	if err != nil {
		refuse(f.first, "may have a number of squares that depends on the point")
	}
	counts := make([]int, t.Components)
	frame, left, all := reads.NewFrame(), int64(mostCounted), 0
	for k := range counts {
		counts[k] = 1
		took, err := reads.Run(frame, k, left, func(i int64, _ clc.Pos) {
			counts[k] = max(counts[k], int(i)-counters+1)
		})
		all += counts[k]
		if left -= took; err != nil || all > mostInAll {
			refuse(f.first, "has too many squares to count them")
		}
	}
	if slices.Max(counts) == slices.Min(counts) {
		return counts[:1]
	}
	return counts
}

// summed is a function that sets residuals as one that adds to them.
func summed(t *clc.Tree) *clc.Tree {
	out := &clc.Var{Name: "out", Type: clc.Real, Len: t.Out.Len, Pos: t.Out.Pos}
	made := &clc.Tree{Name: "component_residuals", K: t.K, Out: out, Vars: append([]*clc.Var{t.Out}, t.Vars...),
		Nodes: t.Nodes + 8*t.Out.Len}
	at := func(v *clc.Var, i int) *clc.Use {
		return &clc.Use{Var: v, Element: &clc.Number{Type: clc.UInt, Bits: uint64(i), Pos: v.Pos}, Pos: v.Pos}
	}
	for i := range out.Len {
		u := at(t.Out, i)
		made.Body = append(made.Body, &clc.Assign{To: t.Out, Element: u.Element, Value: &clc.Number{Type: clc.Real,
			Pos: u.Pos}, Pos: u.Pos})
	}
	made.Body = append(made.Body, &clc.Block{Body: t.Body, Pos: t.Out.Pos})
	for i := range out.Len {
		u := at(out, i)
		made.Body = append(made.Body, &clc.Assign{To: out, Element: u.Element, Value: &clc.Binary{Op: "+", X: u,
			Y: at(t.Out, i), Type: clc.Real, Pos: u.Pos}, Pos: u.Pos})
	}
	return made
}
