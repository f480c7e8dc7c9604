package anneal

import "math"

// If T0 and Tmin are measured, they are twelve decades apart, and variables settle in their valleys within one or two
// of them. The first levels find out where: they are a pilot, which falls from T0 to Tmin in equal ratios. The last
// sweep of each measures the mean step that Metropolis accepts, as a share of the interval of its variable. The other
// levels begin at T0 again. Half of them are in equal ratios, and half where the fourth root of that step falls: the
// step itself would leave few levels for the last rare changes of a valley.
const (
	pilotShare = 10  // one level in so many is of the pilot
	leastPilot = 10  // a pilot of fewer levels is left out
	evenShare  = 0.5 // share of the levels after the pilot that are in equal ratios
)

// schedule is the sequence of the temperatures of all levels.
type schedule struct {
	levels []float64 // in equal ratios
	pilot  int       // number of levels of the pilot
	after  []float64 // temperatures after the pilot; nil: not known yet
}

func newSchedule(levels []float64, measured bool) schedule {
	s := schedule{levels: levels}
	if pilot := len(levels) / pilotShare; measured && pilot >= leastPilot {
		s.pilot = pilot
	}
	return s
}

// temperature returns that of a level. steps are the mean steps that the pilot has measured so far.
func (s *schedule) temperature(level int, steps []float64) float64 {
	if s.pilot == 0 {
		return s.levels[level]
	}
	if level < s.pilot {
		return s.ofPilot(level)
	}
	if s.after == nil {
		s.after = s.spread(steps)
	}
	return s.after[level-s.pilot]
}

// ofPilot returns the temperature of a level of the pilot.
func (s *schedule) ofPilot(level int) float64 { return s.levels[level*(len(s.levels)-1)/(s.pilot-1)] }

// spread returns the temperatures after the pilot.
func (s *schedule) spread(steps []float64) []float64 {
	falls, all := make([]float64, s.pilot), 0.0 // from the level before
	for i, low := 0, math.Inf(1); i < len(steps); i++ {
		if v := math.Sqrt(math.Sqrt(steps[i])); v < low {
			if i > 0 {
				falls[i] = low - v
			}
			low = v
		}
		all += falls[i]
	}
	until, parts := make([]float64, s.pilot), float64(s.pilot-1) // shares of the levels that are before a level
	for i := 1; i < s.pilot; i++ {
		share := 1 / parts
		if all > 0 {
			share = evenShare/parts + (1-evenShare)*falls[i]/all
		}
		until[i] = until[i-1] + share
	}
	after := make([]float64, len(s.levels)-s.pilot)
	for i, k := 0, 1; i < len(after); i++ {
		at := float64(i+1) / float64(len(after))
		for k < s.pilot-1 && until[k] < at {
			k++
		}
		u := min((at-until[k-1])/(until[k]-until[k-1]), 1)
		from, to := s.ofPilot(k-1), s.ofPilot(k)
		after[i] = from * math.Pow(to/from, u)
	}
	return after
}
