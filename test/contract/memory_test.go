package contract

import (
	"context"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/cgrasp"
	"github.com/clopt/clopt/solvers/graybox"
	"github.com/clopt/clopt/solvers/masw"
	"github.com/clopt/clopt/solvers/mixing"
	"github.com/clopt/clopt/solvers/random"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// A run allocates as much of a device as it planned: never more, and hardly less. This is compared after the first
// step, since a plan includes what a method allocates later.
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
		{&graybox.Graybox{Population: 8}, "cec2013/f12:n=7000,mode=paper"},
		{&graybox.Graybox{Population: 8, Search: "cma"}, "cec2013/f2:n=3000"},
		{&graybox.Graybox{Population: 8, Search: "mts", Grain: 25}, "cec2013/f4:n=3000"},
		{&graybox.Graybox{Population: 8, Scheme: "synchronous"}, "cec2013/f2:n=3000"},
		{&graybox.Graybox{Population: 8, Parts: 1, On: "device"}, "cec2013/f1:n=1000"},
		{&graybox.Graybox{Population: 8, Parts: 1, On: "device"}, "cec2013/f1:n=12000"}, // candidates in global memory
		{&mixing.GOMEA{}, "maxcut:torus=20x20,weights=pm1"},
		{&mixing.GOMEA{Linkage: "univariate", Local: "ls"}, "maxcut:torus=20x20,weights=pm1"},
		{&mixing.GOMEA{Local: "sa"}, "maxcut:torus=20x20,weights=pm1"},
		{&mixing.AnnealGraph{Chains: 32}, "maxcut:torus=20x20,weights=pm1"},
		{&mixing.AnnealGraph{Chains: 4}, "maxcut:torus=20x20,weights=1..5000"}, // chains one by one
		{&anneal.SA{Variant: "sweeps"}, "classic/rosenbrock:n=4001"},
		{&anneal.SA{Variant: "v2", Chains: 256, Neighbour: "adaptive"}, "classic/rosenbrock:n=40"},
	}) {
		for _, prec := range shorttest.Rows(1, []problems.Precision{problems.FP64, problems.FP32}) {
			p := solvertest.ParseProblem(t, c.spec)
			planned, before := c.m.Plan(p, prec).Total(), held(t, g.All()[0])
			run, err := c.m.Start(context.Background(), p, g, solvers.Setup{Key: rng.Key{Seed: 1}, Precision: prec})
			if err != nil {
				t.Fatal(err)
			}
			solvertest.Advance(t, run)
			started := run.Info().Plans[0].Bytes // on graphs it knows the linkage model; else it is the same
			took := held(t, g.All()[0]) - before
			t.Logf("%s in %s: planned %d bytes, then %d, took %d", c.m.Name(), prec, planned, started, took)
			if took > started || started > planned || started < planned && !strings.HasPrefix(c.spec, "maxcut") ||
				float64(started) > slack*float64(took)+512 {
				t.Errorf("%s in %s: planned %d bytes, then %d, took %d", c.m.Name(), prec, planned, started, took)
			}
			run.Close()
			run.Close()
			if now := held(t, g.All()[0]); now != before {
				t.Errorf("%s: %d bytes are held after Close", c.m.Name(), now-before)
			}
		}
	}
}
