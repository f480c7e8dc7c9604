package solvers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// usualHop is the default of Hop.
const usualHop = 0.002

func (m *SA) settings() []setting {
	return []setting{
		choiceSetting("variant", "v0 (host, one chain), v1 (asynchronous), v2 (synchronous), hybrid (v2 and a local minimiser), sweeps (one large point); auto: sweeps from 20000 variables on, else v2", &m.Variant, "auto", "auto", "v0", "v1", "v2", "hybrid", "sweeps"),
		m.autoReal("T0", "first temperature; auto: 1000, of sweeps the mean change of f by one variable", &m.T0, 1e-300, 1e300, m.t0),
		m.autoReal("Tmin", "temperature at which it ends; auto: 0.01, of sweeps T0*1e-12", &m.Tmin, 1e-300, 1e300, m.tmin),
		m.autoReal("rho", "cooling factor of a level; auto: 0.99, of sweeps 0.95", &m.Rho, 1e-9, 0.9999999, m.rho),
		intSetting("N", "steps of a chain, or sweeps, at one temperature; auto: 100, of sweeps 10", &m.N, 1, 1<<30, m.autoInt(&m.N, m.n)),
		intSetting("chains", "chains; v0 makes as many steps in one; auto: 16384, none of sweeps", &m.Chains, 1, 1<<24, m.autoInt(&m.Chains, m.chains)),
		choiceSetting("neighbour", "two-sided, uniform, adaptive, mixed (of sweeps: two-sided or adaptive); auto: two-sided, of sweeps mixed", &m.Neighbour, m.auto(m.neighbour)(), "auto", "two-sided", "uniform", "adaptive", "mixed"),
		switchSetting("hastings", "correct the acceptance for the two-sided neighbour", &m.Hastings),
		choiceSetting("starts", "uniform, same or grid", &m.Starts, "uniform", "uniform", "same", "grid"),
		intSetting("exchange", "levels between exchanges of v2; auto: 1", &m.Exchange, 1, 1<<30, orAuto(m.Exchange)),
		switchSetting("elitist", "an exchange hands on the best point seen", &m.Elitist),
		switchSetting("shared", "128 chains change the same variable in a step", &m.Shared),
		choiceSetting("evaluation", "of a step: delta (the components that it touches) or full (all, as the paper does)", &m.Evaluation, "delta", "delta", "full"),
		choiceSetting("local", "local minimiser at the end: none, nelder-mead, lbfgs or coordinate", &m.Local, m.defaultLocal(), "none", "nelder-mead", "lbfgs", "coordinate"),
		intSetting("localn", "most evaluations of the local minimiser", &m.LocalN, 1, 1<<40, func() string { return strconv.Itoa(m.localN()) }),
		intSetting("hops", "how often the local minimiser begins anew, near the best point", &m.Hops, 0, 1<<30, func() string { return strconv.Itoa(m.Hops) }),
		realSetting("hop", "how near, as a part of the interval", &m.Hop, 1e-12, 1, m.hop),
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
func (m *SA) autoReal(key, doc string, field **float64, lo, hi float64, usual func() float64) setting {
	s := realSetting(key, doc, field, lo, hi, usual)
	set, get := s.set, s.get
	s.set = func(v string) error {
		if v == "auto" {
			*field = nil
			return nil
		}
		return set(v)
	}
	s.get = func() string {
		if *field != nil {
			return get()
		}
		return m.auto(get)()
	}
	return s
}

// choiceSetting is one of several words; the field's "" means the default.
func choiceSetting(key, doc string, field *string, usual string, choices ...string) setting {
	return setting{key, doc, func(v string) error {
		v = strings.ToLower(v)
		if !slices.Contains(choices, v) {
			return fmt.Errorf("there are %s", strings.Join(choices, ", "))
		}
		*field = v
		return nil
	}, func() string {
		if *field == "" {
			return usual
		}
		return *field
	}}
}

// switchSetting is true or false.
func switchSetting(key, doc string, field *bool) setting {
	return setting{key, doc, func(v string) error {
		yes, err := strconv.ParseBool(v)
		if err != nil {
			return fmt.Errorf("use true or false")
		}
		*field = yes
		return nil
	}, func() string { return strconv.FormatBool(*field) }}
}

func (m *SA) validate() error {
	if m.variant() == "sweeps" {
		return m.validateSweeps()
	}
	s := m.schedule()
	switch {
	case m.neighbour() == "mixed" && m.variant() != "auto":
		return settingf("neighbour=mixed is for variant=sweeps")
	case s.levels == nil:
		return settingf("T0=%g, Tmin=%g and rho=%g make more than %d temperatures", m.t0(), m.tmin(), m.rho(), maxLevels)
	case m.Hastings && m.neighbour() != "two-sided" && (m.variant() != "auto" || m.neighbour() != "mixed"):
		return settingf("hastings=true is for neighbour=two-sided; the neighbour %s is symmetric", m.neighbour())
	case m.variant() == "v0" && float64(s.n)*float64(s.chains) >= 1<<32:
		return settingf("N=%d and chains=%d are 2^32 steps of v0 at one temperature or more; use less", s.n, s.chains)
	case m.variant() == "v0" && (m.neighbour() == "adaptive" || m.Shared || m.starts() != "uniform" || m.Elitist || m.Exchange > 0):
		return settingf("variant=v0 has one chain: no adaptive neighbour, shared, starts, elitist or exchange")
	case m.variant() == "v1" && (m.Exchange > 0 || m.Elitist):
		return settingf("variant=v1 has no exchange, so neither exchange nor elitist; use v2")
	case m.variant() == "hybrid" && m.local() == "none":
		return settingf("variant=hybrid without a local minimiser is v2")
	}
	return m.validateLocal()
}

// validateLocal looks at the settings of the local minimiser's phase.
func (m *SA) validateLocal() error {
	switch {
	case m.Hops > 0 && m.local() == "none":
		return settingf("hops=%d is for a local minimiser; use variant=hybrid, or local=coordinate or lbfgs", m.Hops)
	case m.hop() != usualHop && m.Hops == 0:
		return settingf("hop=%g says how far hops go; use hops=N as well", m.hop())
	}
	return nil
}

func orReal(v *float64, usual float64) float64 {
	if v != nil {
		return *v
	}
	return usual
}

func orInt(v, usual int) int {
	if v > 0 {
		return v
	}
	return usual
}

func orWord(v, usual string) string {
	if v != "" {
		return v
	}
	return usual
}

func (m *SA) variant() string   { return orWord(m.Variant, "auto") }
func (m *SA) t0() float64       { return orReal(m.T0, 1000) }
func (m *SA) tmin() float64     { return orReal(m.Tmin, 0.01) }
func (m *SA) rho() float64      { return orReal(m.Rho, 0.99) }
func (m *SA) n() int            { return orInt(m.N, 100) }
func (m *SA) chains() int       { return orInt(m.Chains, 16384) }
func (m *SA) neighbour() string { return orWord(strings.TrimPrefix(m.Neighbour, "auto"), "two-sided") }
func (m *SA) starts() string    { return orWord(m.Starts, "uniform") }
func (m *SA) full() bool        { return m.Evaluation == "full" }
func (m *SA) localN() int       { return orInt(m.LocalN, 500000) }
func (m *SA) hop() float64      { return orReal(m.Hop, usualHop) }
func (m *SA) local() string     { return orWord(m.Local, m.defaultLocal()) }

func (m *SA) defaultLocal() string {
	if m.variant() == "hybrid" {
		return "nelder-mead"
	}
	return "none"
}
