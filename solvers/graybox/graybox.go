// Package graybox implements memetic algorithms that accept or reject each part of a point separately, for
// objectives that are sums over such parts.
package graybox

import (
	"cmp"
	"context"
	"errors"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/internal/memetic"
)

// Graybox accepts or rejects each part of a point separately. The objective is a sum over parts that share
// no variables, so selection, acceptance and adaptation can use the value of the part alone. For the same
// candidates this is never worse than decisions by the whole value, and the parts are independent of each
// other. The problem declares the parts. Each part runs MA-SW-Chains (Molina, Lozano, García-Martínez and
// Herrera 2010, doi:10.1162/evco.2010.18.1.18102), the sequential method of which MASW is a synchronous
// form:
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
// With scheme=synchronous each part runs the algorithm of MASW instead. The best point is assembled from
// the best points of the parts, and an evaluation is one candidate of every part. One work-group works on a
// part, and makes many evaluations in a launch.
//
// With Parts 1 the whole problem is one part. This is MA-SW-Chains as published, under the name masw-seq.
// It runs on one device, or on the host in plain Go with the same draws. The zero value of each field means
// its default.
type Graybox struct {
	// P, at least 4; 0: 100 up to 1e6 variables, 50 to 1e7, 25 to 1e8, else 16 (fp32) or 8 (fp64); with one
	// part 100
	Population int
	Iterations int      // I; 0: 500
	Alpha      *float64 // alpha of BLX-alpha; nil: 0.5
	Mutation   *float64 // probability of BGA mutation; nil: 0.125
	Ratio      *float64 // r, share of evolution in the evaluations; nil: 0.5, or 0.1 with Search "cma" and "mts"

	Parts  int    // 1: the whole problem is one part; 0: what the problem declares
	Scheme string // "chains" or "synchronous"; "": chains
	Grain  int    // largest number of variables of a part, if the problem declares such parts; 0: tiles
	States int    // stored chains of a part; 0: 4, or the population size with Parts 1
	Search string // local search with chains: "solis-wets", "cma" or "mts"; "": solis-wets
	// with Search "cma": points that the first chain of a part ranks at a time; 0: the smallest power of two
	// that is at least half the number of variables, between 8 and 64
	Offspring int
	// with Parts 1: "device" or "host"; "" or "auto": the device if the objective is linear in its sums, else
	// the host
	On string
}

// Name returns "graybox", or "masw-seq" with Parts 1.
func (m *Graybox) Name() string {
	if m.whole() {
		return "masw-seq"
	}
	return "graybox"
}

// whole reports whether the whole problem is one part.
func (m *Graybox) whole() bool { return m.Parts == 1 }

// String returns all settings in the form that solvers.Configure parses.
func (m *Graybox) String() string {
	switch {
	case m.Scheme == "synchronous":
		return solvers.Spell(m, "ratio", "states", "search", "offspring")
	case m.follows():
		return solvers.Spell(m, "states")
	}
	return solvers.Spell(m)
}

// About describes the method for help.
func (m *Graybox) About() string {
	if m.whole() {
		return `MA-SW-Chains (Molina, Lozano, García-Martínez, Herrera 2010): the sequential memetic algorithm.
Steady-state evolution alternates with a Solis-Wets local search chain on the best individual. It evaluates
one point at a time, for problems of up to some thousand variables; graybox runs it in each of many parts.`
	}
	return `MA-SW-Chains (Molina, Lozano, García-Martínez, Herrera 2010) in each part of a point separately, for
objectives that are sums over parts with few variables in common. Parts are accepted by their own values.`
}

// Settings returns the settings. With Parts 1 there are fewer of them.
func (m *Graybox) Settings() []solvers.Setting {
	all := []solvers.Setting{
		solvers.Int("population", "individuals; auto: 100 up to 1e6 variables, 50 to 1e7, 25 to 1e8, else 16 (fp32) "+
			"or 8 (fp64); with one part 100", &m.Population, 4, 65535, 0),
		solvers.Int("iterations", "evaluations of a local search; with scheme=synchronous, generations of a cycle, "+
			"and then its local search steps", &m.Iterations, 1, 1<<30, memetic.DefaultIterations),
		solvers.Real("ratio", "share of evolution in the evaluations", &m.Ratio, 0, 0.99, new(m.usualRatio())),
		solvers.Real("alpha", memetic.AlphaDoc, &m.Alpha, 0, 10, new(memetic.DefaultAlpha)),
		solvers.Real("mutation", "probability of mutation per child", &m.Mutation, 0, 1, new(memetic.DefaultMutation)),
	}
	if m.whole() {
		return append(all, solvers.Word("on", "where it runs: device, host, or auto (the device if it can decide by "+
			"the objective, else the host)", &m.On, "auto", "device", "host"))
	}
	return append(all,
		solvers.Word("scheme", "chains (the sequential algorithm in each part) or synchronous", &m.Scheme, "chains",
			"synchronous"),
		solvers.Int("grain", "largest number of variables of a part; a part is never smaller than a group of "+
			"variables that the problem declares; auto: tiles", &m.Grain, 1, 1<<30, 0),
		solvers.Int("states", "stored local search states of a part; the least recently used one is dropped", &m.States,
			1, 65535, usualStates),
		solvers.Word("search", "local search of a part: solis-wets; cma, which learns a matrix of n^2 numbers for n "+
			"variables; or mts, which tries one variable after the other, for nearly independent variables", &m.Search,
			"solis-wets", "cma", "mts"),
		solvers.Int("offspring", "with search=cma: points that the first chain of a part ranks at a time; later "+
			"chains rank 2, 4, 8 and 16 times as many; auto: a power of two from n/2 on for n variables, from 8 to 64",
			&m.Offspring, 4, 1024, 0),
	)
}

// Validate checks the settings and their combination.
func (m *Graybox) Validate() error {
	if err := solvers.CheckSettings(m); err != nil {
		return err
	}
	var c solvers.Complaints
	if m.Parts < 0 || m.Parts > 1 {
		c.Addf("parts=%d; use 1 for the whole problem, or 0 for the parts that it declares", m.Parts)
	}
	if m.whole() {
		if m.Scheme != "" || m.Grain != 0 || m.States != 0 || m.Search != "" || m.Offspring != 0 {
			c.Addf("masw-seq has one part, and no scheme, grain, states, search or offspring; use --solver graybox")
		}
		return c.Err()
	}
	if m.On != "" {
		c.Addf("on=%s is for masw-seq; graybox runs on the devices", m.On)
	}
	if m.Offspring > 0 && m.Search != "cma" {
		c.Addf("offspring=%d needs search=cma", m.Offspring)
	}
	if m.follows() && m.Scheme == "synchronous" {
		c.Addf("search=%s needs scheme=chains", m.Search)
	}
	if m.follows() && m.States > 0 {
		c.Addf("states=%d is not allowed: with search=%s a part has one chain at a time", m.States, m.Search)
	}
	if m.Ratio != nil && m.Scheme == "synchronous" {
		c.Addf("ratio=%g needs scheme=chains", *m.Ratio)
	}
	return c.Err()
}

// usualStates is the default of States for many parts.
const usualStates = 4

func (m *Graybox) iterations() int { return cmp.Or(m.Iterations, memetic.DefaultIterations) }

func (m *Graybox) alpha() float64 { return solvers.OrReal(m.Alpha, memetic.DefaultAlpha) }

func (m *Graybox) mutation() float64 { return solvers.OrReal(m.Mutation, memetic.DefaultMutation) }

func (m *Graybox) population(dim int, prec problems.Precision) int {
	if m.whole() {
		dim = 1
	}
	return cmp.Or(m.Population, memetic.DefaultPopulation(dim, prec))
}

func (m *Graybox) states() int {
	if m.whole() {
		return m.population(1, problems.FP64)
	}
	return cmp.Or(m.States, usualStates)
}

// Limits: the first step evaluates the population, and start points are part of it.
func (m *Graybox) Limits(p problems.Problem, prec problems.Precision) solvers.Limits {
	n := m.population(p.Domain().N, prec)
	return solvers.Limits{Starts: n, Step: int64(n)}
}

// onHost reports whether a run is made on the host. It refuses runs that are impossible.
func (m *Graybox) onHost(p problems.Problem, prec problems.Precision) (bool, error) {
	if !m.whole() {
		return false, nil
	}
	_, hosted := p.(problems.Referenced)
	linear := p.Linear() != nil
	switch {
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

// Suits checks that p declares parts about which decisions can be made. With Parts 1, it checks that a
// device or the host can decide by the objective.
func (m *Graybox) Suits(p problems.Problem, prec problems.Precision) error {
	if err := solvers.Continuous(m, p); err != nil {
		return err
	}
	host, err := m.onHost(p, prec)
	if err != nil || host {
		return err
	}
	if err := solvers.CheckOneBox(m, p); err != nil {
		return err
	}
	p, parts, err := m.grained(p)
	if err == nil {
		_, err = m.shape(p, parts, prec)
	}
	return err
}

// Plan returns the memory of the parts. A run on the host holds nothing on devices.
func (m *Graybox) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	if host, err := m.onHost(p, prec); err != nil || host {
		return shard.Plan{} // Start reports the error
	}
	return m.devicePlan(p, prec)
}

// Start makes a run on the devices. With Parts 1 it runs on the device with the largest weight, or on the
// host.
func (m *Graybox) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	if err := solvers.CheckOneBox(m, p); err != nil {
		return nil, err
	}
	host, err := m.onHost(p, s.Precision)
	if err != nil {
		return nil, err
	}
	n := m.population(p.Domain().N, s.Precision)
	if !host {
		return m.startParts(ctx, p, g, s)
	}
	hosted, ok := p.(problems.Referenced)
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
	h := newSeqHost(hosted, s, n, m.alpha(), m.mutation(), solvers.Info{Plans: plans})
	return newChainsRun(h, p.Domain().N, oneCost(n), m.iterations(), m.ratio()), nil
}
