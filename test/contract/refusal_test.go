package contract

import (
	"context"
	"errors"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/battery"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// small opens n devices that refuse to allocate more than room bytes each. Plans assume that they have more. The caller
// closes the group.
func small(t *testing.T, n int, room int64) *shard.Devices {
	t.Helper()
	infos, err := cl.Discover()
	if err == nil {
		infos, err = cl.Select(infos, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	info := infos[0]
	info.GlobalMem = room
	var devices []*cl.Device
	for range n {
		d, err := cl.Open(info)
		if err != nil {
			t.Fatal(err)
		}
		devices = append(devices, d)
	}
	g, err := shard.NewDevices(devices, shard.Options{Memory: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// held returns the number of bytes that are allocated on a device. It reads them from the error of a refused buffer.
func held(t *testing.T, d *cl.Device) int64 {
	t.Helper()
	_, err := cl.Alloc[uint8](d, int(d.Info().GlobalMem)+1)
	refused, ok := errors.AsType[*cl.MemoryError](err)
	if !ok {
		t.Fatalf("a buffer larger than the memory of the device: %v, want a *cl.MemoryError", err)
	}
	return refused.Held
}

// If a device refuses a buffer, Start or the first step returns that error, and all memory is freed.
func TestR15RefusedBuffers(t *testing.T) {
	count := battery.Begin(t)
	for _, c := range shorttest.Rows(2, memoryRows) {
		t.Run(c.m.Traits().Name+" "+c.spec, func(t *testing.T) {
			p := solvertest.ParseProblem(t, c.spec)
			for _, devices := range []int{1, 2} {
				refuseAll(t, c.m, p, devices)
			}
		})
		count.Count(!t.Failed())
	}
}

// refuseAll starts m again and again, on devices that have room for one more buffer each time.
func refuseAll(t *testing.T, m solvers.Solver, p problems.Problem, devices int) {
	refusals, seen := 0, map[int64]bool{}
	for room := int64(devices); ; {
		g := small(t, devices, room)
		run, err := m.Start(context.Background(), p, g, solvers.Setup{Key: rng.Key{Seed: 1}, Precision: problems.FP64})
		if err == nil {
			_, _, err = run.Step(context.Background(), solvers.Unlimited)
			run.Close()
		}
		for _, d := range g.All() {
			if n := held(t, d); n != 0 {
				t.Fatalf("on %d devices of %d bytes: %d bytes are still allocated", devices, room, n)
			}
		}
		g.Close()
		if err == nil {
			break
		}
		refused, ok := errors.AsType[*cl.MemoryError](err)
		if !ok {
			t.Fatalf("on %d devices of %d bytes: %v, want a *cl.MemoryError", devices, room, err)
		}
		refusals++
		seen[refused.Held] = true
		room = refused.Held + refused.Bytes
	}
	t.Logf("%d refusals on %d devices", refusals, devices)
	if refusals < 2 || len(seen) < 2 {
		t.Errorf("on %d devices: %d refusals, %d of them after different amounts; want at least two", devices,
			refusals, len(seen))
	}
}
