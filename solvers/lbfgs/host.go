package lbfgs

import (
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/internal/solvers/search"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// A function of the host has no components, so a gradient is made of differences of whole values: n of them forwards,
// which are asked for at once, and at the end of a descent 2n of both sides. Variables are shares of their intervals.

// hostStages are those of a descent of a function of the host. The first one is one-sided.
var hostStages = []stage{
	{ofValue: 0x1p-26, ofRange: 0x1p-29, least: 1e-7},
	{ofValue: math.Cbrt(0x1p-52), ofRange: 0x1p-24, least: 1e-13},
}

// onHost returns the method for functions of the host.
func (m *LBFGS) onHost() *search.Method {
	return &search.Method{Of: m.Traits(), Begin: func(at search.Start) search.Search {
		h := &hostSearch{Start: at, m: m}
		h.Hops = hops{F: math.Inf(1), Best: math.Inf(1), Over: true}
		h.U = h.unit(at.X)
		return h
	}}
}

// hostSearch is a run on a function of the host.
type hostSearch struct {
	search.Start
	m *LBFGS
	hostState
}

// hostState is what the search must remember. Points are shares of intervals.
type hostState struct {
	Episode   int // descents that have begun
	Fruitless int // descents in a row that found nothing better
	Hops      hops
	Least     float64     // the best value of the descents that have ended
	Best      []float64   // where it is
	Current   []float64   // the current minimum of the chain
	On        bool        // a descent is on
	Value     float64     // of its point
	U         []float64   // its point
	Fine      int         // index of its stage
	G         []float64   // gradient before its last step; nil: there was none
	Last      []float64   // the last step; nil: it makes no pair
	Slope     float64     // along the last step, at its beginning
	S, Y      [][]float64 // pairs, the oldest first
	Scale     float64     // of the last pair; 0: there was none
}

// State points to what the search must remember.
func (h *hostSearch) State() any { return &h.hostState }

// unit returns a point as shares of intervals.
func (h *hostSearch) unit(x []float64) []float64 {
	u := make([]float64, len(x))
	for i, v := range x {
		if lo, hi := h.Domain.Interval(i); hi > lo {
			u[i] = (v - lo) / (hi - lo)
		}
	}
	return u
}

// point returns shares of intervals as a point.
func (h *hostSearch) point(u []float64) []float64 {
	x := make([]float64, len(u))
	for i, v := range u {
		lo, hi := h.Domain.Interval(i)
		x[i] = min(max(lo+v*(hi-lo), lo), hi)
	}
	return x
}

// Next begins a descent, or makes a gradient and a step along the direction that follows from it.
func (h *hostSearch) Next(eval search.Eval) (more bool) {
	if !h.On {
		h.begin(eval)
	} else {
		h.descend(eval)
	}
	if !h.On {
		h.end()
	}
	return h.Fruitless < h.m.patience(h.Episode) && (h.m.Descents == 0 || h.Episode < h.m.Descents)
}

// begin begins a descent: at the start point, at a uniform point, or at the current minimum after a kick.
func (h *hostSearch) begin(eval search.Eval) {
	n := len(h.U)
	switch {
	case h.Episode == 0:
		h.Value, h.Least = h.Start.F, math.Inf(1)
	case h.Hops.Over:
		h.Start.Uniform(h.Episode)
		h.U = h.unit(h.X)
		h.Value = eval(h.X)[0]
	default:
		k := h.m.kick(&h.Hops, h.Key, h.Episode, n)
		x := h.point(h.Current)
		if k.Bodies == 0 {
			drawn := host.KickOf(h.Key, h.Episode, n)
			drawn.Share, drawn.Reach = k.Share, k.Reach
			drawn.Point(h.Domain, h.Key, h.Episode, slices.Clone(x), x)
		}
		for _, row := range h.rows(k) {
			x[row] = anew(h.Domain, h.Key, h.Episode, row)
		}
		h.Hops.Kick = k
		h.U = h.unit(x)
		h.Value = eval(x)[0]
	}
	h.Episode++
	h.On = host.Finite(h.Value)
	h.Fine, h.Scale, h.Slope = 0, 0, 0
	h.S, h.Y, h.G, h.Last = nil, nil, nil, nil
}

// rows returns the variables of the bodies that a kick draws anew.
func (h *hostSearch) rows(k kick) []int {
	if k.Bodies == 0 {
		return nil
	}
	return k.bodies(problems.Everything(len(h.U), 1), h.Key, h.Episode)
}

// gradient returns the derivatives of the value by shares of intervals, and 0 for variables that stay at a bound.
func (h *hostSearch) gradient(eval search.Eval) []float64 {
	at := hostStages[h.Fine]
	n, oneSided := len(h.U), h.Fine == 0
	x := h.point(h.U)
	var points [][]float64
	steps := make([][2]float64, n) // from and to, of a share
	for i, u := range h.U {
		lo, hi := h.Domain.Interval(i)
		if hi == lo {
			continue
		}
		step := max(at.ofValue*max(math.Abs(x[i])/(hi-lo), 1e-2), at.ofRange)
		from, to := u-step, u+step
		if oneSided || from < 0 {
			from = u
		}
		if to > 1 {
			from, to = u-step, u
		}
		steps[i] = [2]float64{from, to}
		for _, v := range steps[i] {
			if v != u {
				y := slices.Clone(x)
				y[i] = lo + v*(hi-lo)
				points = append(points, y)
			}
		}
	}
	values := eval(points...)
	g := make([]float64, n)
	for i, u := range h.U {
		from, to := steps[i][0], steps[i][1]
		if from == to {
			continue
		}
		f := [2]float64{h.Value, h.Value}
		for side, v := range steps[i] {
			if v != u {
				f[side], values = values[0], values[1:]
			}
		}
		if d := (f[1] - f[0]) / (to - from); host.Finite(d) {
			g[i] = d
		}
	}
	return g
}

// descend makes a gradient, learns from its change, and moves along the direction that follows.
func (h *hostSearch) descend(eval search.Eval) {
	g := h.gradient(eval)
	if h.Last != nil {
		y := make([]float64, len(g))
		for i := range y {
			y[i] = g[i] - h.G[i]
		}
		if sy := inner(h.Last, y); sy > flat*math.Abs(h.Slope) {
			h.S, h.Y = append(h.S, h.Last), append(h.Y, y)
			h.Scale = sy / inner(y, y)
		}
		if more := len(h.S) - (h.m.rows() - 1); more > 0 {
			h.S, h.Y = h.S[more:], h.Y[more:]
		}
	}
	h.G, h.Last = g, nil
	for {
		d := h.direction()
		slope, longest := inner(g, d), 0.0
		for _, v := range d {
			longest = max(longest, math.Abs(v))
		}
		steepest := len(h.S) == 0
		if slope < 0 && h.along(eval, d, slope, longest) {
			return
		}
		h.S, h.Y = nil, nil
		if steepest {
			h.stop()
			return
		}
	}
}

// stop goes on with the next stage or, if there is none, ends the descent.
func (h *hostSearch) stop() {
	h.Fine++
	h.Last, h.S, h.Y = nil, nil, nil
	h.On = h.Fine < len(hostStages)
}

// along tries points along a direction, and moves to the first that is good. It reports whether there is one.
func (h *hostSearch) along(eval search.Eval, d []float64, slope, longest float64) bool {
	t := 1.0
	if len(h.S) == 0 && h.Scale == 0 {
		t = first / longest
	}
	t = min(t, 1/longest)
	for range halvings {
		u, s := make([]float64, len(d)), make([]float64, len(d))
		fall := 0.0
		for i, v := range h.U {
			u[i] = min(max(v+t*d[i], 0), 1)
			s[i] = u[i] - v
			fall += h.G[i] * s[i]
		}
		f := eval(h.point(u))[0]
		if fall < 0 && f < h.Value && f <= h.Value+armijo*fall {
			from := h.Value
			h.U, h.Value, h.Last, h.Slope = u, f, s, fall
			if !falls(from, f, hostStages[h.Fine]) {
				h.stop()
			}
			return true
		}
		shorter := 0.5
		if bend := f - h.Value - t*slope; host.Finite(bend) && bend > 0 {
			shorter = min(max(-t*slope/(2*bend), 0.1), 0.5)
		}
		t *= shorter
	}
	return false
}

// direction returns -H·g without the variables that stay at a bound, by the two loops of Nocedal.
func (h *hostSearch) direction() []float64 {
	free := func(i int) bool { return !(h.U[i] <= 0 && h.G[i] > 0) && !(h.U[i] >= 1 && h.G[i] < 0) }
	d, alpha := make([]float64, len(h.G)), make([]float64, len(h.S))
	for i := range d {
		if free(i) {
			d[i] = -h.G[i]
		}
	}
	for k, s := range slices.Backward(h.S) {
		alpha[k] = inner(s, d) / inner(s, h.Y[k])
		for i := range d {
			d[i] -= alpha[k] * h.Y[k][i]
		}
	}
	if h.Scale > 0 {
		for i := range d {
			d[i] *= h.Scale
		}
	}
	for k, s := range h.S {
		beta := inner(h.Y[k], d) / inner(s, h.Y[k])
		for i := range d {
			d[i] += (alpha[k] - beta) * s[i]
		}
	}
	for i := range d {
		if !free(i) {
			d[i] = 0
		}
	}
	return d
}

func inner(a, b []float64) (v float64) {
	for i := range a {
		v += a[i] * b[i]
	}
	return v
}

// end ends a descent. Its minimum may become the current one of the chain. A chain that has found nothing better for
// long ends, and the next one begins at a uniform point or at the best one, in turn.
func (h *hostSearch) end() {
	c := &h.Hops
	if h.Fruitless++; falls(h.Least, h.Value, hostStages[1]) {
		h.Fruitless = 0
	}
	if h.Value < h.Least || h.Best == nil {
		h.Best, h.Least = slices.Clone(h.U), h.Value
	}
	patience := max(defaultPatience, h.m.patience(h.Episode))
	accepted := h.Value < c.F
	if !c.Over {
		accepted = c.land(h.Value, c.temperature(patience/4), metropolis(h.Key, h.Episode-1))
	} else if accepted {
		c.begin(h.Value)
	} else if host.Finite(c.F) {
		c.begin(c.F)
	}
	if accepted || h.Current == nil {
		h.Current = slices.Clone(h.U)
	}
	if c.Over || c.Fruitless < max(1, patience/2) {
		return
	}
	if c.Restarts++; c.Restarts%2 == 1 {
		c.F, c.Over = math.Inf(1), true
		return
	}
	c.begin(h.Least)
	h.Current = slices.Clone(h.Best)
}

// Loaded checks what was loaded.
func (h *hostSearch) Loaded() error {
	if len(h.U) != h.Domain.N || h.Fine < 0 || h.On && h.Fine >= len(hostStages) || len(h.S) != len(h.Y) {
		return damaged(h.Episode, len(h.S))
	}
	return nil
}

// hostLimits: the first steps are the start point, and a gradient with its searches.
func hostLimits(n int) solvers.Limits { return solvers.Limits{Starts: math.MaxInt, Step: int64(n) + 2} }
