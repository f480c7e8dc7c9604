package reads

import (
	"slices"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/problems"
)

// affine is an integer that is times·k plus one of adds, modulo 2^32, for component k. exact: it is so without the
// modulus.
type affine struct {
	times int64
	adds  []int64 // in increasing order; nil: nothing is known
	exact bool
}

// mostAdds bounds the set adds of an affine.
const mostAdds = mostFar + 1

// large is a size from which on numbers are not followed.
const large = 1 << 40

// prover finds the indices of reads as affine numbers.
type prover struct {
	data    host.Data
	last    int64 // the last component
	k       *clc.Var
	body    []clc.Stmt
	assigns map[*clc.Var][]*clc.Assign
	counter map[*clc.Var]counter
	known   map[*clc.Var]affine // of variables that were looked at; nothing while they are
}

// affine returns what components read as stride·k plus one of offsets, which increase, where that was proved.
func (t Text) affine() (offsets []int, stride int, ok bool) {
	ok = true
	for _, tree := range t.Trees {
		p := newProver(t, tree)
		clc.Walk(tree.Body, nil, func(e clc.Expr) {
			point, is := e.(*clc.Point)
			if !is {
				return
			}
			a := p.value(point.Index)
			if a.adds == nil || a.times < 1 || a.times > mostFar || stride > 0 && int(a.times) != stride {
				ok = false
				return
			}
			stride = int(a.times)
			for _, o := range a.adds {
				offsets = append(offsets, int(o))
			}
		})
	}
	slices.Sort(offsets)
	return slices.Compact(offsets), stride, ok && stride > 0
}

// windows returns the structure of windows with offsets, if it is one of those that may be declared. Every component
// has a variable: those that may read none have some that they do not read.
func windows(n, m, stride int, offsets []int) (s problems.Structure, ok bool) {
	if last := n - 1 - stride*(m-1); offsets[0] > last && last >= 0 {
		offsets = slices.Insert(slices.Clone(offsets), 0, last)
	}
	from, to := offsets[0], offsets[len(offsets)-1]
	apart := to-from >= len(offsets)
	if from < 0 || to > mostFar || stride*(m-1)+from >= n || apart && len(offsets) > mostApart {
		return s, false
	}
	s = problems.Offsets(n, m, stride, offsets)
	if to-from >= mostApart && s.DifferencesWork()*float64(m)/2 > share*float64(n)*float64(m) {
		return s, false
	}
	return s, true
}

func newProver(t Text, tree *clc.Tree) *prover {
	p := &prover{data: t.Data, last: int64(t.Components) - 1, k: tree.K, body: tree.Body,
		assigns: map[*clc.Var][]*clc.Assign{}, counter: map[*clc.Var]counter{}, known: map[*clc.Var]affine{}}
	clc.Walk(tree.Body, func(s clc.Stmt) {
		if a, ok := s.(*clc.Assign); ok {
			p.assigns[a.To] = append(p.assigns[a.To], a)
		}
	}, nil)
	p.counters(tree.Body)
	return p
}

// value returns what is known of an integer.
func (p *prover) value(e clc.Expr) affine {
	switch e := e.(type) {
	case *clc.Number:
		return p.fit(e.Type, affine{0, []int64{signed(e.Type, e.Bits)}, true})
	case *clc.Symbol:
		if v, ok := p.data.Symbols[e.Name]; ok {
			return affine{0, []int64{int64(v)}, true}
		}
	case *clc.Use:
		return p.variable(e)
	case *clc.Choice:
		return p.fit(e.Of(), union(p.value(e.Then), p.value(e.Else)))
	case *clc.Cast:
		if from := e.X.Of(); from.Floating() || from == clc.Bool || e.To == clc.Bool {
			break
		}
		return p.fit(e.To, p.value(e.X))
	case *clc.Unary:
		if e.Op == '-' {
			return p.fit(e.Of(), p.value(e.X).by(-1))
		}
	case *clc.Binary:
		return p.binary(e)
	}
	return affine{}
}

func signed(t clc.Type, bits uint64) int64 {
	if t == clc.Int {
		return int64(int32(bits))
	}
	return int64(bits)
}

// variable returns what is known of a scalar that is set once, or counts the rounds of a loop.
func (p *prover) variable(e *clc.Use) affine {
	v := e.Var
	switch {
	case v == p.k:
		return affine{1, []int64{0}, true}
	case e.Element != nil:
		return p.constant(e)
	}
	if a, seen := p.known[v]; seen {
		return a
	}
	p.known[v] = affine{}
	a := affine{}
	if c, ok := p.counter[v]; ok {
		a = p.count(c)
	} else if set := p.assigns[v]; len(set) == 1 && !v.Type.Floating() {
		a = p.value(set[0].Value)
	}
	p.known[v] = a
	return a
}

// constant returns all elements of an array that never changes.
func (p *prover) constant(e *clc.Use) (a affine) {
	if e.Var.Const == nil || e.Var.Type.Floating() {
		return a
	}
	for _, v := range e.Var.Const {
		a.adds = append(a.adds, signed(e.Var.Type, v.Bits))
	}
	return a.normal()
}

func (p *prover) binary(e *clc.Binary) (a affine) {
	x, y := p.value(e.X), p.value(e.Y)
	if x.adds == nil || y.adds == nil {
		return a
	}
	constant := func(v affine) bool { return v.times == 0 && len(v.adds) == 1 && v.exact }
	switch c := y.adds[0]; {
	case e.Op == "+":
		a = x.plus(y)
	case e.Op == "-":
		a = x.plus(y.by(-1))
	case e.Op == "*" && constant(y):
		a = x.by(c)
	case e.Op == "*" && constant(x):
		a = y.by(x.adds[0])
	case e.Op == "<<" && constant(y) && c >= 0 && c < 31:
		a = x.by(1 << c)
	case e.Op == "/" && constant(x) && constant(y) && c > 0 && x.adds[0] >= 0:
		a = affine{0, []int64{x.adds[0] / c}, true}
	case e.Op == "%" && constant(x) && constant(y) && c > 0 && x.adds[0] >= 0:
		a = affine{0, []int64{x.adds[0] % c}, true}
	}
	return p.fit(e.Type, a)
}

// fit returns a as a value of an integer type: exact if no component has one outside of it.
func (p *prover) fit(t clc.Type, a affine) affine {
	if a.adds == nil {
		return a
	}
	var lo, hi int64
	switch t {
	case clc.Int:
		lo, hi = -1<<31, 1<<31-1
	case clc.UInt:
		lo, hi = 0, 1<<32-1
	case clc.Long:
		lo, hi = -1<<62, 1<<62
	case clc.ULong:
		lo, hi = 0, 1<<62
	default:
		return affine{}
	}
	low, high := p.ends(a)
	a.exact = a.exact && low >= lo && high <= hi
	return a
}

// ends returns the smallest and the largest value for all components.
func (p *prover) ends(a affine) (low, high int64) {
	low, high = a.adds[0], a.adds[len(a.adds)-1]
	if by := a.times * p.last; by < 0 {
		low += by
	} else {
		high += by
	}
	return low, high
}

// normal sorts the set, and forgets a number that is too large.
func (a affine) normal() affine {
	slices.Sort(a.adds)
	a.adds = slices.Compact(a.adds)
	if len(a.adds) == 0 || len(a.adds) > mostAdds || max(a.times, -a.times, -a.adds[0], a.adds[len(a.adds)-1]) > large {
		return affine{}
	}
	return a
}

func (a affine) by(c int64) affine {
	if a.adds == nil || max(c, -c) > large {
		return affine{}
	}
	if max(a.times, -a.times, -a.adds[0], a.adds[len(a.adds)-1]) > large/max(c, -c, 1) {
		return affine{}
	}
	out := affine{a.times * c, slices.Clone(a.adds), a.exact}
	for j := range out.adds {
		out.adds[j] *= c
	}
	return out.normal()
}

func (a affine) plus(b affine) affine {
	if a.adds == nil || b.adds == nil || len(a.adds)*len(b.adds) > mostAdds {
		return affine{}
	}
	out := affine{times: a.times + b.times, exact: a.exact && b.exact}
	for _, v := range a.adds {
		for _, w := range b.adds {
			out.adds = append(out.adds, v+w)
		}
	}
	return out.normal()
}

func union(a, b affine) affine {
	if a.adds == nil || b.adds == nil || a.times != b.times {
		return affine{}
	}
	return affine{a.times, slices.Concat(a.adds, b.adds), a.exact && b.exact}.normal()
}
