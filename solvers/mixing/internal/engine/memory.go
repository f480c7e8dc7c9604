package engine

import (
	"fmt"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// layout determines the memory of a run on devices.
type layout struct {
	plan       *host.Plan
	annealing  *host.Annealing // of new individuals, or nil
	components bool            // individuals are mixed by components
	compressed bool            // the graph is needed in compressed rows
	wide       bool            // weights have 64 bits
	resident   bool            // an offspring lives in local memory
}

// residentBytes is the most local memory that an offspring takes.
const residentBytes = 32 << 10

// newLayout returns the layout of a run on devices.
func (m *Method) newLayout(plan *host.Plan, a *host.Annealing, infos []cl.Info) layout {
	l := layout{plan: plan, annealing: a, components: m.Linkage == Components,
		compressed: m.Linkage != Unmixed && m.Linkage != Crossed || a == nil || a.Dense == nil}
	l.resident = 4*plan.Words <= residentBytes && !m.Form.Spill
	for _, i := range infos {
		l.resident = l.resident && int64(4*plan.Words+1024) <= i.LocalMem
	}
	for _, w := range plan.X.Graph.Weights {
		l.wide = l.wide || w != int64(int32(w))
	}
	return l
}

// most stands for a device that is not known yet. It has the least local memory that OpenCL allows, the most
// work-groups at a time, and the bundles of a processor.
var most = cl.Info{Type: cl.CPU, LocalMem: 32 << 10, ComputeUnits: mostSlots}

// Plan returns the memory of the first population on the graph of s, which is searched; later ones are created as long
// as they fit. It assumes the largest possible linkage tree, while Parallel plans with the actual one.
func (m *Method) Plan(s *host.Shape) shard.Plan {
	devices := []cl.Info{most}
	l := m.newLayout(host.PlanAtMost(s.Graph, m.Linkage == Tree), m.newAnnealing(s, rng.Key{}), devices)
	return l.planned(m, devices)
}

// newAnnealing returns the annealing of new individuals on the graph of s, nil if they are not annealed.
func (m *Method) newAnnealing(s *host.Shape, key rng.Key) *host.Annealing {
	if !m.Anneals {
		return nil
	}
	return host.NewAnnealing(s, m.Sweeps, key)
}

// planned returns the memory plan of a run that begins with the first population of m.
func (l *layout) planned(m *Method, infos []cl.Info) shard.Plan {
	n := m.First
	largest := slices.MaxFunc(infos, func(a, b cl.Info) int { return a.ComputeUnits - b.ComputeUnits })
	shares := []device.Share{l.tables(newMixDevice(l, largest)), l.rows(&mixRows{count: n}, n)}
	if a := l.annealing; a != nil {
		own := &annealShare{}
		for _, info := range infos {
			own.bundle = max(own.bundle, m.newAnnealShare(a, info).bundle)
		}
		own.span(a, 0, n)
		shares = append(shares, own.schedule(a), own.growing(a, nil))
	}
	plan := shard.Plan{Units: n}
	for _, s := range shares {
		plan.Items = append(plan.Items, s.Items()...)
	}
	return plan
}

// mixDevice is what one device keeps during the whole run.
type mixDevice struct {
	groups, elite          *cl.Buffer[uint32]
	pace, slow, evaluating shard.Pacer // of an individual
	group                  int         // work-items of a group that mixes by sets
	slots                  int         // work-groups of a launch that mixes by components
}

// componentBytes bounds the labels and gains on a device, and mostSlots the work-groups of a launch.
const (
	componentBytes = 128 << 20
	mostSlots      = 1024
)

func newMixDevice(l *layout, info cl.Info) *mixDevice {
	fit := max(componentBytes/(8*max(l.plan.X.Graph.N(), 1)), 1)
	return &mixDevice{slots: min(mostSlots, 4*max(info.ComputeUnits, 1), fit)}
}

// numbers describes numbers that only kernels read. An empty list has four zeros, because kernels read four at a time.
func numbers[T cl.Elem](name, what string, v []T) device.Vector {
	return device.Vector{To: new(*cl.Buffer[T]), Name: name, What: what, Rows: max(4, len(v)), Data: v}
}

// tables lists the vectors that do not change with the population.
func (l *layout) tables(o *mixDevice) device.Share {
	p, g := l.plan, l.plan.X.Graph
	zobrist := make([]uint32, 0, 2*len(p.X.Hash))
	for _, z := range p.X.Hash {
		zobrist = append(zobrist, uint32(z), uint32(z>>32))
	}
	const vertices, sets, elite = "graph in the order of its linkage tree", "sets and their groups",
		"elitist, and where parents differ"
	var vectors []device.Vector
	if l.compressed {
		vectors = []device.Vector{
			numbers("off", vertices, host.Narrow(g.Offsets)), numbers("nbr", vertices, g.Neighbors),
			integers("w", vertices, g.Weights, l.wide),
		}
	}
	vectors = append(vectors,
		numbers("zobrist", "hashes of vertices", zobrist),
		numbers("sets", sets, p.Sets),
		numbers("larges", sets, p.Larges),
		device.Vector{To: &o.groups, Name: "groups", What: sets, Rows: max(1, 3*p.Groups.N())},
		device.Vector{To: new(*cl.Buffer[uint32]), Name: "divided", What: elite, Rows: max(1, p.Words)},
		device.Vector{To: &o.elite, Name: "elite", What: elite, Rows: max(1, p.Words)},
	)
	if a := l.annealing; a != nil {
		vectors = append(vectors, classTables(a)...)
	}
	if l.components {
		const what = "components: labels and gains"
		vectors = append(vectors,
			device.Vector{To: new(*cl.Buffer[uint32]), Name: "labels", What: what, Rows: o.slots * max(g.N(), 1)},
			device.Vector{To: new(*cl.Buffer[int32]), Name: "gains", What: what, Rows: o.slots * max(g.N(), 1)})
	}
	return device.Share{Vectors: vectors}
}

// integers describes whole numbers that only kernels read, of 64 bits if they are wide and else of 32.
func integers(name, what string, v []int64, wide bool) device.Vector {
	if wide {
		return numbers(name, what, v)
	}
	short := make([]int32, len(v))
	for i, x := range v {
		short[i] = int32(x)
	}
	return numbers(name, what, short)
}

// classTables lists the graph in the order in which annealing decides vertices.
func classTables(a *host.Annealing) []device.Vector {
	if a.Dense != nil {
		return denseTables(a.Dense)
	}
	const what = "graph by classes of vertices"
	s := a.Sliced
	tables := []device.Vector{
		numbers("classes", what, s.Classes), numbers("vertex", what, s.Vertex), numbers("place", what, s.Place),
	}
	if u := s.Sums; u != nil {
		return append(tables, numbers("edges", what, u.Edges), numbers("lists", what, u.Lists),
			integers("weights", what, u.Weights, u.Wide), integers("totals", what, u.Totals, u.Wide))
	}
	c := s.Counters
	return append(tables, numbers("entries", what, c.Entries), numbers("fours", what, c.Fours),
		numbers("totals", what, c.Totals), numbers("bunches", what, c.Bunches), numbers("owners", what, c.Owners))
}

// denseTables lists the matrix.
func denseTables(d *host.Dense) []device.Vector {
	const what = "matrix of weights"
	vector := func(name string, v any) device.Vector {
		switch v := v.(type) {
		case []uint8:
			return numbers(name, what, v)
		case []int32:
			return numbers(name, what, v)
		}
		return numbers(name, what, v.([]int64))
	}
	if s := d.Signs; s != nil {
		return []device.Vector{numbers("matrix", what, s.Matrix), numbers("edges", what, s.Edges)}
	}
	return []device.Vector{vector("matrix", d.Matrix), vector("anchored", d.Anchored)}
}

// mixRows is one device's share of a population. All devices have all parents. Each makes the offspring of some.
type mixRows struct {
	parents, next, states *cl.Buffer[uint32]
	sums                  *cl.Buffer[uint32]
	list                  *cl.Buffer[uint32] // the offspring that are improved
	mates                 *cl.Buffer[uint32] // for mixing by components, and for the selection of chains
	first, count          int                // offspring made here
}

// mostBundled is the number of words of a bundle, the width of the vectors in mixing/words.cl.
const mostBundled = 8

// annealShare is one device's share of annealing.
type annealShare struct {
	bundle              int // units that a work-group anneals together: mostBundled words on processors, else 1
	temps               *cl.Buffer[float32]
	pace, slow, looking shard.Pacer // of a bundle: of sweeps, of computing all fields, and of evaluating it
	following           shard.Pacer // of a chain, of changing fields

	// For the population in progress:
	first, count int                // units
	done         *cl.Buffer[uint32] // two numbers for each unit, see mixing/rest.cl
	words        *cl.Buffer[uint32] // of chains; nil on a dense graph
	fields       *cl.Buffer[uint32] // of chains of a dense graph, else nil
}

// bundles returns the number of bundles of the population in progress. The last one may have fewer units.
func (t *annealShare) bundles() int { return (t.count + t.bundle - 1) / t.bundle }

// span sets the units to those of the chains [first, end).
func (t *annealShare) span(a *host.Annealing, first, end int) {
	width := a.Width()
	t.first, t.count = 0, 0
	if first < end {
		t.first = first / width
		t.count = (end+width-1)/width - t.first
	}
}

// schedule lists the temperatures, which are allocated again when annealing gets slower.
func (t *annealShare) schedule(a *host.Annealing) device.Share {
	return device.Share{Vectors: []device.Vector{
		{To: &t.temps, Name: "temps", What: "temperatures", Rows: len(a.Temps), Data: a.Temps},
	}}
}

// growing lists the vectors of the population in progress, of which annealed is Members.Annealed.
func (t *annealShare) growing(a *host.Annealing, annealed []uint32) device.Share {
	words, fields := 0, 0
	if a.Sliced != nil {
		words = max(1, a.Sliced.Places) * t.bundles() * t.bundle
	}
	if a.Dense != nil {
		fields = a.Dense.FieldWords()
	}
	return device.Share{Units: t.count, Vectors: []device.Vector{
		{To: &t.fields, Name: "fields", What: "fields of vertices", Rows: fields, Per: device.Unit},
		{To: &t.words, Name: "words", What: "chains, 32 to a word", Rows: words},
		{To: &t.done, Name: "done", What: "counts of annealing", Rows: 2, Per: device.Unit, Data: annealed},
	}}
}

func (m *Method) newAnnealShare(a *host.Annealing, info cl.Info) *annealShare {
	if a.Sliced != nil && a.Sliced.Counters != nil && shard.Wide(info) && !m.Form.Split {
		return &annealShare{bundle: mostBundled}
	}
	return &annealShare{bundle: 1}
}

// rows lists the vectors of r, for a population of n individuals.
func (l *layout) rows(r *mixRows, n int) device.Share {
	const states = "states of offspring"
	sums := 0
	improved := 1
	mates := 0
	if !l.resident {
		sums = 8 * max(len(l.plan.Larges), 1)
	}
	if l.components {
		improved = 0
	}
	if a := l.annealing; l.components || a.Selective() || a != nil && a.Dense != nil {
		mates = n
	}
	return device.Share{Units: r.count, Vectors: []device.Vector{
		{To: &r.parents, Name: "parents", What: fmt.Sprintf("first population: parents, %d partitions", n),
			Rows: n * l.plan.Words},
		{To: &r.next, Name: "next", What: "first population: offspring", Rows: l.plan.Words, Per: device.Unit},
		{To: &r.states, Name: "states", What: states, Rows: l.stateWords(), Per: device.Unit},
		{To: &r.sums, Name: "sums", What: states, Rows: sums, Per: device.Unit},
		{To: &r.list, Name: "list", What: states, Rows: improved, Per: device.Unit},
		{To: &r.mates, Name: "mates", What: states, Rows: mates},
	}}
}

// A state describes an offspring on a device, in uint32s.
const (
	stateSize  = 10
	stateSpill = 18 // with sums that are not in local memory
)

func (l *layout) stateWords() int {
	if l.resident {
		return stateSize
	}
	return stateSpill
}
