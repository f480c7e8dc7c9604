package trial

import (
	"fmt"
	"sync"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// Sums lets each device of this rank add whole numbers in work-groups, once in a process. No such sum is rounded, in
// whatever order it is added, so the device must return the bits of the host. If it does not, the error is a
// *shard.SumError. shard.Options.NoCheck switches this off.
func Sums(g *shard.Devices) error {
	return g.Do(func(_ int, d *cl.Device) error {
		if !g.Checked() {
			return nil
		}
		index := d.Info().Index
		known, found := exact.Load(index)
		if !found {
			known = addsExactly(d)
		}
		if err, failed := known.(error); failed { // it is told once
			exact.Delete(index)
			return err
		}
		exact.Store(index, nil)
		return nil
	})
}

// SumsAhead tests the devices early. The next Sums returns the result without testing them again.
func SumsAhead(g *shard.Devices) {
	g.Do(func(_ int, d *cl.Device) error {
		if _, found := exact.Load(d.Info().Index); !found && g.Checked() {
			exact.Store(d.Info().Index, addsExactly(d))
		}
		return nil
	})
}

// exact has what addsExactly has returned in this process, by the index of the device. A program takes some 20 ms to
// load.
var exact sync.Map

// addsExactly is Sums for one device.
func addsExactly(d *cl.Device) error {
	const groups = 4
	size := shard.GroupSize(d.Info())
	values := make([]float32, groups*size)
	for i := range values {
		values[i] = float32(int32(rng.Key{}.Word(uint32(i), 0, 0, rng.Check)) >> 8) // 24 bits, and both signs
	}
	sums, err := GroupSums(d, values)
	if err != nil {
		return err
	}
	want := make([]float64, groups)
	for i, v := range values {
		want[i/size] += float64(v)
	}
	for i, v := range want {
		if sums[i] != v {
			return &shard.SumError{Device: d.String(), Got: sums[i], Want: v}
		}
	}
	return nil
}

// GroupSums adds values in work-groups of shard.GroupSize on a device, and returns the sum of each group. The number of
// values is a multiple of shard.GroupSize.
func GroupSums(d *cl.Device, values []float32) ([]float64, error) {
	size := shard.GroupSize(d.Info())
	prog, err := shard.Build(d, shard.Assembly{Precision: problems.FP32,
		Defines: []kernels.Define{{Name: "GROUP", Value: fmt.Sprint(size)}},
		Parts:   []kernels.Part{kernels.Get("lib/check.cl")}})
	if err != nil {
		return nil, err
	}
	defer prog.Close()
	k, err := prog.Kernel("check_sum", cl.Mem[float32](), shard.SumArg(d))
	if err != nil {
		return nil, err
	}
	in, err := cl.Alloc[float32](d, len(values))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	out, err := shard.AllocSums(d, len(values)/size)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	if err := in.Write(0, values); err != nil {
		return nil, err
	}
	if err := k.Launch([]int{len(values)}, []int{size}, in, out.Arg()); err != nil {
		return nil, err
	}
	sums := make([]float64, len(values)/size)
	return sums, out.Read(0, sums)
}
