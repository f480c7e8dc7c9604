package contract

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/cgrasp"
	"github.com/clopt/clopt/solvers/graybox"
	"github.com/clopt/clopt/solvers/lbfgs"
	"github.com/clopt/clopt/solvers/lm"
	"github.com/clopt/clopt/solvers/masw"
	"github.com/clopt/clopt/solvers/maswseq"
	"github.com/clopt/clopt/solvers/mixing"
	"github.com/clopt/clopt/solvers/random"
	"github.com/clopt/clopt/test/battery"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// memoryRows are methods and problems with different vectors in device memory. They begin with those that -short
// runs.
var memoryRows = []struct {
	m    solvers.Solver
	spec string
}{
	{&cgrasp.CGRASP{Starts: 3}, "classic/F16"}, // with tables
	{&mixing.AnnealGraph{Chains: 32}, "maxcut:torus=20x20,weights=pm1"},
	{&masw.MASW{Population: 8, Portions: 3}, "cec2013/f12:n=7000,mode=paper"},
	{&lbfgs.LBFGS{Pairs: 3}, "cec2013/f12:n=7000,mode=paper"},
	{&lm.LM{}, "cec2013/f13:n=3000"},
	{&random.Random{Batch: 4}, "cec2013/f12:n=300000,mode=paper"}, // super-tiles of two tiles
	{&graybox.Graybox{}, "cec2013/f4:n=6000"},                     // thin and wide parts
	{&graybox.Graybox{Search: "mts"}, "cec2013/f12:n=7000,mode=paper"},
	{&maswseq.MASWSeq{Population: 8}, "cec2013/f1:n=1000"},
	{&maswseq.MASWSeq{Population: 8}, "cec2013/f1:n=12000"}, // candidates in global memory
	{&lbfgs.LBFGS{}, "cec2013/f13:n=3000"},                  // with tables
	{&mixing.GOMEA{}, "maxcut:torus=20x20,weights=pm1"},
	{&mixing.GOMEA{Linkage: "univariate", Local: "ls"}, "maxcut:torus=20x20,weights=pm1"},
	{&mixing.GOMEA{Population: 4, Linkage: "components"}, "maxcut:torus=8x8,weights=pm1"},
	{&mixing.GOMEA{Local: "sa"}, "maxcut:torus=20x20,weights=pm1"},
	{&mixing.AnnealGraph{Chains: 4}, "maxcut:torus=20x20,weights=1..5000"}, // chains one by one
	{&anneal.SA{Variant: "sweeps"}, "classic/rosenbrock:n=4001"},
	{&anneal.SA{Variant: "v1", Chains: 256}, "classic/rosenbrock:n=4"},
	{&anneal.SA{Variant: "v2", Chains: 256, Neighbour: "adaptive"}, "classic/rosenbrock:n=40"},
}

// A run allocates at most as much memory as it has planned, and hardly less. The test compares after the first step,
// because a plan includes what a method allocates later.
func TestR15PlannedMemory(t *testing.T) {
	count := battery.Begin(t)
	const slack = 1.01 // the sum over all super-tiles is planned, but allocated only if there are several devices
	g := solvertest.OpenDevices(t, 1, shard.Options{NoCheck: true})
	for _, c := range shorttest.Rows(6, memoryRows) {
		for _, prec := range shorttest.Rows(1, []problems.Precision{problems.FP64, problems.FP32}) {
			p := solvertest.ParseProblem(t, c.spec)
			if prec == problems.FP32 && solvers.Suits(c.m, p, prec) != nil {
				continue // lbfgs and lm refuse fp32
			}
			planned, before := c.m.Plan(p, prec).Total(), held(t, g.All()[0])
			run, err := c.m.Start(context.Background(), p, g, solvers.Setup{Key: rng.Key{Seed: 1}, Precision: prec})
			if err != nil {
				t.Fatal(err)
			}
			solvertest.Advance(t, run)
			started := run.Info().Plans[0].Bytes // on graphs the plan of a started run knows the linkage model
			took := held(t, g.All()[0]) - before
			about := fmt.Sprintf("%s in %s: %d bytes planned, %d after the start, %d allocated", c.m.Traits().Name,
				prec,
				planned, started, took)
			t.Log(about)
			if took > started || started > planned || started < planned && !strings.HasPrefix(c.spec, "maxcut") ||
				float64(started) > slack*float64(took)+512 {
				t.Error(about)
			}
			run.Close()
			run.Close()
			if now := held(t, g.All()[0]); now != before {
				t.Errorf("%s: %d bytes are still allocated after Close", c.m.Traits().Name, now-before)
			}
			count.Count(!t.Failed())
		}
	}
}
