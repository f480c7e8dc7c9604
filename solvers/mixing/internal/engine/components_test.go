package engine

import (
	"context"
	"fmt"
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
	"github.com/clopt/clopt/test/graphtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// Devices make the offspring that the host makes, with groups of any size.
func TestComponentsTwin(t *testing.T) {
	for name, g := range graphtest.Small() {
		if !host.ShapeOf(g).FitsComponents() {
			continue
		}
		for _, v := range shorttest.Rows(1, []struct {
			devices int
			m       Method
			opt     shard.Options
		}{
			{3, Method{First: 7, Linkage: Components}, shard.Options{LaunchTime: 1e-6}},
			{1, Method{First: 9, Linkage: Components, Force: true}, shard.Options{}},
			{2, Method{First: 8, Linkage: Components, Force: true, Form: Form{Group: 16, Spill: true}},
				shard.Options{}},
		}) {
			t.Run(fmt.Sprintf("%s on %d: %+v", name, v.devices, v.m), func(t *testing.T) {
				e := engineOf(t, v.m, g, solvertest.OpenFirst(t, v.devices, v.opt), rng.Key{Seed: 8, Run: 2})
				twins(t, e, 9, func(m *host.Mixer, p *host.Population, _ int) {
					if err := m.ByComponents(context.Background(), p); err != nil {
						t.Fatal(err)
					}
					p.Rows, p.Next = p.Next, p.Rows
					p.Generation++
				})
			})
		}
	}
}
