package mixing

import (
	"context"
	"math"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
)

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

// sweeps is how many there are above T = 0.
func (a *annealing) sweeps() int { return len(a.temps) - quietSweeps }

// slower doubles the sweeps, up to a limit.
func (a *annealing) slower() {
	if sweeps := 2 * a.sweeps(); sweeps <= 1<<24 {
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
func (a *annealing) host(ctx context.Context, x *mixture, o []uint64, who, when uint32) (sweeps int64, err error) {
	gain := x.field.bind(o)
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
