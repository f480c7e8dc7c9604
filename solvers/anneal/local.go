package anneal

import (
	"context"
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/internal/host"
)

// saHybrid is annealing, followed by a local minimiser on the host in float64. The minimiser starts from
// the best point that any chain visited. It then restarts Hops times from a random point near the best one,
// and a better result replaces it (basin hopping at temperature 0: Wales and Doye 1997,
// doi:10.1021/jp970984n). Values of the second phase are those of the host reference.
type saHybrid struct {
	m      *SA
	h      problems.Referenced
	key    rng.Key
	anneal saAnnealer
	local  localMinimiser // nil before its phase
	hop    int            // number of restarts so far
	share  float64        // work of one change
	made   int64          // evaluations of the local phase
	over   bool           // nothing more fits into LocalN
	sample solvers.Sample
	x      []float64 // the best point of the local phase; nil: that of annealing
}

// localMinimiser improves one point. It stops after a given number of evaluations.
type localMinimiser interface {
	// advance makes at most n evaluations of points or changes, and returns how many of each. Both are 0 if
	// nothing fits into n, or at the end.
	advance(n int64) (points, changes int64)
	// best returns the best point so far, which the caller must not change, and its value.
	best() ([]float64, float64)
	done() bool
	close()
}

// localSteps is the number of evaluations of a Step of the local phase.
const localSteps = 1 << 13

func (m *SA) startLocal(p problems.Problem, s solvers.Setup, anneal saAnnealer) (solvers.Run, error) {
	h, ok := p.(problems.Referenced)
	if !ok {
		return nil, solvers.Settingf("local=%s needs a host reference, and %s has none; use local=none", m.local(),
			p.Spec())
	}
	return &saHybrid{m: m, h: h, key: s.Key, anneal: anneal, share: touchedShare(p.Structure())}, nil
}

// Step anneals until annealing has ended. After that, it continues the local minimiser.
func (r *saHybrid) Step(ctx context.Context, limit int64) (solvers.Sample, bool, error) {
	if !r.anneal.Ended() {
		s, ok, err := r.anneal.Step(ctx, limit)
		if ok {
			r.sample = s
		}
		return s, ok, err
	}
	if err := ctx.Err(); err != nil {
		return r.sample, false, err
	}
	turn := max(localSteps, 4*int64(r.h.Domain().N)) // a gradient takes twice the variables
	var points, changes int64
	for points+changes == 0 {
		if r.local == nil || r.local.done() && r.hop < r.m.Hops {
			if err := r.begin(); err != nil {
				return r.sample, false, err
			}
		}
		points, changes = r.local.advance(min(limit, turn, int64(r.m.localN())-r.made))
		if points+changes == 0 && !(r.local.done() && r.hop < r.m.Hops) {
			r.over = limit >= turn // nothing fits into what is left of localn
			return r.sample, false, nil
		}
	}
	r.made += points + changes
	s := &r.sample
	s.Step++
	s.Evaluations += points + changes
	s.Work += float64(points) + float64(changes)*r.share
	x, _ := r.local.best()
	f, err := problems.Eval(r.h, x)
	if err != nil {
		return r.sample, false, err
	}
	if s.F = f; !host.Finite(f) {
		s.F = math.Inf(1)
	}
	if s.F < s.Best {
		s.Best, r.x = s.F, append(r.x[:0], x...)
	}
	return *s, true, nil
}

// begin starts the local minimiser at the best point. Later calls start it near that point.
func (r *saHybrid) begin() error {
	x := make([]float64, r.h.Domain().N)
	if err := r.Incumbent(x); err != nil {
		return err
	}
	if r.local != nil {
		r.local.close()
		r.hop++
		for i := range x {
			lo, hi := r.h.Domain().Interval(i)
			u := rng.Uniform(r.key.Word(uint32(i), uint32(r.hop), 0, rng.Hop))
			x[i] = min(max(math.FMA(2*u-1, r.m.hop()*(hi-lo), x[i]), lo), hi)
		}
	}
	r.local = newLocal(r.m.local(), r.h, x)
	return nil
}

// Ended reports whether annealing and the local minimiser are done.
func (r *saHybrid) Ended() bool {
	return r.anneal.Ended() && r.local != nil && (r.over || r.local.done() && r.hop == r.m.Hops)
}

// Incumbent writes the best point of both phases.
func (r *saHybrid) Incumbent(x []float64) error {
	if r.x == nil {
		return r.anneal.Incumbent(x)
	}
	copy(x, r.x)
	return nil
}

// Info describes annealing.
func (r *saHybrid) Info() solvers.Info { return r.anneal.Info() }

// Close ends the local minimiser and closes annealing.
func (r *saHybrid) Close() {
	if r.local != nil {
		r.local.close()
	}
	r.anneal.Close()
}

// newLocal returns the named local minimiser, started at x.
func newLocal(name string, p problems.Referenced, x []float64) localMinimiser {
	switch name {
	case "nelder-mead":
		return newGonum(p, x, nelderMead)
	case "lbfgs":
		return newGonum(p, x, lbfgs)
	}
	return newCoordinate(p, x)
}

// bounds returns the intervals of all variables.
func bounds(p problems.Problem) (lo, hi []float64) {
	lo, hi = make([]float64, p.Domain().N), make([]float64, p.Domain().N)
	for i := range lo {
		lo[i], hi[i] = p.Domain().Interval(i)
	}
	return lo, hi
}

// coordinate is coordinate descent. A sweep makes a line search for each variable, in [x_i - s_i, x_i + s_i]
// within the box. s_i is a fiftieth of the interval at first, and is halved after a sweep that gains nothing.
// Separable problems are solved variable by variable, and weakly coupled ones in a few sweeps.
type coordinate struct {
	kept   *problems.DeltaEvaluator
	lo, hi []float64
	scale  float64 // s_i as a part of the interval
	i      int     // the next variable
	f      float64 // value now
	before float64 // value at the beginning of the sweep
}

// lineEvaluations is the largest number of evaluations of one line search.
const lineEvaluations = 40

// smallestScale ends coordinate descent. Near a minimum, steps of this fraction of an interval no longer
// change float64 values.
const smallestScale = 1e-11

func newCoordinate(p problems.Referenced, x []float64) *coordinate {
	c := &coordinate{kept: problems.NewDeltaEvaluator(p, x), scale: 0.02}
	c.lo, c.hi = bounds(p)
	c.f = c.kept.Value()
	c.before = c.f
	return c
}

func (c *coordinate) advance(n int64) (points, changes int64) {
	for !c.done() && changes+lineEvaluations <= n {
		i, x := c.i, c.kept.X[c.i]
		s := c.scale * (c.hi[i] - c.lo[i])
		y, f, made := lineMinimum(func(v float64) float64 { return c.kept.Try(i, v) }, max(c.lo[i], x-s), x,
			min(c.hi[i], x+s), c.f)
		changes += made
		if f < c.f {
			c.kept.Try(i, y)
			c.kept.Take()
			c.f = f
		}
		if c.i++; c.i == len(c.lo) {
			c.i = 0
			c.f = c.kept.Refresh()
			if !(c.before-c.f > 1e-15*math.Abs(c.f)) {
				c.scale /= 2
			}
			c.before = c.f
		}
	}
	return 0, changes
}

func (c *coordinate) best() ([]float64, float64) { return c.kept.X, c.f }
func (c *coordinate) done() bool                 { return c.scale < smallestScale }
func (c *coordinate) close()                     {}

// lineMinimum returns a minimum of f in [a, b] near x, by golden sections and parabolas (R. P. Brent,
// Algorithms for Minimization without Derivatives, 1973, chapter 5), from the known value fx. It never
// returns a worse point than x.
func lineMinimum(f func(float64) float64, a, x, b, fx float64) (at, value float64, made int64) {
	const golden = 0.3819660112501051
	tolerance := 1e-9*(b-a) + 1e-300
	w, v := x, x
	fw, fv := fx, fx
	d, e := 0.0, b-a // e: not 0, so that the first step may be a golden section
	for made < lineEvaluations-1 {
		middle := (a + b) / 2
		if math.Abs(x-middle) <= 2*tolerance-(b-a)/2 {
			break
		}
		r, q, p := (x-w)*(fx-fv), (x-v)*(fx-fw), 0.0
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
			v, fv, w, fw, x, fx = w, fw, x, fx, u, fu
			continue
		}
		if u < x {
			a = u
		} else {
			b = u
		}
		if fu <= fw || w == x {
			v, fv, w, fw = w, fw, u, fu
		} else if fu <= fv || v == x || v == w {
			v, fv = u, fu
		}
	}
	return x, fx, made
}
