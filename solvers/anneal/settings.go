package anneal

import (
	"cmp"
	"strings"

	"github.com/clopt/clopt/solvers"
)

// Defaults. The first five are those of chains.
const (
	defaultT0     = 1000.0
	defaultTmin   = 0.01
	defaultRho    = 0.99
	defaultN      = 100
	defaultChains = 16384
	defaultLocalN = 500000
	defaultHop    = 0.002
)

// settings returns a setting for each field.
func (m *SA) settings() []solvers.Setting {
	return []solvers.Setting{
		solvers.Word("variant", "v0 (one chain on the host), v1 (independent chains), v2 (chains that exchange), "+
			"hybrid (v2 and a local minimizer) or sweeps (one large point); auto: sweeps from 20000 variables on, "+
			"else v2", &m.Variant, "auto", "v0", "v1", "v2", "hybrid", "sweeps"),
		solvers.Real("T0", "first temperature; auto: 1000, with sweeps the mean change of f by one variable",
			&m.T0, 1e-300, 1e300, ofChains(m, new(defaultT0), nil)),
		solvers.Real("Tmin", "last temperature; auto: 0.01, with sweeps T0*1e-12", &m.Tmin, 1e-300, 1e300,
			ofChains(m, new(defaultTmin), nil)),
		solvers.Real("rho", "factor from one temperature to the next; auto: 0.99, with sweeps 0.95, fitted to the "+
			"limits of work and time", &m.Rho, 1e-9, 0.9999999, ofChains(m, new(defaultRho), nil)),
		solvers.Int("N", "steps of a chain, or sweeps, at one temperature; auto: 100, with sweeps 10, fewer within "+
			"limits", &m.N, 1, 1<<30, ofChains(m, defaultN, 0)),
		solvers.Int("chains", "number of chains; v0 makes the steps of all of them in one; auto: 16384, fewer "+
			"within limits; sweeps have none", &m.Chains, 1, 1<<24, ofChains(m, defaultChains, 0)),
		solvers.Word("neighbour", "two-sided, uniform, adaptive or, with sweeps, mixed (two-sided or adaptive by "+
			"chance); auto: two-sided, with sweeps mixed", &m.Neighbour, ofChains(m, "two-sided", "auto"), "auto",
			"two-sided", "uniform", "adaptive", "mixed"),
		solvers.Switch("hastings", "correct the acceptance for the asymmetry of the two-sided neighbour", &m.Hastings),
		solvers.Word("starts", "start points: uniform (random), same (one for all chains) or grid", &m.Starts,
			"uniform", "same", "grid"),
		solvers.Int("exchange", "temperatures from one exchange of v2 to the next; auto: 1", &m.Exchange, 1, 1<<30, 0),
		solvers.Switch("elitist", "an exchange copies the best point so far, not the best current one", &m.Elitist),
		solvers.Switch("shared", "the chains of a group of 128 change the same variable in a step", &m.Shared),
		solvers.Word("evaluation", "of a step: delta (the components that it touches) or full (all, as in the paper)",
			&m.Evaluation, "delta", "full"),
		solvers.Word("local", "local minimizer at the end: none, nelder-mead, lbfgs or coordinate", &m.Local,
			m.defaultLocal(), "none", "nelder-mead", "lbfgs", "coordinate"),
		solvers.Int("localn", "largest number of moves of the local minimizer, a quarter of the limit if the schedule "+
			"is fitted to one", &m.LocalN, 1, 1<<40, defaultLocalN),
		solvers.Int("hops", "number of restarts of the local minimizer near the best point", &m.Hops, 0, 1<<30, 0),
		solvers.Real("hop", "largest distance of a restart, as a fraction of each interval", &m.Hop, 1e-12, 1,
			new(defaultHop)),
	}
}

// chained reports whether the variant certainly has chains, so that their defaults apply.
func (m *SA) chained() bool { return m.variant() != "auto" && m.variant() != "sweeps" }

// ofChains returns the default of chains, or auto if the variant may have none.
func ofChains[T any](m *SA, chains, auto T) T {
	if m.chained() {
		return chains
	}
	return auto
}

// check checks the combination of settings.
func (m *SA) check() error {
	var c solvers.Complaints
	if m.variant() == "sweeps" {
		m.validateSweeps(&c)
	} else {
		m.validateChains(&c)
	}
	if m.Hops > 0 && m.local() == "none" {
		c.Addf("hops=%d is for a local minimizer; use variant=hybrid, or local=coordinate or lbfgs", m.Hops)
	}
	if m.hop() != defaultHop && m.Hops == 0 {
		c.Addf("hop=%g is the distance of restarts, and there are none; set hops as well", m.hop())
	}
	return c.Err()
}

// validateChains checks the settings of chains. If the variant is auto, it refuses settings that no variant
// accepts.
func (m *SA) validateChains(c *solvers.Complaints) {
	s := m.schedule()
	variant := m.variant()
	neighbour := m.neighbour()
	if neighbour == "mixed" && variant != "auto" {
		c.Addf("neighbour=mixed is for variant=sweeps")
	}
	if s.levels == nil {
		c.Addf("T0=%g, Tmin=%g and rho=%g make more than %d temperatures", m.t0(), m.tmin(), m.rho(), maxLevels)
	}
	if m.Hastings && neighbour != "two-sided" && (variant != "auto" || neighbour != "mixed") {
		c.Addf("hastings=true is for neighbour=two-sided; the neighbour %s is symmetric", neighbour)
	}
	if variant == "v0" && float64(s.n)*float64(s.chains) >= 1<<32 {
		c.Addf("N=%d and chains=%d make 2^32 steps of v0 or more at one temperature; use fewer", s.n, s.chains)
	}
	if variant == "v0" && (neighbour == "adaptive" || m.Shared || m.starts() != "uniform" || m.Elitist ||
		m.Exchange > 0) {
		c.Addf("variant=v0 has one chain, so it has no adaptive neighbour, shared, starts, elitist or exchange")
	}
	if variant == "v1" && (m.Exchange > 0 || m.Elitist) {
		c.Addf("variant=v1 has no exchange, so neither exchange nor elitist; use v2")
	}
	if variant == "hybrid" && m.local() == "none" {
		c.Addf("variant=hybrid without a local minimizer is v2")
	}
}

func (m *SA) variant() string { return cmp.Or(m.Variant, "auto") }
func (m *SA) t0() float64     { return solvers.OrReal(m.T0, defaultT0) }
func (m *SA) tmin() float64   { return solvers.OrReal(m.Tmin, defaultTmin) }
func (m *SA) rho() float64    { return solvers.OrReal(m.Rho, defaultRho) }
func (m *SA) n() int          { return cmp.Or(m.N, defaultN) }
func (m *SA) chains() int     { return cmp.Or(m.Chains, defaultChains) }
func (m *SA) neighbour() string {
	return cmp.Or(strings.TrimPrefix(m.Neighbour, "auto"), "two-sided")
}
func (m *SA) starts() string { return cmp.Or(m.Starts, "uniform") }
func (m *SA) full() bool     { return m.Evaluation == "full" }
func (m *SA) localN() int    { return cmp.Or(m.LocalN, defaultLocalN) }
func (m *SA) hop() float64   { return solvers.OrReal(m.Hop, defaultHop) }
func (m *SA) local() string  { return cmp.Or(m.Local, m.defaultLocal()) }

func (m *SA) defaultLocal() string {
	if m.variant() == "hybrid" {
		return "nelder-mead"
	}
	return "none"
}
