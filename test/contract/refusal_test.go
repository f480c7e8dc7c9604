package contract

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/cgrasp"
	"github.com/clopt/clopt/solvers/graybox"
	"github.com/clopt/clopt/solvers/masw"
	"github.com/clopt/clopt/solvers/mixing"
	"github.com/clopt/clopt/solvers/random"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// small opens n devices that refuse a buffer once room bytes are allocated, which no plan knows. The caller closes
// them.
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

// held returns the number of bytes that are allocated on a device, from the text of a refusal.
func held(t *testing.T, d *cl.Device) int64 {
	t.Helper()
	_, err := cl.Alloc[uint8](d, int(d.Info().GlobalMem)+1)
	refused, ok := errors.AsType[*cl.MemoryError](err)
	if !ok {
		t.Fatalf("a buffer above all memory: %v", err)
	}
	return refused.Held
}

// A buffer that a device refuses ends Start or the first step, whichever it is, with that
// refusal, and everything that was taken before it is given back.
func TestRefusedBuffers(t *testing.T) {
	for _, c := range shorttest.Rows(2, []struct {
		m    solvers.Solver
		spec string
	}{
		{&cgrasp.CGRASP{Starts: 3}, "classic/F16"}, // with tables
		{&mixing.AnnealGraph{Chains: 32}, "maxcut:torus=8x8,weights=pm1"},
		{&masw.MASW{Population: 8, Portions: 3}, "cec2013/f12:n=7000,mode=paper"},
		{&random.Random{Batch: 4}, "cec2013/f12:n=300000,mode=paper"}, // super-tiles of two tiles
		{&anneal.SA{Variant: "sweeps"}, "classic/rosenbrock:n=4001"},
		{&graybox.Graybox{Population: 8}, "cec2013/f12:n=2000,mode=paper"},
		{&graybox.Graybox{Population: 8, Scheme: "synchronous"}, "cec2013/f2:n=2000"},
		{&graybox.Graybox{Population: 8, Parts: 1, On: "device"}, "cec2013/f1:n=2000"},
		{&anneal.SA{Variant: "v1", Chains: 256}, "classic/rosenbrock:n=4"},
		{&anneal.SA{Variant: "v2", Chains: 256}, "classic/rosenbrock:n=4"},
		{&mixing.GOMEA{Population: 4}, "maxcut:torus=8x8,weights=pm1"},
		{&mixing.GOMEA{Population: 4, Linkage: "univariate"}, "maxcut:torus=8x8,weights=pm1"},
		{&mixing.GOMEA{Population: 4, Linkage: "components"}, "maxcut:torus=8x8,weights=pm1"},
		{&mixing.AnnealGraph{Chains: 4}, "maxcut:torus=8x8,weights=1..5000"}, // chains one by one
	}) {
		t.Run(c.m.Name()+" "+c.spec, func(t *testing.T) {
			p := solvertest.ParseProblem(t, c.spec)
			for _, devices := range []int{1, 2} {
				refuseAll(t, c.m, p, devices)
			}
		})
	}
}

// refuseAll runs m on devices that have room for one more buffer each time.
func refuseAll(t *testing.T, m solvers.Solver, p problems.Problem, devices int) {
	refusals, seen := 0, map[int64]bool{}
	for room := int64(devices); ; {
		g := small(t, devices, room)
		run, err := m.Start(context.Background(), p, g, solvers.Setup{Key: rng.Key{Seed: 1}, Precision: problems.FP64})
		if err == nil {
			_, _, err = run.Step(context.Background(), math.MaxInt64)
			run.Close()
		}
		for _, d := range g.All() {
			if n := held(t, d); n != 0 {
				t.Fatalf("on %d devices of %d bytes: %d bytes are held at the end", devices, room, n)
			}
		}
		g.Close()
		if err == nil {
			break
		}
		refused, ok := errors.AsType[*cl.MemoryError](err)
		if !ok {
			t.Fatalf("on %d devices of %d bytes: %v", devices, room, err)
		}
		refusals++
		seen[refused.Held] = true
		room = refused.Held + refused.Bytes
	}
	t.Logf("%d refusals on %d devices", refusals, devices)
	if refusals < 2 || len(seen) < 2 {
		t.Errorf("on %d devices: %d refusals at %d places", devices, refusals, len(seen))
	}
}
