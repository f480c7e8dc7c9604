package cl

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

// Arguments that have not changed since the last launch are not set again. Those
// that have changed must arrive, numbers and buffers, even after a failed launch.
func TestArgumentsChange(t *testing.T) {
	d := open(t)
	p := must(d.Build(addText, "-DREAL=float", nil))
	defer p.Close()
	m := Mem[float32]()
	k := must(p.Kernel("test_add", m, m, m, F32, U32))
	buffer := func(v float32) *Buffer[float32] {
		b := must(Alloc[float32](d, 1))
		check(t, b.Write(0, []float32{v}))
		return b
	}
	a, b, out := buffer(1), buffer(10), buffer(0)
	launch := func(want float32, args ...any) {
		t.Helper()
		check(t, k.Launch([]int{1}, nil, args...))
		got := make([]float32, 1)
		check(t, out.Read(0, got))
		if got[0] != want {
			t.Fatalf("%v, want %v", got[0], want)
		}
	}
	launch(21, a, b, out, float32(2), uint32(1))
	launch(21, a, b, out, float32(2), uint32(1))
	launch(31, a, b, out, float32(3), uint32(1))
	launch(31, b, a, b, float32(3), uint32(0)) // writes nothing
	launch(13, b, a, out, float32(3), uint32(1))
	if err := k.Launch([]int{1}, nil, b, a, out, uint32(3), uint32(1)); err == nil {
		t.Fatal("a number of the wrong type was accepted")
	}
	b.Close()
	b = buffer(100)
	launch(103, b, a, out, float32(3), uint32(1))
	minus := float32(math.Copysign(0, -1))
	check(t, a.Write(0, []float32{minus}))
	check(t, b.Write(0, []float32{0}))
	for _, c := range []float32{0, minus, 0} {
		launch(c, a, b, out, c, uint32(1)) // -0 + c·0, and only -0 + -0 is -0
		got := make([]float32, 1)
		check(t, out.Read(0, got))
		if math.Signbit(float64(got[0])) != math.Signbit(float64(c)) {
			t.Errorf("%v instead of %v", got[0], c)
		}
	}
}

func TestArguments(t *testing.T) {
	d := open(t)
	p := must(d.Build(`
typedef float real;
kernel void test_args(global const float *x, global real *y, const uint n, const ulong m, const int i, const float s,
                      local float *w, global uint4 *v)
{ y[0] = x[0] + n + m + i + s; w[0] = v[0].x; }`, "", nil))
	defer p.Close()
	good := []Arg{Mem[float32](), Mem[float32](), U32, U64, int32Arg, F32, localArg, Mem[uint32]()}
	k, err := p.Kernel("test_args", good...)
	check(t, err)
	for i, tc := range []struct {
		at   int
		arg  Arg
		want string
	}{
		{0, Mem[float64](), "argument 0 (x) is global float* in the device text and global double* in Go"},
		{0, F32, "argument 0 (x)"},
		{2, int32Arg, "argument 2 (n) is uint in the device text and int in Go"},
		{2, Mem[uint32](), "argument 2 (n)"},
		{3, U32, "argument 3 (m)"},
		{6, Mem[float32](), "argument 6 (w)"},
		{5, localArg, "argument 5 (s)"},
		{7, Mem[int32](), "argument 7 (v)"},
	} {
		bad := append([]Arg(nil), good...)
		bad[tc.at] = tc.arg
		_, err := p.Kernel("test_args", bad...)
		if err == nil || !strings.Contains(err.Error(), "kernel test_args: "+tc.want) || !strings.HasPrefix(err.Error(),
			d.String()) {
			t.Errorf("case %d: %v", i, err)
		}
	}
	if _, err := p.Kernel("test_args", good[:7]...); err == nil || !strings.Contains(err.Error(),
		"takes 8 arguments in the device text and 7 in Go") {
		t.Errorf("one too few: %v", err)
	}
	if _, err := p.Kernel("test_none"); !errors.Is(err, InvalidKernelName) || !strings.Contains(err.Error(),
		"kernel test_none") {
		t.Errorf("no such kernel: %v", err)
	}
	x, v := must(Alloc[float32](d, 1)), must(Alloc[uint32](d, 4))
	one := []int{1}
	args := []any{x, x, uint32(1), uint64(1), int32(1), float32(1), LocalBytes(4), v}
	check(t, k.Launch(one, one, args...))
	for i, bad := range []any{v, v, 1, uint32(1), uint32(1), 1.0, x, x} {
		wrong := append([]any(nil), args...)
		wrong[i] = bad
		err := k.Launch(one, one, wrong...)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("kernel test_args: argument %d (", i)) {
			t.Errorf("argument %d as %T: %v", i, bad, err)
		}
	}
	if err := k.Launch(one, one, args[:3]...); err == nil || !strings.Contains(err.Error(),
		"launched with 3 arguments, takes 8") {
		t.Errorf("three arguments: %v", err)
	}
	other := open(t)
	args[0] = must(Alloc[float32](other, 1))
	if err := k.Launch(one, one, args...); err == nil || !strings.Contains(err.Error(), "is a buffer of device") {
		t.Errorf("buffer of another device: %v", err)
	}
}

func TestLaunchSizes(t *testing.T) {
	d := open(t)
	p := must(d.Build("kernel void test_count(global uint *a) { atomic_inc(a); }", "", nil))
	defer p.Close()
	k, err := p.Kernel("test_count", Mem[uint32]())
	check(t, err)
	a := must(Alloc[uint32](d, 1))
	for _, s := range [][2][]int{{{0}, {1}}, {{0, 5}, nil}, {{5, 0}, {5, 1}}, {{8, 2}, {4, 1}}, {{3}, nil}, {{3}, {}},
		{{2, 2, 2}, nil}} {
		check(t, k.Launch(s[0], s[1], a))
	}
	var got [1]uint32
	check(t, a.Read(0, got[:]))
	if got[0] != 16+3+3+8 {
		t.Errorf("%d items ran", got[0])
	}
	if took, err := k.LaunchTimed([]int{0}, nil, a); took != 0 || err != nil {
		t.Errorf("a launch of nothing: %v, %v", took, err)
	}
	for _, s := range [][2][]int{{{5}, {4}}, {{-1}, nil}, {nil, nil}, {{1, 1, 1, 1}, nil}, {{4}, {2, 2}}, {{4}, {0}},
		{{1 << 30}, {1 << 30}}} {
		if err := k.Launch(s[0], s[1], a); err == nil || !strings.Contains(err.Error(), "kernel test_count") {
			t.Errorf("%v by %v: %v", s[0], s[1], err)
		}
	}
	if k.MaxGroup() < 64 {
		t.Errorf("MaxGroup is %d", k.MaxGroup())
	}
}
