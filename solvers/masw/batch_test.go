package masw

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// Runs share launches while their points and partial sums have 64 MiB together (docs/masw.md has these numbers).
func TestBatchSize(t *testing.T) {
	for _, c := range []struct {
		n, population int
		prec          problems.Precision
		want          int
	}{
		{1000, 0, problems.FP64, 83}, {1000, 0, problems.FP32, 166}, {10000, 0, problems.FP64, 8},
		{100000, 0, problems.FP64, 1}, {10000000, 0, problems.FP64, 1}, {2, 0, problems.FP64, 256},
		{2, 1000, problems.FP64, 65}, {2, 65535, problems.FP64, 1},
	} {
		p := solvertest.ParseProblem(t, fmt.Sprintf("classic/rastrigin:n=%d", c.n))
		if got := (&MASW{Population: c.population}).batchSize(p, c.prec); got != c.want {
			t.Errorf("%+v: the batch size is %d", c, got)
		}
	}
}

// Runs that share launches have the same bits as runs that are made alone, also with the distances of graphics cards.
func TestBatchColumns(t *testing.T) {
	const runs, steps = 3, 14
	m := &MASW{Population: 8, Iterations: 5, Portions: 3, columns: true}
	p, g := solvertest.ParseProblem(t, "cec2013/f12:n=7000,mode=paper"), solvertest.OpenDevices(t, 1, shard.Options{})
	setup := solvers.Setup{Key: rng.Key{Seed: 8, Run: 1}}
	started, err := m.startBatch(context.Background(), p, g, setup, runs)
	if err != nil {
		t.Fatal(err)
	}
	batch := started.(*maswRun)
	if !batch.columns[0] {
		t.Fatal("the distances are not those of graphics cards")
	}
	follow(t, batch, p.Domain().N, steps)
	for k := range runs {
		alone := solvertest.Start(t, m, p, g, setup)
		samples, chains, _ := follow(t, alone, p.Domain().N, steps)
		if got := batch.Samples()[k]; got != samples[steps-1] || !slices.Equal(batch.states[k].Chains, chains) {
			t.Errorf("run %d: %+v, alone %+v, or the chains differ", k, got, samples[steps-1])
		}
		setup.Key.Run++
	}
}
