package local

import (
	"fmt"
	"math"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/problems"
)

// coordinate is coordinate descent. A sweep makes a line search for each variable, in [x_i - s_i, x_i + s_i]
// within the box. s_i is a fiftieth of the interval at first, and is halved after a sweep that gains nothing.
// Separable problems are solved variable by variable, and weakly coupled ones in a few sweeps.
type coordinate struct {
	p      problems.Problem
	kept   *problems.DeltaEvaluator
	lo, hi []float64
	coordinateState
}

// coordinateState is the state of coordinate descent. state sets Point and Acc.
type coordinateState struct {
	Scale      float64   // s_i as a part of the interval
	Next       int       // the next variable
	F          float64   // value now
	Before     float64   // value at the beginning of the sweep
	Point, Acc []float64 // the point of kept and its accumulators
}

// lineMoves is the largest number of moves of one line search.
const lineMoves = 40

// smallestScale ends coordinate descent. Near a minimum, steps of this fraction of an interval no longer
// change float64 values.
const smallestScale = 1e-11

func newCoordinate(p problems.Referenced, x []float64) *coordinate {
	c := &coordinate{p: p, kept: problems.NewDeltaEvaluator(p, x), coordinateState: coordinateState{Scale: 0.02}}
	c.lo, c.hi = bounds(p)
	c.F = c.kept.Value()
	c.Before = c.F
	return c
}

func (c *coordinate) Advance(n int64, work float64) (made int64, done float64) {
	t := newTally(c.p)
	for !c.Done() && t.fit(0, lineMoves, n, work) {
		i, x := c.Next, c.kept.X[c.Next]
		s := c.Scale * (c.hi[i] - c.lo[i])
		y, f, made := lineMinimum(func(v float64) float64 { return c.kept.Try(i, v) }, max(c.lo[i], x-s), x,
			min(c.hi[i], x+s), c.F)
		t.add(0, made)
		if f < c.F {
			c.kept.Try(i, y)
			c.kept.Take()
			c.F = f
		}
		if c.Next++; c.Next == len(c.lo) {
			c.Next = 0
			c.F = c.kept.Refresh()
			if !(c.Before-c.F > 1e-15*math.Abs(c.F)) {
				c.Scale /= 2
			}
			c.Before = c.F
		}
	}
	return t.made, t.work
}

func (c *coordinate) Best() ([]float64, float64) { return c.kept.X, c.F }
func (c *coordinate) Done() bool                 { return c.Scale < smallestScale }

func (c *coordinate) State() any {
	c.Point, c.Acc = c.kept.X, c.kept.Accumulators()
	return &c.coordinateState
}

func (c *coordinate) Restored() error {
	if len(c.Point) != len(c.lo) || len(c.Acc) != len(c.kept.Accumulators()) || c.Next < 0 || c.Next >= len(c.lo) {
		return &checkpoint.Damage{Msg: fmt.Sprintf("coordinate descent at variable %d of %d", c.Next, len(c.Point))}
	}
	c.kept.Restore(c.Point, c.Acc)
	return nil
}

// lineMinimum returns a minimum of f in [a, b] near x, by golden sections and parabolas (R. P. Brent,
// Algorithms for Minimization without Derivatives, 1973, chapter 5), from the known value fx. It never
// returns a worse point than x.
func lineMinimum(f func(float64) float64, a, x, b, fx float64) (at, value float64, made int64) {
	const golden = 0.3819660112501051
	tolerance := 1e-9*(b-a) + 1e-300
	w, v := x, x
	fw, fv := fx, fx
	d, e := 0.0, b-a // e: not 0, so that the first step may be a golden section
	for made < lineMoves-1 {
		middle := (a + b) / 2
		if math.Abs(x-middle) <= 2*tolerance-(b-a)/2 {
			break
		}
		r := (x - w) * (fx - fv)
		q := (x - v) * (fx - fw)
		p := 0.0
		p = (x-v)*q - (x-w)*r
		if q = 2 * (q - r); q > 0 {
			p = -p
		}
		q = math.Abs(q)
		if last := e; math.Abs(p) < math.Abs(q*last/2) && p > q*(a-x) && p < q*(b-x) {
			e, d = d, p/q
			if u := x + d; u-a < 2*tolerance || b-u < 2*tolerance {
				d = math.Copysign(tolerance, middle-x)
			}
		} else {
			if e = b - x; x >= middle {
				e = a - x
			}
			d = golden * e
		}
		u := x + d
		if math.Abs(d) < tolerance {
			u = x + math.Copysign(tolerance, d)
		}
		u = min(max(u, a), b)
		fu := f(u)
		made++
		if fu <= fx {
			if u < x {
				b = x
			} else {
				a = x
			}
			v = w
			fv = fw
			w = x
			fw = fx
			x = u
			fx = fu
			continue
		}
		if u < x {
			a = u
		} else {
			b = u
		}
		if fu <= fw || w == x {
			v = w
			fv = fw
			w = u
			fw = fu
		} else if fu <= fv || v == x || v == w {
			v, fv = u, fu
		}
	}
	return x, fx, made
}
