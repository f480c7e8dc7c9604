package solvers

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/internal/solvers/judge"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// checkStart refuses start points of the wrong length or outside the box.
func checkStart(p problems.Problem, x0 [][]float64) error {
	d := p.Domain()
	for k, x := range x0 {
		if len(x) != d.N {
			return Settingf("start point %d has %d variables, and the problem has %d", k, len(x), d.N)
		}
		for i, v := range x {
			if lo, hi := d.Interval(i); !(v >= lo && v <= hi) {
				return Settingf("variable %d of start point %d is %g, outside %g to %g", i, k, v, lo, hi)
			}
			if d.Binary && v != 0 && v != 1 {
				return Settingf("variable %d of start point %d is %g; write 0 or 1", i, k, v)
			}
		}
	}
	return nil
}

// ordered returns the start points of a run in the order in which the method takes them.
func ordered(ctx context.Context, p problems.Problem, g *shard.Devices, s Settings, method Solver) ([][]float64,
	error) {
	if len(s.X0) == 0 {
		return found(ctx, p, g, s, method)
	}
	return attempts(ctx, g, s.Slow, func() ([][]float64, error) { return bestFirst(ctx, p, g, s.Precision, s.X0) },
		nil)
}

// bestFirst returns start points with the best one, the first of equals, before the others, which keep their order.
// Methods begin at the first one, so that no result is worse than any. The values are those of the host reference or,
// if the problem has none, of the devices. They order points and are no evaluations of the run. All ranks call it.
func bestFirst(ctx context.Context, p problems.Problem, g *shard.Devices, prec problems.Precision,
	x0 [][]float64) ([][]float64, error) {
	if len(x0) < 2 {
		return x0, nil
	}
	f, stored := make([]float64, len(x0)), make([][]float64, len(x0))
	for k := range stored {
		stored[k] = p.Domain().Stored(prec, 0, x0[k])
	}
	var err error
	if h, ok := p.(problems.Referenced); ok {
		for k := range f {
			f[k], err = problems.Eval(h, stored[k])
			if err != nil {
				return nil, err
			}
		}
	} else {
		sums, err := shard.Accumulate(ctx, g, p, prec, stored)
		if err != nil {
			return nil, err
		}
		f = shard.Values(p, sums)
	}
	best := 0
	for k := range f {
		if host.Better(f[k], f[best]) {
			best = k
		}
	}
	return slices.Concat(x0[best:best+1], x0[:best], x0[best+1:]), nil
}

// drawn is the number of uniform points that are tried before a start point is looked for elsewhere.
const drawn = 8

// found returns a start point for a run to which none was given, if no uniform point has a finite value, or all are on
// a plateau: a method that draws its points would hardly come to a better one. It depends on the seed alone, so that
// runs repeat. The values are no evaluations of the run. Families with a host reference are finite everywhere. A
// function of the host, of which a value may take minutes, is called for no values that are not counted.
func found(ctx context.Context, p problems.Problem, g *shard.Devices, s Settings, method Solver) ([][]float64, error) {
	_, reference := p.(problems.Referenced)
	if limits := method.Traits().Limits; reference || problems.CallOf(p) != nil || g.Shared() || p.Domain().Binary ||
		limits == nil ||
		p.Tiling().M > judge.MostTerms || p.Domain().N > judge.MostVars || limits(p, s.Precision).Starts == 0 {
		return nil, nil
	}
	x, err := beside(p, s), error(nil)
	if x == nil {
		x, err = attempts(ctx, g, s.Slow, func() ([]float64, error) { return finiteStart(ctx, p, g, s) }, nil)
	}
	if err != nil || x == nil {
		return nil, err
	}
	x0 := [][]float64{x}
	s.X0 = x0
	if Check(p, s, method) != nil { // the limit has no room for it
		return nil, nil
	}
	return x0, nil
}

// A plateau is flat: what points beside it are better by is so many times what uniform points differ by. An evaluation
// on the host that looks for one may take so many operations.
const (
	plateau     = 1e6
	mostPlateau = 1 << 18
)

// beside returns the best point of the diagonal of the box, if all uniform points that are tried are on a plateau, such
// as that of a penalty 1e6/max(1e-9, 1 - s1/20000) beyond its limit: values there tell a search nothing, or lead it
// away. It returns nil if they are not, and where the host does not read the text or would need long.
func beside(p problems.Problem, s Settings) (x []float64) {
	ref, err := problems.OnHost(p, s.Precision)
	if err != nil {
		return nil
	}
	d, finite := p.Domain(), true
	value := func(x []float64) float64 {
		sums, _, err := ref.Sum(p.Tiling().M, d.Stored(s.Precision, 0, x), mostPlateau)
		f := math.NaN()
		if err == nil {
			f = p.Objective(sums)
		}
		finite = finite && host.Finite(f)
		return f
	}
	least, most := math.Inf(1), math.Inf(-1)
	for k := range drawn {
		u := make([]float64, d.N)
		host.Uniform(d, rng.Key{Seed: s.Key.Seed}, k, u)
		f := value(u)
		least, most = min(least, f), max(most, f)
		if !finite {
			return nil
		}
	}
	best := least
	for _, at := range diagonal(d) {
		if f := value(at); host.Better(f, best) && least-f > plateau*(most-least) {
			x, best = d.Stored(s.Precision, 0, at), f
		}
	}
	return x
}

// finiteStart returns a point with a finite value, or nil if a uniform point has one or none is found. The first
// uniform point is evaluated by the program of the trial, so that most runs do not wait until another one is compiled.
func finiteStart(ctx context.Context, p problems.Problem, g *shard.Devices, s Settings) ([]float64, error) {
	d, key := p.Domain(), rng.Key{Seed: s.Key.Seed}
	best := func(points [][]float64) ([]float64, error) { // nil: none is finite
		for k, x := range points {
			points[k] = d.Stored(s.Precision, 0, x)
		}
		sums, err := shard.Accumulate(ctx, g, p, s.Precision, points)
		if err != nil {
			return nil, err
		}
		at, least := -1, math.Inf(1)
		for k, f := range shard.Values(p, sums) {
			if host.Better(f, least) {
				at, least = k, f
			}
		}
		if at < 0 {
			return nil, nil
		}
		return points[at], nil
	}
	uniform := make([][]float64, drawn)
	for k := range uniform {
		uniform[k] = make([]float64, d.N)
		host.Uniform(d, key, k, uniform[k])
	}
	if g.Checked() {
		at, err := terms(g, p, s.Precision, d.Stored(s.Precision, 0, uniform[0]))
		if err == nil && at.Sums != nil && host.Finite(p.Objective(at.Sums)) {
			return nil, nil
		}
	}
	if x, err := best(uniform); x != nil || err != nil {
		return nil, err
	}
	if x, err := best(diagonal(d)); x != nil || err != nil {
		return x, err
	}
	x := uniform[0]
	for try := range redraws {
		at, err := terms(g, p, s.Precision, x)
		if err != nil {
			return nil, nil // the run finds it, too
		}
		if len(at.NotFinite()) == 0 {
			return best([][]float64{x})
		}
		redraw(p, key, 1+try, at.NotFinite(), x)
	}
	return nil, nil
}

// mostHalved is how often the way to a corner of the box is halved, and redraws how often variables are drawn again.
const mostHalved, redraws = 40, 32

// diagonal returns the centre of the box, points on the way from there to its lower and its upper corner, the nearer
// the denser, and both corners. A function that is finite near one of these only is finite at some of the points.
func diagonal(d problems.Domain) (points [][]float64) {
	at := func(share float64) {
		x := make([]float64, d.N)
		for i := range x {
			lo, hi := d.Interval(i)
			x[i] = lo + share*(hi-lo)
			if share > 0.5 {
				x[i] = hi - (1-share)*(hi-lo)
			}
			x[i] = min(max(x[i], lo), hi)
		}
		points = append(points, x)
	}
	at(0.5)
	for k := 2; k <= mostHalved; k++ {
		at(math.Ldexp(1, -k))
		at(1 - math.Ldexp(1, -k))
	}
	at(0)
	at(1)
	return points
}

// redraw draws the variables of x again that some components read.
func redraw(p problems.Problem, key rng.Key, try int, components []int, x []float64) {
	for _, k := range components {
		for _, i := range p.Structure().Reads(k, nil) {
			lo, hi := p.Domain().Interval(i)
			u := rng.Uniform(key.Word(uint32(i), uint32(try), drawn, rng.Init))
			x[i] = min(max(lo+u*(hi-lo), lo), hi)
		}
	}
}
