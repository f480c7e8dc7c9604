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

// signed returns a graph of n vertices with weights w and -w, and one of each `missing` edges left out; 0: none.
func signed(n, w, missing int) *graph.Graph {
	var edges [][3]int
	for u := range n {
		for v := u + 1; v < n; v++ {
			draw := rng.Key{Seed: 4}.Words(uint32(u*n+v), 0, 0, rng.Check)
			if missing == 0 || rng.Int(draw[0], uint32(missing)) > 0 {
				edges = append(edges, [3]int{u, v, w * (1 - 2*int(draw[1]&1))})
			}
		}
	}
	return graphtest.Build(n, edges)
}

// Chains of dense graphs have the same bits on devices as on the host: for each size of weights and fields, in groups
// of one and of several work-items, with one pack for each item and with more.
func TestDenseTwin(t *testing.T) {
	for _, v := range []struct {
		name    string
		g       *graph.Graph
		devices int
		group   int
		opt     shard.Options
	}{
		{"signs", signed(100, 1, 0), 1, 0, shard.Options{}},
		{"signs, of a vector and a word", signed(515, 1, 0), 2, 0, shard.Options{LaunchTime: 1e-6}},
		{"signs, with edges missing", signed(70, 3, 3), 3, 0, shard.Options{LaunchTime: 1e-6}},
		{"signs, of long integers", signed(33, 1<<40, 3), 1, 0, shard.Options{}},
		{"signs, in groups", signed(300, 1, 4), 1, 4, shard.Options{}},
		{"bytes, with a heavy vertex", graphtest.Complete(70, 100, 5000), 2, 0, shard.Options{LaunchTime: 1e-6}},
		{"integers", graphtest.Complete(65, 700, 700), 3, 0, shard.Options{}},
		{"long integers", graphtest.Complete(33, 1<<30, 1<<30), 1, 0, shard.Options{LaunchTime: 1e-6}},
		{"groups", graphtest.Complete(100, 100, 5000), 1, 4, shard.Options{}},
		{"large groups", graphtest.Complete(100, 2, 2), 1, 8, shard.Options{LaunchTime: 1e-6}},
	} {
		group := solvertest.OpenFirst(t, v.devices, v.opt)
		key := rng.Key{Seed: 8}
		m := Method{First: 5, Anneals: true, Sweeps: 30, Form: Form{Group: v.group, Block: 17}}
		signs := strings.HasPrefix(v.name, "signs")
		if v.group > 1 && !signs && strings.HasPrefix(group.Infos()[0].Platform, "Portable") {
			continue // PoCL 5 loses values across barriers in the loop of mixing/dense.cl; Oclgrind runs it
		}
		e := engineOf(t, m, v.g, group, key)
		q, _ := grown(t, e)
		x := e.plan.X
		a := host.NewAnnealing(x.Graph, m.Sweeps, key)
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
