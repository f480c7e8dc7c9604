package runs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/random"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/test/solvertest"
)

// remover is an Observer that removes a file when the steps of a run have ended.
type remover struct {
	witness
	path string
}

func (r *remover) Closing() { os.Remove(r.path) }

// TestTraceTimes checks that the times of the lines of a trace never fall, also when checkpoints are written between
// samples that are not written at once, and when the run is resumed. A trace that is removed during the run is an error
// of its output.
func TestTraceTimes(t *testing.T) {
	run := runs.Run{
		Problem: solvertest.ParseProblem(t, "classic/rastrigin:n=16"), Solver: &random.Random{Batch: 50},
		Devices: solvertest.OpenFirst(t, 1, shard.Options{}), Precision: problems.FP64, Seed: 1,
		Budget:  solvers.Budget{Evaluations: 3000},
		Storage: runs.Storage{Format: "npy", Schedule: runs.Schedule{Every: time.Nanosecond}},
	}
	dir := t.TempDir()
	if _, err := run.Make(context.Background(), dir, 0); err != nil {
		t.Fatal(err)
	}
	falls := func() {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, runs.TraceName))
		if err != nil {
			t.Fatal(err)
		}
		last, lines := 0.0, bytes.Split(bytes.TrimSpace(text), []byte("\n"))
		for _, line := range lines[1:] {
			var at struct{ T float64 }
			if err := json.Unmarshal(line, &at); err != nil || at.T < last {
				t.Errorf("%v after %v: %s, %v", at.T, last, line, err)
			}
			last = at.T
		}
	}
	falls()
	run.Budget.Evaluations = 6000
	from, err := run.Newest(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Continue(context.Background(), dir, 0, from); err != nil {
		t.Fatal(err)
	}
	falls()

	dir = t.TempDir()
	run.Observer = &remover{path: filepath.Join(dir, runs.TraceName)}
	if r, err := run.Make(context.Background(), dir, 0); err == nil || !strings.Contains(err.Error(), "was removed") ||
		r == nil || !r.Best.Confirmed {
		t.Errorf("%+v, %v", r, err)
	}
}
