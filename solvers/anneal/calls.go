package anneal

import (
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/internal/solvers/search"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/solvers"
)

// Chains of a function of the host make a step each at the same time, so that their values are asked for together. They
// have the draws of the chains on devices. A step costs a whole value.

// suitsCalls refuses settings that chains on a function of the host do not have.
func (m *SA) suitsCalls(p problems.Problem) error {
	if v := m.variant(); v != "v1" && v != "v2" || m.local() != "none" || m.Shared || m.starts() != "uniform" ||
		m.Elitist || m.neighbour() != "two-sided" && m.neighbour() != "uniform" {
		return solvers.Settingf("%s is a function of the host, on which sa has variant=v1 or v2, neighbour=two-sided "+
			"or uniform, and neither shared, starts, elitist nor local", p.Spec())
	}
	return nil
}

// onCalls returns the method for functions of the host.
func (m *SA) onCalls() *search.Method {
	return &search.Method{Of: m.Traits(), Blind: true, Begin: func(at search.Start) search.Search {
		return &together{Start: at, m: m, sch: m.schedule()}
	}}
}

// together is the chains of a run that make their steps at the same time.
type together struct {
	search.Start
	m   *SA
	sch saSchedule
	chainsState
}

// chainsState is what the chains must remember.
type chainsState struct {
	Points [][]float64 // of each chain
	Values []float64
	Level  int
	Made   int // steps of this level
}

// State points to what the chains must remember.
func (c *together) State() any { return &c.chainsState }

// Steady says that Next changes the chains after it knows the values.
func (c *together) Steady() {}

// Next evaluates the start points, or makes a step of every chain.
func (c *together) Next(eval search.Eval) (more bool) {
	points := make([][]float64, c.sch.chains)
	if c.Points == nil {
		for who := range points {
			points[who] = c.start(uint32(who))
		}
		f := eval(points...)
		c.Points, c.Values = points, f
		return true
	}
	odds := make([]float64, len(points))
	late := make([]float64, len(points)) // logarithms of the draws that accept
	for who, x := range c.Points {
		w := c.Key.Words(uint32(c.Made), uint32(who), uint32(c.Level), rng.Anneal)
		i := int(rng.Int(w[0], uint32(len(x))))
		lo, hi := c.Domain.Interval(i)
		points[who] = slices.Clone(x)
		points[who][i], odds[who] = c.m.neighbourOf(x[i], lo, hi, rng.Fine(w[1], w[2]))
		late[who] = float64(rng.LogUniform(w[3]))
	}
	t := c.sch.levels[c.Level]
	for who, f := range eval(points...) {
		if was := c.Values[who]; host.Finite(f) && (!host.Finite(was) || f-was <= t*(odds[who]-late[who]) ||
			!c.m.Hastings && f <= was) {
			c.Points[who], c.Values[who] = points[who], f
		}
	}
	if c.Made++; c.Made == c.sch.n {
		c.Made = 0
		c.Level++
		c.exchange()
	}
	return c.Level < len(c.sch.levels)
}

// start returns the first point of a chain: the start point that was given, for the first one, or a uniform one.
func (c *together) start(who uint32) []float64 {
	if who == 0 && c.Given {
		return c.Start.X
	}
	x := make([]float64, c.Domain.N)
	for i := range x {
		lo, hi := c.Domain.Interval(i)
		x[i] = min(max(math.FMA(rng.Uniform(c.Key.Word(uint32(i), who, 0, rng.Init)), hi-lo, lo), lo), hi)
	}
	return x
}

// exchange gives all chains the point of the best one, if they exchange after this level.
func (c *together) exchange() {
	if c.sch.exchange == 0 || c.Level%c.sch.exchange != 0 {
		return
	}
	best := leastOf(c.Values)
	for who := range c.Points {
		c.Points[who], c.Values[who] = c.Points[best], c.Values[best]
	}
}

// Loaded checks what was loaded.
func (c *together) Loaded() error {
	k := len(c.Points)
	for _, x := range c.Points {
		if len(x) != c.Domain.N {
			k = -1
		}
	}
	if k != 0 && k != c.sch.chains || len(c.Values) != k || c.Level >= len(c.sch.levels) {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a state of level %d that is not one of %d chains", c.Level,
			c.sch.chains)}
	}
	return nil
}
