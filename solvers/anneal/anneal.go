// Package anneal is simulated annealing: chains of whole points on each device, and sweeps over the variables of one
// large point that is split over all of them.
package anneal

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// SA is simulated annealing with many chains, after Ferreiro, García,
// López-Salas and Vázquez (2013, doi:10.1007/s10898-012-9979-z):
//
//	for every chain p: x_p = start_p                     // chains in parallel
//	T = T0
//	do
//	   for every p: N times:                             // Metropolis at T
//	      y = x_p with one random variable changed
//	      accept y if f(y) <= f(x_p) or u <= exp(-(f(y) - f(x_p))/T)
//	   V2: x_p = the best of all x_p, for every p        // every Exchange levels
//	   T = T·Rho
//	while T > Tmin
//
// V1 has no exchange, and V0 is one chain of N·Chains steps a level on the
// host, in float64: the reference. A change of one variable evaluates the
// components that it touches; accumulators are computed in full at every
// exchange, and in V1 and V0 every level or after as many steps as there are
// variables. With Local a local minimiser on the host starts from the best
// point that was seen.
//
// Where the paper leaves things open: a chain's variable, neighbour and
// acceptance are draws of (step, chain, level); the neighbour lies on either
// side of the old value with probability 1/2, uniformly between it and the bound
// (what the authors' program does); starts are independent uniform points. What
// is reported is the best point that any chain was at, which does not change
// the trajectory; only Elitist hands it on. Acceptance compares
// f(y) - f(x) with -T ln u, u of 23 bits, so that host and devices decide
// alike: a step up by more than 16.6 T, of probability 6e-8, is never taken.
// One Step is a fortieth of the schedule, or less on a processor. Sweeps, which are for
// large problems, are described in sasweep.go. All fields' zero values mean the default.
type SA struct {
	// v0, v1 or v2; hybrid is v2 with Local nelder-mead; sweeps; auto or "": sweeps from 20,000 variables on, else v2
	Variant string
	T0      *float64 // first temperature; nil: 1000, of sweeps what is measured
	Tmin    *float64 // the temperature at which it ends; nil: 0.01, of sweeps T0·1e-12
	Rho     *float64 // cooling factor; nil: 0.99, of sweeps 0.95
	N       int      // steps of a chain, or sweeps, at one temperature; 0: 100, of sweeps 10
	Chains  int      // 0: 16384
	// two-sided, uniform, adaptive (Corana et al. 1987, doi:10.1145/29380.29864) or mixed; "": two-sided, of sweeps mixed
	Neighbour  string
	Hastings   bool     // correct the acceptance for the two-sided neighbour's asymmetry
	Starts     string   // uniform, same or grid; "": uniform
	Exchange   int      // levels between exchanges in V2; 0: 1
	Elitist    bool     // an exchange hands on the best point seen, not the best of now
	Shared     bool     // the chains of a group of 128 change the same variable in a step
	Evaluation string   // of a step: delta (the components that it touches) or full (all, as the paper does); "": delta
	Local      string   // none, nelder-mead, lbfgs or coordinate; "": none, of hybrid nelder-mead
	LocalN     int      // most evaluations of the local minimiser; 0: 500000
	Hops       int      // how often the local minimiser begins anew, near the best point
	Hop        *float64 // how near: in each variable this part of its interval; nil: 0.002
}

// chainGroup is the chains of a group, whatever the device: a work-group.
const chainGroup = 128

// Name is "sa".
func (m *SA) Name() string { return "sa" }

// String lists the settings as New reads them.
func (m *SA) String() string { return solvers.Spell(m) }

// About describes the method for help.
func (m *SA) About() string {
	return `parallel simulated annealing (Ferreiro et al. 2013): chains side by side on the devices, one
variable changed at a time at the cost of the components it touches. v2 starts every temperature from the
best chain, v1 leaves the chains independent, v0 is one chain on the host, and hybrid ends with a local minimiser.
sweeps is for large problems, and the default from 20000 variables on: it splits one point over the devices
and moves many of its variables at once, namely those that no component reads together.`
}

// maxLevels bounds the temperatures of a schedule.
const maxLevels = 1 << 22

// saSchedule is what follows from the settings alone.
type saSchedule struct {
	levels   []float64 // the temperature of each level
	n        int       // steps of a chain in a level
	chains   int
	segment  int // steps of a segment, the last of a level has the rest
	segments int // of a level
	exchange int // levels between exchanges; 0: none
}

// all is the number of segments of a run, and made the steps of a chain in the
// first of them.
func (s saSchedule) all() int { return len(s.levels) * s.segments }

func (s saSchedule) made(segments int) int64 {
	return int64(segments/s.segments)*int64(s.n) + int64(min(segments%s.segments*s.segment, s.n))
}

// stepOf is the segments of a Step: a fortieth of the run, or as many as make
// the given evaluations if those are fewer.
func (s saSchedule) stepOf(evaluations int64) int {
	fit := evaluations / (int64(s.segment) * int64(s.chains))
	return int(max(1, min(int64(s.all()+39)/40, fit)))
}

func (m *SA) schedule() saSchedule {
	s := saSchedule{n: m.n(), chains: m.chains()}
	if s.levels = temperatures(m.t0(), m.tmin(), m.rho()); s.levels == nil {
		return s
	}
	// The log of a chain's moves has the length of a segment.
	s.segments = (s.n + 127) / 128
	s.segment = (s.n + s.segments - 1) / s.segments
	s.segments = (s.n + s.segment - 1) / s.segment
	if v := m.variant(); v == "v2" || v == "hybrid" || v == "auto" {
		s.exchange = max(1, m.Exchange)
	}
	return s
}

// temperatures are those of all levels, nil where there are more than maxLevels.
func temperatures(t0, tmin, rho float64) (levels []float64) {
	for t := t0; ; {
		levels = append(levels, t)
		if t *= rho; !(t > tmin) {
			return levels
		}
		if len(levels) == maxLevels {
			return nil
		}
	}
}

// evaluations is the count of the paper: one for each start point and step.
func (s saSchedule) evaluations() int64 {
	starts := s.chains
	return int64(starts) + int64(len(s.levels))*int64(s.chains)*int64(s.n)
}

// Schedule is the number of evaluations of the whole run.
func (m *SA) Schedule(p problems.Problem) int64 {
	if m = m.of(p); m.variant() == "sweeps" {
		return m.sweepSchedule(p)
	}
	s := m.schedule()
	n := s.evaluations()
	if m.variant() == "v0" {
		n -= int64(s.chains) - 1 // one start
	}
	if m.local() != "none" {
		n += int64(m.localN())
	}
	return n
}

// Plan lists the vectors of saDevice; a device has whole groups of chains.
func (m *SA) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	switch m = m.of(p); m.variant() {
	case "sweeps":
		return m.sweepPlan(p, prec)
	case "v0":
		return shard.Plan{Items: device.TableItems(p, prec, problems.Tile, 1)}
	}
	s := m.schedule()
	groups := (s.chains + chainGroup - 1) / chainGroup
	plan := shard.Plan{Units: groups, Items: m.share(&saDevice{groups: groups}, p, prec).Items()}
	plan.Items = append(append(plan.Items, device.ReplicaItems(p, prec)...), device.StoredItems(p, prec)...)
	if s.chains > chainGroup {
		plan.Ways = append(plan.Ways, fmt.Sprintf("fewer chains (--set chains=%d)", max(chainGroup, s.chains/4)))
	}
	if prec == problems.FP64 {
		plan.Ways = append(plan.Ways, "single precision (--precision fp32)")
	}
	return plan
}

// Suits says whether a problem tells what annealing needs to know.
func (m *SA) Suits(p problems.Problem, prec problems.Precision) error {
	if err := solvers.Continuous(m, p); err != nil {
		return err
	}
	m = m.of(p)
	if err := m.Validate(); err != nil {
		return err
	}
	if m.variant() == "sweeps" {
		_, err := m.sweepShape(p)
		return err
	}
	return solvers.CheckPartial(m, p, prec)
}

// Limits: a chain has one start point.
func (m *SA) Limits(p problems.Problem, _ problems.Precision) solvers.Limits {
	if m = m.of(p); m.variant() == "v0" || m.variant() == "sweeps" {
		return solvers.Limits{Starts: 1, Step: 1}
	}
	return solvers.Limits{Starts: m.chains(), Step: 1}
}

// Start places the chains, or the point of sweeps.
func (m *SA) Start(ctx context.Context, p problems.Problem, g *shard.Group, s solvers.Setup) (solvers.Run, error) {
	m = m.of(p)
	var run saAnnealer
	var err error
	switch m.variant() {
	case "v0":
		run, err = m.startHost(p, g, s)
	case "sweeps":
		run, err = m.startSweeps(ctx, p, g, s)
	default:
		run, err = m.startDevices(ctx, p, g, s, 1)
	}
	if err != nil {
		return nil, err
	}
	if m.local() == "none" {
		return run, nil
	}
	hybrid, err := m.startLocal(p, g, s, run)
	if err != nil {
		run.Close()
		return nil, err
	}
	return hybrid, nil
}

// saAnnealer is a run that ends by itself.
type saAnnealer interface {
	solvers.Run
	solvers.Ending
}

// shareOfWork is the work of one step of a chain.
func (m *SA) shareOfWork(s problems.Structure) float64 {
	if m.full() {
		return 1
	}
	return touchedShare(s)
}

// touchedShare is the work of one move: the mean number of components that a
// variable touches, of all.
func touchedShare(s problems.Structure) float64 { return s.MeanTouched() / float64(s.Components()) }
