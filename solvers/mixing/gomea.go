// Package mixing implements optimal mixing on cuts of graphs: GOMEA, and annealing of the same populations.
//
// The files of the package, with few exceptions each of which needs only those before it: gomea.go, annealgraph.go,
// state.go, climb.go, fit.go, run.go.
package mixing

import (
	"cmp"
	"context"
	"math"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/engine"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// GOMEA is the gene-pool optimal mixing evolutionary algorithm on graphs, with partial evaluations, after Bouter and
// Bosman (2022, "GPU-accelerated parallel gene-pool optimal mixing in a gray-box optimization setting",
// doi:10.1145/3512290.3528797), Dushatskiy et al. (2021, arXiv:2109.05259) and, for forced improvement, Bosman and
// Thierens (2013, doi:10.1145/2463372.2463420):
//
//	populations P_1, P_2, … of Base·2^(k-1) individuals, interleaved:
//	   one generation of P_k+1 for four of P_k, each created when it is first due
//	one generation: for each individual i of P, from donors in P
//	   o = copy of P[i]
//	   for F in random order over the sets of the linkage model:
//	      d = a parent that differs from o in F; none: next F
//	      D = {v in F : d_v != o_v}
//	      if the cut gets larger by flipping D, or stays and o is not the elitist: flip D in o
//	   if nothing was accepted or o has idled too long: force improvement
//
// On dense graphs, individuals that are annealed have children instead, see internal/host/crossing.go.
//
// The serial variant runs on the host. The parallel variant mixes sets that do not touch at the same time, for all
// individuals together. With Local "sa" its name is mixing. Work is the number of edges with an end in D, divided
// by the number of edges. A move is a set of vertices, or a vertex of annealing, that was tried. The zero value of each
// field means its default.
type GOMEA struct {
	// Population is the number of individuals of a single population, which restarts once it has converged. 0 means
	// interleaved populations or, if Local is "sa", one that grows at each restart.
	Population int
	Base       int // individuals of the first of interleaved populations; 0 means 16
	// Linkage is the linkage model: tree, components, univariate, learned or sparse. "" means components if Local is
	// "sa" and Bound, Similarity and Donor have their defaults, and else tree.
	Linkage    string
	Bound      int    // the most vertices of a linkage set; 0 means all
	Similarity string // of neighbours in the tree: abs, weight or adjacency; "" means abs
	Force      string // forced improvement: on or off; "" means on
	Donor      string // differing or single; "" means differing
	Local      string // improvement of new individuals: none, ls or sa; "" means none
	Sweeps     int    // of annealing a new individual; 0 means 500, or 100 for a population that grows
	Variant    string // serial or parallel; "" means parallel

	unmixed bool // populations are annealed and never mixed
	start   int  // individuals of the first population that grows, as Fit has set it; 0: the default ones

	form engine.Form // for tests
}

// Traits describe GOMEA.
func (m *GOMEA) Traits() solvers.Traits {
	name, about := "gomea", `gene-pool optimal mixing on graphs (Bouter and Bosman 2022) for maxcut, qubo and ising:
sets of vertices that belong together are copied from other individuals if the cut does not get worse; only the edges
that change are evaluated. Individuals are dealt to the devices.`
	if m.Local == "sa" {
		name, about = "mixing", `gomea with local=sa, for maxcut, qubo and ising: individuals are annealed, then mixed
by the components in which two of them differ or, on dense graphs, annealed again where they differ; a population that
has converged restarts with twice the individuals and sweeps. On small graphs a local search that keeps the rules of a
QUBO takes turns with it.
Individuals are dealt to the devices.`
	}
	return solvers.Traits{
		Name:     name,
		About:    about,
		Settings: m.settings(),
		Check:    m.check, Suits: m.suits, Limits: m.limits, Fit: m.fit,
	}
}

// settings returns a setting for each exported field.
func (m *GOMEA) settings() []solvers.Setting {
	return []solvers.Setting{
		solvers.Int("population", "individuals of a single population, which restarts once it has converged; auto: "+
			"interleaved populations, or with local=sa one that restarts with twice the individuals and sweeps",
			&m.Population, 2, host.MaxIndividuals, 0),
		solvers.Int("base", "individuals of the first of interleaved populations; each next one is twice as large; "+
			"auto: 16", &m.Base, 2, 1<<20, 0),
		solvers.Word("linkage", "sets that are mixed: tree (from the weights), components (of what two individuals "+
			"differ in), univariate, learned (each generation), sparse (learned, neighbours only); auto: components "+
			"with local=sa and no bound, similarity or donor, else tree", &m.Linkage, "auto", engine.Tree,
			engine.Components, engine.Univariate, engine.Learned, engine.Sparse),
		solvers.Int("bound", "the most vertices of a set (in the paper 10, 100 or all); auto: all", &m.Bound, 2,
			1<<31-1, 0),
		solvers.Word("similarity", "of neighbours in the tree: abs (of the weight), weight, adjacency", &m.Similarity,
			"abs", "weight", "adjacency"),
		solvers.Word("fi", "forced improvement: on, off", &m.Force, "on", "off"),
		solvers.Word("donor", "differing (uniform among parents that differ in the set), single (one parent, even "+
			"if it does not differ)", &m.Donor, "differing", "single"),
		solvers.Word("local", "improvement of new individuals: none, ls (flips that improve), sa (annealing)",
			&m.Local, "none", "ls", "sa"),
		solvers.Int("sweeps", "sweeps of annealing a new individual (local=sa); each restart of a single population "+
			"doubles them; auto: 500, or 100 for a population that grows, and up to 1000 on GPUs if the graph is dense",
			&m.Sweeps, 1, 1<<24, m.defaultSweeps()),
		solvers.Word("variant", "parallel (on the devices), serial (on one core of the host)", &m.Variant, "parallel",
			"serial"),
	}
}

// check checks the combination of settings.
func (m *GOMEA) check() error {
	var c solvers.Complaints
	if m.Population > 0 && m.Base > 0 {
		c.Addf("population=%d is for a single population and base=%d for the first of many; give one of them",
			m.Population, m.Base)
	}
	if m.Linkage == engine.Components && m.chooses() {
		c.Addf("linkage=components uses neither a tree nor a donor for each set, so bound, similarity and donor do " +
			"not apply; leave them out, or use linkage=tree")
	}
	if m.Sweeps > 0 && m.Local != "sa" {
		c.Addf("sweeps=%d is for annealing new individuals; use local=sa", m.Sweeps)
	}
	if m.learned() && m.Variant != "serial" {
		c.Addf("linkage=%s is learned on the host; use variant=serial with it", m.Linkage)
	}
	return c.Err()
}

// limits returns the size of the first population as the number of start points, and the most that this population
// costs. Start points are evaluated before they are annealed.
func (m *GOMEA) limits(p problems.Problem, _ problems.Precision) solvers.Limits {
	cut, ok := p.(problems.Cut)
	if !ok {
		return solvers.Limits{Starts: m.first(p.Domain().N), Step: 1} // suits reports the error
	}
	of, cost := m.searched(cut), host.Cost(cut.Graph())
	size := host.Size{Chains: m.first(of.Graph().N()), Sweeps: m.sweeps()}
	edges := m.method(of).Begins(of.shape, m.Variant == "serial").Edges(size)
	l := solvers.Limits{Starts: size.Chains, Step: (edges + cost - 1) / cost}
	if m.Local == "sa" || m.Local == "ls" {
		l.PerStart = 1
	}
	return l
}

// chooses reports whether settings choose sets of a tree, or donors for a set.
func (m *GOMEA) chooses() bool {
	return m.Bound > 0 || m.similarity() != linkage.Abs || m.rule() != host.Differing
}

func (m *GOMEA) base() int { return cmp.Or(m.Base, 16) }

// mixes returns the linkage model for a problem. Individuals of a dense graph are crossed by default, because the
// difference of two is one component there. Those of a graph without edges are never mixed, because all its cuts are
// the same.
func (m *GOMEA) mixes(p search) string {
	switch {
	case m.unmixed, p.Graph().M() == 0:
		return engine.Unmixed
	case m.Linkage != "" && m.Linkage != "auto":
		return m.Linkage
	case m.grows() && !m.chooses() && p.shape.Gains == host.Fields:
		return engine.Crossed
	case m.Local == "sa" && !m.chooses() && p.shape.FitsComponents():
		return engine.Components
	}
	return engine.Tree
}

// firstTrials bounds the flips that one sweep of the first population tries, if it grows. It has at least one word of
// chains.
const firstTrials = 1 << 23

// grows reports whether there is one population, which restarts with twice the individuals and sweeps.
func (m *GOMEA) grows() bool { return m.Local == "sa" && m.Population == 0 && m.Base == 0 }

func (m *GOMEA) sweeps() int { return cmp.Or(m.Sweeps, m.defaultSweeps()) }

// defaultSweeps is the default of Sweeps; 0: nothing is annealed.
func (m *GOMEA) defaultSweeps() int {
	switch {
	case m.Local != "sa":
		return 0
	case m.grows():
		return host.DefaultSweeps
	}
	return 500
}

func (m *GOMEA) learned() bool { return m.Linkage == engine.Learned || m.Linkage == engine.Sparse }

func (m *GOMEA) similarity() linkage.Similarity {
	switch m.Similarity {
	case "weight":
		return linkage.Weight
	case "adjacency":
		return linkage.Adjacency
	}
	return linkage.Abs
}

func (m *GOMEA) rule() host.DonorRule {
	if m.Donor == "single" {
		return host.Single
	}
	return host.Differing
}

// suits accepts problems that are stated as a cut of a graph.
func (m *GOMEA) suits(p problems.Problem, _ problems.Precision) error {
	g, ok := p.(problems.Cut)
	if !ok {
		return solvers.Settingf("%s takes problems on graphs (maxcut, qubo, ising), not %s; name no method, "+
			"and clopt chooses one", m.Traits().Name, p.Spec())
	}
	if err := addressed(g.Graph().N(), g.Graph().M()); err != nil && m.Variant != "serial" {
		return err
	}
	if n := g.Graph().N(); m.Linkage == engine.Learned && n > maxDense {
		return solvers.Settingf("linkage=learned compares all pairs of %d vertices; use linkage=sparse above %d", n,
			maxDense)
	}
	if m.Linkage == engine.Components && !host.ShapeOf(g.Graph()).FitsComponents() {
		return solvers.Settingf("linkage=components adds gains in 32 bits, which the weights of this graph " +
			"exceed; use linkage=tree")
	}
	return nil
}

// addressed returns an error for graphs that are too large for the 32-bit indices of kernels. A linkage tree has 2n-1
// sets with three numbers each, and every edge has two ends.
func addressed(vertices, edges int) error {
	if 3*(2*int64(vertices)-1) <= math.MaxUint32 && 2*int64(edges) <= math.MaxUint32 {
		return nil
	}
	return solvers.Settingf("a graph of %d vertices and %d edges is too large for the kernels (%d and %d); use "+
		"variant=serial", vertices, edges, math.MaxUint32/6, math.MaxUint32/2)
}

// maxDense bounds the vertices of dense learned linkage, whose similarities take 8 bytes a pair.
const maxDense = 8192

// populationRoom returns the most bytes of a population, with parents and offspring. All populations together take
// about twice as much. It depends on the kinds of the devices alone, so that runs have the same populations on any
// number of them.
func populationRoom(g *shard.Devices) int64 {
	room := int64(2 << 30)
	for _, info := range g.Infos() {
		if info.GlobalMem > 0 {
			room = min(room, info.GlobalMem/4)
		}
	}
	return room
}

// Plan returns the memory of the first population. The serial variant keeps nothing on devices.
func (m *GOMEA) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	cut, ok := p.(problems.Cut)
	if !ok || m.Variant == "serial" {
		return shard.Plan{} // suits reports the error
	}
	of := m.searched(cut)
	return m.method(of).Plan(of.shape)
}

// method returns what the settings mean for a problem on the graph that is searched.
func (m *GOMEA) method(p search) *engine.Method {
	return &engine.Method{First: m.first(p.Graph().N()), Linkage: m.mixes(p), Bound: m.Bound, Donors: m.rule(),
		Force: m.Force != "off", Anneals: m.Local == "sa" || m.Local == "ls", Sweeps: m.sweeps(), Form: m.form}
}

// first returns the size of the first population on n vertices.
func (m *GOMEA) first(n int) int {
	if m.Population > 0 {
		return m.Population
	}
	if m.grows() {
		if m.start > 0 {
			return m.start
		}
		return max(host.ChainsPerWord, min(firstTrials/max(n, 1), host.DefaultFirst))
	}
	return m.base()
}

// model returns the linkage model of a run with a fixed model. If models are learned, it returns one that only gives
// the order in which populations are stored.
func (m *GOMEA) model(p search, s solvers.Setup) *linkage.Model {
	g := p.Graph()
	if m.mixes(p) != engine.Tree {
		return linkage.Univariate(g.N())
	}
	return linkage.Sparse(g, m.similarity().Of(g), m.Bound, s.Key)
}

// search is a problem on the graph that is searched.
type search struct {
	problems.Cut
	shape *host.Shape // of the graph
}

// searched returns p on the graph that is searched: what is left of it if individuals are annealed.
func (m *GOMEA) searched(p problems.Cut) search {
	if m.Local == "sa" {
		p = host.Reduced(p)
	}
	return search{p, host.ShapeOf(p.Graph())}
}

// Start builds the linkage model and, for the parallel variant, the kernels.
func (m *GOMEA) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run, error) {
	r := newGomeaRun(m, p.(problems.Cut), s, populationRoom(g))
	if first := r.state.First; len(s.X0) > first {
		return nil, solvers.Settingf("%d start points are too many for a first population of %d", len(s.X0), first)
	}
	if m.Variant == "serial" {
		plans, err := g.Fit(ctx, shard.Plan{}, p, s.Precision)
		if err != nil {
			return nil, err
		}
		r.info.Plans, r.engine = plans, engine.Serial(r.task())
		return r, nil
	}
	e, plans, err := engine.Parallel(ctx, r.task(), g)
	if err != nil {
		return nil, err
	}
	r.info.Plans = plans
	r.info.Units = r.state.First
	r.info.UnitNames = "individuals"
	r.engine = e
	return r, nil
}
