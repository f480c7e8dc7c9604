package solvers

import (
	"context"
	"fmt"
	"strconv"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
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
// Points are split by variables over the devices; acceptance is by the value
// of the whole point. One Step is one generation or one local search step of P
// evaluations. Choices where the paper is silent: the state of local search
// stays with its slot between phases and is dropped when a child takes the
// slot; a failed forward step is followed by the opposite one in the next
// step; ties keep the parent; surviving children take the slots of the removed
// parents in increasing order. All fields' zero values mean the default.
type MASW struct {
	Population int      // P, at least 4; 0: 100 up to 1e6 variables, 50 to 1e7, 25 to 1e8, else 16 (fp32) or 8 (fp64)
	Iterations int      // generations, and local search steps, of a cycle; 0: 500
	Alpha      *float64 // of BLX-alpha; nil: 0.5
	Mutation   *float64 // probability of BGA mutation per portion and child; nil: 0.125
	Portions   int      // number of portions in which mates are chosen; 0: by Portion
	Portion    int      // variables of a portion, rounded to whole tiles; 0: 1000

	Acceptance string // what is accepted at a time: "whole", or "block", see maswblock.go; "": whole
	Scheme     string // of block acceptance: "chains" (MASWSeq per block) or "synchronous"; "": chains
	Grain      int    // of block acceptance: variables that are decided about together, where the problem declares such parts; 0: blocks
	States     int    // stored biases of a block with chains; 0: 4
	Search     string // of a block with chains: "solis-wets", "cma" or "mts", see maswblock_cma.go and maswblock_mts.go; "": solis-wets
	Offspring  int    // of cma: points of a block that its first chain ranks at a time; 0: of n variables a power of two from n/2 on, 8 to 64

	columns bool // processors take distances in the form of graphics cards: for tests
}

// Name is "masw".
func (m *MASW) Name() string { return "masw" }

// String lists the settings as New reads them.
func (m *MASW) String() string {
	switch {
	case m.Acceptance != "block":
		return spell(m, "scheme", "grain", "states", "search", "offspring")
	case m.Scheme == "synchronous":
		return spell(m, "portions", "portion", "states", "search", "offspring")
	}
	return spell(m, "portions", "portion")
}

func (m *MASW) about() string {
	return `NGPUs-MA-SW-Chains (Cano and García-Martínez 2016): a memetic algorithm, synchronous. Points
are split by variables over the devices; negative assortative mating per portion of the variables, BLX-alpha, BGA mutation,
Solis-Wets local search chains on every individual. Whole solutions are accepted, or every block of them by itself.`
}

func (m *MASW) settings() []setting {
	return []setting{
		intSetting("population", "individuals; auto: 100 up to 1e6 variables, 50 to 1e7, 25 to 1e8, else 16 (fp32) or 8 (fp64)", &m.Population, 4, 65535, orAuto(m.Population)),
		intSetting("iterations", "generations, and then local search steps, of a cycle", &m.Iterations, 1, 1<<30, func() string { return strconv.Itoa(m.iterations()) }),
		realSetting("alpha", "widening of the BLX interval; the paper's 0.5 spreads a population, and most long runs end lower with 0.4", &m.Alpha, 0, 10, m.alpha),
		realSetting("mutation", "probability of mutation per portion and child", &m.Mutation, 0, 1, m.mutation),
		intSetting("portions", "portions of the variables in which mates are chosen (the paper: one per GPU); auto: by portion", &m.Portions, 1, 1<<30, orAuto(m.Portions)),
		intSetting("portion", "variables of a portion, rounded to whole tiles", &m.Portion, 1, 1<<31-1, func() string { return strconv.Itoa(m.portion()) }),
		wordSetting("acceptance", "what is accepted at a time: whole or block", &m.Acceptance, "whole", "block"),
		wordSetting("scheme", "of block acceptance: chains (the sequential algorithm per block) or synchronous", &m.Scheme, "chains", "synchronous"),
		intSetting("grain", "of block acceptance: variables decided about together, at most, or a group of them that one component reads, as the problem declares it; auto: blocks", &m.Grain, 1, 1<<30, orAuto(m.Grain)),
		intSetting("states", "stored states of local search of a block with chains; the one used longest ago is dropped", &m.States, 1, 65535, func() string { return strconv.Itoa(m.states()) }),
		wordSetting("search", "local search of a block with chains: solis-wets; cma, which learns the shape of the block in (variables of a block)^2 numbers; or mts, which tries one variable after the other, for blocks whose variables have little to do with each other", &m.Search, "solis-wets", "cma", "mts"),
		intSetting("offspring", "of search=cma: points of a block that are ranked at a time; the next chains of a block have 2, 4, 8 and 16 times as many; auto: of n variables a power of two from n/2 on, 8 to 64", &m.Offspring, 4, 1024, orAuto(m.Offspring)),
	}
}

func (m *MASW) validate() error {
	if m.Acceptance != "block" && m.Scheme == "synchronous" {
		return settingf("scheme=%s belongs to acceptance=block; whole acceptance is synchronous in any case", m.Scheme)
	}
	if m.Acceptance != "block" && m.Grain > 0 {
		return settingf("grain=%d belongs to acceptance=block", m.Grain)
	}
	if m.Offspring > 0 && m.Search != "cma" {
		return settingf("offspring=%d belongs to search=cma", m.Offspring)
	}
	if m.follows() && (m.Acceptance != "block" || m.Scheme == "synchronous") {
		return settingf("search=%s belongs to acceptance=block with scheme=chains", m.Search)
	}
	if m.follows() && m.States > 0 {
		return settingf("states=%d: with search=%s a block has one chain at a time", m.States, m.Search)
	}
	if m.Acceptance == "block" && (m.Portions > 0 || m.Portion > 0 && m.Portion != defaultPortion) {
		return settingf("acceptance=block chooses mates per block; leave portions and portion out")
	}
	if m.Portions > 0 && m.Portion > 0 && m.Portion != defaultPortion {
		return settingf("portions=%d and portion=%d contradict each other; give one of them", m.Portions, m.Portion)
	}
	return nil
}

const defaultPortion = 1000

func (m *MASW) iterations() int {
	if m.Iterations > 0 {
		return m.Iterations
	}
	return 500
}

func (m *MASW) states() int {
	if m.States > 0 {
		return m.States
	}
	return 4
}

func (m *MASW) alpha() float64 {
	if m.Alpha != nil {
		return *m.Alpha
	}
	return 0.5
}

func (m *MASW) mutation() float64 {
	if m.Mutation != nil {
		return *m.Mutation
	}
	return 0.125
}

func (m *MASW) portion() int {
	if m.Portion > 0 {
		return m.Portion
	}
	return defaultPortion
}

func (m *MASW) population(dim int, prec problems.Precision) int {
	switch {
	case m.Population > 0:
		return m.Population
	case dim <= 1e6:
		return 100
	case dim <= 1e7:
		return 50
	case dim <= 1e8:
		return 25
	case prec == problems.FP32:
		return 16
	}
	return 8
}

// portions is K: the number of portions of a tiling, at most one per tile.
func (m *MASW) portions(t problems.Tiling) int {
	if m.Portions > 0 {
		return min(m.Portions, t.Tiles())
	}
	tiles := max(1, (m.portion()+t.TileVars/2)/t.TileVars)
	return max(1, t.Tiles()/tiles)
}

// Plan lists the population, the biases of local search, the mates and the
// partial sums of both phases.
func (m *MASW) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	if m.Acceptance == "block" {
		return m.blockPlan(p, prec, false)
	}
	n, t := m.population(p.Dim(), prec), p.Tiling()
	bytes := int64(n) * int64(p.Dim()) * int64(prec.Bits()/8)
	what := fmt.Sprintf("%d points of %d variables in %s", n, p.Dim(), prec)
	items := []shard.PlanItem{
		{What: "population: " + what, Bytes: bytes},
		{What: "biases of local search: " + what, Bytes: bytes},
		{What: "mates and mutations", Bytes: int64(2+4+prec.Bits()/8) * int64(n) * int64(m.portions(t))},
		sumsItem(p, max(n*p.Accumulators(), 3*n)),
		sumsItem(p, max(n*p.Accumulators(), gaps*n)),
	}
	plan := shard.Plan{Items: append(items, tableItems(p, prec, 2)...)}
	if n > 4 {
		plan.Ways = append(plan.Ways, fmt.Sprintf("a smaller population (--set population=%d)", max(4, n/2)))
	}
	if prec == problems.FP64 {
		plan.Ways = append(plan.Ways, "single precision (--precision fp32)")
	}
	plan.Ways = append(plan.Ways, "more devices (--devices)")
	return plan
}

// Start allocates the population; see inPieces for a device that refuses a vector.
func (m *MASW) Start(ctx context.Context, p problems.Problem, g *shard.Group, s Setup) (Run, error) {
	if err := m.validate(); err != nil {
		return nil, err
	}
	if err := checkOneBox(m, p); err != nil {
		return nil, err
	}
	n := m.population(p.Dim(), s.Precision)
	if n < 4 {
		return nil, settingf("population=%d; mating needs at least 4", n)
	}
	if len(s.X0) > n {
		return nil, settingf("%d start points for a population of %d", len(s.X0), n)
	}
	if err := checkStart(p, s.X0); err != nil {
		return nil, err
	}
	if m.Acceptance == "block" {
		return m.startBlocks(ctx, p, g, s, -1)
	}
	plans, err := g.Fit(ctx, m.Plan(p, s.Precision), p, s.Precision)
	if err != nil {
		return nil, err
	}
	var run *maswRun
	shards, err := inPieces(p.Tiling(), plans, func(shards []shard.Shard) (refused int, err error) {
		run, refused, err = m.start(p, g, s, n, shards)
		return refused, err
	})
	if err != nil {
		return nil, err
	}
	run.info = Info{Plans: plans, Shards: shards, BuildTime: run.children.BuildTime + run.moves.BuildTime}
	return run, nil
}

// checkStart refuses start points of the wrong length or outside the box.
func checkStart(p problems.Problem, x0 [][]float64) error {
	for k, x := range x0 {
		if len(x) != p.Dim() {
			return settingf("start point %d has %d variables, %s has %d", k, len(x), p.Spec(), p.Dim())
		}
		for i, v := range x {
			if lo, hi := problems.BoundsOf(p, i); !(v >= lo && v <= hi) {
				return settingf("variable %d of start point %d is %g, outside %g to %g", i, k, v, lo, hi)
			}
		}
	}
	return nil
}

// checkOneBox refuses problems whose variables have different intervals, for
// methods that know one.
func checkOneBox(m Solver, p problems.Problem) error {
	if problems.OneBox(p) {
		return nil
	}
	return settingf("the variables of %s have different intervals, which solver %s does not know; use sa", p.Spec(), m.Name())
}
