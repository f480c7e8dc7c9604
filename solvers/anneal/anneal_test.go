package anneal

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// sa returns an SA with settings "key=value key=value".
func sa(t testing.TB, text string) *SA {
	t.Helper()
	m, err := solvers.Configure(&SA{}, solvertest.Settings(text))
	if err != nil {
		t.Fatal(err)
	}
	return m.(*SA)
}

// Schedules have the numbers of evaluations in the paper, and those of its Table 9.
func TestSASchedule(t *testing.T) {
	for _, c := range []struct {
		set    string
		levels int
		moves  float64 // published
		digits float64
	}{
		{"", 1146, 1.8776e9, 5e-5},
		{"T0=5 Tmin=0.5 rho=0.7 N=5 chains=768", 7, 2.7648e4, 5e-6},
		{"chains=8192", 1146, 9.3881e8, 5e-5},
		{"chains=65536", 1146, 7.5105e9, 5e-5},
		{"N=50", 1146, 9.3882e8, 5e-5},
		{"T0=1 Tmin=10", 1, 16384 * 101, 0},
	} {
		m := sa(t, c.set)
		s := m.schedule()
		_, moves := m.bounds(solvertest.ParseProblem(t, "classic/rastrigin:n=2"))
		if n := float64(moves); len(s.levels) != c.levels || math.Abs(n-c.moves) > c.digits*c.moves {
			t.Errorf("%s: %d levels, %v moves; want %d, %v", c.set, len(s.levels), n, c.levels, c.moves)
		}
	}
	for _, n := range []int{1, 100, 127, 128, 129, 256, 1000, 1025, 100000} {
		s := (&SA{N: n}).schedule()
		if s.segment > 128 || s.segment*(s.segments-1) >= n || s.segment*s.segments < n {
			t.Errorf("N=%d: %d segments of %d", n, s.segments, s.segment)
		}
	}
	for _, set := range []map[string]string{
		{"T0": "0"}, {"rho": "1"}, {"rho": "0.9999999", "T0": "1e300"}, {"variant": "v3"},
		{"variant": "v1", "exchange": "3"}, {"chains": "0"},
		{"hastings": "true", "neighbour": "uniform"}, {"variant": "v0", "shared": "true"},
		{"variant": "hybrid", "local": "none"},
	} {
		if m, err := solvers.Configure(&SA{}, set); err == nil {
			t.Errorf("%v is taken as %s", set, solvers.Spell(m))
		}
	}
	m := sa(t, "variant=hybrid t0=5 n=7 Chains=3 elitist=true local=lbfgs")
	again := sa(t, strings.ReplaceAll(solvers.Spell(m), ",", " "))
	if solvers.Spell(again) != solvers.Spell(m) || m.t0() != 5 || m.n() != 7 || m.chains() != 3 {
		t.Errorf("%s is read back as %s", solvers.Spell(m), solvers.Spell(again))
	}
}

// The neighbour is inside, on either side with probability 1/2, uniform there.
func TestSANeighbour(t *testing.T) {
	m := &SA{}
	const lo, hi, a = -2.0, 5.0, 1.5
	var below, quarter int
	const n = 40000
	for k := range uint32(n) {
		w := rng.Key{Seed: 3}.Words(k, 0, 0, rng.Anneal)
		y, odds := m.neighbourOf(a, lo, hi, rng.Fine(w[1], w[2]))
		if y < lo || y > hi || odds != 0 {
			t.Fatalf("neighbour %v of %v, odds %v", y, a, odds)
		}
		if y < a {
			below++
			if y < (lo+a)/2 {
				quarter++
			}
		}
	}
	for what, c := range map[string][2]float64{"below": {float64(below), 0.5},
		"lower half of below": {float64(quarter), 0.25}} {
		if sd := math.Sqrt(n * c[1] * (1 - c[1])); math.Abs(c[0]-n*c[1]) > 4*sd {
			t.Errorf("%s: %v of %d", what, c[0], n)
		}
	}
	if y, odds := (&SA{Hastings: true}).neighbourOf(a, lo, hi, 0.25); math.Abs(odds-math.Log((a-lo)/(hi-y))) > 1e-15 {
		t.Errorf("odds %v of %v", odds, y)
	}
}

// saTwin is annealing on the host, written from the description of the method. It runs each chain
// separately, with full evaluations where the device makes them, and then the exchange over all chains.
func saTwin(m *SA, p problems.Referenced, key rng.Key, levels int) []*saChain {
	s := m.schedule()
	refresh := (p.Domain().N + s.n - 1) / s.n
	chains := make([]*saChain, s.chains)
	for c := range chains {
		chains[c] = newSAChain(m, p, key, uint32(c), nil)
	}
	for level := range levels {
		switch {
		case s.exchange > 0 && level > 0 && level%s.exchange == 0:
			best := 0
			for c := range chains {
				if chains[c].F < chains[best].F {
					best = c
				}
			}
			x := slices.Clone(chains[best].kept.X)
			for _, c := range chains {
				c.kept.Set(x)
				c.refresh()
			}
		case level%refresh == 0:
			for _, c := range chains {
				c.refresh()
			}
		}
		for _, c := range chains {
			c.steps(uint32(level), s.levels[level], 0, uint32(s.n))
		}
	}
	return chains
}

// columns reads the points of all chains.
func columns(t *testing.T, r *saRun) [][]float64 {
	t.Helper()
	x := make([][]float64, r.sch.chains)
	for c := range x {
		x[c] = make([]float64, r.p.Domain().N)
	}
	err := r.chains.Each(func(i int, d *cl.Device) error {
		o := r.on[i]
		all := make([]float64, o.width()*r.p.Domain().N)
		if err := o.x.Read(0, all); err != nil {
			return err
		}
		for c := o.first; c < min(o.first+o.width(), len(x)); c++ {
			for v := range x[c] {
				x[c][v] = all[v*o.width()+c-o.first]
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Chains on devices follow those of the host bit for bit. Their values differ in the last digits, which
// matter only in near-ties.
func TestSATwin(t *testing.T) {
	g := solvertest.OpenDevices(t, 3, shard.Options{LaunchTime: 1e-4})
	one := solvertest.OpenDevices(t, 1, shard.Options{})
	for _, c := range shorttest.Rows(2, []struct {
		set, problem string
		levels       int
	}{
		{"variant=v1 T0=10 rho=0.5 Tmin=1e-3 N=40 chains=130", "classic/rosenbrock:n=6", 12},
		{"T0=10 rho=0.6 Tmin=1e-3 N=300 chains=300", "classic/griewank:n=50", 8},
		{"T0=10 rho=0.6 Tmin=1e-3 N=30 chains=300 exchange=3", "classic/powell:n=64", 10},
		{"T0=10 rho=0.6 Tmin=1e-3 N=30 chains=140 neighbour=uniform", "classic/F16", 10},
		{"T0=10 rho=0.6 Tmin=1e-3 N=30 chains=9 neighbour=two-sided hastings=true", "classic/F11_b", 10},
		{"variant=v1 T0=100 rho=0.6 Tmin=1e-3 N=7 chains=5", "classic/levy_chain:n=30", 20},
		{"T0=10 rho=0.6 Tmin=1e-3 N=30 chains=130 evaluation=full", "classic/griewank:n=50", 8},
	}) {
		p := solvertest.ParseProblem(t, c.problem).(problems.Referenced)
		m, key := sa(t, c.set), rng.Key{Seed: 5, Run: 1}
		want := saTwin(m, p, key, c.levels)
		for _, g := range []*shard.Devices{one, g} {
			r, err := m.startDevices(context.Background(), p, g, solvers.Setup{Key: key}, 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.segments(context.Background(), 0, c.levels*r.sch.segments); err != nil {
				t.Fatal(err)
			}
			got := columns(t, r)
			for q := range want {
				if !slices.Equal(got[q], want[q].kept.X) {
					t.Errorf("%s %s on %d devices: chain %d is at %v, the host's at %v", c.problem, c.set, len(g.All()),
						q, got[q], want[q].kept.X)
					break
				}
			}
			// The record is the best point that any chain visited, with its value.
			best := math.Inf(1)
			var at []float64
			for _, w := range want {
				if w.Best < best {
					best, at = w.Best, w.At
				}
			}
			r.runs[0].Segment = c.levels * r.sch.segments
			if err := r.report(context.Background()); err != nil {
				t.Fatal(err)
			}
			s := r.runs[0].Sample
			if math.Abs(s.Best-best) > 1e-12*max(1, math.Abs(best)) {
				t.Errorf("%s %s: record %v, the host's %v", c.problem, c.set, s.Best, best)
			}
			if !slices.Equal(r.runs[0].X, at) {
				t.Errorf("%s %s: record at %v, the host's at %v", c.problem, c.set, r.runs[0].X, at)
			}
			r.Close()
		}
	}
}

// A step that evaluates all components is as much work as a point, on the host and on devices. A step that
// evaluates what it touches is counted by the components it touches.
func TestSAEvaluation(t *testing.T) {
	g, p := solvertest.OpenDevices(t, 1, shard.Options{}), solvertest.ParseProblem(t, "classic/rastrigin:n=10")
	for set, share := range map[string]float64{"evaluation=full": 1, "": 1. / 10, "variant=v0 evaluation=full": 1,
		"variant=v0": 1. / 10} {
		m := sa(t, "T0=1 Tmin=0.1 rho=0.5 N=20 chains=128 "+set)
		res, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Key: rng.Key{Seed: 1}}, m)
		if err != nil {
			t.Fatal(err)
		}
		starts := 128.0
		if m.variant() == "v0" {
			starts = 1
		}
		moves := float64(res.Moves) - starts
		if want := starts + moves*share; math.Abs(res.Work-want) > 1e-6*want || res.Evaluations != int64(want+1e-6) {
			t.Errorf("%s: work %v, %d evaluations, %d moves, want %v", set, res.Work, res.Evaluations, res.Moves,
				want)
		}
	}
}

// The value of a step of v0 is that of the current point. At a high temperature this is seldom the best
// point.
func TestHostSampleIsOfItsStep(t *testing.T) {
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	run, err := sa(t, "variant=v0 T0=1000 Tmin=900 chains=16 N=5").Start(context.Background(),
		solvertest.ParseProblem(t, "classic/rastrigin:n=10"), g, solvers.Setup{Key: rng.Key{Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	above, best := 0, math.Inf(1)
	for {
		s, ok, err := run.Step(context.Background(), solvers.Unlimited)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		if best = min(best, s.F); s.Best != best {
			t.Errorf("step %d: best %v, of the values so far %v", s.Step, s.Best, best)
		}
		if s.F > s.Best {
			above++
		}
	}
	if above == 0 {
		t.Error("the value of every step is the best one")
	}
}
