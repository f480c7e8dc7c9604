package mixing

import (
	"fmt"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/linkage"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// layout is what the memory of a run on devices follows from.
type layout struct {
	plan       *devicePlan
	annealing  *host.Annealing // what new individuals go through, or nil
	components bool            // they are what is mixed
	wide       bool            // weights have 64 bits
	resident   bool            // an offspring lives in local memory
}

// residentBytes is the most local memory that an offspring takes.
const residentBytes = 32 << 10

// layout is that of a run on devices.
func (m *GOMEA) layout(plan *devicePlan, a *host.Annealing, mixes string, infos []cl.Info) layout {
	l := layout{plan: plan, annealing: a, components: mixes == components}
	l.resident = 4*plan.words <= residentBytes && !m.spill
	for _, i := range infos {
		l.resident = l.resident && int64(4*plan.words+1024) <= i.LocalMem
	}
	for _, w := range plan.x.Graph.Weights {
		l.wide = l.wide || w != int64(int32(w))
	}
	return l
}

// most is the device that a plan without devices counts with: it has the least local memory that there is, and most
// work-groups at a time.
var most = cl.Info{LocalMem: 32 << 10, ComputeUnits: mostSlots}

// atMost is a devicePlan as large as that of any linkage tree of g, or of sets of one vertex each. It has no contents:
// to make a tree takes seconds for a million vertices.
func atMost(g *graph.Graph, tree bool) *devicePlan {
	n := g.N()
	p := &devicePlan{x: &host.Mixture{Graph: g, Hash: make([]uint64, n)}, words: 2 * host.Words(n)}
	sets := n
	if tree {
		sets = max(2*n-1, 0)
		p.larges = make([]uint32, max(n-largeSet, 0))
	}
	p.sets = make([]uint32, 3*sets)
	p.groups = &linkage.Groups{Offsets: make([]int, sets+1)}
	return p
}

// planned is the plan of a run that begins with the first population of m.
func (l *layout) planned(m *GOMEA, infos []cl.Info) shard.Plan {
	g, n := l.plan.x.Graph, m.first(l.plan.x.Graph.N())
	largest := slices.MaxFunc(infos, func(a, b cl.Info) int { return a.ComputeUnits - b.ComputeUnits })
	shares := []device.Share{l.tables(&mixDevice{}), l.rows(&mixRows{count: n}, n)}
	if a := l.annealing; a != nil {
		own := &annealShare{}
		shares = append(shares, own.schedule(a))
		if a.Sliced != nil {
			t := &slicedTables{count: host.WordsOfChains(n)}
			shares = append(shares, t.share(a.Sliced), t.growing(a.Sliced, own))
		} else {
			shares = append(shares, (&chainTables{}).share(a), own.growing(n))
		}
	}
	if l.components {
		shares = append(shares, newComponentTables(largest, g).share(g))
	}
	key := "base"
	if m.Population > 0 {
		key = "population"
	}
	smaller := fmt.Sprintf("a smaller population (--set %s=%d)", key, max(2, n/2))
	plan := shard.Plan{Units: n, Ways: []string{smaller, "more memory"}}
	for _, s := range shares {
		plan.Items = append(plan.Items, s.Items()...)
	}
	return plan
}

// mixDevice is one device's share of what does not change.
type mixDevice struct {
	off, nbr, zobrist      *cl.Buffer[uint32]
	w32                    *cl.Buffer[int32]
	w64                    *cl.Buffer[int64]
	sets, groups, larges   *cl.Buffer[uint32]
	divided, elite         *cl.Buffer[uint32]
	pace, slow, evaluating shard.Pacer // of an individual
	group                  int         // work-items of a group
}

// list describes a list that does not change. An empty one has four zeros, as kernels read four at a time.
func list(to **cl.Buffer[uint32], name, what string, v []uint32) device.Vector {
	return device.Vector{To: to, Name: name, What: what, Rows: max(4, len(v)), Data: v}
}

// tables lists the vectors of o.
func (l *layout) tables(o *mixDevice) device.Share {
	p, g := l.plan, l.plan.x.Graph
	off, zobrist := make([]uint32, len(g.Offsets)), make([]uint32, 0, 2*len(p.x.Hash))
	for v, e := range g.Offsets {
		off[v] = uint32(e)
	}
	for _, z := range p.x.Hash {
		zobrist = append(zobrist, uint32(z), uint32(z>>32))
	}
	const vertices, sets = "graph in the order of its linkage tree", "sets and their groups"
	weights := device.Vector{To: &o.w64, Data: g.Weights}
	if !l.wide {
		w := make([]int32, len(g.Weights))
		for e, v := range g.Weights {
			w[e] = int32(v)
		}
		weights = device.Vector{To: &o.w32, Data: w}
	}
	weights.Name, weights.What, weights.Rows = "w", vertices, max(1, len(g.Weights))
	return device.Share{Vectors: []device.Vector{
		list(&o.off, "off", vertices, off),
		list(&o.nbr, "nbr", vertices, g.Neighbors),
		weights,
		list(&o.zobrist, "zobrist", "hashes of vertices", zobrist),
		list(&o.sets, "sets", sets, p.sets),
		list(&o.larges, "larges", sets, p.larges),
		{To: &o.groups, Name: "groups", What: sets, Rows: max(1, 3*p.groups.N())},
		{To: &o.divided, Name: "divided", What: "elitist, and where parents differ", Rows: max(1, p.words)},
		{To: &o.elite, Name: "elite", What: "elitist, and where parents differ", Rows: max(1, p.words)},
	}}
}

func (o *mixDevice) weights() any {
	if o.w64 != nil {
		return o.w64
	}
	return o.w32
}

// mixRows is one device's share of a population.
type mixRows struct {
	parents, next, states *cl.Buffer[uint32]
	sums                  *cl.Buffer[uint32]
	list                  *cl.Buffer[uint32] // who is improved
	mates                 *cl.Buffer[uint32] // of mixing by components
	first, count          int                // offspring made here
}

// rows lists the vectors of r, for a population of n individuals.
func (l *layout) rows(r *mixRows, n int) device.Share {
	states := "states of offspring"
	sums, improved, mates := 0, 1, 0
	if !l.resident {
		sums = 8 * max(len(l.plan.larges), 1)
	}
	if l.components {
		improved, mates = 0, 1
	}
	return device.Share{Units: r.count, Vectors: []device.Vector{
		{To: &r.parents, Name: "parents", What: fmt.Sprintf("first population: parents, %d partitions", n),
			Rows: n * l.plan.words},
		{To: &r.next, Name: "next", What: "first population: offspring", Rows: l.plan.words, Per: device.Unit},
		{To: &r.states, Name: "states", What: states, Rows: n * l.stateWords()},
		{To: &r.sums, Name: "sums", What: states, Rows: sums, Per: device.Unit},
		{To: &r.list, Name: "list", What: states, Rows: improved, Per: device.Unit},
		{To: &r.mates, Name: "mates", What: states, Rows: mates, Per: device.Unit},
	}}
}

// A state is what a device keeps of an offspring, in uint32s.
const (
	stateSize  = 10
	stateSpill = 18 // where sums have no local memory
)

func (l *layout) stateWords() int {
	if l.resident {
		return stateSize
	}
	return stateSpill
}
