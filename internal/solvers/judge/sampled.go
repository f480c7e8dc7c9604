package judge

import (
	"context"
	"math"
	"time"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// Sampled says what the value of a run is beside those of uniform points. They are drawn after the run for this
// comparison only, and are no evaluations.
type Sampled struct {
	Points int     // 0: there was no comparison
	Best   float64 // the smallest finite value, in the sense of minimization; +Inf if none is finite
	Better bool    // it is below the value of the run
	// Fair is true if the limits of the run allowed a hundred evaluations or more for each of the points.
	Fair bool
}

// Share is the share of a limit, or of the time of a run without limits, that the points may take: one of so many.
const Share = 100

const (
	most      = 1000
	least     = 10
	leastTime = 100 * time.Millisecond // that the points may take, however short a run was
	// MostVars is the largest number of variables of a point, and of the points that are drawn at a time.
	MostVars = 1 << 24
)

// Run is a run whose value is compared.
type Run struct {
	Problem   problems.Problem
	Devices   *shard.Devices
	Key       rng.Key
	Precision problems.Precision // of the run
	Confirmer problems.Precision // in which devices confirm its value
	F         float64            // its value, as it was confirmed
	Tolerance float64            // relative to it
	Limit     time.Duration      // 0: none
	Elapsed   time.Duration
	Evals     int64 // the limit; 0: none
	Work      float64
	HostTime  time.Duration // of an evaluation by the host reference
	Clock     func() time.Duration
}

// Compare draws uniform points of the box, and evaluates them as the value of the run was confirmed. There are none if
// one would take longer than all may.
func (r Run) Compare() (s Sampled, err error) {
	allowed, points := r.Limit, most
	if allowed == 0 {
		allowed = r.Elapsed
	}
	allowed = max(leastTime, allowed/Share)
	if r.Evals > 0 {
		points = int(min(most, max(least, r.Evals/Share)))
	}
	begin, one := r.Clock(), time.Duration(float64(r.Elapsed)/max(1, r.Work))
	if _, hosted := r.Problem.(problems.Referenced); hosted {
		one = min(r.HostTime, r.Elapsed)
	}
	s.Best = math.Inf(1)
	var first time.Duration // until the first point, which has to wait for what is done once
	for next := 1; s.Points < points; next *= 10 {
		if took := r.Clock() - begin; s.Points == 1 {
			first = took
		} else if s.Points > 1 {
			one = (took - first) / time.Duration(s.Points-1)
		}
		room := int64((allowed - (r.Clock() - begin)) / max(one, 1))
		n := min(min(next, points)-s.Points, r.together())
		if int64(n) > room {
			if r.Limit == 0 && s.Points > 0 || room < 1 {
				break // without a limit of time the number of points should not follow the clock
			}
			n, points = int(room), 0 // the last ones
		}
		values, err := r.values(s.Points, n)
		if err != nil {
			return Sampled{}, err
		}
		for _, f := range values {
			if host.Finite(f) {
				s.Best = min(s.Best, f)
			}
		}
		s.Points += n
	}
	s.Better = s.Best < r.F-r.Tolerance*math.Abs(r.F)
	switch enough := int64(Share * s.Points); {
	case r.Evals > 0:
		s.Fair = r.Evals >= enough
	default:
		s.Fair = r.Limit >= Share*(r.Clock()-begin) || r.Work >= float64(enough)
	}
	return s, nil
}

// together returns how many points are drawn at a time.
func (r Run) together() int { return max(1, MostVars/r.Problem.Domain().N) }

// point returns point k, as devices store it.
func (r Run) point(k int) []float64 {
	d := r.Problem.Domain()
	x := make([]float64, d.N)
	for i := range x {
		lo, hi := d.Interval(i)
		u := rng.Uniform(r.Key.Word(uint32(i), uint32(k), 0, rng.Compare))
		x[i] = min(max(math.FMA(u, hi-lo, lo), lo), hi)
	}
	return d.Stored(r.Precision, 0, x)
}

// values returns the values of n points, from point number from on. The program on the devices is the one that has
// confirmed the value.
func (r Run) values(from, n int) (values []float64, err error) {
	h, hosted := r.Problem.(problems.Referenced)
	points := make([][]float64, n)
	for k := range points {
		x := r.point(from + k)
		if !hosted {
			points[k] = x
			continue
		}
		f, err := problems.Eval(h, x)
		if err != nil {
			return nil, err
		}
		values = append(values, f)
	}
	if hosted {
		return values, nil
	}
	sums, err := shard.Accumulate(context.Background(), r.Devices, r.Problem, r.Confirmer, points)
	return shard.Values(r.Problem, sums), err
}
