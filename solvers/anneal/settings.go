package anneal

import (
	"strconv"
	"strings"

	"github.com/clopt/clopt/solvers"
)

// usualHop is the default of Hop.
const usualHop = 0.002

func (m *SA) Settings() []solvers.Setting {
	return []solvers.Setting{
		solvers.ChoiceSetting("variant", "v0 (host, one chain), v1 (asynchronous), v2 (synchronous), hybrid (v2 and a local minimiser), sweeps (one large point); auto: sweeps from 20000 variables on, else v2", &m.Variant, "auto", "auto", "v0", "v1", "v2", "hybrid", "sweeps"),
		m.autoReal("T0", "first temperature; auto: 1000, of sweeps the mean change of f by one variable", &m.T0, 1e-300, 1e300, m.t0),
		m.autoReal("Tmin", "temperature at which it ends; auto: 0.01, of sweeps T0*1e-12", &m.Tmin, 1e-300, 1e300, m.tmin),
		m.autoReal("rho", "cooling factor of a level; auto: 0.99, of sweeps 0.95", &m.Rho, 1e-9, 0.9999999, m.rho),
		solvers.IntSetting("N", "steps of a chain, or sweeps, at one temperature; auto: 100, of sweeps 10", &m.N, 1, 1<<30, m.autoInt(&m.N, m.n)),
		solvers.IntSetting("chains", "chains; v0 makes as many steps in one; auto: 16384, none of sweeps", &m.Chains, 1, 1<<24, m.autoInt(&m.Chains, m.chains)),
		solvers.ChoiceSetting("neighbour", "two-sided, uniform, adaptive, mixed (of sweeps: two-sided or adaptive); auto: two-sided, of sweeps mixed", &m.Neighbour, m.auto(m.neighbour)(), "auto", "two-sided", "uniform", "adaptive", "mixed"),
		solvers.SwitchSetting("hastings", "correct the acceptance for the two-sided neighbour", &m.Hastings),
		solvers.ChoiceSetting("starts", "uniform, same or grid", &m.Starts, "uniform", "uniform", "same", "grid"),
		solvers.IntSetting("exchange", "levels between exchanges of v2; auto: 1", &m.Exchange, 1, 1<<30, solvers.OrAuto(m.Exchange)),
		solvers.SwitchSetting("elitist", "an exchange hands on the best point seen", &m.Elitist),
		solvers.SwitchSetting("shared", "128 chains change the same variable in a step", &m.Shared),
		solvers.ChoiceSetting("evaluation", "of a step: delta (the components that it touches) or full (all, as the paper does)", &m.Evaluation, "delta", "delta", "full"),
		solvers.ChoiceSetting("local", "local minimiser at the end: none, nelder-mead, lbfgs or coordinate", &m.Local, m.defaultLocal(), "none", "nelder-mead", "lbfgs", "coordinate"),
		solvers.IntSetting("localn", "most evaluations of the local minimiser", &m.LocalN, 1, 1<<40, func() string { return strconv.Itoa(m.localN()) }),
		solvers.IntSetting("hops", "how often the local minimiser begins anew, near the best point", &m.Hops, 0, 1<<30, func() string { return strconv.Itoa(m.Hops) }),
		solvers.RealSetting("hop", "how near, as a part of the interval", &m.Hop, 1e-12, 1, m.hop),
	}
}

// auto is a default that depends on the variant, where that is not known or has one of its own.
func (m *SA) auto(usual func() string) func() string {
	return func() string {
		if v := m.variant(); v == "auto" || v == "sweeps" {
			return "auto"
		}
		return usual()
	}
}

// autoInt is what a whole number is, where it is given, else auto.
func (m *SA) autoInt(field *int, usual func() int) func() string {
	return func() string {
		if *field > 0 {
			return strconv.Itoa(*field)
		}
		return m.auto(func() string { return strconv.Itoa(usual()) })()
	}
}

// autoReal is a realSetting whose default is auto.
func (m *SA) autoReal(key, doc string, field **float64, lo, hi float64, usual func() float64) solvers.Setting {
	s := solvers.RealSetting(key, doc, field, lo, hi, usual)
	set, get := s.Set, s.Get
	s.Set = func(v string) error {
		if v == "auto" {
			*field = nil
			return nil
		}
		return set(v)
	}
	s.Get = func() string {
		if *field != nil {
			return get()
		}
		return m.auto(get)()
	}
	return s
}

func (m *SA) Validate() error {
	if m.variant() == "sweeps" {
		return m.validateSweeps()
	}
	s := m.schedule()
	switch {
	case m.neighbour() == "mixed" && m.variant() != "auto":
		return solvers.Settingf("neighbour=mixed is for variant=sweeps")
	case s.levels == nil:
		return solvers.Settingf("T0=%g, Tmin=%g and rho=%g make more than %d temperatures", m.t0(), m.tmin(), m.rho(), maxLevels)
	case m.Hastings && m.neighbour() != "two-sided" && (m.variant() != "auto" || m.neighbour() != "mixed"):
		return solvers.Settingf("hastings=true is for neighbour=two-sided; the neighbour %s is symmetric", m.neighbour())
	case m.variant() == "v0" && float64(s.n)*float64(s.chains) >= 1<<32:
		return solvers.Settingf("N=%d and chains=%d are 2^32 steps of v0 at one temperature or more; use less", s.n, s.chains)
	case m.variant() == "v0" && (m.neighbour() == "adaptive" || m.Shared || m.starts() != "uniform" || m.Elitist || m.Exchange > 0):
		return solvers.Settingf("variant=v0 has one chain: no adaptive neighbour, shared, starts, elitist or exchange")
	case m.variant() == "v1" && (m.Exchange > 0 || m.Elitist):
		return solvers.Settingf("variant=v1 has no exchange, so neither exchange nor elitist; use v2")
	case m.variant() == "hybrid" && m.local() == "none":
		return solvers.Settingf("variant=hybrid without a local minimiser is v2")
	}
	return m.validateLocal()
}

// validateLocal looks at the settings of the local minimiser's phase.
func (m *SA) validateLocal() error {
	switch {
	case m.Hops > 0 && m.local() == "none":
		return solvers.Settingf("hops=%d is for a local minimiser; use variant=hybrid, or local=coordinate or lbfgs", m.Hops)
	case m.hop() != usualHop && m.Hops == 0:
		return solvers.Settingf("hop=%g says how far hops go; use hops=N as well", m.hop())
	}
	return nil
}

func (m *SA) variant() string { return solvers.OrWord(m.Variant, "auto") }
func (m *SA) t0() float64     { return solvers.OrReal(m.T0, 1000) }
func (m *SA) tmin() float64   { return solvers.OrReal(m.Tmin, 0.01) }
func (m *SA) rho() float64    { return solvers.OrReal(m.Rho, 0.99) }
func (m *SA) n() int          { return solvers.OrInt(m.N, 100) }
func (m *SA) chains() int     { return solvers.OrInt(m.Chains, 16384) }
func (m *SA) neighbour() string {
	return solvers.OrWord(strings.TrimPrefix(m.Neighbour, "auto"), "two-sided")
}
func (m *SA) starts() string { return solvers.OrWord(m.Starts, "uniform") }
func (m *SA) full() bool     { return m.Evaluation == "full" }
func (m *SA) localN() int    { return solvers.OrInt(m.LocalN, 500000) }
func (m *SA) hop() float64   { return solvers.OrReal(m.Hop, usualHop) }
func (m *SA) local() string  { return solvers.OrWord(m.Local, m.defaultLocal()) }

func (m *SA) defaultLocal() string {
	if m.variant() == "hybrid" {
		return "nelder-mead"
	}
	return "none"
}
