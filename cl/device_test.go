package cl

import (
	"errors"
	"fmt"
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

// A query that the driver refuses is the error of a device that is opened, and stands in the table.
func TestRefusedQuery(t *testing.T) {
	open(t)
	for k := range 13 {
		end := Inject(func(c Call) Fault {
			if c.Function == "clGetDeviceInfo" && c.Number == k {
				return Fault{Code: OutOfResources}
			}
			return Fault{}
		})
		infos, err := Discover()
		end()
		if err != nil {
			t.Fatal(err)
		}
		_, err = Open(infos[0])
		e, ok := errors.AsType[*QueryError](err)
		if !ok || !errors.Is(err, OutOfResources) || !strings.HasPrefix(e.Query, "CL_D") ||
			!strings.Contains(err.Error(), "clGetDeviceInfo: CL_D") || !strings.Contains(Table(infos), e.Query) {
			t.Errorf("query %d: %v\n%s", k, err, Table(infos))
		}
	}
	if d, err := Open(must(Discover())[0]); err != nil {
		t.Error(err)
	} else {
		d.Close()
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
