package contract

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/battery"
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
	warm   *pool   // of devices that the run takes; nil: it opens new ones
}

// pool is devices that stay open from run to run. They keep the programs that the runs have built, which takes most of
// the time of a run.
type pool struct {
	devices [3]*cl.Device
	twice   bool // the first device is opened twice, and the second once; otherwise there are three if there can be
}

// open returns the first n devices. It opens those that are not open.
func (p *pool) open(t *testing.T, n int, opt shard.Options) *shard.Devices {
	t.Helper()
	infos, err := shard.Select("", problems.FP64)
	if err != nil {
		t.Fatal(err)
	}
	for k := range n {
		if p.devices[k] != nil {
			continue
		}
		at := k
		if p.twice {
			at = k / 2
		}
		if p.devices[k], err = cl.Open(infos[at%len(infos)]); err != nil {
			t.Fatal(err)
		}
	}
	g, err := shard.NewDevices(slices.Clone(p.devices[:n]), opt)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// lose forgets those of the first n devices that g has lost.
func (p *pool) lose(n int, g *shard.Devices) {
	for k := range n {
		if !slices.Contains(g.All(), p.devices[k]) {
			p.devices[k] = nil
		}
	}
}

// close closes all devices.
func (p *pool) close() {
	for k, d := range p.devices {
		if d != nil {
			d.Close()
		}
		p.devices[k] = nil
	}
}

// made is the outcome of a run, and the calls of the driver.
type made struct {
	res   *solvers.Result
	err   error
	calls map[string]int
}

// on makes the run on some devices, with faults.
func (r faultyRun) on(devices int, opt shard.Options, fault cl.Injector) made {
	from := r.warm
	if from == nil {
		from = &pool{}
		defer from.close()
	}
	g := from.open(r.t, devices, opt)
	defer from.lose(devices, g)
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
	s.Keeper = &solvertest.StepKeeper{T: r.t, After: r.after, Kept: map[int64]*solvertest.Checkpoint{}}
	res, err := solvers.Minimize(context.Background(), r.p, g, s, r.method)
	mu.Lock()
	defer mu.Unlock()
	return made{res, err, calls}
}

func none(cl.Call) cl.Fault { return cl.Fault{} }

// once fails call k of a function with a code.
func once(function string, k int, code cl.Code) cl.Injector {
	return func(c cl.Call) cl.Fault {
		if c.Function == function && c.Number == k {
			return cl.Fault{Code: code}
		}
		return cl.Fault{}
	}
}

// faultCodes are codes that drivers return for failed devices.
var faultCodes = []cl.Code{cl.OutOfResources, -2, -36, -14, -9999}

// TestR9Faults fails one call of the driver after the other. With three devices the run goes on with two, and has the
// same bits. With one device it ends with the error of the device and a point that the host has evaluated. Most runs
// take devices that have built the programs.
func TestR9Faults(t *testing.T) {
	count := battery.Begin(t)
	each := 1 // calls of a function
	if !testing.Short() {
		each = 40
	}
	eachFaultyRun(t, shorttest.Rows(3, slices.Concat(rows, hostRows)), func(r faultyRun, want made) {
		cold := r.counted()
		r.warm = &pool{}
		defer r.warm.close()
		r.on(3, shard.Options{}, none)
		warm := r.counted()
		draw := rand.New(rand.NewPCG(1, 2))
		for _, function := range slices.Sorted(maps.Keys(want.calls)) {
			for k := range min(each, want.calls[function]) {
				run, at := warm, draw.IntN(want.calls[function])
				if at >= warm.calls[3][function] { // some calls are made on devices that have not built the programs
					run, at = cold, draw.IntN(want.calls[function])
				}
				code := faultCodes[k%len(faultCodes)]
				about := fmt.Sprintf("%s %d of %d fails with %v", function, at, run.calls[3][function], code)
				run.survives(count, about, want.res, func(devices int) cl.Injector {
					return once(function, at*run.calls[devices][function]/max(run.calls[3][function], 1), code)
				}, shard.Options{})
			}
		}
	})
}

// countedRun is a run and the calls of the driver that it makes on one device and on three.
type countedRun struct {
	faultyRun
	calls map[int]map[string]int // by the number of devices
}

// counted counts the calls of a run.
func (r faultyRun) counted() countedRun {
	calls := map[int]map[string]int{}
	for _, devices := range []int{1, 3} {
		calls[devices] = r.on(devices, shard.Options{}, none).calls
	}
	return countedRun{r, calls}
}

// TestR10DeadDevice fails a random launch, and after it all calls of its device. The run goes on with the other two,
// and has the same bits.
func TestR10DeadDevice(t *testing.T) {
	count := battery.Begin(t)
	each := 2
	if !testing.Short() {
		each = 50
	}
	eachFaultyRun(t, shorttest.Rows(3, forms), func(r faultyRun, want made) {
		draw := rand.New(rand.NewPCG(3, 4))
		for k := range each {
			at := draw.IntN(want.calls["clEnqueueNDRangeKernel"])
			err := r.same(r.on(3, shard.Options{}, dies(at, faultCodes[k%len(faultCodes)])), want.res)
			count.Check(err == nil, "%s dies in launch %d: %v", r.method.Traits().Name, at, err)
		}
	})
}

// dies fails a launch, and after it all calls of its device.
func dies(launch int, code cl.Code) cl.Injector {
	var dead atomic.Pointer[cl.Device]
	return func(c cl.Call) cl.Fault {
		if c.Function == "clEnqueueNDRangeKernel" && c.Number == launch {
			dead.Store(c.Device)
		}
		if c.Device == dead.Load() {
			return cl.Fault{Code: code}
		}
		return cl.Fault{}
	}
}

// eachFaultyRun makes the run of each row without faults on three devices, and calls do in a test of its own.
func eachFaultyRun(t *testing.T, rows []row, do func(faultyRun, made)) {
	problemtest.Devices(t, 1)
	for _, c := range rows {
		m, p := method(t, c.method), solvertest.ParseProblem(t, c.problem)
		if c.evals == 0 {
			c.evals = 133
		}
		t.Run(c.method, func(t *testing.T) {
			r := faultyRun{t, m, p, solvers.Settings{Key: rng.Key{Seed: 4, Run: 1}, Precision: c.prec,
				Budget: solvers.Budget{Evaluations: c.evals}}, c.stops, nil}
			want := r.on(3, shard.Options{}, none)
			if want.err != nil {
				t.Fatal(want.err)
			}
			do(r, want)
		})
	}
}

// survives makes the run on three devices, one of which fails, and on one, and counts both. fault returns the fault of
// a run on some devices.
func (r faultyRun) survives(count *battery.Row, about string, want *solvers.Result,
	fault func(devices int) cl.Injector, opt shard.Options) {
	r.t.Helper()
	got := r.on(3, opt, fault(3))
	if _, refused := errors.AsType[*cl.MemoryError](got.err); refused {
		return // a run does not begin on devices that refuse its memory
	}
	err := r.same(got, want)
	count.Check(err == nil, "%s: %s: %v", r.method.Traits().Name, about, err)
	alone := r.on(1, opt, fault(1))
	_, referenced := r.p.(problems.Referenced)
	switch {
	case alone.err == nil: // the call was not made
		err = nil
	case shard.Failed(alone.err) == nil:
		err = fmt.Errorf("%w, which is no error of the device", alone.err)
	case !referenced: // no device is left that could evaluate a point
		err = nil
	case alone.res == nil || !alone.res.Confirmed:
		err = fmt.Errorf("no confirmed point: %+v, %w", alone.res, alone.err)
	default:
		err = nil
	}
	count.Check(err == nil, "%s: %s, one device: %v", r.method.Traits().Name, about, err)
}

// same returns an error unless a run has ended well, with the wanted bits.
func (r faultyRun) same(got made, want *solvers.Result) error {
	switch {
	case got.err != nil && shard.Failed(got.err) == nil:
		return got.err
	case got.err != nil:
		return fmt.Errorf("the run did not go on: %w", got.err)
	case math.Float64bits(got.res.F) != math.Float64bits(want.F) || !slices.Equal(got.res.X, want.X) ||
		got.res.Evaluations != want.Evaluations:
		return fmt.Errorf("%v after %d evaluations; want %v after %d", got.res.F, got.res.Evaluations, want.F,
			want.Evaluations)
	}
	return nil
}

// TestOneOfTwoOpenings makes a run on two openings of a device and one of another. Where calls of the first opening
// fail, the run goes on with the two others; where a call of it hangs, the run goes on with the other device. Each time
// it has the same bits.
func TestOneOfTwoOpenings(t *testing.T) {
	infos, err := shard.Select("", problems.FP64)
	if err != nil {
		t.Fatal(err)
	}
	if len(infos) < 2 {
		t.Skip("needs two devices")
	}
	eachFaultyRun(t, shorttest.Rows(1, forms), func(r faultyRun, want made) {
		r.warm = &pool{twice: true}
		defer r.warm.close()
		if got := r.on(3, shard.Options{}, none); r.same(got, want.res) != nil {
			t.Fatal(got.res, got.err)
		}
		back := make(chan struct{})
		defer close(back)
		for _, c := range []struct {
			about string
			fault cl.Fault
			left  int
		}{
			{"fails", cl.Fault{Code: cl.OutOfResources}, 2},
			{"hangs", cl.Fault{Hang: back}, 1},
		} {
			r.warm.close() // one that is opened later would not share the context in which a call has failed
			got := r.on(3, shard.Options{Watchdog: time.Second}, func(call cl.Call) cl.Fault {
				if call.Device == r.warm.devices[0] && call.Function == "clEnqueueReadBuffer" {
					return c.fault
				}
				return cl.Fault{}
			})
			left := 0
			for _, d := range r.warm.devices {
				if d != nil {
					left++
				}
			}
			if err := r.same(got, want.res); err != nil || left != c.left {
				t.Errorf("an opening %s: %d of 3 are left, want %d; %v", c.about, left, c.left, err)
			}
		}
	})
}

// TestR11Hangs makes launches hang. The run goes on without the device.
func TestR11Hangs(t *testing.T) {
	count := battery.Begin(t)
	eachFaultyRun(t, shorttest.Rows(1, forms), func(r faultyRun, want made) {
		for _, function := range []string{"clEnqueueNDRangeKernel", "clFinish", "clEnqueueReadBuffer"} {
			if want.calls[function] == 0 {
				continue
			}
			back := make(chan struct{})
			at := want.calls[function] * 3 / 4 // kernels are compiled before
			r.survives(count, fmt.Sprintf("%s %d hangs", function, at), want.res, func(int) cl.Injector {
				return func(c cl.Call) cl.Fault {
					if c.Function == function && c.Number == at {
						return cl.Fault{Hang: back}
					}
					return cl.Fault{}
				}
			}, shard.Options{Watchdog: 2 * time.Second})
			close(back)
		}
	})
}
