package cgrasp

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// grasp returns a CGRASP with settings "key=value key=value".
func grasp(t testing.TB, text string) *CGRASP {
	t.Helper()
	m, err := solvers.Configure(&CGRASP{}, solvertest.Settings(text))
	if err != nil {
		t.Fatal(err)
	}
	return m.(*CGRASP)
}

// The devices follow the host through four steps of every start, with the same units and decisions, and with the same
// points except for rounding.
func TestCGRASPTwin(t *testing.T) {
	g := solvertest.OpenDevices(t, 1, shard.Options{LaunchTime: 1e-3})
	for _, c := range shorttest.Rows(3, []struct {
		spec, set string
	}{
		{"classic/G4", "hs=0.7 items=64"},           // a chain
		{"classic/G3", "hs=1.3 worth=0"},            // blocks; extended iterations
		{"classic/G1", "hs=11 alpha=0.4 until=1.1"}, // f is not a sum, and starts end early
		{"classic/G1", "hs=11 alpha=0.4 until=1.1 items=16"},
		{"classic/griewank:n=130", ""},                                       // a construction takes all steps
		{"classic/G7", "hs=1.1 fix=all"},                                     // independent sets
		{"classic/G5", "hs=0.9 anchor=lower reuse=flag"},                     // other nodes
		{"classic/G4", "hs=0.7 evaluation=full"},                             // the method of the papers
		{"classic/six_hump", "batch=1 nodes=6 points=7 rho=0.0005 until=-1"}, // intervals of their own
		{"classic/levy_chain:n=300", "nodes=16 points=140"},                  // more variables than a unit has
		{"classic/levy_chain:n=300", "nodes=16 items=128 fix=all"},           // and than a group has items
	}) {
		t.Run(c.spec+" "+c.set, func(t *testing.T) {
			const starts = 3
			method := grasp(t, c.set+" starts=3")
			p := solvertest.ParseProblem(t, c.spec).(problems.Referenced)
			key := rng.Key{Seed: 5, Run: 1}
			run := solvertest.Start(t, method, p, g, solvers.Setup{Key: key}).(*graspRun)
			quota := run.rules.quota
			var hosts []*graspStart
			for k := range uint32(starts) {
				hosts = append(hosts, newGraspStart(run.rules, p, key, k))
			}
			for range 4 {
				if _, ok, err := run.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
					t.Fatal(ok, err)
				}
				for _, h := range hosts {
					for until := h.Values + quota; h.unit(purse{until - h.Values, math.MaxInt64}, nil, starts); {
					}
					h.record()
				}
				sameStarts(t, run, hosts)
			}
			made := uint32(0)
			for _, h := range hosts {
				made += h.Construction + h.Fixes + h.Balls + h.Who
			}
			if made <= 3 || strings.Contains(c.set, "until") && hosts[0].Who == 0 {
				t.Errorf("the case did not occur: %+v", hosts[0].graspCounters)
			}
		})
	}
}

// sameStarts compares slots with the starts of the host.
func sameStarts(t *testing.T, run *graspRun, hosts []*graspStart) {
	t.Helper()
	for _, o := range run.on {
		for k := range o.slots {
			h := hosts[o.first+k]
			w, f, c := o.hostWords[k*graspWords:], o.hostReals[k*graspReals:], o.hostCounts[k*graspCounts:]
			if graspPhase(w[0]) != h.Phase || w[1] != h.Who || w[2] != h.Construction || w[3] != h.Fixes ||
				w[4] != h.Balls || int(w[5]) != h.Left || int(w[8]) != h.Tried || w[10] != h.Origin ||
				int64(w[11]) != h.Odd || int64(c[0]) != h.Values || int64(c[1]) != h.Components {
				t.Fatalf("start %d: words %v, counts %v; host %+v", o.first+k, w[:graspWords], c[:2], h.graspCounters)
			}
			size := max(1, math.Abs(h.FX))
			if f[0] != h.H || math.Abs(f[1]-h.FX) > 1e-9*size || f[3] != h.Alpha || math.Abs(f[4]-h.Best) > 1e-9*size ||
				math.Abs(f[5]-h.Gained) > 1e-9*size {
				t.Fatalf("start %d: %v; host %+v", o.first+k, f[:graspReals], h.graspCounters)
			}
			x := make([]float64, run.p.Domain().N)
			if err := o.x.Read(k*len(x), x); err != nil {
				t.Fatal(err)
			}
			for i := range x {
				if math.Abs(x[i]-h.X[i]) > 1e-12*run.rules.span {
					t.Fatalf("start %d: variable %d is %.17g, host %.17g", o.first+k, i, x[i], h.X[i])
				}
			}
		}
	}
}
