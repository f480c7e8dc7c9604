package runs_test

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/test/solvertest"
)

// slow is a disk that takes some time to open run.toml, and as long for result.json.
type slow struct {
	disk.Disk
	time.Duration
}

func (s slow) OpenFile(name string, flag int) (disk.File, error) {
	if flag&os.O_CREATE != 0 && (strings.Contains(name, "run.toml") || strings.Contains(name, "result.json")) {
		time.Sleep(s.Duration)
	}
	return s.Disk.OpenFile(name, flag)
}

// witness is an Observer that counts the ends of the steps of runs.
type witness struct{ closings int }

func (*witness) Log(io.Writer)          {}
func (*witness) Say(runs.Level, string) {}
func (*witness) Line(any)               {}
func (*witness) Begin(runs.Beginning)   {}
func (*witness) Sample(solvers.Sample)  {}
func (w *witness) Closing()             { w.closings++ }
func (*witness) End()                   {}

// TestTimesAddUp checks that the times of a run, and of one that is resumed, have everything that a caller waits for:
// files before the first step are part of the start-up, and those after the last one of the closing, which the Observer
// is told of.
func TestTimesAddUp(t *testing.T) {
	devices := solvertest.OpenFirst(t, 1, shard.Options{})
	problem := solvertest.ParseProblem(t, "classic/rastrigin:n=16")
	solver, err := methods.New("random", map[string]string{"batch": "50"})
	if err != nil {
		t.Fatal(err)
	}
	const wait = 50 * time.Millisecond
	var w witness
	run := runs.Run{Problem: problem, Solver: solver, Devices: devices, Precision: problems.FP64, Seed: 1,
		Caller:  runs.Caller{Observer: &w},
		Storage: runs.Storage{Disk: func(d disk.Disk) disk.Disk { return slow{d, wait} }}}
	dir := t.TempDir()
	var from *checkpoints.Saved
	before := exact.Number(0)
	for _, evals := range []int64{150, 300} {
		run.Budget = solvers.Budget{Evaluations: evals}
		began := time.Now()
		r, err := run.Continue(t.Context(), dir, 0, from)
		took := time.Since(began).Seconds()
		if err != nil {
			t.Fatal(err)
		}
		all := float64(r.StartUp+r.Seconds-before) + r.Closing.Seconds()
		if float64(r.StartUp) < wait.Seconds() || r.Closing < wait || all > took {
			t.Errorf("%d evaluations: start-up %g, steps %g, closing %v, and all took %g", evals, r.StartUp,
				r.Seconds-before, r.Closing, took)
		}
		if before = r.Seconds; w.closings != int(evals/150) {
			t.Errorf("%d evaluations: closed %d times", evals, w.closings)
		}
		if from, err = run.Newest(dir, 0); err != nil || from == nil {
			t.Fatal(from, err)
		}
	}
}
