// Package anneal implements simulated annealing. It runs many chains of whole points on each device, or
// sweeps over the variables of one large point that is split over all devices.
package anneal

import (
	"context"

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
// V1 has no exchange. V0 is the reference: one chain of N·Chains steps per level on the host, in float64. A
// change of one variable evaluates the components that it touches. Accumulators are computed in full at
// every exchange; in V1 and V0, at every level or after as many steps as there are variables. With Local, a
// local minimizer on the host starts from the best point so far.
//
// Some choices are not in the paper. The variable, neighbour and acceptance of a chain are draws with the
// counter (step, chain, level). The neighbour lies on either side of the old value with probability 1/2,
// uniformly between it and the bound, as in the authors' program. Starts are independent uniform points.
// The result is the best point that any chain visited. Only with Elitist does it change the chains.
// Acceptance compares f(y) - f(x) with -T ln u, where u has 23 bits, so that host and devices decide alike.
// A step up by more than 16.6 T, which has probability 6e-8, is therefore never accepted. One Step is a
// fortieth of the schedule, or less on a processor. Sweeps, for large problems, are described in sweep.go.
// The zero value of each field means its default.
type SA struct {
	// v0, v1 or v2; hybrid is v2 with Local nelder-mead; sweeps; auto or "": sweeps from 20,000 variables on, else v2
	Variant string
	T0      *float64 // first temperature; nil: 1000, with sweeps measured
	Tmin    *float64 // last temperature; nil: 0.01, with sweeps T0·1e-12
	Rho     *float64 // cooling factor; nil: 0.99, with sweeps 0.95
	N       int      // steps of a chain at one temperature, or sweeps; 0: 100 steps, 10 sweeps
	Chains  int      // number of chains; 0: 16384
	// two-sided, uniform, adaptive (Corana et al. 1987, doi:10.1145/29380.29864) or mixed; "": two-sided, with
	// sweeps mixed
	Neighbour  string
	Hastings   bool     // correct the acceptance for the two-sided neighbour's asymmetry
	Starts     string   // uniform, same or grid; "": uniform
	Exchange   int      // levels between exchanges in V2; 0: 1
	Elitist    bool     // an exchange copies the best point so far, not the best current one
	Shared     bool     // the chains of a group of 128 change the same variable in a step
	Evaluation string   // of a step: delta (the components it touches) or full (all, as in the paper); "": delta
	Local      string   // none, nelder-mead, lbfgs or coordinate; "": none, with hybrid nelder-mead
	LocalN     int      // largest number of moves of the local minimizer; 0: 500000
	Hops       int      // number of restarts of the local minimizer near the best point
	Hop        *float64 // distance of a restart, as a fraction of each interval; nil: 0.002

	fitted bool // to a limit of time: temperatures that would not end in it are left out
}

// chainGroup is the number of chains of a work-group, on every device.
const chainGroup = 128

// Traits describe annealing.
func (m *SA) Traits() solvers.Traits {
	return solvers.Traits{
		Name: "sa",
		About: `parallel simulated annealing (Ferreiro et al. 2013): chains side by side on the devices, one variable
changed at a time at the cost of the components it touches. v2 starts every temperature from the best chain, v1
leaves the chains independent, v0 is one chain on the host, and hybrid ends with a local minimizer. sweeps is for
large problems, and the default from 20000 variables on: it splits one point over the devices and moves many of its
variables at once, namely those that no component reads together. A schedule of which nothing is set is shortened if
a limit of evaluations or time would end it early.`,
		Settings: m.settings(),
		Check:    m.check, Suits: m.suits, Limits: m.limits, Fit: m.fit, Schedule: m.bounds, BatchSize: m.batchSize,
		StartBatch: m.startBatch, Calls: true,
	}
}

// maxLevels is the largest number of temperatures of a schedule.
const maxLevels = 1 << 22

// saSchedule is the schedule of chains. It follows from the settings alone.
type saSchedule struct {
	levels   []float64 // the temperature of each level
	n        int       // steps of a chain in a level
	chains   int
	segment  int // steps of a segment; the last one of a level has the rest
	segments int // segments of a level
	exchange int // levels between exchanges; 0: none
}

// all returns the number of segments of a run.
func (s saSchedule) all() int { return len(s.levels) * s.segments }

// epoch returns the number of segments from one exchange to the next; 0: there are none.
func (s saSchedule) epoch() int { return s.exchange * s.segments }

// turn returns which of the two buffers for exchanges a launch writes that ends after the given segments. Epochs use
// them in turn.
func (s saSchedule) turn(segments int) int {
	if s.exchange == 0 {
		return 0
	}
	return (segments - 1) / s.epoch() % 2
}

// made returns the number of steps that a chain makes in the first segments of a run.
func (s saSchedule) made(segments int) int64 {
	return int64(segments/s.segments)*int64(s.n) + int64(min(segments%s.segments*s.segment, s.n))
}

// stepOf returns the number of segments of a Step: a fortieth of the run, or as many as make the given
// number of moves, if these are fewer.
func (s saSchedule) stepOf(moves int64) int {
	fit := moves / (int64(s.segment) * int64(s.chains))
	return int(max(1, min(int64(s.all()+39)/40, fit)))
}

func (m *SA) schedule() saSchedule {
	s := saSchedule{n: m.n(), chains: m.chains()}
	s.levels = temperatures(m.t0(), m.tmin(), m.rho())
	if s.levels == nil {
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

// temperatures returns the temperatures of all levels, or nil if there are more than maxLevels.
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

// moves returns the number of moves of a run. As in the paper, each start point and each step counts as one.
func (s saSchedule) moves() int64 { return int64(s.chains) * (1 + s.steps()) }

// steps returns the number of steps that a chain makes in a run.
func (s saSchedule) steps() int64 { return int64(len(s.levels)) * int64(s.n) }

// bounds returns the evaluations and the moves of the whole run.
func (m *SA) bounds(p problems.Problem) (evaluations, moves int64) {
	m = m.of(p)
	s, work := m.schedule(), 0.0
	switch moves = s.moves(); m.variant() {
	case "sweeps":
		work, moves = m.sweepSchedule(p)
	case "v0":
		moves -= int64(s.chains) - 1 // one start
		work = m.costOf(p.Structure(), 1).work(moves)
	default:
		work = m.costOf(p.Structure(), s.chains).work(moves)
	}
	if m.local() != "none" {
		moves += int64(m.localN())
		work += float64(m.localN())
	}
	return atLeast(work), moves
}

// Plan returns the vectors of saDevice. A device has whole groups of chains.
func (m *SA) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	if problems.CallOf(p) != nil {
		return shard.Plan{}
	}
	switch m = m.of(p); m.variant() {
	case "sweeps":
		return m.sweepPlan(p, prec)
	case "v0":
		return shard.Plan{Items: device.TableItems(p, prec, problems.Tile, 1)}
	}
	s := m.schedule()
	groups := (s.chains + chainGroup - 1) / chainGroup
	plan := shard.Plan{Units: groups, Items: m.share(&saDevice{groups: groups}, p, prec).Items()}
	plan.Items = append(plan.Items, device.ReplicaItems(p, prec)...)
	return plan
}

// suits checks that a problem declares what annealing needs to know.
func (m *SA) suits(p problems.Problem, prec problems.Precision) error {
	if err := solvers.Continuous(m, p); err != nil {
		return err
	}
	m = m.of(p)
	if err := solvers.Validate(m); err != nil {
		return err
	}
	if problems.CallOf(p) != nil {
		return m.suitsCalls(p)
	}
	if m.variant() == "sweeps" {
		_, err := m.sweepShape(p)
		return err
	}
	return solvers.CheckPartial(m, p, prec)
}

// limits allows one start point for each chain. The first Step evaluates the start points and makes at
// least one step on the host, one sweep, or one segment of all chains.
func (m *SA) limits(p problems.Problem, _ problems.Precision) solvers.Limits {
	switch m = m.of(p); m.variant() {
	case "v0":
		return solvers.Limits{Starts: 1, Step: atLeast(m.costOf(p.Structure(), 1).work(2)), Moves: 2}
	case "sweeps":
		n := 1 + int64(p.Domain().N)
		return solvers.Limits{Starts: 1, Step: atLeast(m.costOf(p.Structure(), 1).work(n) + 1), Moves: n}
	}
	s := m.schedule()
	if problems.CallOf(p) != nil {
		return solvers.Limits{Starts: s.chains, Step: int64(s.chains)}
	}
	n := int64(s.chains) * (1 + s.made(1))
	return solvers.Limits{Starts: s.chains, Step: atLeast(m.costOf(p.Structure(), s.chains).work(n)), Moves: n}
}

// Start allocates the chains, or the point of sweeps.
func (m *SA) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run, error) {
	m = m.of(p)
	if problems.CallOf(p) != nil {
		return m.onCalls().Start(ctx, p, g, s)
	}
	var run solvers.Run
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
	hybrid, err := m.startLocal(p, s, run)
	if err != nil {
		run.Close()
		return nil, err
	}
	return hybrid, nil
}
