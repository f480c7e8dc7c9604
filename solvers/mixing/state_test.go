package mixing

import (
	"context"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/engine"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// stored are forms of the methods, and steps inside and between generations, populations and annealing.
var stored = []struct {
	method solvers.Solver
	spec   string
	evals  int64
	after  []int64
}{
	{&GOMEA{Base: 4}, "maxcut:torus=12x12,seed=2", 6000, []int64{1, 4, 7, 20}},
	{&GOMEA{Base: 4, Variant: "serial"}, "maxcut:torus=30x30,seed=2", 3000, []int64{1, 2, 3, 5}},
	{&GOMEA{Population: 70, Local: "sa", Sweeps: 3, form: engine.Form{Block: 7}}, "maxcut:torus=12x12,seed=2", 60000,
		[]int64{1, 3, 16, 17, 18, 25}},
	{&AnnealGraph{Chains: 40, Sweeps: 2}, "maxcut:gnp=60,p=0.2,weights=-9..9,seed=1", 60000, []int64{1, 2, 3}},
	{&GOMEA{Population: 200, Linkage: "learned", Variant: "serial"}, "maxcut:gnp=700,p=0.01,seed=1", 9000,
		[]int64{1, 2, 3, 4}},
	{&GOMEA{Base: 20, Linkage: "sparse", Local: "ls", Variant: "serial"}, "maxcut:gnp=700,p=0.01,seed=1", 9000,
		[]int64{1, 2, 3}},
	{&GOMEA{Population: 6, Local: "sa", Sweeps: 30, Variant: "serial"},
		"maxcut:gnp=4000,p=0.002,weights=1..9999,seed=1", 6000, []int64{1, 2, 4}},
	{&GOMEA{Base: 4, Linkage: "components", Variant: "serial"}, "maxcut:torus=12x12,seed=2", 6000,
		[]int64{1, 4, 7, 20}},
	{&GOMEA{Population: 5, Local: "sa", Sweeps: 30, form: engine.Form{Block: 4, Spill: true}},
		"maxcut:gnp=60,p=0.4,weights=-9999..9999,seed=1", 60000, []int64{1, 3, 10, 20}},
	{&GOMEA{Population: 5, Local: "sa", Sweeps: 30, form: engine.Form{Block: 4, Spill: true}},
		"maxcut:gnp=200,p=0.03,weights=-9999..9999,seed=1", 60000, []int64{1, 3, 10, 20}},
	{&GOMEA{Local: "sa", Sweeps: 20, form: engine.Form{Block: 4}},
		"maxcut:complete=40,weights=-9999..9999,seed=1", 300000, []int64{1, 3, 10, 20}},
	{&GOMEA{Local: "sa"}, "maxcut:torus=12x12,seed=2", 200000, []int64{1, 2, 4}},
	{&GOMEA{Local: "sa", Sweeps: 20, form: engine.Form{Block: 4}},
		"qubo:palubeckis=60,density=100,seed=1", 300000, []int64{1, 10, 32, 35, 40, 70}},
	{&GOMEA{Local: "sa", Sweeps: 20, Variant: "serial"},
		"qubo:palubeckis=60,density=100,seed=1", 300000, []int64{1, 3, 4, 6}},
}

// Runs are resumed with the same bits on other numbers of devices.
func TestStored(t *testing.T) {
	for _, c := range shorttest.Rows(4, stored) {
		t.Run(c.method.Traits().Name+" "+c.spec, func(t *testing.T) {
			solvertest.ResumeCase{Method: c.method, Spec: c.spec, Evals: c.evals, After: c.after}.Resume(t)
		})
	}
}

// A step that is cancelled in its middle is completed, or leaves the run as it was: the run goes on with the same bits.
func TestCancelledStep(t *testing.T) {
	for _, c := range shorttest.Rows(4, stored) {
		t.Run(c.method.Traits().Name+" "+c.spec, func(t *testing.T) {
			p := solvertest.ParseProblem(t, c.spec)
			g := solvertest.OpenFirst(t, 1, shard.Options{LaunchTime: 1e-6})
			start := func() solvers.Run {
				return solvertest.Start(t, c.method, p, g, solvers.Setup{Key: rng.Key{Seed: 5, Run: 2}})
			}
			whole := start()
			var want, got []solvers.Sample
			for range 12 {
				s, _, err := whole.Step(context.Background(), solvers.Within(c.evals))
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, s)
			}
			run := start()
			cancelled := 0
			for looks := 1; len(got) < len(want); looks = looks%40 + 3 {
				s, _, err := run.Step(solvertest.AfterLooks(looks), solvers.Within(c.evals))
				if err == nil {
					got = append(got, s)
					continue
				}
				if err != context.Canceled {
					t.Fatal(err)
				}
				cancelled++
				k := solvertest.KeepCheckpoint(t, run.State(), solvers.Progress{})
				run.Close()
				run = start()
				if _, err := solvers.Resume(context.Background(), run.State(), k.Load); err != nil {
					t.Fatal(err)
				}
				if s, _, err = run.Step(context.Background(), solvers.Within(c.evals)); err != nil {
					t.Fatal(err)
				}
				got = append(got, s)
			}
			if !slices.Equal(got, want) {
				t.Errorf("after %d cancelled steps the samples are %+v, want %+v", cancelled, got, want)
			}
		})
	}
}
