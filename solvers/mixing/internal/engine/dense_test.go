package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
	"github.com/clopt/clopt/test/graphtest"
	"github.com/clopt/clopt/test/solvertest"
)

// denseCase is a dense graph, and how its chains are distributed.
type denseCase struct {
	name    string
	g       *graph.Graph
	devices int
	group   int // work-items of a group; 0: as many as the engine chooses
	opt     shard.Options
}

// denseCases returns those that the tests of dense graphs have in common: most forms of weights and fields, some with
// launches of a few chains.
func denseCases() []denseCase {
	return []denseCase{
		{"signs", planted(100, 1, 0), 1, 0, shard.Options{}},
		{"signs, of a vector and a word", planted(515, 1, 0), 2, 0, shard.Options{LaunchTime: 1e-6}},
		{"signs, with edges missing", planted(70, 3, 3), 3, 0, shard.Options{LaunchTime: 1e-6}},
		{"signs, in groups", planted(300, 1, 4), 1, 4, shard.Options{}},
		{"bytes, with a heavy vertex", graphtest.Complete(70, 100, 5000), 2, 0, shard.Options{LaunchTime: 1e-6}},
		{"long integers", graphtest.Complete(33, 1<<30, 1<<30), 1, 0, shard.Options{LaunchTime: 1e-6}},
	}
}

// engine returns an engine on devices for the graph, with the first population that it makes.
func (c denseCase) engine(t *testing.T, m Method, group *shard.Devices) (*parallel, *host.Population) {
	t.Helper()
	m.Form = Form{Group: c.group, Block: 17}
	e := engineOf(t, m, c.g, group, rng.Key{Seed: 8})
	p, _ := grown(t, e)
	return e, p
}

// Chains of dense graphs have the same bits on devices as on the host: for each size of weights and fields, in groups
// of one and of several work-items, with one pack for each item and with more.
func TestDenseTwin(t *testing.T) {
	cases := append(denseCases(),
		denseCase{"integers", graphtest.Complete(65, 700, 700), 3, 0, shard.Options{}},
		denseCase{"signs, of long integers", planted(33, 1<<40, 3), 1, 0, shard.Options{}},
		denseCase{"groups", graphtest.Complete(100, 100, 5000), 1, 4, shard.Options{}},
		denseCase{"large groups", graphtest.Complete(100, 2, 2), 1, 8, shard.Options{LaunchTime: 1e-6}})
	m := Method{First: 5, Anneals: true, Sweeps: 30}
	for _, v := range cases {
		group, signs := solvertest.OpenFirst(t, v.devices, v.opt), strings.HasPrefix(v.name, "signs")
		if v.group > 1 && !signs && strings.HasPrefix(group.Infos()[0].Platform, "Portable") {
			continue // PoCL 5 loses values across barriers in the loop of mixing/dense.cl; Oclgrind runs it
		}
		e, q := v.engine(t, m, group)
		x := e.plan.X
		a := host.NewAnnealing(host.ShapeOf(x.Graph), m.Sweeps, e.Setup.Key)
		if a.Dense == nil || (a.Dense.Signs != nil) != signs {
			t.Fatalf("%s: the graph has another form", v.name)
		}
		p, values := drawn(e), int64(0)
		for _, sweeps := range annealOnHost(t, a, x, p) {
			values += sweeps * a.Vertex
		}
		if got := rowsOf(t, e, q); !slices.Equal(got, p.Rows) || !slices.Equal(q.F, p.F) {
			t.Errorf("%s: cuts %v, host %v", v.name, q.F, p.F)
		}
		if looks := (e.Counts.Values - values) % int64(p.N); looks != 0 {
			t.Errorf("%s: %d values, host %d", v.name, e.Counts.Values, values)
		}
	}
}
