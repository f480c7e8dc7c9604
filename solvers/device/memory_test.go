package device

import (
	"context"
	"errors"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// threeVectors are held by the fields of a struct, as in methods.
type threeVectors struct {
	points *shard.Reals
	sums   *shard.Sums
	table  *cl.Buffer[uint32]
	none   *cl.Buffer[uint16]
}

func (v *threeVectors) share() Share {
	return Share{Precision: problems.FP32, Variables: 1000, Parts: 10, Units: 5, Vectors: []Vector{
		{To: &v.points, Name: "points", What: "points and sums", Rows: 3, Per: Variable, Before: 2},
		{To: &v.sums, Name: "sums", What: "points and sums", Rows: 4, Per: Part},
		{To: &v.table, Name: "table", Rows: 3, Data: []uint32{7, 8, 9}},
		{To: &v.none, Name: "none", Rows: 0, Per: Unit},
	}}
}

func TestItems(t *testing.T) {
	got := (&threeVectors{}).share().Items()
	want := []shard.PlanItem{{What: "points and sums", Bytes: 3002*4 + 40*8}, {What: "table", Bytes: 12, Fixed: true}}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("items are %v, want %v", got, want)
	}
}

// limited opens a device that refuses buffers beyond room bytes in total.
func limited(t *testing.T, room int64) *cl.Device {
	t.Helper()
	infos, err := cl.Discover()
	if err != nil {
		t.Fatal(err)
	}
	infos[0].GlobalMem = room
	d, err := cl.Open(infos[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// held returns the bytes that are allocated on a device, taken from the text of its refusal.
func held(d *cl.Device) int64 {
	_, err := cl.Alloc[uint8](d, int(d.Info().GlobalMem)+1)
	refused, _ := errors.AsType[*cl.MemoryError](err)
	return refused.Held
}

func TestAllocate(t *testing.T) {
	total := int64(3002*4 + 40*8 + 12)
	for room := total - 1; room <= total; room++ {
		d := limited(t, room)
		each := func(f func(i int, d *cl.Device) error) error { return f(0, d) }
		v := &threeVectors{}
		m, err := AllocateOn(each, nil, func(int, *cl.Device) Share { return v.share() })
		if room < total {
			refused, ok := errors.AsType[*RefusedError](err)
			if !ok || refused.Device != 0 || m != nil || v.points != nil || v.sums != nil || held(d) != 0 {
				t.Errorf("a device of %d bytes: %v, %+v, and %d bytes are allocated", room, err, v, held(d))
			}
			m.Close() // nothing was allocated
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		table := make([]uint32, 3)
		if err := v.table.Read(0, table); err != nil || table[0] != 7 || table[2] != 9 {
			t.Errorf("the table is %v, %v", table, err)
		}
		if held(d) != total || v.none != nil {
			t.Errorf("%d bytes are allocated, %d were planned", held(d), total)
		}
		for range 2 {
			m.Close()
			if held(d) != 0 || v.points != nil || v.sums != nil || v.table != nil {
				t.Errorf("%d bytes are still allocated after Close, by %+v", held(d), v)
			}
		}
	}
}

// twoVectors are per unit: points of three numbers, stored row after row, and words.
type twoVectors struct {
	points *shard.Reals
	words  *cl.Buffer[uint32]
}

// Vectors per unit are stored by unit, so that they can be dealt in another way. A device may have no units.
func TestUnitsAreStored(t *testing.T) {
	const wide, rows, units = 2, 3, 5
	number := func(unit, row, k int) float64 { return float64(100*unit + 10*row + k) }
	dealt := func(counts ...int) (*Memory, []*twoVectors) {
		on, first := make([]*twoVectors, len(counts)), make([]int, len(counts))
		for i := 1; i < len(counts); i++ {
			first[i] = first[i-1] + counts[i-1]
		}
		d := limited(t, 1<<20)
		m, err := AllocateOn(func(f func(i int, d *cl.Device) error) error {
			var errs []error
			for i, n := range counts {
				if n > 0 {
					errs = append(errs, f(i, d))
				}
			}
			return errors.Join(errs...)
		}, nil, func(i int, _ *cl.Device) Share {
			v := &twoVectors{}
			on[i] = v
			return Share{FirstUnit: first[i], Units: counts[i], Vectors: []Vector{
				{To: &v.points, Name: "points", Rows: rows, Wide: wide, Per: Unit, Kept: "points"},
				{To: &v.words, Name: "words", Rows: 4, Per: Unit, Kept: "words"},
			}}
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(m.Close)
		return m, on
	}
	all := func(counts []int, on []*twoVectors, do func(v *twoVectors, i, unit, first int)) {
		unit := 0
		for i, n := range counts {
			for first := unit; unit < first+n; unit++ {
				do(on[i], n, unit, unit-first)
			}
		}
	}
	from, to := []int{3, 0, 2}, []int{1, 4}
	m, on := dealt(from...)
	all(from, on, func(v *twoVectors, n, unit, at int) {
		for row := range rows {
			values := []float64{number(unit, row, 0), number(unit, row, 1)}
			if err := v.points.Write((row*n+at)*wide, values); err != nil {
				t.Fatal(err)
			}
		}
		if err := v.words.Write(4*at, []uint32{uint32(unit), 1, 2, 3}); err != nil {
			t.Fatal(err)
		}
	})
	type host struct{ N int }
	kept := solvertest.KeepCheckpoint(t, m.State(&host{units}), solvers.Progress{})
	m, on = dealt(to...)
	var h host
	if _, err := kept.Load(m.State(&h)); err != nil || h.N != units || len(kept.Shards) != 2 {
		t.Fatalf("%v, %d units in %d files", err, h.N, len(kept.Shards))
	}
	all(to, on, func(v *twoVectors, n, unit, at int) {
		got, words := make([]float64, wide), make([]uint32, 4)
		for row := range rows {
			if err := v.points.Read((row*n+at)*wide, got); err != nil || got[0] != number(unit, row, 0) ||
				got[1] != number(unit, row, 1) {
				t.Errorf("unit %d, row %d: %v, %v", unit, row, got, err)
			}
		}
		if err := v.words.Read(4*at, words); err != nil || words[0] != uint32(unit) || words[3] != 3 {
			t.Errorf("unit %d: words %v, %v", unit, words, err)
		}
	})
}

// The device that refuses gets twice as many pieces each time, until it accepts or they cannot be smaller.
func TestSplitUntilFits(t *testing.T) {
	tiling := problems.Tiling{N: 1200, TileVars: 100, TileComps: 100}
	plans := []shard.DevicePlan{{Supers: 4}, {Supers: 8}}
	refuse := &RefusedError{1, errors.New("refused")}
	var sizes []int
	shards, err := SplitUntilFits(tiling, plans, func(shards []shard.Shard) error {
		sizes = append(sizes, len(shards))
		if len(shards) < 5 {
			return refuse
		}
		return nil
	})
	if err != nil || len(shards) != 5 || shards[1].Supers() != 2 || len(sizes) != 3 || sizes[0] != 2 || sizes[1] != 3 {
		t.Errorf("started on %v shards: %v, %v", sizes, shards, err)
	}
	if _, err := SplitUntilFits(tiling, plans, func([]shard.Shard) error { return refuse }); !errors.Is(err, refuse) {
		t.Errorf("a device that refuses the smallest piece: %v", err)
	}
	tries := 0
	if _, err := SplitUntilFits(tiling, plans,
		func([]shard.Shard) error { tries++; return context.Canceled }); tries != 1 || err != context.Canceled {
		t.Errorf("another error: %v after %d tries", err, tries)
	}
}
