package contract

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// faultyRun is a run whose driver fails.
type faultyRun struct {
	t      *testing.T
	method solvers.Solver
	p      problems.Problem
	s      solvers.Settings
	after  []int64 // steps with a checkpoint
}

// made is the outcome of a run, and the calls of the driver.
type made struct {
	res   *solvers.Result
	err   error
	calls map[string]int
}

// on makes the run on some devices, with faults.
func (r faultyRun) on(devices int, opt shard.Options, fault func(c cl.Call) cl.Fault) made {
	g := openDevices(r.t, devices, opt)
	defer g.Close()
	calls := map[string]int{}
	var mu sync.Mutex
	end := cl.Inject(func(c cl.Call) cl.Fault {
		mu.Lock()
		calls[c.Function]++
		mu.Unlock()
		return fault(c)
	})
	defer end()
	s := r.s
	s.Keeper = &solvertest.Cutter{T: r.t, After: r.after, Kept: map[int64]*solvertest.Checkpoint{}}
	res, err := solvers.Minimize(context.Background(), r.p, g, s, r.method)
	mu.Lock()
	defer mu.Unlock()
	return made{res, err, calls}
}

// openDevices opens devices that the test may lose.
func openDevices(t *testing.T, n int, opt shard.Options) *shard.Devices {
	t.Helper()
	infos, err := shard.Select("", problems.FP64)
	if err != nil {
		t.Fatal(err)
	}
	var chosen []cl.Info
	for k := range n {
		chosen = append(chosen, infos[k%len(infos)])
	}
	g, err := shard.Open(chosen, opt)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func none(cl.Call) cl.Fault { return cl.Fault{} }

// once fails call k of a function with a code.
func once(function string, k int, code cl.Code) func(cl.Call) cl.Fault {
	return func(c cl.Call) cl.Fault {
		if c.Function == function && c.Number == k {
			return cl.Fault{Code: code}
		}
		return cl.Fault{}
	}
}

// faultCodes are codes that drivers return for failed devices.
var faultCodes = []cl.Code{cl.OutOfResources, -2, -36, -14, -9999}

// TestFaults fails one call of the driver after the other. With three devices the run goes on with two, and has the
// same bits. With one device it ends with the error of the device and a point that the host has evaluated.
func TestFaults(t *testing.T) {
	problemtest.Devices(t, 1)
	each := 1 // calls of a function
	if !testing.Short() {
		each = 40
	}
	for _, c := range shorttest.Rows(3, slices.Concat(rows, hostRows)) {
		m, p := method(t, c.method), solvertest.ParseProblem(t, c.problem)
		if c.evals == 0 {
			c.evals = 133
		}
		r := faultyRun{t, m, p, solvers.Settings{Key: rng.Key{Seed: 4, Run: 1}, Precision: c.prec,
			Budget: solvers.Budget{Evaluations: c.evals}}, c.cuts}
		t.Run(c.method, func(t *testing.T) {
			r.t = t
			want := r.on(3, shard.Options{}, none)
			if want.err != nil {
				t.Fatal(want.err)
			}
			draw := rand.New(rand.NewPCG(1, 2))
			for _, function := range slices.Sorted(keys(want.calls)) {
				for k := range min(each, want.calls[function]) {
					at := draw.IntN(want.calls[function])
					code := faultCodes[k%len(faultCodes)]
					about := fmt.Sprintf("%s %d of %d fails with %v", function, at, want.calls[function], code)
					r.survives(about, want.res, once(function, at, code), shard.Options{})
				}
			}
		})
	}
}

func keys(m map[string]int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// survives makes the run on three devices, one of which fails, and on one.
func (r faultyRun) survives(about string, want *solvers.Result, fault func(cl.Call) cl.Fault, opt shard.Options) {
	r.t.Helper()
	got := r.on(3, opt, fault)
	if _, refused := errors.AsType[*cl.MemoryError](got.err); refused {
		return // a run does not begin on devices that refuse its memory
	}
	switch {
	case got.err != nil && shard.Failed(got.err) == nil:
		r.t.Errorf("%s: %v", about, got.err)
	case got.err != nil:
		r.t.Errorf("%s: the run did not go on: %v", about, got.err)
	case math.Float64bits(got.res.F) != math.Float64bits(want.F) || !slices.Equal(got.res.X, want.X) ||
		got.res.Evaluations != want.Evaluations:
		r.t.Errorf("%s: %v after %d evaluations; want %v after %d", about, got.res.F, got.res.Evaluations, want.F,
			want.Evaluations)
	}
	alone := r.on(1, opt, fault)
	_, referenced := r.p.(problems.Referenced)
	switch {
	case alone.err == nil: // the call was not made
	case shard.Failed(alone.err) == nil:
		r.t.Errorf("%s, one device: %v, want an error of the device", about, alone.err)
	case !referenced: // no device is left that could evaluate a point
	case alone.res == nil || !alone.res.Confirmed:
		r.t.Errorf("%s, one device: no confirmed point: %+v, %v", about, alone.res, alone.err)
	}
}

// TestHangs makes launches hang. The run goes on without the device.
func TestHangs(t *testing.T) {
	problemtest.Devices(t, 1)
	for _, c := range shorttest.Rows(1, rows[:10]) {
		m, p := method(t, c.method), solvertest.ParseProblem(t, c.problem)
		if c.evals == 0 {
			c.evals = 133
		}
		r := faultyRun{t, m, p, solvers.Settings{Key: rng.Key{Seed: 4, Run: 1}, Precision: c.prec,
			Budget: solvers.Budget{Evaluations: c.evals}}, c.cuts}
		want := r.on(3, shard.Options{}, none)
		if want.err != nil {
			t.Fatal(want.err)
		}
		for _, function := range []string{"clEnqueueNDRangeKernel", "clFinish", "clEnqueueReadBuffer"} {
			if want.calls[function] == 0 {
				continue
			}
			back := make(chan struct{})
			at := want.calls[function] / 2
			r.survives(fmt.Sprintf("%s: %s %d hangs", c.method, function, at), want.res, func(c cl.Call) cl.Fault {
				if c.Function == function && c.Number == at {
					return cl.Fault{Hang: back}
				}
				return cl.Fault{}
			}, shard.Options{Watchdog: 2 * time.Second})
			close(back)
		}
	}
}
