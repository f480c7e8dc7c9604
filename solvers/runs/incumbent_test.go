package runs_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/inspect"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/random"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/test/solvertest"
)

// TestIncumbent resumes runs from a checkpoint that is older than their result, and ends them before they are as good
// again. The better point of the folder is the result, also if the run was killed in between, but not if the file of
// the point is another one.
func TestIncumbent(t *testing.T) {
	for _, c := range []struct {
		what, format string
		streams      bool
		change       func(dir string) error
		keeps        bool
	}{
		{"stopped", "npy", false, func(string) error { return nil }, true},
		{"text", "txt", false, func(string) error { return nil }, true},
		{"streamed", "npy", true, func(string) error { return nil }, true},
		{"killed", "npy", false, func(dir string) error {
			return os.Rename(filepath.Join(dir, "result.json"), filepath.Join(dir, "earlier.json"))
		}, true},
		{"changed", "npy", false, func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "best.npy"), []byte("another"), 0o666)
		}, false},
	} {
		t.Run(c.what, func(t *testing.T) {
			if c.streams {
				defer runs.StreamPoints()()
			}
			run := runs.Run{
				Problem: solvertest.ParseProblem(t, "classic/rastrigin:n=16"), Solver: &random.Random{Batch: 50},
				Devices: solvertest.OpenFirst(t, 1, shard.Options{}), Precision: problems.FP64, Seed: 1,
				Budget: solvers.Budget{Evaluations: 1000},
				Storage: runs.Storage{Format: c.format, Checkpoints: 99,
					Schedule: runs.Schedule{Every: time.Nanosecond}},
			}
			dir := t.TempDir()
			want, err := run.Make(context.Background(), dir, 0)
			if err != nil {
				t.Fatal(err)
			}
			names, _ := runs.Checkpoints(dir)
			for _, name := range names[:len(names)-1] {
				os.RemoveAll(filepath.Join(dir, checkpoints.Name, name))
			}
			if err := c.change(dir); err != nil {
				t.Fatal(err)
			}
			run.Budget.Evaluations = 100
			from, err := run.Newest(dir, 0)
			if err != nil || from == nil {
				t.Fatal(from, err)
			}
			got, err := run.Continue(context.Background(), dir, 0, from)
			if err != nil || !got.Best.Confirmed || got.Evaluations != 100 {
				t.Fatalf("%+v, %v", got, err)
			}
			if kept := got.Best.F == want.Best.F && *got.Best.XSHA256 == *want.Best.XSHA256; kept != c.keeps ||
				!kept && got.Best.F <= want.Best.F {
				t.Errorf("best %v, and %v was stored; want it: %v", got.Best.F, want.Best.F, c.keeps)
			}
			if runs.Exists(filepath.Join(dir, "earlier.json")) {
				t.Error("the earlier result is kept beside the new one")
			}
			inspect.Verify(dir, func(string) error { return nil }, func(part inspect.Checked) {
				if part.Err != nil {
					t.Errorf("%+v", part)
				}
			})
		})
	}
}
