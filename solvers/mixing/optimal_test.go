package mixing

import (
	"context"
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// A run ends when it has found a cut that is proven to be the largest one: that of a graph without conflict in its
// first step, however hard it would be to anneal. A target that is met comes first, and one that cannot be met does not
// keep a run from its end.
func TestOptimal(t *testing.T) {
	group := solvertest.OpenFirst(t, 1, shard.Options{})
	for _, c := range []struct {
		spec   string
		work   int64
		target float64 // 0: none
		status solvers.Status
		steps  int64 // 0: any number
	}{
		{"maxcut:torus=40x40,weights=unit", 1000, 0, solvers.Optimal, 1},
		{"maxcut:torus=10x10,weights=-9..-1", 1000, 0, solvers.Optimal, 1},
		{"maxcut:tile=12x12,p=0.5,seed=3", 1e6, 0, solvers.Optimal, 0},
		{"maxcut:tile=12x12,p=0.5,seed=3", 1e6, -1e6, solvers.Optimal, 0},
		{"maxcut:tile=12x12,p=0.5,seed=3", 1e6, -1, solvers.Target, 1},
	} {
		p := solvertest.ParseProblem(t, c.spec)
		best, _ := p.Info().BestKnown()
		for _, m := range []*GOMEA{{Local: "sa"}, {Local: "sa", Variant: "serial"}} {
			b := solvers.Budget{Evaluations: c.work}
			if c.target != 0 {
				b.Target = &c.target
			}
			res, err := solvers.Minimize(context.Background(), p, group, solvers.Settings{Key: rng.Key{Seed: 1},
				Budget: b}, m)
			if err != nil || res.Status != c.status || c.steps > 0 && res.Steps != c.steps || !res.Confirmed ||
				c.status == solvers.Optimal && res.F != best {
				t.Errorf("%s, %s, target %v: %+v, %v; the optimum is %v", c.spec, solvers.Spell(m), c.target, res,
					err, best)
			}
		}
	}
}
