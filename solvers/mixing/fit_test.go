package mixing

import (
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/solvers"
)

// A short limit of time has fewer individuals, then fewer sweeps. Settings that are given stay.
func TestFit(t *testing.T) {
	p := cut.NewMaxCut(complete(100, 1, 1)) // about 2500 edges
	cpu := []cl.Info{{Type: cl.CPU}}
	for _, c := range []struct {
		m             GOMEA
		time          time.Duration
		first, sweeps int
	}{
		{GOMEA{Local: "sa"}, time.Second, 128, 100},
		{GOMEA{Local: "sa"}, 20 * time.Millisecond, 86, 100},
		{GOMEA{Local: "sa"}, 100 * time.Microsecond, 2, 21},
		{GOMEA{Local: "sa"}, time.Nanosecond, 2, 1},
		{GOMEA{Local: "sa", Sweeps: 50}, time.Nanosecond, 128, 50},
		{GOMEA{Local: "sa", Population: 7}, time.Nanosecond, 7, 500},
		{GOMEA{}, time.Nanosecond, 16, 0},
	} {
		m := c.m.Fit(p, solvers.Budget{Time: c.time}, cpu).(*GOMEA)
		if first := m.first(100); first != c.first || m.sweeps() != c.sweeps {
			t.Errorf("%s in %v: %d individuals, %d sweeps; want %d, %d", c.m.String(), c.time, first, m.sweeps(),
				c.first, c.sweeps)
		}
	}
}
