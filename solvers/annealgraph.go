package solvers

import (
	"context"
	"math"

	"github.com/clopt/clopt/problems/draw"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/linkage"
)

// Annealing of partitions by classes of vertices (Kirkpatrick, Gelatt and Vecchi
// 1983, doi:10.1126/science.220.4598.671, with the rule of Metropolis):
//
//	for each sweep s, T = T0·(1 - s/sweeps), then T = 0 until a sweep flips nothing:
//	   for each class of vertices that are no neighbours, all vertices v at once:
//	      g = change of the cut by flipping v;  flip if g > T·ln(u), u uniform
//
// The gains of a class do not depend on each other, so that this is exact, in
// whole numbers, and the same for any number of work-items.
type annealing struct {
	classes *linkage.Classes
	temps   []float32 // of each sweep
	edges   int64     // evaluated in a sweep: each edge at both ends
	vertex  int64     // values obtained in a sweep
	key     draw.Key
}

// quietSweeps is how many sweeps at T = 0 there are at most.
const quietSweeps = 100

// hottest is T0 in mean absolute weights.
const hottest = 3

// newAnnealing cools g in so many sweeps; 0 sweeps is local search alone.
func newAnnealing(g *graph.Graph, sweeps int, key draw.Key) *annealing {
	a := &annealing{classes: linkage.VertexClasses(g), temps: make([]float32, sweeps+quietSweeps), edges: 2 * int64(g.M()), vertex: int64(g.N()), key: key}
	sum := 0.0
	for _, w := range g.Weights {
		sum += math.Abs(float64(w))
	}
	t0 := hottest * sum / float64(max(len(g.Weights), 1))
	for s := range sweeps {
		a.temps[s] = float32(t0 * (1 - float64(s)/float64(sweeps)))
	}
	return a
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
	var words [4]uint32
	for k := range a.classes.N() {
		drawn := -1
		for q := a.classes.Offsets[k]; q < a.classes.Offsets[k+1]; q++ {
			v := a.classes.Vertices[q]
			g := gain(v)
			flips := g > 0
			if !flips && t > 0 && float32(g) > -17*t { // ln(u) > -17
				if q>>2 != drawn {
					drawn = q >> 2
					words = a.key.Words(uint32(drawn), who, when, draw.Flip)
				}
				flips = float32(g) > t*draw.LogUniform(words[q&3])
			}
			if flips {
				flipped = true
				o[v>>6] ^= 1 << (v & 63)
			}
		}
	}
	return flipped
}
