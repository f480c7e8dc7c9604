// Package masw implements the memetic algorithm NGPUs-MA-SW-Chains. It splits the points of a population by
// variables over the devices, and accepts or rejects whole points.
package masw

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/solvers/memetic"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// MASW is NGPUs-MA-SW-Chains, the synchronous memetic algorithm of Cano and
// García-Martínez (2016, "100 Million Dimensions Large-Scale Global
// Optimization Using Distributed GPU Computing", IEEE Congress on Evolutionary
// Computation), after MA-SW-Chains of Molina, Lozano,
// García-Martínez and Herrera (2010, doi:10.1162/evco.2010.18.1.18102):
//
//	x_1 … x_P uniform, evaluated
//	repeat until the budget is used up:
//	   Iterations times:                                    // evolution
//	      for every j and every portion q of the variables:
//	         child_j[q] = BGA(BLX(x_j[q], mate of x_j within q))
//	      evaluate all children; the P best of parents and children survive
//	   Iterations times:                                    // local search
//	      for every j: y_j from the Solis-Wets state of j
//	      evaluate all y_j; accept and adapt per individual
//
// Points are split by variables over the devices. A point is accepted by the value of the whole point. One
// Step is one generation or one local search step, of P evaluations each. Some choices are not in the
// paper. The state of local search stays with its slot between phases, and is dropped when a child takes
// the slot. After a failed forward step, the next step tries the opposite direction. If values are equal,
// the parent is kept. Surviving children take the slots of the removed parents in increasing order. The
// zero value of each field means its default.
type MASW struct {
	Population int      // P, at least 4; 0: 100 up to 1e6 variables, 50 to 1e7, 25 to 1e8, else 16 (fp32) or 8 (fp64)
	Iterations int      // generations of a cycle, and local search steps of a cycle; 0: 500
	Alpha      *float64 // alpha of BLX-alpha; nil: 0.5
	Mutation   *float64 // probability of BGA mutation per portion and child; nil: 0.125
	Mates      int      // candidates for a mate, of which the farthest is taken, 1 to 3; 0: 3, as in the paper
	Portions   int      // number of portions, each with mates of its own; 0: see Portion
	Portion    int      // variables of a portion, rounded to whole tiles; 0: 1000

	columns bool // processors compute distances as graphics cards do; for tests
}

// Traits describe MASW.
func (m *MASW) Traits() solvers.Traits {
	return solvers.Traits{
		Name: "masw",
		About: `NGPUs-MA-SW-Chains (Cano and García-Martínez 2016): a synchronous memetic algorithm. Points are split
by variables over the devices. It has negative assortative mating per portion of the variables, BLX-alpha, BGA
mutation, and Solis-Wets local search chains on every individual. It accepts whole points; graybox accepts parts of
them.`,
		Settings: m.settings(),
		Check:    m.check, Limits: m.limits, Advise: advise, BatchSize: m.batchSize, StartBatch: m.startBatch,
	}
}

// settings returns a setting for each exported field.
func (m *MASW) settings() []solvers.Setting {
	return []solvers.Setting{
		solvers.Int("population", "individuals; auto: 100 up to 1e6 variables, 50 to 1e7, 25 to 1e8, else 16 (fp32) "+
			"or 8 (fp64)", &m.Population, 4, 65535, 0),
		solvers.Int("iterations", "generations of a cycle, and then its local search steps", &m.Iterations, 1, 1<<30,
			memetic.DefaultIterations),
		solvers.Real("alpha", memetic.AlphaDoc, &m.Alpha, 0, 10, new(memetic.DefaultAlpha)),
		solvers.Real("mutation", "probability of mutation per portion and child", &m.Mutation, 0, 1,
			new(memetic.DefaultMutation)),
		solvers.Int("mates", "candidates for a mate, of which the farthest is taken, 3 in the paper; 1: any other "+
			"individual, which is better in long runs", &m.Mates, 1, mostMates, mostMates),
		solvers.Int("portions", "portions of the variables in which mates are chosen (in the paper one per GPU); "+
			"auto: as many as have portion variables each", &m.Portions, 1, 1<<30, 0),
		solvers.Int("portion", "variables of a portion, rounded to whole tiles", &m.Portion, 1, math.MaxInt32,
			defaultPortion),
	}
}

// advise names graybox for the settings of masw when it could also accept parts of points.
func advise(key string) string {
	former := []string{"acceptance", "scheme", "grain", "states", "search", "offspring"}
	if slices.Contains(former, strings.ToLower(key)) {
		return "it accepts whole points; parts of points are accepted by the method graybox"
	}
	return ""
}

// check refuses Portions together with Portion.
func (m *MASW) check() error {
	if m.Portions > 0 && m.Portion > 0 && m.Portion != defaultPortion {
		return solvers.Settingf("portions=%d and portion=%d contradict each other; give one of them", m.Portions,
			m.Portion)
	}
	return nil
}

// mostMates is the largest number of candidates for a mate, and the default.
const mostMates = 3

// defaultPortion is the default number of variables of a portion.
const defaultPortion = 1000

func (m *MASW) iterations() int { return cmp.Or(m.Iterations, memetic.DefaultIterations) }

func (m *MASW) alpha() float64 { return solvers.OrReal(m.Alpha, memetic.DefaultAlpha) }

func (m *MASW) mutation() float64 { return solvers.OrReal(m.Mutation, memetic.DefaultMutation) }

func (m *MASW) mates() int { return cmp.Or(m.Mates, mostMates) }

func (m *MASW) portion() int { return cmp.Or(m.Portion, defaultPortion) }

func (m *MASW) population(dim int, prec problems.Precision) int {
	return cmp.Or(m.Population, memetic.DefaultPopulation(dim, prec))
}

// limits: a step evaluates the whole population, and start points are part of it.
func (m *MASW) limits(p problems.Problem, prec problems.Precision) solvers.Limits {
	n := m.population(p.Domain().N, prec)
	return solvers.Limits{Starts: n, Step: int64(n)}
}

// portions returns K, the number of portions of a tiling: at most one per tile.
func (m *MASW) portions(t problems.Tiling) int {
	if m.Portions > 0 {
		return min(m.Portions, t.Tiles())
	}
	tiles := max(1, (m.portion()+t.TileVars/2)/t.TileVars)
	return max(1, t.Tiles()/tiles)
}

// Plan returns the vectors of maswShard and the partial sums of both phases.
func (m *MASW) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	return m.plan(p, prec, 1)
}

// plan is Plan for runs that are made together.
func (m *MASW) plan(p problems.Problem, prec problems.Precision, runs int) shard.Plan {
	t, accs := p.Tiling(), p.Accumulators()
	shards := shard.Split(t, []int{t.SuperTiles()}, nil)
	l := m.layout(p, prec, shards, runs)
	return shard.Plan{Items: slices.Concat(l.share(&maswShard{}, shards[0]).Items(),
		device.EvaluationItems(p, prec, l.all()*max(accs, 3)), device.EvaluationItems(p, prec, l.all()*max(accs, gaps)),
		device.TableItems(p, prec, problems.Tile, 2))}
}

// Start allocates the population. On a device that refuses it as a whole, it allocates pieces.
func (m *MASW) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run, error) {
	return m.startBatch(ctx, p, g, s, 1)
}
