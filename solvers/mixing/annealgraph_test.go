package mixing

import (
	"context"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/graphtest"
	"github.com/clopt/clopt/test/solvertest"
)

// Annealing without mixing continues with new chains of twice the sweeps, keeps its limit, and has the same bits on any
// number of devices.
func TestAnnealGraph(t *testing.T) {
	p := cut.NewMaxCut(graphtest.Small()["dense"])
	var first []solvers.Sample
	for _, v := range []struct {
		devices int
		variant string
	}{{1, ""}, {3, ""}, {1, "serial"}} {
		var all []solvers.Sample
		res, err := solvers.Minimize(context.Background(), p, solvertest.OpenFirst(t, v.devices, shard.Options{}),
			solvers.Settings{
				Key: rng.Key{Seed: 2}, Budget: solvers.Budget{Evaluations: 4000},
				Recorder: record(func(s solvers.Sample) { s.Elapsed = 0; all = append(all, s) }),
			}, &AnnealGraph{Chains: 4, Sweeps: 20, Variant: v.variant})
		if err != nil {
			t.Fatal(err)
		}
		if !res.Confirmed || res.Work > 4000 || res.Work < 2000 || len(all) < 3 {
			t.Errorf("%+v after %d steps", res, len(all))
		}
		if v.variant == "serial" {
			if all[len(all)-1].Best != first[len(first)-1].Best {
				t.Errorf("serial finds %v, devices %v", res.F, first[len(first)-1].Best)
			}
			continue
		}
		if first == nil {
			first = all
		}
		if !slices.Equal(all, first) {
			t.Errorf("%d devices: the trace differs", v.devices)
		}
	}
}

type record func(solvers.Sample)

func (r record) Record(s solvers.Sample) error { r(s); return nil }
