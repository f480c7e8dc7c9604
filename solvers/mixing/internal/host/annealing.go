package host

import (
	"context"
	"math"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
)

// Annealing is the schedule of temperatures on a graph, and the order in which vertices are decided.
type Annealing struct {
	Classes *linkage.Classes // of vertices that are not neighbours
	Sliced  *Sliced          // for words of chains; nil if the graph is dense
	Dense   *Dense           // for chains that keep fields; nil unless the graph is dense
	Temps   []float32        // of each sweep
	Edges   int64            // number of edges that a sweep counts: each one at both ends
	Vertex  int64            // number of values computed in a sweep
	Key     rng.Key          // of the draws

	hot, cold float64 // T of the first sweep, and the lowest T above 0
	warm      float64 // T from which children are annealed, see crossing.go
	selective bool    // populations are selected while they are annealed, see selection.go
}

// quietSweeps is the largest number of sweeps at T = 0.
const quietSweeps = 100

// hottest is the first temperature divided by that at which the graph freezes, and coldest the lowest temperature above
// 0 divided by the first. Where chains keep fields, flips take most of the time, and most are made while it is hot. So
// annealing begins colder there, at hottestOfFields. On graphs of hubs, such as almost planar ones, chains get stuck,
// and more sweeps at low temperatures help: it begins at hottestOfHubs. Random graphs without hubs would get worse. All
// end at the same temperature.
const (
	hottest         = 0.75
	hottestOfFields = 0.6
	hottestOfHubs   = 0.5
	coldest         = 0.1
)

// NewAnnealing returns a schedule of a number of sweeps above T = 0 for the graph of s. 0 sweeps are local search.
func NewAnnealing(s *Shape, sweeps int, key rng.Key) *Annealing {
	g := s.Graph
	a := &Annealing{Edges: 2 * Cost(g), Vertex: int64(g.N()), Key: key, selective: s.Selective()}
	freezes := freezing(g, s.Heavy)
	a.hot, a.warm = hottest*freezes, reheated*freezes
	a.cold = coldest * a.hot
	if s.Gains == Fields {
		a.Dense = newDense(s)
		a.Classes = a.Dense.classes(g.N())
		a.hot = hottestOfFields * freezes
	} else {
		a.Classes = without(linkage.VertexClasses(g), s.Fixed)
		a.Sliced = newSliced(s, a.Classes)
		if s.ofHubs() {
			a.hot = hottestOfHubs * freezes
		}
	}
	a.Cool(sweeps)
	return a
}

// without returns classes without vertex fixed, or the classes themselves if it is -1.
func without(classes *linkage.Classes, fixed int) *linkage.Classes {
	if fixed < 0 {
		return classes
	}
	others := &linkage.Classes{Offsets: []int{0}}
	for k := range classes.N() {
		for _, v := range classes.Of(k) {
			if int(v) != fixed {
				others.Members = append(others.Members, v)
			}
		}
		if end := len(others.Members); end > others.Offsets[others.N()] {
			others.Offsets = append(others.Offsets, end)
		}
	}
	return others
}

// Cool sets the temperatures of a number of sweeps.
func (a *Annealing) Cool(sweeps int) {
	a.Temps = make([]float32, sweeps+quietSweeps)
	for s := range sweeps {
		a.Temps[s] = float32(a.hot + (a.cold-a.hot)*float64(s)/float64(sweeps))
	}
}

// freezing returns the temperature T below which a spin glass on a random graph of the same degrees and weights freezes
// (Viana and Bray 1985, doi:10.1088/0022-3719/18/15/013):
//
//	B·mean tanh²(w/2T) = 1,   B = Σ d(d-1) / Σ d over the degrees d
//
// At this temperature and somewhat below, chains soon forget where they were. The result is at least a quarter of the
// mean absolute weight, as it is on paths and trees, which never freeze. A hub counts as a vertex of hubDegree edges:
// on almost planar graphs a few hubs would raise the temperature by half, but the other vertices do not freeze sooner.
// The weights of vertex heavy are left out, unless it is -1: those of the linear terms of a QUBO are so heavy that the
// few in the sample would raise the temperature to twice the right one on a dense graph, and to six times where a QUBO
// states an exact cover.
func freezing(g *graph.Graph, heavy int) float64 {
	pairs := 0.0
	arcs := 0.0
	most := hubDegree(g)
	for v := range g.N() {
		d := float64(min(g.Offsets[v+1]-g.Offsets[v], most))
		pairs += d * (d - 1)
		arcs += d
	}
	if arcs == 0 {
		return 1
	}
	sample := sizes(g, heavy)
	mean := 0.0
	for _, w := range sample {
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

// freezingSample is about the number of weights that are looked at.
const freezingSample = 1 << 12

// sizes returns absolute weights of a sample of the edges of g that do not end at vertex heavy, or of all if all do.
func sizes(g *graph.Graph, heavy int) (sample []float64) {
	first, end := 0, 0
	if heavy >= 0 {
		first, end = g.Offsets[heavy], g.Offsets[heavy+1]
	}
	for e := 0; e < len(g.Weights); e += (len(g.Weights) + freezingSample - 1) / freezingSample {
		if int(g.Neighbors[e]) != heavy && (e < first || e >= end) {
			sample = append(sample, math.Abs(float64(g.Weights[e])))
		}
	}
	if len(sample) == 0 {
		return sizes(g, -1)
	}
	return sample
}

// Width returns the number of chains that are annealed together: ChainsPerWord, or 1 if a.Sliced is nil.
func (a *Annealing) Width() int {
	if a.Sliced != nil {
		return ChainsPerWord
	}
	return 1
}

// Sweeps returns the number of sweeps above T = 0.
func (a *Annealing) Sweeps() int { return len(a.Temps) - quietSweeps }

// Slower doubles the sweeps, up to a limit.
func (a *Annealing) Slower() {
	if sweeps := 2 * a.Sweeps(); sweeps <= 1<<24 {
		a.Cool(sweeps)
	}
}

// Most returns the largest number of edges that are evaluated for an individual. It is 0 if a is nil.
func (a *Annealing) Most() int64 {
	if a == nil {
		return 0
	}
	return int64(len(a.Temps)) * a.Edges
}

// Chain makes the sweeps [from, to) of the partition o of x, or fewer if it comes to rest. who and when are the
// counters of its draws: the number of the individual, and the generation of sweep 0. It returns the number of sweeps,
// also if ctx is cancelled.
func (a *Annealing) Chain(ctx context.Context, x *Mixture, o []uint64, who, when uint32, from, to int) (sweeps int64,
	err error) {
	gain, flip := x.field.bind(o)
	for s := from; s < to; s++ {
		if err := ctx.Err(); err != nil {
			return sweeps, err
		}
		sweeps++
		if flipped := a.sweep(gain, flip, who, when+uint32(s), a.Temps[s]); !flipped && a.Temps[s] == 0 {
			break
		}
	}
	return sweeps, nil
}

// sweep decides all vertices at temperature t, and reports whether any flipped.
func (a *Annealing) sweep(gain func(v uint32) int64, flip func(v uint32), who, when uint32, t float32) (flipped bool) {
	if a.Sliced != nil {
		who &^= ChainsPerWord - 1
	}
	for k := range a.Classes.N() {
		var words [4]uint32
		drawn := -1
		for q := a.Classes.Offsets[k]; q < a.Classes.Offsets[k+1]; q++ {
			v, least := a.Classes.Members[q], int64(1)
			g := gain(v)
			if g <= 0 && t > 0 && float32(g) > -17*t { // ln(u) > -17
				index, word := a.draw(v)
				if int(index) != drawn {
					drawn = int(index)
					words = a.Key.Words(index, who, when, rng.Flip)
				}
				least = -int64(-t * rng.LogUniform(words[word]))
			}
			if g >= least {
				flipped = true
				flip(v)
			}
		}
	}
	return flipped
}

// draw returns the index of the counter and the word of its draw that decide vertex v.
func (a *Annealing) draw(v uint32) (index, word uint32) {
	if a.Sliced != nil {
		return a.Sliced.draw(v)
	}
	return v / 4, v % 4
}

// One step of annealing makes a sixteenth of all sweeps, but tries at least trialsPerSlice flips over all individuals
// and at most 32 times as many. Where a flip changes the fields of all vertices, it tries about fieldsOnDevices divided
// by the number of vertices.
const (
	fieldsOnDevices = 1 << 34
	trialsPerSlice  = 1 << 28
)

// Step returns the number of sweeps of one step for a population of n on devices.
func (a *Annealing) Step(n int) int {
	vertices := max(int(a.Vertex), 1)
	sweep := n * vertices
	if a.Dense != nil {
		return max(1, fieldsOnDevices/sweep/vertices)
	}
	return max(1, min(max(len(a.Temps)/16, trialsPerSlice/sweep), 32*trialsPerSlice/sweep))
}

// AtRest reports whether all units have come to rest, from two numbers for each (see kernels/solvers/mixing/rest.cl).
func AtRest(done []uint32) bool {
	for k := 1; k < len(done); k += 2 {
		if done[k] != 1 {
			return false
		}
	}
	return true
}
