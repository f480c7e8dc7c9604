package plot

import "math"

// fewestTargets is the number of targets of a problem in a share of targets, and the smallest number in other pictures.
const fewestTargets = 51

// course is how a run became better: after x[i] it was at distance[i] from the reference of its race.
type course struct {
	label       string
	x, distance []float64
	end         float64 // of the run, which may have gone on after its last sample
}

// met returns after how much a run has met a target. ok is false if it never has.
func (c course) met(target float64) (x float64, ok bool) {
	for i, d := range c.distance {
		if d <= target+1e-12*math.Abs(target) {
			return c.x[i], true
		}
	}
	return 0, false
}

// race holds the courses of all runs on a problem. Distances are those from the best known value, or from the best
// value of all runs if that is better or none is known. In a race of values they are the values themselves, times sign.
type race struct {
	courses []course
	sign    float64 // -1 for a maximization
	values  bool    // distances are values
	known   bool    // distances are those from the best known value

	worst   float64 // largest first distance of a run
	best    float64 // smallest distance of a run
	nearest float64 // smallest distance above 0
}

// raceOf returns the race of the runs of some methods over an axis. A run that stopped at a target was not to go
// further, so it is nowhere nearer than that.
func raceOf(runs methods, by string, values bool) (*race, error) {
	optimum, sign, known := optimumOf(runs)
	r := &race{values: values, worst: math.Inf(-1), best: math.Inf(1), nearest: math.Inf(1)}
	targets := []float64{} // of the courses; -Inf: none
	best := math.Inf(1)
	for _, label := range labelsOf(runs) {
		for _, f := range runs[label] {
			read, err := f.Course()
			if err != nil {
				return nil, err
			}
			r.sign = f.Result.Sense.Sign()
			c := course{label: label, x: read.Over(by).X, end: f.Effort(by)}
			for _, v := range read.Best {
				c.distance = append(c.distance, r.sign*v)
				best = min(best, r.sign*v)
			}
			target := math.Inf(-1)
			if t := f.Result.Limits.Target; t != nil {
				target = r.sign * float64(*t)
			}
			r.courses, targets = append(r.courses, c), append(targets, target)
		}
	}
	reference := sign * optimum
	r.known = known && reference <= best
	if !r.known {
		reference = best
	}
	if values {
		reference = 0
	}
	for i, c := range r.courses {
		first := true
		for k := range c.distance {
			d := max(c.distance[k], targets[i]) - reference
			c.distance[k] = d
			if math.IsInf(d, 0) || math.IsNaN(d) {
				continue
			}
			if first {
				r.worst, first = max(r.worst, d), false
			}
			r.best = min(r.best, d)
			if d > 0 {
				r.nearest = min(r.nearest, d)
			}
		}
	}
	return r, nil
}

// logarithmic reports whether targets are in equal steps of their logarithm.
func (r *race) logarithmic() bool { return !r.values || r.best > 0 }

// targets returns targets from the worst first value to the best of all runs in equal steps of their logarithm, at
// least fewestTargets and perDecade for a power of ten. The distance 0 is the last one if a run came there. Targets of
// values that are not all above 0 are in equal steps. There are none if nothing has improved.
func (r *race) targets(perDecade float64) (all []float64) {
	switch {
	case !(r.worst > r.best):
		return nil
	case !r.logarithmic():
		for i := range fewestTargets {
			all = append(all, r.worst+(r.best-r.worst)*float64(i)/(fewestTargets-1))
		}
		return all
	}
	n := max(fewestTargets, int(math.Ceil(perDecade*math.Log10(r.worst/r.nearest)))+1)
	above := n // targets above 0
	if r.best <= 0 {
		above--
	}
	for i := range above {
		all = append(all, r.worst*math.Pow(r.nearest/r.worst, float64(i)/float64(above-1)))
	}
	return append(all, make([]float64, n-above)...)
}
