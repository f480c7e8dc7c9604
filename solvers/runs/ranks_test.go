package runs_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/test/hoststest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// together is a run on some ranks, with one device each.
type together struct {
	t         *testing.T
	ranks     int
	last      int // devices of the last rank; 0: one
	dir       string
	evals     int64
	resume    bool
	elsewhere bool // the other ranks have another problem
}

// open opens the devices of a rank.
func (c together) open(h ranks.Hosts) (*shard.Devices, error) {
	infos, err := shard.Select("", problems.FP64)
	if err != nil {
		return nil, err
	}
	own := infos[h.Rank() : h.Rank()+1]
	if h.Rank() == c.ranks-1 && c.last > 0 {
		own = infos[h.Rank() : h.Rank()+c.last]
	}
	return shard.Open(own, shard.Options{Hosts: h})
}

// make makes or resumes the run and returns the result of rank 0.
func (c together) make() (result *record.Result, err error) {
	c.t.Helper()
	infos, err := shard.Select("", problems.FP64)
	if n := c.ranks + max(c.last-1, 0); err != nil || len(infos) < n {
		c.t.Fatalf("%d devices, %v; the test needs %d: set POCL_DEVICES to \"pthread pthread pthread\"", len(infos),
			err, n)
	}
	err = hoststest.Run(c.ranks, func(h ranks.Hosts) error {
		g, err := c.open(h)
		if err != nil {
			return err
		}
		defer g.Close()
		method, err := methods.New("masw", map[string]string{"population": "8", "iterations": "5", "portions": "3"})
		if err != nil {
			return err
		}
		spec := "cec2013/f12:n=7000,mode=paper"
		if c.elsewhere && h.Rank() > 0 {
			spec = "cec2013/f12:n=7001,mode=paper"
		}
		run := &runs.Run{Problem: solvertest.ParseProblem(c.t, spec), Solver: method, Devices: g, Seed: 4,
			Budget:  solvers.Budget{Evaluations: c.evals},
			Storage: runs.Storage{Format: "npy", Schedule: runs.Schedule{Every: time.Nanosecond}}}
		if h.Rank() > 0 {
			return run.Follow(context.Background())
		}
		var from *checkpoints.Saved
		if c.resume {
			if from, err = run.Newest(c.dir, 0); err != nil {
				return err
			}
		}
		result, err = run.Continue(context.Background(), c.dir, 0, from)
		return errors.Join(err, run.Dismiss())
	})
	return result, err
}

// point returns the best point that the run has stored.
func (c together) point() []byte {
	c.t.Helper()
	x, err := os.ReadFile(filepath.Join(c.dir, "best.npy"))
	if err != nil {
		c.t.Fatal(err)
	}
	return x
}

// A run on several ranks writes one folder, and goes on from its checkpoint on any number of ranks, bit for bit. Its
// best point may go to a file in pieces.
func TestRanks(t *testing.T) {
	point := func(ranks, resumed int) []byte {
		t.Helper()
		c := together{t: t, ranks: ranks, dir: t.TempDir(), evals: 208}
		if resumed > 0 {
			c.evals = 104
		}
		if _, err := c.make(); err != nil {
			t.Fatalf("%d ranks: %v", ranks, err)
		}
		if resumed > 0 {
			names, err := runs.Checkpoints(c.dir)
			if err != nil || len(names) != 2 {
				t.Fatalf("checkpoints %v, %v", names, err)
			}
			files, err := filepath.Glob(filepath.Join(c.dir, "checkpoint", names[0], "shard-*.ck"))
			if err != nil || len(files) != ranks {
				t.Errorf("%d ranks have stored %d shards, %v", ranks, len(files), err)
			}
			c.ranks, c.resume, c.evals = resumed, true, 208
			if _, err := c.make(); err != nil {
				t.Fatalf("%d ranks, resumed on %d: %v", ranks, resumed, err)
			}
		}
		return c.point()
	}
	want := point(1, 0)
	defer runs.StreamPoints()()
	for _, c := range [][2]int{{3, 0}, {2, 1}, {1, 3}, {3, 2}} {
		if !slices.Equal(point(c[0], c[1]), want) {
			t.Errorf("%d ranks, resumed on %d: another point", c[0], c[1])
		}
	}
}

// Ranks that have another problem refuse the run, and all ranks say so.
func TestRanksDiffer(t *testing.T) {
	c := together{t: t, ranks: 2, dir: t.TempDir(), evals: 8, elsewhere: true}
	_, err := c.make()
	if f, ok := errors.AsType[*runs.Fault](err); !ok || f.Kind != runs.Ranks ||
		!strings.Contains(err.Error(), "rank 1: it has another run: the problem is cec2013/f12:mode=paper,n=7001, "+
			"and on rank 0 cec2013/f12:mode=paper,n=7000") {
		t.Errorf("%v", err)
	}
}

// A device of a rank fails. The ranks go on without it, with the same bits, as long as each has another one. The result
// counts it, also when the run was resumed since.
func TestRanksLoseDevice(t *testing.T) {
	calls := map[string]int{}
	lose := func(ranks, last int, fault func(cl.Call) cl.Fault) (together, *record.Result, error) {
		c := together{t: t, ranks: ranks, last: last, dir: t.TempDir(), evals: 208}
		var mu sync.Mutex
		defer cl.Inject(func(call cl.Call) cl.Fault {
			mu.Lock()
			defer mu.Unlock()
			calls[call.Function]++
			return fault(call)
		})()
		result, err := c.make()
		return c, result, err
	}
	whole, _, err := lose(2, 2, func(cl.Call) cl.Fault { return cl.Fault{} })
	if err != nil {
		t.Fatal(err)
	}
	want, all := whole.point(), maps.Clone(calls)
	draw := rand.New(rand.NewPCG(5, 6))
	dies := func(function string) func(cl.Call) cl.Fault {
		at, dead := draw.IntN(all[function]), (*cl.Device)(nil)
		return func(c cl.Call) cl.Fault {
			if c.Device.Info().Index == 0 {
				return cl.Fault{} // the only one of rank 0
			}
			if c.Function == function && c.Number >= at && dead == nil {
				dead = c.Device
			}
			if dead == c.Device {
				return cl.Fault{Code: cl.OutOfResources}
			}
			return cl.Fault{}
		}
	}
	functions := []string{"clEnqueueNDRangeKernel", "clEnqueueReadBuffer", "clFinish", "clEnqueueWriteBuffer"}
	for _, function := range shorttest.Rows(2, functions) {
		c, result, err := lose(2, 2, dies(function))
		if err != nil {
			t.Errorf("%s: %v", function, err)
			continue
		}
		if !slices.Equal(c.point(), want) {
			t.Errorf("%s: another point", function)
		}
		c.ranks, c.last, c.resume, c.evals = 1, 0, true, 216
		resumed, err := c.make()
		if err != nil {
			t.Errorf("%s: resumed: %v", function, err)
		} else if result.Events.Lost != 1 || resumed.Events.Lost != 1 {
			t.Errorf("%s: %+v, resumed %+v", function, result.Events, resumed.Events)
		}
	}
	// Rank 1 has no other device.
	_, result, err := lose(2, 1, dies(functions[0]))
	if !shard.Lost(err) || result == nil || !result.Best.Confirmed || result.Events.Lost != 1 {
		t.Errorf("one device each: %+v, %v", result, err)
	}
}
