package solvertest

import (
	"context"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Start starts a run, which is closed when the test ends.
func Start(t testing.TB, m solvers.Solver, p problems.Problem, g *shard.Devices, setup solvers.Setup) solvers.Run {
	t.Helper()
	run, err := m.Start(context.Background(), p, g, setup)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(run.Close)
	return run
}
