package anneal

import (
	"cmp"
	"math"
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// Sweeps anneal one large point. Its variables are split over the devices, and many of them move at a time:
//
//	T = T0
//	do
//	   N times, for each colour:                       // a sweep: every variable once
//	      for every variable i of the colour at once:  // no component reads two of them
//	         y = neighbour of x_i
//	         accept y if the components that read i change by d <= 0, or u <= exp(-d/T)
//	   f(x) in full; the best x is kept
//	   T = T·Rho
//	while T > Tmin
//
// Which variables are independent follows from what the problem declares (problems.ColoursOf), never from
// its name. If f = Σ_a c_a·acc_a, the decisions are those of a chain that moves the variables one after the
// other. For another g, they use g linearised at the accumulators, which are computed again after each
// colour: d = Σ_a ∂g/∂acc_a·(change of acc_a). This is valid while all changes together are small for g. If
// g(acc) and its linear form differ by more than half of the change, fewer variables of a colour move at a
// time, down to one in maxEvery. After sweeps in which they agree, more move again. A problem for which
// this is not enough in the first level (or the first refusedBy sweeps) is refused. ∂g/∂acc_a comes from
// differences of g on the host. It is 0 for counts, such as the number of negative factors of a product.
// If g bends up in one of several accumulators, as with a penalty for a limit, multipliers take the place of
// ∂g/∂acc_a (multipliers.go), all variables of a colour move at a time, and one Step is a sweep.
//
// Four things differ from the chains of SA (Ferreiro et al. 2013). First, T0 is measured unless it is set: it
// is the mean of |d| over one sweep from the start in which no move is accepted. Tmin is then T0·1e-12, since
// f may be a sum or a mean of a million terms. Second, temperatures between these two are not in equal ratios: a
// pilot measures where the steps become short, and most levels are there (pilot.go). Third, each variable has
// its own width of near neighbours. It changes at every sweep, by a factor of 1.1, and becomes wider after an
// accepted move and narrower after another. A level would be too rare, since a variable has few steps in it.
// Fourth, the default neighbour is mixed, that is near or two-sided with probability 1/2. Near ones give digits,
// two-sided ones leave wrong basins.
//
// Draws have the counter (variable, sweep) and sums have the fixed tree of tiles, so a run has the same
// bits on any number of devices of one kind. One Step is a level, or a few sweeps of it if these take long
// enough.

const (
	// sweepsFrom is the number of variables from which on variant=auto is sweeps.
	sweepsFrom = 20000
	// maxEvery is the largest number of turns into which a colour is split if g is not linear.
	maxEvery = 256
	// refusedBy is the least number of sweeps in which a problem can be refused. The first four of them
	// split a colour into maxEvery turns.
	refusedBy = 10
	// tminOfT0 is the default last temperature of sweeps, divided by the first one.
	tminOfT0 = 1e-12
	// A width is multiplied by wider after an accepted near neighbour, and by narrower after a rejected one.
	// They are float32 everywhere.
	wider, narrower = float32(1.1), float32(1 / 1.1)
)

// of returns m with auto replaced by the variant for p.
func (m *SA) of(p problems.Problem) *SA {
	if m.variant() != "auto" {
		return m
	}
	c := *m
	c.Variant = "v2"
	chains := m.Chains > 0 || m.Starts != "" || m.Exchange > 0 || m.Elitist || m.Shared || m.full()
	if !chains && p.Domain().N >= sweepsFrom && !p.Structure().Whole() {
		c.Variant = "sweeps"
	}
	return &c
}

func (m *SA) sweeps() int       { return cmp.Or(m.N, 10) }
func (m *SA) sweepRho() float64 { return solvers.OrReal(m.Rho, 0.95) }
func (m *SA) sweepNeighbour() string {
	return cmp.Or(strings.TrimPrefix(m.Neighbour, "auto"), "mixed")
}

// near reports whether variables have widths.
func (m *SA) near() bool { return m.sweepNeighbour() == "mixed" || m.sweepNeighbour() == "adaptive" }

// sweepLevels returns the temperatures of all levels. If relative, they are multiplied by the measured T0.
func (m *SA) sweepLevels() (levels []float64, relative bool) {
	t0 := solvers.OrReal(m.T0, 1)
	return temperatures(t0, solvers.OrReal(m.Tmin, t0*tminOfT0), m.sweepRho()), m.T0 == nil
}

// validateSweeps checks the settings of sweeps.
func (m *SA) validateSweeps(c *solvers.Complaints) {
	levels, relative := m.sweepLevels()
	if levels == nil {
		c.Addf("T0, Tmin and rho=%g make more than %d temperatures", m.sweepRho(), maxLevels)
	}
	if relative && m.Tmin != nil {
		c.Addf("Tmin=%g without T0: variant=sweeps measures T0 at the start; set both or neither", *m.Tmin)
	}
	if int64(len(levels))*int64(m.sweeps()) >= 1<<32-1 {
		c.Addf("%d temperatures with N=%d make 2^32 sweeps or more; use fewer", len(levels), m.sweeps())
	}
	if m.Hastings && m.sweepNeighbour() != "two-sided" && m.sweepNeighbour() != "mixed" {
		c.Addf("hastings=true is for neighbour=two-sided and mixed; the neighbour %s is symmetric", m.sweepNeighbour())
	}
	if m.Chains > 0 || m.Starts != "" && m.Starts != "uniform" || m.Exchange > 0 || m.Elitist || m.Shared || m.full() {
		c.Addf("variant=sweeps moves one point, by differences, so it has no chains, starts, exchange, elitist, " +
			"shared or evaluation=full; use variant=v2 for them")
	}
	if m.local() == "nelder-mead" {
		c.Addf("local=nelder-mead stores as many points as there are variables; after sweeps use local=coordinate or " +
			"lbfgs")
	}
}

// sweepShape is the structure of a problem that sweeps use.
type sweepShape struct {
	colours *problems.Colours
	linear  []float64 // f = constant + Σ linear[a]·acc_a; nil: not of this form
	bent    bool      // decisions use multipliers
	before  int       // variables before a shard's own that components of its own read
	alone   bool      // component k reads variable k alone
}

// sweepShape returns the structure of p. If p cannot have sweeps, the error is a *SettingError.
func (m *SA) sweepShape(p problems.Problem) (sweepShape, error) {
	s := p.Structure()
	colours, err := problems.ColoursOf(s)
	if err != nil {
		return sweepShape{}, solvers.Settingf("variant=sweeps: %s: %v; use variant=v2", p.Spec(), err)
	}
	b := sweepShape{colours: colours, linear: p.Linear(), bent: bent(p)}
	if stride, from, to, ok := s.Window(); ok {
		b.before = to - from
		b.alone = stride == 1 && from == 0 && to == 0 && s.Components() == s.Variables()
	}
	if t := p.Tiling(); !t.Whole && max(b.before, t.Halo) > t.TileVars {
		return b, solvers.Settingf("variant=sweeps: a component of %s reads variables of more than two tiles; use "+
			"variant=v2", p.Spec())
	}
	return b, nil
}

// fused reports whether a variable can make several moves before another one moves.
func (b sweepShape) fused() bool { return b.colours.Count == 1 && b.linear != nil }

// sweepSchedule returns the work and the moves of a run.
func (m *SA) sweepSchedule(p problems.Problem) (work float64, moves int64) {
	levels, _ := m.sweepLevels()
	all, n := int64(m.sweeps()), int64(p.Domain().N)
	most := leastSweeps(p)
	steps := (all + most - 1) / most // of a level
	level := float64(all)*m.costOf(p.Structure(), 1).moves(n) + float64(steps)
	return 1 + float64(len(levels))*level, 1 + int64(len(levels))*all*n
}

// leastSweeps returns the number of sweeps that a Step on processors makes at least, if a level has as many. A Step
// evaluates the point.
func leastSweeps(p problems.Problem) int64 {
	if bent(p) {
		return 1
	}
	return max(1, stepsOfCPU/int64(p.Domain().N))
}

// sweepSums returns the number of sums of a tile.
func sweepSums(p problems.Problem) int { return p.Accumulators() + 3 }

// sweepPlan lists the vectors of sweepShard.
func (m *SA) sweepPlan(p problems.Problem, prec problems.Precision) shard.Plan {
	b, err := m.sweepShape(p)
	if err != nil {
		return shard.Plan{}
	}
	plan := shard.Plan{Items: b.share(&sweepShard{}, prec, p.Domain().N, p.Accumulators(), m.near()).Items()}
	tables := int64(len(b.colours.Order)) * 4
	for _, t := range p.Structure().TouchTables() {
		tables += 4 * int64(len(t.Uint))
	}
	if tables > 0 {
		plan.Items = append(plan.Items, shard.PlanItem{What: "components that variables touch, and the colours",
			Bytes: tables, Fixed: true})
	}
	plan.Items = append(plan.Items, device.TableItems(p, prec, problems.Item, 1)...)
	plan.Items = append(plan.Items, device.SumsItem(p, sweepSums(p)))
	return plan
}

// departs reports whether the change of g differs from that of its linear form by more than half of the
// latter, and by more than the temperature.
func departs(said, moved, t float64) bool {
	return !(math.Abs(moved-said) <= math.Abs(said)/2+t)
}
