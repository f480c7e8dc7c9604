package maswseq

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/datatest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// start starts a method from its settings.
func start(t testing.TB, spec string, set map[string]string, g *shard.Devices, s solvers.Setup) *run {
	t.Helper()
	m, err := solvers.Configure(&MASWSeq{}, set)
	if err != nil {
		t.Fatal(err)
	}
	r := solvertest.Start(t, m, solvertest.ParseProblem(t, spec), g, s)
	return r.(*run)
}

// read returns the values of the individuals, their marks, whether they have a chain, and their points.
func (e *deviceEngine) read(t *testing.T) (f []float64, marked, chained []bool, x [][]float64) {
	t.Helper()
	f, err := e.values(e.population)
	if err != nil {
		t.Fatal(err)
	}
	chain := make([]uint32, chainWords*e.population)
	if err := e.pl.Each(func(int, shard.Shard, *cl.Device) error {
		for j := range e.population {
			row := make([]float64, e.p.Domain().N)
			if err := e.on.x.Read(j*len(row), row); err != nil {
				return err
			}
			x = append(x, row)
		}
		return e.on.chain.Read(0, chain)
	}); err != nil {
		t.Fatal(err)
	}
	for j := range e.population {
		marked, chained = append(marked, chain[chainWords*j] != 0), append(chained, chain[chainWords*j+1] != 0)
	}
	return f, marked, chained, x
}

// The device follows the host evaluation by evaluation through several cycles: the same replacements,
// accepted steps and marks, and equal populations up to rounding.
func TestMASWSeqTwin(t *testing.T) {
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	for _, c := range shorttest.Rows(1, []struct {
		spec string
		set  map[string]string
	}{
		{"cec2013/f12:n=3500,mode=paper", nil}, // one point in four tiles, with halos
		{"cec2013/f1", nil},
		{"cec2013/f4", map[string]string{"mutation": "1"}},
		{"cec2013/f12", map[string]string{"ratio": "0.25", "alpha": "0.2"}},
		{"cec2013/f14", nil},
	}) {
		t.Run(c.spec, func(t *testing.T) {
			set := solvertest.WithSettings(c.set, "population", "6", "iterations", "23")
			setup := solvers.Setup{Key: rng.Key{Seed: 3, Run: 1}}
			device := start(t, c.spec, solvertest.WithSettings(set, "on", "device"), g, setup)
			host := start(t, c.spec, solvertest.WithSettings(set, "on", "host"), g, setup)
			h, replaced, improved := host.engine.(*hostEngine), 0, 0
			for step := range 40 {
				old, phase := slices.Clone(h.f), host.state.Phase
				a, ok, err := device.Step(context.Background(), solvers.Within(9)) // steps end inside phases
				if err != nil || !ok {
					t.Fatal(ok, err)
				}
				b, _, err := host.Step(context.Background(), solvers.Within(9))
				if err != nil {
					t.Fatal(err)
				}
				if a.Evaluations != b.Evaluations || device.state.Phase != host.state.Phase {
					t.Fatalf("step %d: device %+v, host %+v", step, a, b)
				}
				if math.Abs(a.Best-b.Best) > 1e-9*b.Best {
					t.Fatalf("step %d: best is %v on the device and %v on the host", step, a.Best, b.Best)
				}
				for j, f := range h.f {
					if f != old[j] {
						if phase == phaseSearch {
							improved++
						} else if phase != phasePopulate {
							replaced++
						}
					}
				}
				values, marked, chained, x := device.engine.(*deviceEngine).read(t)
				for j, f := range h.f {
					if math.Abs(values[j]-f) > 1e-9*f || marked[j] != h.marked[j] ||
						chained[j] != (h.chains[j] != nil || j == h.now) {
						t.Fatalf("step %d: individual %d has value %.17g, marked %v, a chain %v; on the host %.17g, %v",
							step, j, values[j], marked[j], chained[j], f, h.marked[j])
					}
					for i, v := range h.x[j] {
						if math.Abs(x[j][i]-v) > 1e-12*(h.hi-h.lo) {
							t.Fatalf("step %d: variable %d of individual %d is %.17g on the device, %.17g on the host",
								step, i, j, x[j][i], v)
						}
					}
				}
			}
			t.Logf("%d replaced in evolution, %d improved; closest decision %.1e", replaced, improved, h.closest)
			if replaced == 0 || improved == 0 {
				t.Error("the run has no replacement or no improvement")
			}
		})
	}
}

// mates draws three distinct individuals other than the mother, all equally often.
func TestMates(t *testing.T) {
	const n = 5
	var count [n][n]int
	for when := range uint32(20000) {
		mother, others := mates(rng.Key{Seed: 8}, n, when)
		seen := map[uint32]bool{mother: true}
		for _, c := range others {
			if c >= n || seen[c] {
				t.Fatalf("mother %d, others %v", mother, others)
			}
			seen[c] = true
			count[mother][c]++
		}
	}
	for m := range n {
		for c := range n {
			if m != c && math.Abs(float64(count[m][c])-20000.0/n*3/4) > 200 {
				t.Errorf("mother %d met individual %d in %d draws", m, c, count[m][c])
			}
		}
	}
}

// The shares of evolution keep the ratio.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		ratio      float64
		iterations int
		want       []int64 // the first shares
	}{
		{0.5, 500, []int64{500, 500, 500}},
		{0.25, 30, []int64{10, 10, 10}},
		{0.75, 10, []int64{30, 30, 30}},
		{0.3, 10, []int64{4, 4, 4, 5, 4}},
		{0, 10, []int64{0, 0}},
	} {
		r := &run{iterations: c.iterations, ratio: c.ratio}
		var s state
		for k, want := range c.want {
			got := r.share(&s)
			if got != want {
				t.Errorf("ratio %g: share %d is %d, want %d", c.ratio, k, got, want)
			}
			s.Evolved += got
			s.Searched += int64(c.iterations)
		}
	}
}

// A chain that no longer helps ends, and its individual is marked. If all are marked, any individual may be
// improved.
func TestMarks(t *testing.T) {
	p := solvertest.ParseProblem(t, "cec2013/f1").(problems.Referenced)
	h := newHostEngine(p, solvers.Setup{Key: rng.Key{Seed: 1}}, 4, 0.5, 0.125, solvers.Info{})
	ctx := context.Background()
	if _, err := h.populate(ctx); err != nil {
		t.Fatal(err)
	}
	for k := range h.f {
		if err := h.begin(uint32(k)); err != nil {
			t.Fatal(err)
		}
		for j := range h.f { // the best of those without a mark
			if !h.marked[j] && h.f[j] < h.f[h.now] || h.marked[h.now] {
				t.Fatalf("values %v, marks %v: %d is improved", h.f, h.marked, h.now)
			}
		}
		h.fy = h.f[h.now] * (1 - 1e-9) // too little
		was, now := h.f[h.now], h.now
		if err := h.end(); err != nil {
			t.Fatal(err)
		}
		if !h.marked[now] || h.chains[now] != nil || !(h.f[now] < was) {
			t.Errorf("individual %d: marked %v, chain %v, value %v after %v", now, h.marked[now], h.chains[now],
				h.f[now], was)
		}
	}
	seen := map[int]bool{}
	for k := range uint32(40) {
		if err := h.begin(k); err != nil {
			t.Fatal(err)
		}
		seen[h.now] = true
	}
	if len(seen) != 4 {
		t.Errorf("of four marked individuals, only %v are improved", seen)
	}
	h.fy = h.f[h.now] / 2
	now := h.now
	if err := h.end(); err != nil || h.marked[now] || h.chains[now] == nil {
		t.Errorf("improved: marked %v, chain %v, %v", h.marked[now], h.chains[now], err)
	}
}

// official skips the test if the official data, to which the regression values belong, are missing.
func official(t *testing.T, spec string) problems.Problem {
	t.Helper()
	p, err := catalog.Parse(spec, problems.Options{Data: datatest.CEC2013(t)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Values on the official functions after 500,000 evaluations must match those of Molina's algorithm, for
// three seeds, within the factor by which seeds differ.
func TestMASWSeqRegression(t *testing.T) {
	long := os.Getenv("CLOPT_LONG") != ""
	for _, c := range []struct {
		f              int
		lo, hi, factor float64
	}{
		{1, 2.2e5, 2.9e5, 10}, {2, 6.2e3, 8.6e3, 2.5}, {12, 1.15e3, 1.36e3, 1.5},
	} {
		for _, on := range []string{"device", "host"} {
			for seed := range uint32(3) {
				t.Run(fmt.Sprintf("f%d %s seed %d", c.f, on, seed), func(t *testing.T) {
					if !long {
						t.Skip("half a million evaluations; set CLOPT_LONG=1")
					}
					p := official(t, fmt.Sprintf("cec2013/f%d", c.f))
					m, err := solvers.Configure(&MASWSeq{}, map[string]string{"on": on})
					if err != nil {
						t.Fatal(err)
					}
					res, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 1, shard.Options{}),
						solvers.Settings{Key: rng.Key{Seed: seed}, Budget: solvers.Budget{Evaluations: 500000}}, m)
					if err != nil {
						t.Fatal(err)
					}
					t.Logf("%.4g after %d evaluations", res.F, res.Evaluations)
					if res.F < c.lo/c.factor || res.F > c.hi*c.factor || !res.Confirmed {
						t.Errorf("%v after %d evaluations, want %g to %g within a factor of %g", res.F, res.Evaluations,
							c.lo, c.hi, c.factor)
					}
				})
			}
		}
	}
}

// A short form of the test above, with 30,000 evaluations.
func TestMASWSeqShort(t *testing.T) {
	shorttest.Out(t)
	p := official(t, "cec2013/f1")
	m, err := solvers.Configure(&MASWSeq{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 1, shard.Options{}),
		solvers.Settings{Budget: solvers.Budget{Evaluations: 30000}}, m)
	if err != nil {
		t.Fatal(err)
	}
	// A simulation of the method had 3.4e9 at this point.
	if res.F < 3.4e9/3 || res.F > 3.4e9*3 {
		t.Errorf("f1 is %g after 30,000 evaluations, want about 3.4e9", res.F)
	}
	t.Logf("f1 is %g", res.F)
}
