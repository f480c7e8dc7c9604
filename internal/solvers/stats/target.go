package stats

import (
	"math"
	"slices"
)

// ToTarget describes how long runs take to a target.
type ToTarget struct {
	Runs, Hits int
	Median     float64 // seconds to the target; infinite if half of the runs or more have missed it
	// TTS99 is the time in which the target is met with a probability of 99 %, if runs are repeated that last Cutoff
	// seconds each: Cutoff·ln 0.01/ln(1-p) with p = (Hits + 1/2)/(Runs + 1). Low and High bound it: a resampling of the
	// runs lies between them in 95 of 100 cases.
	TTS99, Low, High float64
	Cutoff           float64 // of the longest run
}

// resamples is the number of resamplings.
const resamples = 2000

// TimeToTarget describes one or more runs. hit says which have met the target; the others ended without it. The runs
// are resampled with a fixed generator, so equal runs give equal bounds.
func TimeToTarget(seconds []float64, hit []bool) ToTarget {
	r := ToTarget{Runs: len(seconds)}
	reached := make([]float64, len(seconds))
	for i, t := range seconds {
		reached[i] = math.Inf(1)
		if hit[i] {
			reached[i] = t
			r.Hits++
		}
	}
	slices.Sort(reached)
	r.Median = Quantile(reached, 0.5)
	r.Cutoff = slices.Max(seconds)
	r.TTS99 = tts99(r.Cutoff, r.Hits, r.Runs)
	x := uint64(1)
	all := make([]float64, resamples)
	for k := range all {
		longest, hits := 0.0, 0
		for range seconds {
			x = x*6364136223846793005 + 1442695040888963407 // Knuth's linear congruential generator
			i := int((x >> 33) * uint64(len(seconds)) >> 31)
			longest = max(longest, seconds[i])
			if hit[i] {
				hits++
			}
		}
		all[k] = tts99(longest, hits, len(seconds))
	}
	slices.Sort(all)
	r.Low, r.High = Quantile(all, 0.025), Quantile(all, 0.975)
	return r
}

func tts99(cutoff float64, hits, runs int) float64 {
	p := (float64(hits) + 0.5) / (float64(runs) + 1)
	return cutoff * math.Log(0.01) / math.Log1p(-p)
}

// ShiftedExponential fits the distribution 1 - exp(-(t-start)/mean) of times to its quartiles, as usual for times to a
// target (Aiex, Resende, Ribeiro 2002, doi:10.1023/A:1015061802659). mean is 0 or infinite if the quartiles do not fit.
func ShiftedExponential(q1, q3 float64) (start, mean float64) {
	mean = (q3 - q1) / math.Log(3)
	return q1 - mean*math.Log(4.0/3), mean
}
