package anneal

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// sweepTwin is sweeps on the host in float64, serial and written from the description of the method: one
// variable after the other, colour by colour.
type sweepTwin struct {
	m       *SA
	p       problems.Referenced
	key     rng.Key
	colours *problems.Colours
	slope   []float64
	acc     []float64
	x       []float64
	wide    []float32
	every   int
}

func newSweepTwin(t *testing.T, m *SA, p problems.Referenced, key rng.Key) *sweepTwin {
	t.Helper()
	c, err := problems.ColoursOf(p.Structure())
	if err != nil {
		t.Fatal(err)
	}
	w := &sweepTwin{m: m, p: p, key: key, colours: c, slope: p.Linear(), every: 1}
	for i := range p.Domain().N {
		lo, hi := p.Domain().Interval(i)
		w.x = append(w.x, min(max(math.FMA(rng.Uniform(key.Word(uint32(i), 0, 0, rng.Init)), hi-lo, lo), lo), hi))
		w.wide = append(w.wide, float32(hi-lo))
	}
	w.renew()
	return w
}

func (w *sweepTwin) renew() {
	w.acc = make([]float64, w.p.Accumulators())
	for k := range w.p.Structure().Components() {
		w.p.HostComponent(k, 0, w.x, w.acc)
	}
}

// terms returns the sums of the components that read i, and their value.
func (w *sweepTwin) terms(i int, slope []float64) (a []float64, v float64, bad int) {
	a = make([]float64, len(slope))
	for _, k := range w.p.Structure().ComponentsOf(i, nil) {
		before := slices.Clone(a)
		w.p.HostComponent(k, 0, w.x, a)
		if slices.ContainsFunc(a, func(v float64) bool { return !host.Finite(v) }) {
			a = before
			bad++
		}
	}
	v = slope[0] * a[0]
	for j := 1; j < len(a); j++ {
		v = math.FMA(slope[j], a[j], v)
	}
	return a, v, bad
}

// try draws the neighbour of variable i and reports whether it is accepted.
func (w *sweepTwin) try(i int, sweep uint32, t float64, slope []float64) (y float64, change []float64, d float64,
	near, take bool) {
	words := w.key.Words(uint32(i), 0, sweep, rng.Sweep)
	lo, hi := w.p.Domain().Interval(i)
	v, u, odds := w.x[i], rng.Fine(words[1], words[2]), 0.0
	kind := w.m.sweepNeighbour()
	if near = kind == "adaptive" || kind == "mixed" && words[0]>>31 == 1; near {
		l, h := max(lo, v-float64(w.wide[i])), min(hi, v+float64(w.wide[i]))
		y = min(max(math.FMA(u, h-l, l), lo), hi)
	} else {
		y, odds = (&SA{Neighbour: strings.Replace(kind, "mixed", "two-sided", 1),
			Hastings: w.m.Hastings}).neighbourOf(v, lo, hi, u)
	}
	a, va, before := w.terms(i, slope)
	w.x[i] = y
	b, vb, bad := w.terms(i, slope)
	w.x[i] = v
	for j := range b {
		b[j] -= a[j]
	}
	d = vb - va
	if before > 0 {
		return y, b, d, near, bad <= before
	}
	return y, b, d, near, bad == 0 && (d <= t*(odds-float64(rng.LogUniform(words[3]))) || !w.m.Hastings && vb <= va)
}

func (w *sweepTwin) sweep(sweep uint32, t float64) {
	far := false
	for colour := range w.colours.Count {
		for which := range w.every {
			slope := w.slope
			if slope == nil {
				slope = host.Slopes(w.p, w.acc)
			}
			said, f := 0.0, w.p.Objective(w.acc)
			for i := range w.x {
				first, _ := w.p.Tiling().Vars(min(i/w.p.Tiling().TileVars, w.p.Tiling().Tiles()-1))
				if w.colours.Residues[i%w.colours.Period] != colour || len(w.p.Structure().ComponentsOf(i, nil)) == 0 {
					continue
				}
				// The place within the colour in its tile; periods have one residue of a colour here.
				if (i/w.colours.Period-first/w.colours.Period)%w.every != which {
					continue
				}
				y, change, _, near, take := w.try(i, sweep, t, slope)
				if take {
					w.x[i] = y
					for j, v := range change {
						w.acc[j] += v
						said += slope[j] * v
					}
				}
				lo, hi := w.p.Domain().Interval(i)
				switch {
				case near && take:
					w.wide[i] = min(w.wide[i]*wider, float32(hi-lo))
				case near:
					w.wide[i] = max(w.wide[i]*narrower, 1e-30)
				}
			}
			far = w.slope == nil && departs(said, w.p.Objective(w.acc)-f, t) || far
		}
	}
	if far {
		w.every = min(4*w.every, maxEvery)
	} else {
		w.every = max(w.every/2, 1)
	}
}

// The point on one device and on three is that of the host, bit for bit. Values differ in their last digits,
// which matter only in near-ties.
func TestSweepTwin(t *testing.T) {
	for _, c := range shorttest.Rows(2, []struct{ problem, set string }{
		{"classic/rosenbrock:n=4001", "T0=100 rho=0.5 N=4"},
		{"classic/ackley:n=4001", "T0=1e-4 rho=0.5 N=4"},
		{"classic/rastrigin:n=4001", "T0=20 rho=0.5 N=4"},
		{"classic/schwefel:n=3000", "T0=0.1 rho=0.5 N=3 neighbour=two-sided hastings=true"},
		{"classic/dixon_price:n=3500", "T0=1e7 rho=0.3 N=4 neighbour=adaptive"},
		{"classic/levy_chain:n=3000", "T0=10 rho=0.5 N=4 neighbour=uniform"},
		{"classic/powell:n=4004", "T0=1000 rho=0.5 N=4"},
		{"classic/griewank:n=4001", "T0=10 rho=0.5 N=3"},
	}) {
		t.Run(c.problem, func(t *testing.T) {
			p, key := solvertest.ParseProblem(t, c.problem).(problems.Referenced), rng.Key{Seed: 5, Run: 1}
			m := sa(t, "variant=sweeps "+c.set)
			const levels = 6
			w := newSweepTwin(t, m, p, key)
			temperatures, _ := m.sweepLevels()
			for k := range levels * m.sweeps() {
				w.sweep(uint32(k), temperatures[k/m.sweeps()])
				if (k+1)%m.sweeps() == 0 {
					w.renew()
				}
			}
			for _, devices := range []int{1, 3} {
				r := sweeps(t, m, p, solvertest.OpenDevices(t, devices, shard.Options{LaunchTime: 1e-3}),
					solvers.Setup{Key: key})
				for range levels {
					if _, ok, err := r.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
						t.Fatal(ok, err)
					}
				}
				x, wide := pointOf(t, r)
				off := 0
				for i := range x {
					if x[i] != w.x[i] || m.near() && wide[i] != w.wide[i] {
						if off++; off == 1 {
							t.Errorf("%d devices: variable %d is at %v with width %v, the host's at %v with %v",
								devices, i, x[i], wide[i], w.x[i], w.wide[i])
						}
					}
				}
				if off > 0 {
					t.Errorf("%d devices: %d of %d variables differ", devices, off, len(x))
				}
				if r.state.Every != w.every {
					t.Errorf("%d devices: in %d turns, the host's in %d", devices, r.state.Every, w.every)
				}
				if f := p.Objective(w.acc); math.Abs(r.state.Sample.F-f) > 1e-12*max(1, math.Abs(f)) {
					t.Errorf("%d devices: f is %v, the host's %v", devices, r.state.Sample.F, f)
				}
			}
		})
	}
}

// T0 is the mean change of f by one variable at the start.
func TestSweepMeasuresT0(t *testing.T) {
	for _, spec := range shorttest.Rows(1, []string{"classic/rosenbrock:n=4001", "classic/ackley:n=2500"}) {
		p, key := solvertest.ParseProblem(t, spec).(problems.Referenced), rng.Key{Seed: 3}
		m := sa(t, "variant=sweeps N=1")
		w := newSweepTwin(t, m, p, key)
		slope, total := w.slope, 0.0
		if slope == nil {
			slope = host.Slopes(p, w.acc)
		}
		for i := range w.x {
			_, _, d, _, _ := w.try(i, math.MaxUint32, 0, slope)
			total += math.Abs(d)
		}
		r := sweeps(t, m, p, solvertest.OpenDevices(t, 2, shard.Options{}), solvers.Setup{Key: key})
		if _, ok, err := r.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if want := total / float64(len(w.x)); math.Abs(r.state.T0-want) > 1e-9*want {
			t.Errorf("%s: T0 is %v, the mean change %v", spec, r.state.T0, want)
		}
	}
}

// userText renames the type Objective, so that it can be embedded beside the method of that name.
type userText = opencl.Objective

// hostedText is a user's text with a host reference.
type hostedText struct {
	*userText
	component func(k int, x []float64) float64 // x from stride·k on
	stride    int
}

func (h hostedText) HostComponent(k, first int, x, acc []float64) {
	acc[0] += h.component(k, x[h.stride*k-first:])
}

func (h hostedText) ErrorScale(from, to, first int, x, acc []float64) {}

func (h hostedText) HostTile(t int, x, acc []float64) {
	problems.AddTile(h, t, x, acc)
}

// The colours of these windows have several residues in a period, and a period can begin anywhere in a tile.
// Variables that no component reads do not move.
func TestSweepResidues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "steps.cl")
	text := "//@ bounds -2 3\n//@ reads 3*k..3*k+3\n//@ components (n-3)/3\n" +
		"static void component(uint k, point x, data d, real *acc)\n{\n" +
		"    const real a = at(x, 3 * k), b = at(x, 3 * k + 1), c = at(x, 3 * k + 2), e = at(x, 3 * k + 3);\n" +
		"    acc[0] += sq(a - b * b) + sq(b - c) + sq(sq(c) - e);\n}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := hostedText{solvertest.ParseProblem(t, path+":n=4003").(*opencl.Objective), func(_ int, x []float64) float64 {
		u, v, w := x[0]-x[1]*x[1], x[1]-x[2], x[2]*x[2]-x[3]
		return u*u + v*v + w*w
	}, 3}
	m, key := sa(t, "variant=sweeps T0=5 rho=0.5 N=4"), rng.Key{Seed: 7}
	w := newSweepTwin(t, m, p, key)
	if len(w.colours.Of(1)) < 2 {
		t.Fatalf("colours %+v have one residue each", w.colours)
	}
	start := slices.Clone(w.x)
	for k := range 20 {
		w.sweep(uint32(k), 5*math.Pow(0.5, float64(k/4)))
	}
	for _, devices := range []int{1, 3} {
		r := sweeps(t, m, p, solvertest.OpenDevices(t, devices, shard.Options{}), solvers.Setup{Key: key})
		for range 5 {
			if _, ok, err := r.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}
		x, _ := pointOf(t, r)
		if !slices.Equal(x, w.x) {
			t.Errorf("%d devices: the point differs from the host's", devices)
		}
		if !slices.Equal(x[4000:], start[4000:]) || x[3999] == start[3999] {
			t.Errorf("%d devices: the last variables are at %v, and began at %v; the last three are not read", devices,
				x[3999:], start[3999:])
		}
	}
}

// If g is not nearly linear, fewer variables move at a time, and the points are still those of the host.
func TestSweepBends(t *testing.T) {
	p, key := solvertest.ParseProblem(t, "classic/exponential:n=2600").(problems.Referenced), rng.Key{Seed: 4}
	m := sa(t, "variant=sweeps T0=1e-290 Tmin=1e-291 N=8")
	w := newSweepTwin(t, m, p, key)
	most := 1
	for k := range 8 {
		w.sweep(uint32(k), 1e-290)
		most = max(most, w.every)
	}
	if most == 1 {
		t.Fatal("all variables of a colour move at once throughout")
	}
	r := sweeps(t, m, p, solvertest.OpenDevices(t, 2, shard.Options{}), solvers.Setup{Key: key})
	if _, ok, err := r.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if x, _ := pointOf(t, r); !slices.Equal(x, w.x) || r.state.Every != w.every {
		t.Errorf("the point differs from the host's, or there are %d turns instead of %d", r.state.Every, w.every)
	}
}
