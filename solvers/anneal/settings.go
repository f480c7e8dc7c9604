package anneal

import (
	"cmp"
	"strings"

	"github.com/clopt/clopt/solvers"
)

// Defaults, of the first five where there are chains.
const (
	usualT0     = 1000.0
	usualTmin   = 0.01
	usualRho    = 0.99
	usualN      = 100
	usualChains = 16384
	usualLocalN = 500000
	usualHop    = 0.002
)

// Settings returns a setting for each field.
func (m *SA) Settings() []solvers.Setting {
	return []solvers.Setting{
		solvers.Word("variant", "v0 (host, one chain), v1 (asynchronous), v2 (synchronous), hybrid (v2 and a local "+
			"minimiser), sweeps (one large point); auto: sweeps from 20000 variables on, else "+
			"v2", &m.Variant, "auto", "v0", "v1", "v2", "hybrid", "sweeps"),
		solvers.Real("T0", "first temperature; auto: 1000, of sweeps the mean change of f by one variable", &m.T0, 1e-300,
			1e300, m.usualReal(usualT0)),
		solvers.Real("Tmin", "temperature at which it ends; auto: 0.01, of sweeps T0*1e-12", &m.Tmin, 1e-300, 1e300,
			m.usualReal(usualTmin)),
		solvers.Real("rho", "cooling factor of a level; auto: 0.99, of sweeps 0.95", &m.Rho, 1e-9, 0.9999999,
			m.usualReal(usualRho)),
		solvers.Int("N", "steps of a chain, or sweeps, at one temperature; auto: 100, of sweeps 10", &m.N, 1, 1<<30,
			m.usualInt(usualN)),
		solvers.Int("chains", "chains; v0 makes as many steps in one; auto: 16384, none of sweeps", &m.Chains, 1, 1<<24,
			m.usualInt(usualChains)),
		solvers.Word("neighbour", "two-sided, uniform, adaptive, mixed (of sweeps: two-sided or adaptive); auto: "+
			"two-sided, of sweeps mixed", &m.Neighbour, m.usualWord("two-sided"), "auto", "two-sided", "uniform", "adaptive",
			"mixed"),
		solvers.Switch("hastings", "correct the acceptance for the two-sided neighbour", &m.Hastings),
		solvers.Word("starts", "uniform, same or grid", &m.Starts, "uniform", "same", "grid"),
		solvers.Int("exchange", "levels between exchanges of v2; auto: 1", &m.Exchange, 1, 1<<30, 0),
		solvers.Switch("elitist", "an exchange hands on the best point seen", &m.Elitist),
		solvers.Switch("shared", "128 chains change the same variable in a step", &m.Shared),
		solvers.Word("evaluation", "of a step: delta (the components that it touches) or full (all, as the paper does)",
			&m.Evaluation, "delta", "full"),
		solvers.Word("local", "local minimiser at the end: none, nelder-mead, lbfgs or coordinate", &m.Local,
			m.defaultLocal(), "none", "nelder-mead", "lbfgs", "coordinate"),
		solvers.Int("localn", "most evaluations of the local minimiser", &m.LocalN, 1, 1<<40, usualLocalN),
		solvers.Int("hops", "how often the local minimiser begins anew, near the best point", &m.Hops, 0, 1<<30, 0),
		solvers.Real("hop", "how near, as a part of the interval", &m.Hop, 1e-12, 1, new(usualHop)),
	}
}

// chained reports whether the variant certainly has chains, so that their defaults apply.
func (m *SA) chained() bool { return m.variant() != "auto" && m.variant() != "sweeps" }

// usualReal, usualInt and usualWord are a default of chains, or auto where there may be none.
func (m *SA) usualReal(v float64) *float64 {
	if m.chained() {
		return &v
	}
	return nil
}

func (m *SA) usualInt(n int) int {
	if m.chained() {
		return n
	}
	return 0
}

func (m *SA) usualWord(word string) string {
	if m.chained() {
		return word
	}
	return "auto"
}

// Validate checks the settings and their combination.
func (m *SA) Validate() error {
	if err := solvers.CheckSettings(m); err != nil {
		return err
	}
	var c solvers.Complaints
	if m.variant() == "sweeps" {
		m.validateSweeps(&c)
	} else {
		m.validateChains(&c)
	}
	if m.Hops > 0 && m.local() == "none" {
		c.Addf("hops=%d is for a local minimiser; use variant=hybrid, or local=coordinate or lbfgs", m.Hops)
	}
	if m.hop() != usualHop && m.Hops == 0 {
		c.Addf("hop=%g says how far hops go; use hops=N as well", m.hop())
	}
	return c.Err()
}

// validateChains checks the settings of chains. With auto it refuses what no variant takes.
func (m *SA) validateChains(c *solvers.Complaints) {
	s, variant, neighbour := m.schedule(), m.variant(), m.neighbour()
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
		c.Addf("N=%d and chains=%d are 2^32 steps of v0 at one temperature or more; use less", s.n, s.chains)
	}
	if variant == "v0" && (neighbour == "adaptive" || m.Shared || m.starts() != "uniform" || m.Elitist || m.Exchange > 0) {
		c.Addf("variant=v0 has one chain: no adaptive neighbour, shared, starts, elitist or exchange")
	}
	if variant == "v1" && (m.Exchange > 0 || m.Elitist) {
		c.Addf("variant=v1 has no exchange, so neither exchange nor elitist; use v2")
	}
	if variant == "hybrid" && m.local() == "none" {
		c.Addf("variant=hybrid without a local minimiser is v2")
	}
}

func (m *SA) variant() string { return cmp.Or(m.Variant, "auto") }
func (m *SA) t0() float64     { return solvers.OrReal(m.T0, usualT0) }
func (m *SA) tmin() float64   { return solvers.OrReal(m.Tmin, usualTmin) }
func (m *SA) rho() float64    { return solvers.OrReal(m.Rho, usualRho) }
func (m *SA) n() int          { return cmp.Or(m.N, usualN) }
func (m *SA) chains() int     { return cmp.Or(m.Chains, usualChains) }
func (m *SA) neighbour() string {
	return cmp.Or(strings.TrimPrefix(m.Neighbour, "auto"), "two-sided")
}
func (m *SA) starts() string { return cmp.Or(m.Starts, "uniform") }
func (m *SA) full() bool     { return m.Evaluation == "full" }
func (m *SA) localN() int    { return cmp.Or(m.LocalN, usualLocalN) }
func (m *SA) hop() float64   { return solvers.OrReal(m.Hop, usualHop) }
func (m *SA) local() string  { return cmp.Or(m.Local, m.defaultLocal()) }

func (m *SA) defaultLocal() string {
	if m.variant() == "hybrid" {
		return "nelder-mead"
	}
	return "none"
}
