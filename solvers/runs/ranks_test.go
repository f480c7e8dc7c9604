package runs_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/test/hoststest"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/solvertest"
)

// together is a run on some ranks, with one device each.
type together struct {
	t         *testing.T
	devices   []*cl.Device
	ranks     int
	dir       string
	evals     int64
	resume    bool
	elsewhere bool // the other ranks have another problem
}

// make makes or resumes the run and returns the result of rank 0.
func (c together) make() (result *runs.Result, err error) {
	c.t.Helper()
	err = hoststest.Run(c.ranks, func(h shard.Hosts) error {
		g, err := shard.NewDevices(c.devices[h.Rank():h.Rank()+1], shard.Options{Hosts: h})
		if err != nil {
			return err
		}
		method, err := methods.New("masw", map[string]string{"population": "8", "iterations": "5", "portions": "3"})
		if err != nil {
			return err
		}
		spec := "cec2013/f12:n=7000,mode=paper"
		if c.elsewhere && h.Rank() > 0 {
			spec = "cec2013/f12:n=7001,mode=paper"
		}
		run := &runs.Run{Problem: solvertest.ParseProblem(c.t, spec), Solver: method, Devices: g, Seed: 4,
			Budget: solvers.Budget{Evaluations: c.evals}, Format: "npy",
			Schedule: runs.Schedule{Every: time.Nanosecond}}
		if h.Rank() > 0 {
			return run.Follow(context.Background())
		}
		var from *runs.Saved
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

// A run on several ranks writes one folder, and goes on from its checkpoint on any number of ranks, bit for bit.
func TestRanks(t *testing.T) {
	devices := problemtest.Devices(t, 3)
	point := func(ranks, resumed int) []byte {
		t.Helper()
		dir := t.TempDir()
		c := together{t: t, devices: devices, ranks: ranks, dir: dir, evals: 208}
		if resumed > 0 {
			c.evals = 104
		}
		if _, err := c.make(); err != nil {
			t.Fatalf("%d ranks: %v", ranks, err)
		}
		if resumed > 0 {
			names, err := runs.Checkpoints(dir)
			if err != nil || len(names) != 2 {
				t.Fatalf("checkpoints %v, %v", names, err)
			}
			files, err := filepath.Glob(filepath.Join(dir, "checkpoint", names[0], "shard-*.ck"))
			if err != nil || len(files) != ranks {
				t.Errorf("%d ranks have stored %d shards, %v", ranks, len(files), err)
			}
			c.ranks, c.resume, c.evals = resumed, true, 208
			if _, err := c.make(); err != nil {
				t.Fatalf("%d ranks, resumed on %d: %v", ranks, resumed, err)
			}
		}
		x, err := os.ReadFile(filepath.Join(dir, "best.npy"))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	want := point(1, 0)
	for _, c := range [][2]int{{3, 0}, {2, 1}, {1, 3}, {3, 2}} {
		if !slices.Equal(point(c[0], c[1]), want) {
			t.Errorf("%d ranks, resumed on %d: another point", c[0], c[1])
		}
	}
}

// Ranks that have another problem refuse the run, and all ranks say so.
func TestRanksDiffer(t *testing.T) {
	c := together{t: t, devices: problemtest.Devices(t, 2), ranks: 2, dir: t.TempDir(), evals: 8, elsewhere: true}
	_, err := c.make()
	if f, ok := errors.AsType[*runs.Fault](err); !ok || f.Kind != runs.Ranks ||
		!strings.Contains(err.Error(), "rank 1: it has another run: the problem is cec2013/f12:mode=paper,n=7001, "+
			"and on rank 0 cec2013/f12:mode=paper,n=7000") {
		t.Errorf("%v", err)
	}
}
