package device

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

const scaleText = `
kernel void test_scale(global real *points, global const uint *table, const uint n, const ulong skip,
                       const real by DATA_PARAMS)
{
    const uint i = get_global_id(0);
    if (i < n) points[skip + i] = by * table[0] * d_factor[0];
}
`

// one is a program for a single device.
type one struct{ program *shard.Program }

func (o one) Program(int) (*shard.Program, int) { return o.program, 0 }

// Arguments are found by name, in any order. A missing one, or one that the text names differently, is an
// error.
func TestKernel(t *testing.T) {
	d := limited(t, 1<<20)
	program, err := shard.Build(d, shard.Assembly{
		Precision: problems.FP32, Defines: []kernels.Define{kernels.Number("GROUP", 1)},
		Parts:  []kernels.Part{{Name: "scale.cl", Text: scaleText}},
		Tables: []problems.Table{{Name: "factor", Real: []float64{10}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	v := &threeVectors{}
	each := func(f func(i int, d *cl.Device) error) error { return f(0, d) }
	m, err := AllocateOn(each, nil, func(int, *cl.Device) Share {
		share := v.share()
		share.Values = Values{"n": 3, "skip": uint64(100), "by": float32(5)}
		return share
	})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	scale := m.Kernel(one{program}, "test_scale", "points table n skip by tables")
	got := make([]float64, 5)
	for _, c := range []struct {
		more Values
		want [5]float64
	}{
		{nil, [5]float64{0, 350, 350, 350, 0}},
		{Values{"by": float32(1), "n": uint32(1)}, [5]float64{0, 70, 350, 350, 0}},
		{nil, [5]float64{0, 350, 350, 350, 0}}, // the fixed values again
	} {
		if err := scale.Launch(0, []int{4}, nil, c.more); err != nil {
			t.Fatal(err)
		}
		if err := v.points.Read(99, got); err != nil || [5]float64(got) != c.want {
			t.Errorf("with %v: %v, %v; want %v", c.more, got, err, c.want)
		}
	}
	for params, want := range map[string]string{
		"points table n skip most tables": "no value for its parameter most",
		"points table skip n by tables":   "in the device text and",          // by its type, or by its name
		"points table n skip none tables": "no value for its parameter none", // has no rows
	} {
		if err := m.Kernel(one{program}, "test_scale", params).Launch(0, []int{4}, nil, nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", params, err, want)
		}
	}
	same := m.Kernel(one{program}, "test_scale", "points table n skip of tables")
	if err := same.Launch(0, []int{4}, nil, Values{"of": float32(1)}); err == nil ||
		!strings.Contains(err.Error(), "parameter 4 is by in the device text and of in Go") {
		t.Errorf("a parameter of another name: %v", err)
	}
}

// fields has what kernels.Struct accepts, with room after the last field.
type fields struct {
	Wide   uint64
	Far    int64
	Narrow uint32
	Near   int32
	TileLo uint32
}

const fieldsText = `
#define TEST_AT(field) (ulong)((private const uchar *)&v.field - (private const uchar *)&v)
kernel void test_fields(global ulong *got, const test_struct v)
{
    got[0] = sizeof(v);
    got[1] = v.wide;
    got[2] = (ulong)v.far;
    got[3] = v.narrow;
    got[4] = (ulong)v.near;
    got[5] = v.tile_lo;
    got[6] = TEST_AT(far);
    got[7] = TEST_AT(narrow);
    got[8] = TEST_AT(near);
    got[9] = TEST_AT(tile_lo);
}
`

// A struct that is passed by value has the same size and places of fields on the device as in Go.
func TestStruct(t *testing.T) {
	d := limited(t, 1<<20)
	program, err := shard.Build(d, shard.Assembly{Precision: problems.FP32,
		Defines: []kernels.Define{kernels.Number("GROUP", 1)},
		Parts:   []kernels.Part{kernels.Struct("test_struct", fields{}), {Name: "fields.cl", Text: fieldsText}}})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	var found *cl.Buffer[uint64]
	m, err := AllocateOn(func(f func(i int, d *cl.Device) error) error { return f(0, d) }, nil,
		func(int, *cl.Device) Share { return Share{Vectors: []Vector{{To: &found, Name: "got", Rows: 10}}} })
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	kernel := m.Kernel(one{program}, "test_fields", "got v")
	for _, v := range []fields{{1 << 40, -3, 5, -7, 9}, {2, 1 << 50, 1<<32 - 1, 4, 6}} {
		if err := kernel.Launch(0, []int{1}, nil, Values{"v": v}); err != nil {
			t.Fatal(err)
		}
		got := make([]uint64, 10)
		want := []uint64{uint64(unsafe.Sizeof(v)), v.Wide, uint64(v.Far), uint64(v.Narrow), uint64(v.Near),
			uint64(v.TileLo), uint64(unsafe.Offsetof(v.Far)), uint64(unsafe.Offsetof(v.Narrow)),
			uint64(unsafe.Offsetof(v.Near)), uint64(unsafe.Offsetof(v.TileLo))}
		if err := found.Read(0, got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%+v: the device has %v, want %v; %v", v, got, want, err)
		}
	}
	if err := kernel.Launch(0, []int{1}, nil, Values{"v": struct{ Wide uint64 }{1}}); err == nil {
		t.Error("another struct is passed")
	}
}
