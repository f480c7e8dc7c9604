package solvers

import (
	"context"
	"errors"
	"strconv"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// MASWSeq is MA-SW-Chains of Molina, Lozano, García-Martínez and Herrera
// (2010, doi:10.1162/evco.2010.18.1.18102), the sequential method that MASW
// makes synchronous:
//
//	P individuals uniform in the box, evaluated
//	repeat until the budget is used up:
//	   for floor((r (E_ea + E_ls + I) - E_ea) / (1 - r)) evaluations:      // evolution, steady state
//	      mother uniform, father by negative assortative mating of 3, child = BGA(BLX(mother, father))
//	      a child better than the worst individual replaces it; the state and the mark of that slot are dropped
//	   c = the best individual without a mark; if all have one, a uniform one
//	   y = Solis-Wets from c with the state stored for c, or a new one, for I evaluations
//	   if f(c) - f(y) >= 1e-8 |f(y)| and y is better: c = y, its state is stored: the chain goes on next time
//	   else: c is marked, its state is dropped
//
// E_ea and E_ls are the evaluations of evolution and local search so far. Where
// the description is silent: the P first evaluations belong to neither; local
// search takes exactly I, and when they end behind a failed forward step the
// opposite one is the chain's next; improving a marked individual removes its
// mark. A deviation: c takes a y that is better by less, so that the best point
// so far stays in the population. One Step is up to 50 evaluations of one phase.
//
// It runs on one device, where one work-group makes a step's evaluations in one
// launch, or on the host in plain Go: the same draws, two implementations.
// Block acceptance of MASW is this algorithm once for each block.
type MASWSeq struct {
	Population int      // P, at least 4; 0: 100
	Iterations int      // I; 0: 500
	Ratio      *float64 // r, share of evolution in the evaluations; nil: 0.5
	Alpha      *float64 // of BLX-alpha; nil: 0.5
	Mutation   *float64 // probability of BGA mutation; nil: 0.125
	On         string   // "device", "host"; "", "auto": the device if the objective is linear in its sums, else the host
}

// Name is "masw-seq".
func (m *MASWSeq) Name() string { return "masw-seq" }

// String lists the settings as New reads them.
func (m *MASWSeq) String() string { return spell(m) }

func (m *MASWSeq) about() string {
	return `MA-SW-Chains (Molina, Lozano, García-Martínez, Herrera 2010): the sequential memetic algorithm.
Steady-state evolution alternates with a Solis-Wets local search chain on the best individual. One
point at a time: for problems of some thousand variables; block acceptance of masw is the same for many blocks.`
}

func (m *MASWSeq) settings() []setting {
	shared := m.shared()
	return []setting{
		intSetting("population", "individuals", &m.Population, 4, 65535, func() string { return strconv.Itoa(m.population()) }),
		intSetting("iterations", "evaluations of a local search", &m.Iterations, 1, 1<<30, func() string { return strconv.Itoa(shared.iterations()) }),
		realSetting("ratio", "share of evolution in the evaluations", &m.Ratio, 0, 0.99, m.ratio),
		realSetting("alpha", "widening of the BLX interval", &m.Alpha, 0, 10, shared.alpha),
		realSetting("mutation", "probability of mutation per child", &m.Mutation, 0, 1, shared.mutation),
		wordSetting("on", "where it runs: device, host, or auto (the device where it can decide, else the host)", &m.On, "auto", "device", "host"),
	}
}

func (m *MASWSeq) validate() error { return nil }

// shared are the settings that MASW has as well, with its defaults.
func (m *MASWSeq) shared() *MASW {
	return &MASW{Population: m.population(), Iterations: m.Iterations, Alpha: m.Alpha, Mutation: m.Mutation, States: m.population()}
}

func (m *MASWSeq) population() int {
	if m.Population > 0 {
		return m.Population
	}
	return 100
}

func (m *MASWSeq) ratio() float64 {
	if m.Ratio != nil {
		return *m.Ratio
	}
	return 0.5
}

// onHost says where a run is made, and refuses what cannot be.
func (m *MASWSeq) onHost(p problems.Problem, prec problems.Precision) (bool, error) {
	_, hosted := p.(problems.Hosted)
	s, ok := p.(problems.Structured)
	linear := ok && s.Linear() != nil
	switch {
	case m.On == "device" || (m.On == "" || m.On == "auto") && linear:
		if !linear {
			return false, settingf("a device cannot decide by the objective of %s, which is not linear in its sums; use --set on=host where there is a host reference", p.Spec())
		}
		return false, nil
	case !hosted && m.On == "host":
		return false, settingf("%s has no host reference; use --set on=device", p.Spec())
	case !hosted:
		return false, settingf("masw-seq cannot decide by the objective of %s: it is not linear in its sums, and there is no host reference", p.Spec())
	case prec == problems.FP32:
		return false, settingf("masw-seq computes on the host in fp64; use --precision fp64")
	}
	return true, nil
}

// Suits says whether a device or the host can decide by the objective.
func (m *MASWSeq) Suits(p problems.Problem, prec problems.Precision) error {
	if err := continuous(m, p); err != nil {
		return err
	}
	_, err := m.onHost(p, prec)
	return err
}

// Plan is that of one block which is the whole problem; on the host nothing is
// held on devices.
func (m *MASWSeq) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	if host, err := m.onHost(p, prec); err != nil || host {
		return shard.Plan{} // Start reports the error
	}
	return m.shared().blockPlan(p, prec, true)
}

// Start makes a run on the device with the largest weight, or on the host.
func (m *MASWSeq) Start(ctx context.Context, p problems.Problem, g *shard.Group, s Setup) (Run, error) {
	host, err := m.onHost(p, s.Precision)
	if err != nil {
		return nil, err
	}
	n := m.population()
	if len(s.X0) > n {
		return nil, settingf("%d start points for a population of %d", len(s.X0), n)
	}
	if err := checkStart(p, s.X0); err != nil {
		return nil, err
	}
	if !host {
		return m.shared().startBlocks(ctx, p, g, s, m.ratio())
	}
	hosted, ok := p.(problems.Hosted)
	if !ok {
		return nil, errors.New("solvers: no host reference")
	}
	plans, err := g.Fit(ctx, shard.Plan{}, p, s.Precision)
	if err != nil {
		return nil, err
	}
	for i := range plans {
		plans[i].Supers = 0 // every device is idle
	}
	return newChainsRun(newSeqHost(hosted, s, n, m.shared().alpha(), m.shared().mutation(), Info{Plans: plans}), p.Dim(), oneCost(n), m.shared().iterations(), m.ratio()), nil
}
