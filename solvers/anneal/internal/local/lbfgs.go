package local

import (
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/host"
	"gonum.org/v1/gonum/floats"
)

// lbfgs is L-BFGS with fifteen pairs (Nocedal and Wright, Numerical Optimization, 2nd edition, 2006, chapter 7). Its
// line search is a bisection. It ends after 20 steps without improvement. It makes the evaluations of gonum's package
// optimize, with the same bits.
type lbfgs struct {
	Best     found
	Asks     lbfgsAsks
	Next     []float64 // the point that is evaluated
	F        float64   // its value
	Progress progress
	// From is the start of the line search, FromGradient the gradient there, and Direction its direction.
	From, FromGradient, Direction []float64
	Line                          bisection
	// The pairs, in a ring: changes of the point, of the gradient, and the inverse of their product.
	S, Y   [][]float64
	Rho    []float64
	Oldest int
}

// lbfgsAsks says which evaluation is made.
type lbfgsAsks uint8

const (
	lbfgsFirstValue lbfgsAsks = iota
	lbfgsFirstGradient
	lbfgsValue
	lbfgsGradient
	lbfgsEnded
)

// bisection is the state of a line search. Steps are multiples of the direction.
type bisection struct {
	Step         float64 // of the point that is evaluated
	Low, High    float64 // the steps between which the minimum is; High +Inf: not known
	LowF, HighF  float64 // values there
	Start, Slope float64 // value and slope at the start
}

const (
	lbfgsPairs = 15
	// A line search ends where the slope is this part of that at its start.
	curvature = 0.9
	// The method ends where no part of the gradient is larger.
	smallestGradient = 1e-12
)

// newLBFGS begins at the best point so far.
func newLBFGS(f found, _, _ []float64) asker {
	n := len(f.X)
	m := &lbfgs{Best: f, Next: slices.Clone(f.X), From: make([]float64, n), FromGradient: make([]float64, n),
		Direction: make([]float64, n), Rho: make([]float64, lbfgsPairs)}
	for range lbfgsPairs {
		m.S, m.Y = append(m.S, make([]float64, n)), append(m.Y, make([]float64, n))
	}
	return m
}

func (m *lbfgs) found() *found { return &m.Best }

func (m *lbfgs) fits(n int) bool {
	other := func(v []float64) bool { return len(v) != n }
	return !slices.ContainsFunc([][]float64{m.Best.X, m.Next, m.From, m.FromGradient, m.Direction}, other) &&
		len(m.S) == lbfgsPairs && len(m.Y) == lbfgsPairs && len(m.Rho) == lbfgsPairs &&
		!slices.ContainsFunc(m.S, other) && !slices.ContainsFunc(m.Y, other) &&
		m.Asks <= lbfgsEnded && m.Oldest >= 0 && m.Oldest < lbfgsPairs
}

func (m *lbfgs) ask() (x []float64, gradient bool) {
	if m.Asks == lbfgsEnded {
		return nil, false
	}
	return m.Next, m.Asks == lbfgsFirstGradient || m.Asks == lbfgsGradient
}

func (m *lbfgs) tell(f float64, gradient []float64) {
	switch m.Asks {
	case lbfgsFirstValue:
		m.F, m.Asks = f, lbfgsFirstGradient
	case lbfgsFirstGradient:
		m.first(gradient)
	case lbfgsValue:
		m.F = f
		m.value()
	case lbfgsGradient:
		m.slope(gradient)
	}
}

// first begins with the direction of steepest descent.
func (m *lbfgs) first(gradient []float64) {
	if slices.ContainsFunc(gradient, func(v float64) bool { return !host.Finite(v) }) {
		m.Asks = lbfgsEnded
		return
	}
	m.Progress.ended(m.F, 0, 1) // it begins here
	copy(m.From, m.Next)
	copy(m.FromGradient, gradient)
	copy(m.Direction, gradient)
	floats.Scale(-1, m.Direction)
	m.search(1 / floats.Norm(m.Direction, 2))
}

// search begins a line search with the given step.
func (m *lbfgs) search(step float64) {
	slope := floats.Dot(m.FromGradient, m.Direction)
	if slope >= 0 || step <= 0 {
		m.Asks = lbfgsEnded
		return
	}
	m.Line = bisection{High: math.Inf(1), LowF: m.F, HighF: math.NaN(), Start: m.F, Slope: slope}
	m.try(step)
}

// try asks for the value at a step, unless it is the latest step or leads nowhere.
func (m *lbfgs) try(step float64) {
	if step == m.Line.Step {
		m.Asks = lbfgsEnded
		return
	}
	m.Line.Step = step
	floats.AddScaledTo(m.Next, m.From, step, m.Direction)
	m.Asks = lbfgsValue
	if floats.Equal(m.From, m.Next) {
		m.Asks = lbfgsEnded
	}
}

// value continues the line search with a value. A gradient is needed only where the value is the smallest one.
func (m *lbfgs) value() {
	l := &m.Line
	least := l.Start
	if l.HighF < least {
		least = l.HighF
	}
	if l.LowF < least {
		least = l.LowF
	}
	switch {
	case m.F <= least:
		m.Asks = lbfgsGradient
		return
	case math.IsInf(l.High, 1) || l.LowF <= l.HighF:
		l.High, l.HighF = l.Step, m.F
	default:
		l.Low, l.LowF = l.Step, m.F
	}
	m.try((l.Low + l.High) / 2)
}

// slope continues the line search with a gradient, or ends it where the slope is small enough.
func (m *lbfgs) slope(gradient []float64) {
	l, slope := &m.Line, floats.Dot(gradient, m.Direction)
	bounded := !math.IsInf(l.High, 1)
	switch {
	case math.Abs(slope) < curvature*math.Abs(l.Slope):
		m.step(gradient)
		return
	case bounded && slope < 0 || !bounded && !(slope > 0):
		l.Low, l.LowF = l.Step, m.F
	default:
		l.High, l.HighF = l.Step, m.F
	}
	if math.IsInf(l.High, 1) {
		m.try(2 * l.Step)
	} else {
		m.try((l.Low + l.High) / 2)
	}
}

// step ends a step at the point that was evaluated, and begins the next one.
func (m *lbfgs) step(gradient []float64) {
	if m.Progress.ended(m.F, 1e-15, 20) || floats.Norm(gradient, math.Inf(1)) < smallestGradient {
		m.Asks = lbfgsEnded
		return
	}
	s, y := m.S[m.Oldest], m.Y[m.Oldest]
	floats.SubTo(y, gradient, m.FromGradient)
	floats.SubTo(s, m.Next, m.From)
	product := floats.Dot(s, y)
	m.Rho[m.Oldest] = 1 / product
	m.Oldest = (m.Oldest + 1) % lbfgsPairs
	copy(m.From, m.Next)
	copy(m.FromGradient, gradient)

	d, alpha := m.Direction, [lbfgsPairs]float64{}
	copy(d, gradient)
	for i := range lbfgsPairs { // from the newest pair to the oldest
		k := (m.Oldest + lbfgsPairs - 1 - i) % lbfgsPairs
		alpha[k] = m.Rho[k] * floats.Dot(m.S[k], d)
		floats.AddScaled(d, -alpha[k], m.Y[k])
	}
	floats.Scale(product/floats.Dot(y, y), d)
	for i := range lbfgsPairs {
		k := (m.Oldest + i) % lbfgsPairs
		beta := m.Rho[k] * floats.Dot(m.Y[k], d)
		floats.AddScaled(d, alpha[k]-beta, m.S[k])
	}
	floats.Scale(-1, d)
	m.search(1)
}
