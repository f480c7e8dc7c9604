// Package maswseq implements MA-SW-Chains, the sequential memetic algorithm of which package masw has a synchronous
// form.
package maswseq

import (
	"cmp"
	"context"

	"github.com/clopt/clopt/internal/solvers/memetic"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// MASWSeq is MA-SW-Chains (Molina, Lozano, García-Martínez and Herrera 2010, doi:10.1162/evco.2010.18.1.18102):
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
// E_ea and E_ls are the evaluations of evolution and local search so far. Some choices are not in the
// paper. The first P evaluations belong to neither. Local search makes exactly I evaluations; if they end
// after a failed forward step, the chain later continues with the opposite step. Improving a marked
// individual removes its mark. There is one deviation: c is replaced by y even if y is better by less, so
// that the best point so far stays in the population. One Step is up to 50 evaluations of one phase.
//
// One work-group of one device makes all evaluations, many of them in a launch. A run may also be made on the host, in
// plain Go with the same draws. The zero value of each field means its default.
type MASWSeq struct {
	Population int      // P, at least 4; 0: 100
	Iterations int      // I; 0: 500
	Alpha      *float64 // alpha of BLX-alpha; nil: 0.5
	Mutation   *float64 // probability of BGA mutation; nil: 0.125
	Ratio      *float64 // r, share of evolution in the evaluations; nil: 0.5
	// "device" or "host"; "" or "auto": the device if the objective is linear in its sums, else the host
	On string
}

// Defaults, from the paper.
const (
	defaultPopulation = 100
	defaultRatio      = 0.5
)

// Traits describe MASWSeq.
func (m *MASWSeq) Traits() solvers.Traits {
	return solvers.Traits{
		Name: "masw-seq",
		About: `MA-SW-Chains (Molina, Lozano, García-Martínez, Herrera 2010): the sequential memetic algorithm.
Steady-state evolution alternates with a Solis-Wets local search chain on the best individual. It evaluates one whole
point at a time, for problems of up to some thousand variables.`,
		Settings: m.settings(),
		Suits:    m.suits, Limits: m.limits, Calls: true,
	}
}

// settings returns a setting for each exported field.
func (m *MASWSeq) settings() []solvers.Setting {
	return []solvers.Setting{
		solvers.Int("population", "individuals", &m.Population, 4, 65535, defaultPopulation),
		solvers.Int("iterations", "evaluations of a local search", &m.Iterations, 1, 1<<30, memetic.DefaultIterations),
		solvers.Real("ratio", "share of evolution in the evaluations", &m.Ratio, 0, 0.99, new(defaultRatio)),
		solvers.Real("alpha", memetic.AlphaDoc, &m.Alpha, 0, 10, new(memetic.DefaultAlpha)),
		solvers.Real("mutation", "probability of mutation per child", &m.Mutation, 0, 1, new(memetic.DefaultMutation)),
		solvers.Word("on", "where it runs: device, host, or auto (the device if it can decide by the objective, else "+
			"the host)", &m.On, "auto", "device", "host"),
	}
}

func (m *MASWSeq) population() int { return cmp.Or(m.Population, defaultPopulation) }

func (m *MASWSeq) iterations() int { return cmp.Or(m.Iterations, memetic.DefaultIterations) }

func (m *MASWSeq) alpha() float64 { return solvers.OrReal(m.Alpha, memetic.DefaultAlpha) }

func (m *MASWSeq) mutation() float64 { return solvers.OrReal(m.Mutation, memetic.DefaultMutation) }

func (m *MASWSeq) ratio() float64 { return solvers.OrReal(m.Ratio, defaultRatio) }

// limits: the first step evaluates the population, and start points are part of it.
func (m *MASWSeq) limits(problems.Problem, problems.Precision) solvers.Limits {
	n := m.population()
	return solvers.Limits{Starts: n, Step: int64(n)}
}

// onHost reports whether a run is made on the host. It refuses runs that are impossible.
func (m *MASWSeq) onHost(p problems.Problem, prec problems.Precision) (bool, error) {
	_, hosted := p.(problems.Referenced)
	linear := p.Linear() != nil
	switch {
	case problems.CallOf(p) != nil && m.On != "device":
		return true, nil
	case m.On == "device" || (m.On == "" || m.On == "auto") && linear:
		if !linear {
			return false, solvers.Settingf("a device cannot decide by the objective of %s, which is not linear in its "+
				"sums; use --set on=host where there is a host reference", p.Spec())
		}
		return false, nil
	case !hosted && m.On == "host":
		return false, solvers.Settingf("%s has no host reference; use --set on=device", p.Spec())
	case !hosted:
		return false, solvers.Settingf("masw-seq cannot decide by the objective of %s: it is not linear in its sums, "+
			"and there is no host reference", p.Spec())
	case prec == problems.FP32:
		return false, solvers.Settingf("masw-seq computes on the host in fp64; use --precision fp64")
	}
	return true, nil
}

// suits checks that the variables are real and have one interval, and that a device or the host can decide by the
// objective.
func (m *MASWSeq) suits(p problems.Problem, prec problems.Precision) error {
	if err := solvers.Continuous(m, p); err != nil {
		return err
	}
	if _, err := m.onHost(p, prec); err != nil {
		return err
	}
	return solvers.CheckOneBox(m, p)
}

// Plan returns the memory of a run. A run on the host holds nothing on devices.
func (m *MASWSeq) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	if host, err := m.onHost(p, prec); err != nil || host {
		return shard.Plan{} // Start reports the error
	}
	return m.devicePlan(p, prec)
}

// Start makes a run on the device with the largest weight, or on the host.
func (m *MASWSeq) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	host, err := m.onHost(p, s.Precision)
	if err != nil {
		return nil, err
	}
	whole := oneDevice{p}
	plans, err := g.Fit(ctx, m.Plan(p, s.Precision), whole, s.Precision)
	if err != nil {
		return nil, err
	}
	if host {
		for i := range plans {
			plans[i].Supers = 0 // every device is idle
		}
		h := newHostEngine(p, s, m.population(), m.alpha(), m.mutation(),
			solvers.Info{Plans: plans})
		return newRun(h, p.Domain().N, m), nil
	}
	var e *deviceEngine
	shards, err := device.SplitUntilFits(whole.Tiling(), plans, func(shards []shard.Shard) (err error) {
		e, err = m.engine(p, g, s, shards)
		return err
	})
	if err != nil {
		return nil, err
	}
	e.layout = solvers.Info{Plans: plans, Shards: shards}
	return newRun(e, p.Domain().N, m), nil
}

// oneDevice is a problem that stays on one device.
type oneDevice struct{ problems.Problem }

func (p oneDevice) Tiling() problems.Tiling {
	t := p.Problem.Tiling()
	t.Whole = true
	return t
}
