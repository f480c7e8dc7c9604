package host

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/clc"
)

// The builders of trees for tests.
var (
	k   = &clc.Var{Name: "k", Type: clc.UInt}
	acc = &clc.Var{Name: "acc", Type: clc.Real, Len: 1}
	dim = &clc.Symbol{Name: "DIM"}
)

func i(v int64) clc.Expr     { return &clc.Number{Type: clc.Int, Bits: uint64(v)} }
func u(v uint32) clc.Expr    { return &clc.Number{Type: clc.UInt, Bits: uint64(v)} }
func r(v float64) clc.Expr   { return &clc.Number{Type: clc.Real, Value: v} }
func v(x *clc.Var) clc.Expr  { return &clc.Use{Var: x} }
func at(e clc.Expr) clc.Expr { return &clc.Point{Index: e} }

func b(x clc.Expr, op string, y clc.Expr) clc.Expr {
	t := x.Of()
	if strings.Contains("&&||==!=<=>=<>", op) && op != "<<" && op != ">>" {
		t = clc.Int
	}
	return &clc.Binary{Op: op, X: x, Y: y, Type: t, Pos: clc.Pos{File: "t.cl", Line: 3, Col: 1}}
}

func set(x *clc.Var, e clc.Expr) clc.Stmt { return &clc.Assign{To: x, Value: e} }

func add(e clc.Expr) clc.Stmt {
	zero := i(0)
	return &clc.Assign{To: acc, Element: zero, Value: b(&clc.Use{Var: acc, Element: zero}, "+", e)}
}

func tree(vars []*clc.Var, body ...clc.Stmt) *clc.Tree {
	return &clc.Tree{Name: "component", K: k, Out: acc, Vars: vars, Body: body}
}

// evaluate returns what component 2 of a tree adds.
func evaluate(t *testing.T, single bool, tr *clc.Tree, x ...float64) (float64, error) {
	t.Helper()
	f, err := Compile(tr, Data{Variables: len(x), Single: single, Symbols: map[string]uint32{"DIM": uint32(len(x))},
		Tables: map[string]Table{"w": {Real: []float64{0.1, 0.5}}, "col": {Uint: []uint32{3, 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	frame := f.NewFrame()
	_, err = frame.Run(2, 0, x, 10000)
	return frame.Out()[0], err
}

// TestIntegers computes with integers as C does: of the width and the sign of their type.
func TestIntegers(t *testing.T) {
	typed := func(t clc.Type, v int64) clc.Expr { return &clc.Number{Type: t, Bits: uint64(v)} }
	for _, c := range []struct {
		e    clc.Expr
		want float64
	}{
		{b(u(1), "-", u(2)), 4294967295},
		{b(i(math.MaxInt32), "+", i(1)), math.MinInt32},
		{b(i(-7), "/", i(2)), -3}, {b(i(-7), "%", i(2)), -1}, {b(i(-7), ">>", i(1)), -4},
		{b(u(0xfffffff9), ">>", i(1)), 0x7ffffffc}, {b(i(1), "<<", i(33)), 2},
		{b(typed(clc.ULong, -1), "/", typed(clc.ULong, 2)), math.MaxInt64},
		{b(typed(clc.ULong, -1), ">", typed(clc.ULong, 1)), 1}, {b(i(-1), ">", i(1)), 0},
		{&clc.Cast{To: clc.Char, X: i(200)}, -56}, {&clc.Cast{To: clc.UChar, X: i(-1)}, 255},
		{&clc.Cast{To: clc.UInt, X: r(3e9)}, 3e9}, {&clc.Cast{To: clc.Int, X: r(-2.9)}, -2},
		{&clc.Cast{To: clc.Bool, X: r(0.5)}, 1}, {&clc.Unary{Op: '!', X: i(3)}, 0},
		{&clc.Unary{Op: '~', X: u(0)}, 4294967295}, {&clc.Unary{Op: '-', X: u(1)}, 4294967295},
		{call2("imul_hi", clc.Int, -3, math.MaxInt32), -2}, {call2("imul_hi", clc.UInt, 1<<32-1, 1<<32-1), 1<<32 - 2},
		{call2("imul_hi", clc.Long, -1, 5), -1}, {call2("iadd_sat", clc.Int, math.MaxInt32, 5), math.MaxInt32},
		{call2("isub_sat", clc.UInt, 3, 5), 0}, {call2("irotate", clc.UInt, 0x80000001, 1), 3},
		{call2("ihadd", clc.Int, -3, 2), -1}, {call2("irhadd", clc.Int, -3, 2), 0},
		{call2("iabs_diff", clc.Int, -3, 5), 8}, {call2("imax", clc.ULong, -1, 1), math.MaxUint64},
		{&clc.Call{Function: "iclz", Type: clc.Int, Args: []clc.Expr{i(1)}}, 31},
		{&clc.Call{Function: "iclz", Type: clc.Int, Args: []clc.Expr{i(0)}}, 32},
		{&clc.Call{Function: "ipopcount", Type: clc.Int, Args: []clc.Expr{i(-1)}}, 32},
		{&clc.Call{Function: "iclamp", Type: clc.Int, Args: []clc.Expr{i(9), i(1), i(5)}}, 5},
		{&clc.Call{Function: "iselect", Type: clc.Int, Args: []clc.Expr{i(9), i(1), i(5)}}, 1},
	} {
		got, err := evaluate(t, false, tree(nil, add(&clc.Cast{To: clc.Real, X: c.e})))
		if err != nil || got != c.want {
			t.Errorf("%+v = %v, %v; want %v", c.e, got, err, c.want)
		}
	}
}

func call2(name string, typ clc.Type, x, y int64) clc.Expr {
	return &clc.Call{Function: name, Type: typ, Args: []clc.Expr{&clc.Number{Type: typ, Bits: uint64(x)},
		&clc.Number{Type: typ, Bits: uint64(y)}}}
}

// TestSingle rounds after every operator where a number is float32.
func TestSingle(t *testing.T) {
	e := b(b(r(1e8), "+", at(u(0))), "-", r(1e8))
	for single, want := range map[bool]float64{false: 1, true: 0} {
		if got, err := evaluate(t, single, tree(nil, add(e)), 1); err != nil || got != want {
			t.Errorf("single %v: %v, %v; want %v", single, got, err, want)
		}
	}
	table := &clc.Table{Name: "w", Type: clc.Real, Index: u(0)}
	if got, _ := evaluate(t, true, tree(nil, add(table))); got != float64(float32(0.1)) {
		t.Errorf("an element of a table is %v", got)
	}
}

// TestUndefined gives an error, with the place, where a device would do what nobody knows.
func TestUndefined(t *testing.T) {
	j := &clc.Var{Name: "j", Type: clc.Int}
	a := &clc.Var{Name: "a", Type: clc.Real, Len: 3}
	endless := &clc.Loop{Cond: i(1), Body: []clc.Stmt{set(j, b(v(j), "+", i(1)))}}
	real := func(e clc.Expr) clc.Stmt { return add(&clc.Cast{To: clc.Real, X: e}) }
	for want, tr := range map[string]*clc.Tree{
		"t.cl:3:1: division of an integer by 0": tree([]*clc.Var{j}, real(b(i(1), "/", v(j)))),
		"element 3 of a, which has 3":           tree([]*clc.Var{a}, add(&clc.Use{Var: a, Element: i(3)})),
		"element 2 of table d.w, which has 2":   tree(nil, add(&clc.Table{Name: "w", Type: clc.Real, Index: v(k)})),
		"component 2 reads variable 5 of 3":     tree(nil, add(at(u(5)))),
		"-1 is no integer of 32 bits":           tree(nil, real(&clc.Cast{To: clc.UInt, X: r(-1.5)})),
		TooLong:                                 tree([]*clc.Var{j}, endless),
	} {
		if _, err := evaluate(t, false, tr, 1, 2, 3); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// counted returns for (j = from; j < to; j++) body, with a block around it that a break leaves.
func counted(j *clc.Var, from, to clc.Expr, body func(out *clc.Block) []clc.Stmt) []clc.Stmt {
	out := &clc.Block{}
	next := []clc.Stmt{set(j, b(v(j), "+", u(1)))}
	out.Body = []clc.Stmt{&clc.Loop{Cond: b(v(j), "<", to), Body: body(out), Post: next}}
	return []clc.Stmt{set(j, from), out}
}

// TestReads finds what is read without a point: the branches that the point decides are all taken, and the others as
// they are.
func TestReads(t *testing.T) {
	j := &clc.Var{Name: "j", Type: clc.UInt}
	s := &clc.Var{Name: "s", Type: clc.Real}
	positive := b(at(v(k)), ">", r(0))
	read := func(e clc.Expr) []clc.Stmt { return []clc.Stmt{add(at(e))} }
	unless := func(cond clc.Expr, yes, no []clc.Stmt) clc.Stmt { return &clc.If{Cond: cond, Then: yes, Else: no} }
	leave := func(out *clc.Block, cond clc.Expr) clc.Stmt {
		return unless(cond, []clc.Stmt{&clc.Leave{Block: out}}, nil)
	}
	all := func(*clc.Block) []clc.Stmt { return []clc.Stmt{set(s, at(v(j)))} }
	last := b(b(v(k), "+", u(1)), "<", dim)
	out := &clc.Block{}
	out.Body = append([]clc.Stmt{leave(out, positive)}, read(u(0))...)
	js := []*clc.Var{j, s}
	for name, c := range map[string]struct {
		tr   *clc.Tree
		want []int64 // of component 2 of 4 variables; nil: the index depends on the point
	}{
		"plain":         {tree(nil, read(b(v(k), "+", u(1)))...), []int64{3}},
		"guarded":       {tree(nil, unless(b(v(k), "<", u(2)), read(u(0)), read(u(1)))), []int64{1}},
		"both branches": {tree(nil, unless(positive, read(u(0)), read(u(1)))), []int64{0, 1, 2}},
		"guard and point": {tree(nil, unless(b(b(v(k), "<", u(2)), "&&", positive), read(u(0)), nil),
			unless(b(last, "||", positive), read(u(1)), read(u(3)))), []int64{1}},
		"a loop in a branch": {tree(js, unless(positive, counted(j, u(0), u(2), all), nil)), []int64{0, 1, 2}},
		"a loop with a break": {tree(js, counted(j, u(1), dim, func(out *clc.Block) []clc.Stmt {
			return []clc.Stmt{leave(out, b(at(v(j)), ">", r(0)))}
		})...), []int64{1, 2, 3}},
		"the end of a loop with a break": {tree(js, append(counted(j, u(1), dim, func(out *clc.Block) []clc.Stmt {
			return []clc.Stmt{leave(out, positive)}
		}), read(v(j))...)...), nil},
		"a return": {tree(nil, out), []int64{0, 2}},
		"both breaks": {tree(js, counted(j, u(0), dim, func(out *clc.Block) []clc.Stmt {
			return append([]clc.Stmt{leave(out, positive), leave(out, b(v(j), "==", u(1)))}, read(v(j))...)
		})...), []int64{0, 2}},
		"as often as the point says": {tree(js, &clc.Loop{Cond: positive, Body: counted(j, u(0), u(2), all)}),
			[]int64{0, 1, 2}},
		"counted by the point": {tree(js, set(j, u(0)), &clc.Loop{Cond: b(at(v(j)), ">", r(0)),
			Body: []clc.Stmt{set(j, b(v(j), "+", u(1)))}}), nil},
		"a table":  {tree(nil, read(&clc.Table{Name: "col", Type: clc.UInt, Index: u(0)})...), []int64{3}},
		"a choice": {tree(nil, add(&clc.Choice{Cond: last, Then: at(u(3)), Else: at(u(0))})), []int64{3}},
		"set in a branch": {tree(js, set(j, u(0)), unless(positive, []clc.Stmt{set(j, u(1))}, nil), read(v(j))[0]),
			nil},
	} {
		reads, err := CompileReads(c.tr, Data{Variables: 4, Symbols: map[string]uint32{"DIM": 4},
			Tables: map[string]Table{"col": {Uint: []uint32{3, 1}}}})
		if (c.want == nil) != (err != nil) {
			t.Errorf("%s: error %v", name, err)
		}
		if err != nil {
			continue
		}
		var got []int64
		note := func(i int64, _ clc.Pos) { got = append(got, i) }
		if _, err := reads.Run(reads.NewFrame(), 2, 10000, note); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: reads %v, want %v", name, got, c.want)
		}
	}
}

// TestSum adds components in the same order on any number of processors, within a limit, and allocates nothing for one.
func TestSum(t *testing.T) {
	x := make([]float64, 1000)
	for j := range x {
		x[j] = 0.1 * float64(j)
	}
	data := Data{Variables: len(x), Symbols: map[string]uint32{"DIM": 1000}}
	c, err := CompileComponents(&clc.Trees{Component: tree(nil, add(b(at(v(k)), "*", r(-1))))}, data, 1)
	if err != nil {
		t.Fatal(err)
	}
	sums, sizes, err := c.Sum(len(x), x, 1<<20)
	if err != nil || math.Abs(sums[0]+49950) > 1e-8 || sizes[0] != -sums[0] {
		t.Errorf("%v, %v, %v", sums, sizes, err)
	}
	if _, _, err := c.Sum(len(x), x, 5000); !IsTooLong(err) {
		t.Errorf("error %v within 5000 operations", err)
	}
	e, one := c.NewEvaluator(), make([]float64, 1)
	if n := testing.AllocsPerRun(100, func() { e.Add(3, 0, x, 1000, one) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestSpread says how far a device may be off: nothing where all is exact, and much where terms of a function cancel.
func TestSpread(t *testing.T) {
	sin := func(e clc.Expr) clc.Expr { return &clc.Call{Function: "sin", Type: clc.Real, Args: []clc.Expr{e}} }
	call := func(name string, e clc.Expr) clc.Expr {
		return &clc.Call{Function: name, Type: clc.Real, Args: []clc.Expr{e}}
	}
	for name, c := range map[string]struct {
		e        clc.Expr
		low, top float64
	}{
		// exp(-720) to exp(-740) have few digits, and some devices have 0 for them.
		"tiny":    {call("log", call("exp", b(r(-710), "-", b(at(v(k)), "*", r(50))))), math.Inf(1), math.Inf(1)},
		"exact":   {b(at(v(k)), "*", r(3)), 0, 0},
		"cancels": {b(b(sin(at(v(k))), "+", r(-0.4)), "*", r(1e6)), 1e-11, 1e-7},
		"grows":   {sin(b(sin(at(v(k))), "*", r(1e10))), 1e-7, 100},
	} {
		ref, err := NewReference(&clc.Trees{Component: tree(nil, add(c.e))}, Data{Variables: 3}, 1)
		if err != nil {
			t.Fatal(err)
		}
		x, sums, sizes := []float64{0.3, 0.4, 0.5}, make([]float64, 1), make([]float64, 1)
		if _, err := ref.NewEvaluator().Range(0, 3, 0, x, 1000, sums, sizes); err != nil {
			t.Fatal(err)
		}
		if got := ref.Spread(0, 3, 0, x, sums, 1000)[0]; got < c.low || got > c.top {
			t.Errorf("%s: %v", name, got)
		}
	}
}
