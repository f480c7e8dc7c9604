package contract

import (
	"context"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/cgrasp"
	"github.com/clopt/clopt/solvers/masw"
	"github.com/clopt/clopt/solvers/random"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// What a run takes of a device is what its plan said: never more, and hardly less. It is compared after the first
// step, since what a method takes later was to be planned as well.
func TestPlannedMemory(t *testing.T) {
	const slack = 1.01 // the sum over all super-tiles is planned, and taken on far devices only
	g := solvertest.OpenDevices(t, 1, shard.Options{NoCheck: true})
	for _, c := range shorttest.Rows(3, []struct {
		m    solvers.Solver
		spec string
	}{
		{&masw.MASW{Population: 8, Portions: 3}, "cec2013/f12:n=7000,mode=paper"},
		{&random.Random{Batch: 4}, "cec2013/f12:n=300000,mode=paper"},
		{&cgrasp.CGRASP{Starts: 3}, "classic/F16"},
		{&anneal.SA{Variant: "sweeps"}, "classic/rosenbrock:n=4001"},
		{&anneal.SA{Variant: "v2", Chains: 256, Neighbour: "adaptive"}, "classic/rosenbrock:n=40"},
	}) {
		for _, prec := range shorttest.Rows(1, []problems.Precision{problems.FP64, problems.FP32}) {
			p := solvertest.ParseProblem(t, c.spec)
			planned, before := c.m.Plan(p, prec).Total(), held(t, g.Devices()[0])
			run, err := c.m.Start(context.Background(), p, g, solvers.Setup{Key: rng.Key{Seed: 1}, Precision: prec})
			if err != nil {
				t.Fatal(err)
			}
			solvertest.Advance(t, run)
			took := held(t, g.Devices()[0]) - before
			t.Logf("%s in %s: planned %d bytes, took %d", c.m.Name(), prec, planned, took)
			if took > planned || float64(planned) > slack*float64(took)+512 {
				t.Errorf("%s in %s: planned %d bytes, took %d", c.m.Name(), prec, planned, took)
			}
			run.Close()
			run.Close()
			if now := held(t, g.Devices()[0]); now != before {
				t.Errorf("%s: %d bytes are held after Close", c.m.Name(), now-before)
			}
		}
	}
}
