package device

import (
	"strings"
	"testing"

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
