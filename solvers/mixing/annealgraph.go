package mixing

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// AnnealGraph is simulated annealing on graphs (Kirkpatrick, Gelatt and Vecchi
// 1983, doi:10.1126/science.220.4598.671, with the rule of Metropolis), by
// classes of vertices:
//
//	repeat, with twice the sweeps each time: for all chains, from random partitions
//	   for each sweep s, T from T0 down to T0/10, then T = 0 until a sweep flips nothing:
//	      for each class of vertices that are no neighbours, all vertices v at once:
//	         g = change of the cut by flipping v;  flip if g >= T·ln(u), u uniform; at T = 0 if g > 0
//
// The gains of a class do not depend on each other, so that this is exact, in
// whole numbers, and the same for any number of work-items and devices. T0 is
// three quarters of where the graph, were it a random one, would freeze (see freezing). Where
// weights are small whole numbers, 32 chains are annealed at once, a bit of a
// word each; these share their draws. Chains are dealt to the devices. A flip tried is
// a value; a limit of evaluations applies to the work, of which a sweep is 2.
// All fields' zero values mean the default.
type AnnealGraph struct {
	Chains  int    // 0: 128 (fewer on more than 65,536 vertices, at least 32), and twice as many each time, up to 8192
	Sweeps  int    // of the first chains; 0: 100
	Variant string // as in GOMEA
}

// Suits: problems that are stated as a cut of a graph.
func (a *AnnealGraph) Suits(p problems.Problem, prec problems.Precision) error {
	return a.gomea().Suits(p, prec)
}

// Plan lists the graph and the chains.
func (a *AnnealGraph) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	plan := a.gomea().Plan(p, prec)
	plan.Ways = []string{fmt.Sprintf("fewer chains (--set chains=%d)", max(2, plan.Units/2)), "more memory"}
	return plan
}

// Name is "annealgraph".
func (a *AnnealGraph) Name() string { return "annealgraph" }

// String lists the settings as New reads them.
func (a *AnnealGraph) String() string { return solvers.Spell(a) }

// About describes the method for help.
func (a *AnnealGraph) About() string {
	return `simulated annealing on graphs for maxcut, qubo and ising: many chains, dealt to the devices, that start
anew with twice the sweeps; vertices that are no neighbours are decided at once. A limit of evaluations
applies to the work.`
}

// Settings lists all fields.
func (a *AnnealGraph) Settings() []solvers.Setting {
	return []solvers.Setting{
		solvers.Int("chains", "chains that anneal together; auto: 128, or fewer on a large graph, and twice as many each time, up to 8192", &a.Chains, 2, 1<<20, 0),
		solvers.Int("sweeps", "sweeps of the first chains; later ones have twice as many each time", &a.Sweeps, 1, 1<<24, usualAnnealSweeps),
		solvers.Word("variant", "parallel (on the devices), serial (on one core of the host)", &a.Variant, "parallel", "serial"),
	}
}

// usualAnnealSweeps is the default of Sweeps.
const usualAnnealSweeps = 100

// Validate checks the settings.
func (a *AnnealGraph) Validate() error { return solvers.CheckSettings(a) }

// Limits: as in GOMEA.
func (a *AnnealGraph) Limits(p problems.Problem, prec problems.Precision) solvers.Limits {
	return a.gomea().Limits(p, prec)
}

// gomea has populations that are annealed and never mixed.
func (a *AnnealGraph) gomea() *GOMEA {
	return &GOMEA{Population: a.Chains, Sweeps: cmp.Or(a.Sweeps, usualAnnealSweeps), Variant: a.Variant, Local: "sa", Linkage: "univariate"}
}

// Start draws nothing before the first step.
func (a *AnnealGraph) Start(ctx context.Context, p problems.Problem, g *shard.Group, s solvers.Setup) (solvers.Run, error) {
	run, err := a.gomea().Start(ctx, p, g, s)
	if err != nil {
		return nil, err
	}
	run.(*gomeaRun).only = true
	return run, nil
}

// annealing is the schedule of temperatures on a graph.
type annealing struct {
	classes   *linkage.Classes
	sliced    *slicedGraph // nil where chains are annealed one by one
	hot, cold float64      // T of the first sweep and after the last
	temps     []float32    // of each sweep
	edges     int64        // evaluated in a sweep: each edge at both ends
	vertex    int64        // values obtained in a sweep
	key       rng.Key
}

// quietSweeps is how many sweeps at T = 0 there are at most.
const quietSweeps = 100

// hottest is the first temperature, in that where the graph freezes; coldest the
// last before 0, in the first.
const (
	hottest = 0.75
	coldest = 0.1
)

// newAnnealing cools g in so many sweeps; 0 sweeps is local search alone.
func newAnnealing(g *graph.Graph, sweeps int, key rng.Key) *annealing {
	a := &annealing{classes: linkage.VertexClasses(g), edges: 2 * int64(g.M()), vertex: int64(g.N()), key: key}
	a.sliced = newSlicedGraph(g, a.classes)
	a.hot = hottest * freezing(g)
	a.cold = coldest * a.hot
	a.cool(sweeps)
	return a
}

// cool sets the temperatures of so many sweeps.
func (a *annealing) cool(sweeps int) {
	a.temps = make([]float32, sweeps+quietSweeps)
	for s := range sweeps {
		a.temps[s] = float32(a.hot + (a.cold-a.hot)*float64(s)/float64(sweeps))
	}
}

// freezing is the temperature below which a spin glass on a random graph of
// these degrees and weights freezes (Viana and Bray 1985,
// doi:10.1088/0022-3719/18/15/013):
//
//	B·mean tanh²(w/2T) = 1,   B = Σ d(d-1) / Σ d over the degrees d
//
// Above it chains forget at once where they were, and somewhat below still fast. It is not
// below a quarter of the mean absolute weight, as on chains and trees.
func freezing(g *graph.Graph) float64 {
	pairs, arcs := 0.0, 0.0
	for v := range g.N() {
		d := float64(g.Offsets[v+1] - g.Offsets[v])
		pairs += d * (d - 1)
		arcs += d
	}
	if arcs == 0 {
		return 1
	}
	var sample []float64
	mean := 0.0
	for e := 0; e < len(g.Weights); e += (len(g.Weights) + freezingSample - 1) / freezingSample {
		w := math.Abs(float64(g.Weights[e]))
		sample = append(sample, w)
		mean += w
	}
	mean /= float64(len(sample))
	low, high := mean/4, mean*(pairs/arcs+1)
	for range 40 {
		t, sum := (low+high)/2, 0.0
		for _, w := range sample {
			h := math.Tanh(w / (2 * t))
			sum += h * h
		}
		if pairs/arcs*sum/float64(len(sample)) > 1 {
			low = t
		} else {
			high = t
		}
	}
	return low
}

// freezingSample is about how many weights stand for all.
const freezingSample = 1 << 12

// slower doubles the sweeps, up to a limit.
func (a *annealing) slower() {
	if sweeps := 2 * (len(a.temps) - quietSweeps); sweeps <= 1<<24 {
		a.cool(sweeps)
	}
}

// most is the edges that one individual takes at most.
func (a *annealing) most() int64 {
	if a == nil {
		return 0
	}
	return int64(len(a.temps)) * a.edges
}

// host runs all sweeps on the partition o, and returns how many there were.
func (a *annealing) host(ctx context.Context, f field, o []uint64, who, when uint32) (sweeps int64, err error) {
	gain := f.bind(o)
	for s, t := range a.temps {
		if err := ctx.Err(); err != nil {
			return sweeps, err
		}
		sweeps++
		if flipped := a.sweep(gain, o, who, when+uint32(s), t); !flipped && t == 0 {
			break
		}
	}
	return sweeps, nil
}

func (a *annealing) sweep(gain func(v uint32) int64, o []uint64, who, when uint32, t float32) (flipped bool) {
	if a.sliced != nil {
		who &^= chainsPerWord - 1
	}
	for k := range a.classes.N() {
		var words [4]uint32
		drawn := -1
		for q := a.classes.Offsets[k]; q < a.classes.Offsets[k+1]; q++ {
			v := a.classes.Vertices[q]
			g := gain(v)
			flips := g > 0
			if !flips && t > 0 && float32(g) > -17*t { // ln(u) > -17
				index, word := uint32(q>>2), uint32(q&3)
				if a.sliced != nil {
					index, word = a.sliced.draw(v)
				}
				if int(index) != drawn {
					drawn = int(index)
					words = a.key.Words(index, who, when, rng.Flip)
				}
				flips = float32(g) >= t*rng.LogUniform(words[word])
			}
			if flips {
				flipped = true
				o[v>>6] ^= 1 << (v & 63)
			}
		}
	}
	return flipped
}
