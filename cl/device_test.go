//go:build cgo

package cl

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// open opens the device that CL_TEST_DEVICE selects. Without a device the test
// fails; it is never skipped.
func open(t testing.TB) *Device {
	t.Helper()
	selector := os.Getenv("CL_TEST_DEVICE")
	infos, err := Discover()
	if err != nil {
		t.Fatal(err)
	}
	if infos, err = Select(infos, selector); err != nil {
		t.Fatal(err)
	}
	d, err := Open(infos[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// must panics on an error. It does not take t, since Go passes on two results only
// as the sole arguments.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const addText = `
typedef REAL real;
kernel void test_add(global const real *a, global const REAL *b, global REAL *c, const REAL scale, const uint n)
{
    const uint i = get_global_id(0);
    if (i < n) c[i] = a[i] + scale * b[i];
}
`

func testAdd[T float32 | float64](t *testing.T, d *Device, real string, scalar Arg) {
	const n = 1000
	p := must(d.Build(addText, "-DREAL="+real, nil))
	defer p.Close()
	k, err := p.Kernel("test_add", Mem[T](), Mem[T](), Mem[T](), scalar, U32)
	check(t, err)
	a, b, c := must(Alloc[T](d, n)), must(Alloc[T](d, n)), must(Alloc[T](d, n))
	defer a.Close()
	defer b.Close()
	defer c.Close()
	x, y, z := make([]T, n), make([]T, n), make([]T, n)
	for i := range x {
		x[i], y[i] = T(i), T(i)/7
	}
	check(t, a.Write(0, x))
	check(t, b.Write(0, y))
	scale := T(0.1) // not the same number in float32 and float64
	check(t, k.Launch([]int{1024}, []int{64}, a, b, c, any(scale), uint32(n)))
	check(t, c.Read(0, z))
	for i := range z {
		want := x[i] + scale*y[i]
		if d := float64(z[i] - want); d > 1e-7*float64(want) || d < -1e-7*float64(want) {
			t.Fatalf("element %d is %v, want %v", i, z[i], want)
		}
	}
	took, err := k.LaunchTimed([]int{1024}, nil, a, b, c, any(scale), uint32(n))
	check(t, err)
	if took <= 0 {
		t.Errorf("a launch took %v", took)
	}
	told := 0
	d.Profile(func(kernel string, took time.Duration) {
		if told++; kernel != k.Name() || took <= 0 {
			t.Errorf("profile: %s took %v", kernel, took)
		}
	})
	check(t, k.Launch([]int{1024}, nil, a, b, c, any(scale), uint32(n)))
	d.Profile(nil)
	if check(t, k.Launch([]int{1024}, nil, a, b, c, any(scale), uint32(n))); told != 1 {
		t.Errorf("%d launches are reported instead of 1", told)
	}
}

func TestAdd(t *testing.T) {
	d := open(t)
	t.Run("float", func(t *testing.T) { testAdd[float32](t, d, "float", F32) })
	t.Run("double", func(t *testing.T) {
		if !d.Info().FP64 {
			t.Skip(d, "has no float64")
		}
		testAdd[float64](t, d, "double", F64)
	})
}

// Kernels work on buffers that Go can no longer reach.
func TestKeepAlive(t *testing.T) {
	d := open(t)
	p := must(d.Build(`
kernel void test_slow(global uint *a, global uint *sum, const uint n)
{
    uint s = a[0];
    for (uint i = 0; i < n; i++) s = s * 1664525u + a[i & 1023u];
    atomic_add(sum, s | 1u);
}`, "", nil))
	defer p.Close()
	k, err := p.Kernel("test_slow", Mem[uint32](), Mem[uint32](), U32)
	check(t, err)
	sum := must(Alloc[uint32](d, 1))
	rounds := uint32(100000)
	if testing.Short() {
		rounds = 500 // for simulators
	}
	launch := func() {
		for range 20 {
			a, err := Alloc[uint32](d, 1024)
			check(t, err)
			check(t, k.Launch([]int{256}, []int{64}, a, sum, rounds))
		}
	}
	// Alloc waits, so let several launches share the queue as well.
	many := func() {
		var buffers []*Buffer[uint32]
		for range 50 {
			buffers = append(buffers, must(Alloc[uint32](d, 1024)))
		}
		for _, b := range buffers {
			check(t, k.Launch([]int{256}, []int{64}, b, sum, rounds))
		}
	}
	stop := make(chan struct{})
	var collecting sync.WaitGroup
	collecting.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	launch()
	many()
	for range 5 {
		runtime.GC()
	}
	if len(d.inflight) == 0 {
		t.Error("nothing is held while launches are queued")
	}
	check(t, d.Finish())
	close(stop)
	collecting.Wait()
	if len(d.inflight) != 0 {
		t.Errorf("%d objects kept after Finish", len(d.inflight))
	}
}

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

func TestBuildErrorOnDevice(t *testing.T) {
	d := open(t)
	testBuildError(t, d)
}

func testBuildError(t *testing.T, d *Device) {
	text := "#define N 1\nkernel void test_good(global int *a) { a[0] = N; }\nkernel void test_bad(global int " +
		"*a)\n{\n\ta[0] = missing + 1;\n}\n"
	lines := strings.Split(text, "\n")
	where := func(line int) (string, int, string) {
		if line <= 2 {
			return "prelude.cl", line, lines[line-1]
		}
		return "user.cl", line - 2, lines[line-1]
	}
	for range 2 { // the second log may come from a cache
		_, err := d.Build(text, "", where)
		var b *BuildError
		if !errors.As(err, &b) {
			t.Fatalf("got %v", err)
		}
		if !errors.Is(err, BuildProgramFailure) {
			t.Errorf("code is %v", b.Code)
		}
		if len(b.Messages) == 0 {
			t.Fatalf("nothing understood in %q", b.Log)
		}
		m := b.Messages[0]
		if m.File != "user.cl" || m.Line != 3 || m.Col != 9 || m.Source != lines[4] ||
			!strings.Contains(m.Text, "missing") {
			t.Errorf("message %+v from log %q", m, b.Log)
		}
		want := "\ta[0] = missing + 1;\n\t       ^\n"
		if s := err.Error(); !strings.HasPrefix(s, "user.cl:3:9: error: ") || !strings.Contains(s, want) ||
			!strings.Contains(s, d.String()) {
			t.Errorf("printed as\n%s", s)
		}
		if strings.ContainsRune(b.Log, 0) {
			t.Error("the log holds a NUL byte")
		}
	}
}

func TestLongLog(t *testing.T) {
	d := open(t)
	var text strings.Builder
	for i := range 200 { // the compiler stops after some errors, not after warnings of one long line
		fmt.Fprintf(&text, "#warning %d %s\n", i, strings.Repeat("x", 10000))
	}
	text.WriteString("#error stop\n")
	_, err := d.Build(text.String(), "", nil)
	var b *BuildError
	if !errors.As(err, &b) {
		t.Fatalf("got %T", err)
	}
	t.Logf("log of %d bytes, %d messages", len(b.Log), len(b.Messages))
	if len(b.Messages) == 0 || b.Messages[0].Severity == "warning" {
		t.Errorf("first message %.100v", b.Messages)
	}
}

func TestBadOptions(t *testing.T) {
	d := open(t)
	_, err := d.Build("kernel void test_k(global int *a) { a[0] = 1; }", "-no-such-option", nil)
	if err == nil || !strings.Contains(err.Error(), d.String()) {
		t.Errorf("got %v", err)
	}
	if _, err := d.Build("a\x00b", "", nil); err == nil {
		t.Error("a NUL byte in a text passes")
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
	good := []Arg{Mem[float32](), Mem[float32](), U32, U64, I32, F32, Local, Mem[uint32]()}
	k, err := p.Kernel("test_args", good...)
	check(t, err)
	for i, tc := range []struct {
		at   int
		arg  Arg
		want string
	}{
		{0, Mem[float64](), "argument 0 (x) is global float* in the device text and global double* in Go"},
		{0, F32, "argument 0 (x)"},
		{2, I32, "argument 2 (n) is uint in the device text and int in Go"},
		{2, Mem[uint32](), "argument 2 (n)"},
		{3, U32, "argument 3 (m)"},
		{6, Mem[float32](), "argument 6 (w)"},
		{5, Local, "argument 5 (s)"},
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

// One chip, opened three times and used at the same time, gives equal bits.
func TestThrice(t *testing.T) {
	if strings.Contains(open(t).Info().Platform, "Oclgrind") {
		t.Skip("Oclgrind gives wrong values when two threads use it")
	}
	infos := must(Discover())
	infos = must(Select(infos, fmt.Sprintf("%d*3", open(t).Info().Index)))
	if len(infos) != 3 {
		t.Fatalf("%d elements", len(infos))
	}
	results := make([][]float32, 3)
	var all sync.WaitGroup
	for r := range results {
		all.Go(func() {
			d, err := Open(infos[r])
			if err != nil {
				t.Error(err)
				return
			}
			defer d.Close()
			p, err := d.Build("kernel void test_sin(global float *a) { a[get_global_id(0)] = "+
				"sin((float)get_global_id(0)); }", "", nil)
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Close()
			k, err := p.Kernel("test_sin", Mem[float32]())
			if err != nil {
				t.Error(err)
				return
			}
			b, err := Alloc[float32](d, 1000)
			if err != nil {
				t.Error(err)
				return
			}
			defer b.Close()
			results[r] = make([]float32, 1000)
			if err := errors.Join(k.Launch([]int{1000}, nil, b), b.Read(0, results[r])); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for r := range results {
		if fmt.Sprint(results[r]) != fmt.Sprint(results[0]) {
			t.Errorf("device %d differs", r)
		}
	}
}

func TestMain(m *testing.M) {
	if child := os.Getenv("CL_TEST_CHILD"); child != "" {
		os.Exit(children[child]())
	}
	var kept *Device
	if infos, err := Discover(); err == nil {
		kept, _ = Open(infos[0]) // as devicetest.Keep, which cannot be imported here
	}
	code := m.Run()
	runtime.KeepAlive(kept)
	os.Exit(code)
}
