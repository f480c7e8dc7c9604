package mixing

import (
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/graphtest"
)

// A short limit of time has fewer individuals, then fewer sweeps. Settings that are given stay. Devices that are no
// processors have more individuals on some graphs.
func TestFit(t *testing.T) {
	p := cut.NewMaxCut(graphtest.Complete(100, 9, 9)) // about 4700 edges
	cpu := []cl.Info{{Type: cl.CPU}}
	for _, c := range []struct {
		m             GOMEA
		time          time.Duration
		first, sweeps int
	}{
		{GOMEA{Local: "sa"}, time.Second, 128, 100},
		{GOMEA{Local: "sa"}, 5 * time.Millisecond, 46, 100},
		{GOMEA{Local: "sa"}, 25 * time.Microsecond, 2, 11},
		{GOMEA{Local: "sa"}, time.Nanosecond, 2, 1},
		{GOMEA{Local: "sa", Sweeps: 50}, time.Nanosecond, 128, 50},
		{GOMEA{Local: "sa", Population: 7}, time.Nanosecond, 7, 500},
		{GOMEA{}, time.Nanosecond, 16, 0},
	} {
		m := c.m.fit(p, solvers.Budget{Time: c.time}, cpu).(*GOMEA)
		if first := m.first(100); first != c.first || m.sweeps() != c.sweeps {
			t.Errorf("%s in %v: %d individuals, %d sweeps; want %d, %d", solvers.Spell(&c.m), c.time, first, m.sweeps(),
				c.first, c.sweeps)
		}
	}
	for _, name := range []string{"rough", "heavy", "dense", "ring"} {
		m := (&GOMEA{Local: "sa"}).fit(cut.NewMaxCut(graphtest.Small()[name]), solvers.Budget{}, cpu).(*GOMEA)
		if m.first(100) != 128 || m.sweeps() != 100 {
			t.Errorf("%s: %d individuals, %d sweeps on a processor; want 128, 100", name, m.first(100), m.sweeps())
		}
	}
	torus := func(sides ...int) *graph.Graph {
		i, err := graph.Torus(sides, graph.PM1, 1)
		if err != nil {
			t.Fatal(err)
		}
		return i.Graph
	}
	// At least a word, and half of the time at 2^32 edges a second: each of the 3200 edges is read twice in a sweep.
	m := (&GOMEA{Local: "sa"}).fit(cut.NewMaxCut(torus(40, 40)), solvers.Budget{Time: time.Millisecond}, cpu).(*GOMEA)
	if m.first(1600) != 32 || m.sweeps() != 10 {
		t.Errorf("torus in 1 ms: %d individuals, %d sweeps; want 32, 10", m.first(1600), m.sweeps())
	}
	signed := func(n int) *graph.Graph {
		i, err := graph.Complete(n, graph.PM1, 1)
		if err != nil {
			t.Fatal(err)
		}
		return i.Graph
	}
	dense, signs := graphtest.Complete(1000, 9, 9), signed(1000)
	for name, c := range map[string]struct {
		g             *graph.Graph
		time          time.Duration
		first, sweeps int
	}{
		"dense":          {graphtest.Complete(100, 9, 9), 0, 1024, 100},
		"dense, 1000":    {dense, 0, 1024, 200},
		"dense, 1600":    {graphtest.Complete(1600, 9, 9), 0, 1024, 300},
		"dense, hurried": {dense, 5 * time.Millisecond, 116, 200},
		"signs, hurried": {signs, 5 * time.Millisecond, 176, 500},
		"signs":          {signed(100), 0, 1024, 100},
		"signs, 1000":    {signs, 0, 1024, 500},
		"signs, 2100":    {signed(2100), 0, 1024, 1000},
		"torus":          {torus(10, 10), 0, 1024, 100},
		"hurried":        {torus(10, 10), 100 * time.Microsecond, 42, 100},
		"solid":          {torus(5, 5, 5), 0, 128, 100},
	} {
		m := (&GOMEA{Local: "sa"}).fit(cut.NewMaxCut(c.g), solvers.Budget{Time: c.time}, []cl.Info{{Type: cl.GPU}})
		first, sweeps := m.(*GOMEA).first(c.g.N()), m.(*GOMEA).sweeps()
		if first != c.first || sweeps != c.sweeps {
			t.Errorf("%s: %d individuals, %d sweeps on a GPU; want %d, %d", name, first, sweeps, c.first, c.sweeps)
		}
	}
}
