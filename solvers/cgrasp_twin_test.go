package solvers

import (
	"context"
	"math"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/draw"
	"github.com/clopt/clopt/shard"
)

// The devices follow the host through two steps of every start: the same units,
// the same decisions, the same points but for rounding.
func TestCGRASPTwin(t *testing.T) {
	for _, c := range []struct {
		spec string
		set  map[string]string
	}{
		{"classic/G4", map[string]string{"hs": "0.7"}},                                     // a chain
		{"classic/G3", map[string]string{"hs": "1.3"}},                                     // blocks, steps along valleys
		{"classic/G1", map[string]string{"hs": "11", "alpha": "0.4"}},                      // g is no sum
		{"classic/G7", map[string]string{"hs": "1.1", "fix": "all"}},                       // independent sets
		{"classic/G5", map[string]string{"hs": "0.9", "anchor": "lower", "reuse": "flag"}}, // other nodes
		{"classic/G4", map[string]string{"hs": "0.7", "evaluation": "full"}},
		{"classic/six_hump", map[string]string{"batch": "1", "nodes": "6", "points": "7"}}, // intervals of their own
	} {
		t.Run(c.spec, func(t *testing.T) {
			const starts, quota = 3, 20000
			set := map[string]string{"starts": "3"}
			for k, v := range c.set {
				set[k] = v
			}
			method, err := New("cgrasp", set)
			if err != nil {
				t.Fatal(err)
			}
			p := parse(t, c.spec).(problems.HostPartial)
			key := draw.Key{Seed: 5, Run: 1}
			started, err := method.Start(context.Background(), p, open(t, 2, shard.Options{}), Setup{Key: key})
			if err != nil {
				t.Fatal(err)
			}
			defer started.Close()
			run := started.(*graspRun)
			var hosts []*graspStart
			for k := range uint32(starts) {
				hosts = append(hosts, newGraspStart(run.rules, p, key, k))
			}
			for range 2 {
				if _, ok, err := run.Step(context.Background(), starts*quota); !ok || err != nil {
					t.Fatal(ok, err)
				}
				for _, h := range hosts {
					for until := h.evaluations + quota; h.unit(until-h.evaluations, nil, starts); {
					}
				}
				sameStarts(t, run, hosts)
			}
			fixed, points := uint32(0), uint32(0)
			for _, h := range hosts {
				fixed, points = fixed+h.construction, points+h.balls
			}
			if fixed == 0 || points == 0 {
				t.Error("the cases did not come up")
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
			if graspPhase(w[0]) != h.phase || w[1] != h.who || w[2] != h.construction || w[3] != h.fixes || w[4] != h.balls ||
				int(w[5]) != h.left || int(w[8]) != h.tried || int64(w[11]) != h.odd || int64(c[0]) != h.evaluations || int64(c[1]) != h.components {
				t.Fatalf("start %d: words %v, counts %v; host %+v", o.first+k, w[:graspWords], c[:2], h.graspCounters)
			}
			size := max(1, math.Abs(h.fx))
			if f[0] != h.h || math.Abs(f[1]-h.fx) > 1e-9*size || f[3] != h.alpha || math.Abs(f[4]-h.best) > 1e-9*size {
				t.Fatalf("start %d: %v; host %+v", o.first+k, f[:graspReals], h.graspCounters)
			}
			x := make([]float64, run.p.Dim())
			if err := o.x.Read(k*len(x), x); err != nil {
				t.Fatal(err)
			}
			for i := range x {
				if math.Abs(x[i]-h.x[i]) > 1e-12*run.rules.span {
					t.Fatalf("start %d: variable %d is %.17g, host %.17g", o.first+k, i, x[i], h.x[i])
				}
			}
		}
	}
}
