package masw

import (
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/solvers/memetic"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// twin is NGPUs-MA-SW-Chains on the host. It was written from the description of the method: whole
// vectors, float64, plain loops. portions has the first variable of each portion, then n.
type twin struct {
	p        problems.Referenced
	key      rng.Key
	portions []int
	mates    int
	lo, hi   float64

	x          [][]float64
	f          []float64
	search     []*memetic.SolisWets // nil: a new chain
	generation uint32
	step       uint32
	closest    float64 // smallest relative difference of two values that were compared
}

func (w *twin) value(t *testing.T, x []float64) float64 {
	f, err := problems.Eval(w.p, x)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (w *twin) clamp(v float64) float64 { return min(max(v, w.lo), w.hi) }

func (w *twin) populate(t *testing.T, n int) {
	w.closest = inf
	for j := range n {
		x := make([]float64, w.p.Domain().N)
		for i := range x {
			u := rng.Uniform(w.key.Word(uint32(i), uint32(j), 0, rng.Init))
			x[i] = w.lo + u*(w.hi-w.lo)
		}
		w.x, w.f, w.search = append(w.x, x), append(w.f, w.value(t, x)), append(w.search, nil)
	}
}

// mate returns the farthest of some others, by the distance within a portion.
func (w *twin) mate(j, q int) int {
	best, far := -1, -1.0
	drawn := drawMates(w.key, uint32(len(w.x)), uint32(q), uint32(j), w.generation)
	for _, c := range drawn[:w.mates] {
		d := 0.0
		for i := w.portions[q]; i < w.portions[q+1]; i++ {
			d += (w.x[j][i] - w.x[c][i]) * (w.x[j][i] - w.x[c][i])
		}
		if d > far {
			best, far = int(c), d
		}
	}
	return best
}

// child returns BGA(BLX(x_j, mate)) in every portion.
func (w *twin) child(j int) []float64 {
	y := make([]float64, w.p.Domain().N)
	for q := range len(w.portions) - 1 {
		from, to := w.portions[q], w.portions[q+1]
		m := w.mate(j, q)
		for i := from; i < to; i++ {
			lo, hi := min(w.x[j][i], w.x[m][i]), max(w.x[j][i], w.x[m][i])
			spread := 0.5 * (hi - lo)
			a, b := max(w.lo, lo-spread), min(w.hi, hi+spread)
			y[i] = a + rng.Uniform(w.key.Word(uint32(i), uint32(j), w.generation, rng.Cross))*(b-a)
		}
		words := w.key.Words(uint32(q), uint32(j), w.generation, rng.Mutate)
		if float64(words[0])/(1<<32) >= 0.125 {
			continue
		}
		i := from + int(rng.Int(words[1], uint32(to-from)))
		y[i] = w.clamp(y[i] + 0.1*(w.hi-w.lo)*memetic.Mutation(words))
	}
	return y
}

func (w *twin) evolve(t *testing.T) {
	var children [][]float64
	var f []float64
	for j := range w.x {
		children = append(children, w.child(j))
		f = append(f, w.value(t, children[j]))
	}
	swaps := survivors(w.f, f)
	for k := 0; k < len(swaps); k += 2 {
		slot, c := swaps[k], swaps[k+1]
		w.x[slot], w.f[slot], w.search[slot] = children[c], f[c], nil
	}
	w.generation++
}

func (w *twin) startChains() {
	for j, x := range w.x {
		if w.search[j] != nil {
			continue
		}
		w.search[j] = memetic.NewSolisWets(x, w.x, w.lo, w.hi)
	}
}

// improve makes one local search step: one candidate of every individual.
func (w *twin) improve(t *testing.T) (accepted int) {
	for j, x := range w.x {
		c := w.search[j]
		d, y := make([]float64, len(x)), make([]float64, len(x))
		c.Propose(w.key, uint32(j), w.step, x, w.lo, w.hi, d, y)
		f := w.value(t, y)
		w.closest = min(w.closest, math.Abs(f-w.f[j])/math.Abs(f))
		better := f < w.f[j]
		if better {
			accepted++
			w.x[j], w.f[j] = y, f
		}
		c.Adapt(d, better)
	}
	w.step++
	return accepted
}

// The devices follow the twin through two cycles. The same individuals survive, the same steps are
// accepted, and the populations are equal up to rounding.
func TestMASWTwin(t *testing.T) {
	for _, c := range shorttest.Rows(1, []struct {
		spec     string
		devices  int
		set      map[string]string
		mates    int
		portions []int
	}{
		{"cec2013/f12:n=5000,mode=paper", 3, map[string]string{"portion": "2000"}, 3, []int{0, 2000, 5000}},
		{"cec2013/f1", 1, nil, 3, []int{0, 1000}},
		{"cec2013/f2:n=5000", 2, nil, 3, []int{0, 1000, 2000, 3000, 4000, 5000}},
		{"cec2013/f2:n=2345,mode=paper", 2, nil, 3, []int{0, 1000, 2000, 2345}},
		{"cec2013/f12:n=5000,mode=paper", 3, map[string]string{"portion": "2000", "mates": "1"}, 1,
			[]int{0, 2000, 5000}},
		{"cec2013/f2:n=2345,mode=paper", 3, map[string]string{"mates": "2"}, 2, []int{0, 1000, 2000, 2345}},
		{"cec2013/f4:n=5000", 2, map[string]string{"portions": "3"}, 3, []int{0, 1000, 3000, 5000}},
	}) {
		t.Run(c.spec, func(t *testing.T) {
			const population, iterations = 8, 12
			set := map[string]string{"population": "8", "iterations": "12"}
			for k, v := range c.set {
				set[k] = v
			}
			m, err := solvers.Configure(&MASW{}, set)
			if err != nil {
				t.Fatal(err)
			}
			p := solvertest.ParseProblem(t, c.spec).(problems.Referenced)
			key := rng.Key{Seed: 21, Run: 2}
			started := solvertest.Start(t, m, p, solvertest.OpenDevices(t, c.devices, shard.Options{}),
				solvers.Setup{Key: key})
			run := started.(*maswRun)
			if run.portions != len(c.portions)-1 {
				t.Fatalf("%d portions, want %v", run.portions, c.portions)
			}

			w := &twin{p: p, key: key, portions: c.portions, mates: c.mates}
			w.lo, w.hi = p.Domain().Box()
			w.populate(t, population)
			solvertest.Advance(t, run)
			sameState(t, run, w)
			accepted, replaced := 0, 0
			for range 2 {
				for range iterations {
					old := slices.Clone(w.f)
					w.evolve(t)
					for j := range old {
						if old[j] != w.f[j] {
							replaced++
						}
					}
					solvertest.Advance(t, run)
					sameState(t, run, w)
				}
				w.startChains()
				for range iterations {
					accepted += w.improve(t)
					solvertest.Advance(t, run)
					sameState(t, run, w)
				}
			}
			t.Logf("%d slots replaced, %d steps accepted; closest decision %.1e", replaced, accepted, w.closest)
			if replaced == 0 || accepted == 0 || accepted == 2*iterations*population {
				t.Error("the run has no replacement, or no accepted or rejected step")
			}
		})
	}
}

// sameState compares values, the states of local search and the populations.
func sameState(t *testing.T, r *maswRun, w *twin) {
	t.Helper()
	if err := r.settle(); err != nil {
		t.Fatal(err)
	}
	for j, x := range w.x {
		if got := r.states[0].F[j]; math.Abs(got-w.f[j]) > 1e-9*math.Abs(w.f[j]) {
			t.Fatalf("step %d: individual %d has value %.17g, twin %.17g", r.states[0].Sample.Step, j, got, w.f[j])
		}
		for s, sh := range r.moves.Shards() {
			stored := make([]float64, sh.Vars()) // includes the halo, which another shard owns
			if err := r.on[s].x.Read(j*sh.Vars(), stored); err != nil {
				t.Fatal(err)
			}
			for i := range stored {
				if v := x[sh.ReadLo+i]; math.Abs(stored[i]-v) > 1e-12*(w.hi-w.lo) {
					t.Fatalf("step %d: variable %d of individual %d is %.17g on shard %d, twin %.17g",
						r.states[0].Sample.Step, sh.ReadLo+i, j, stored[i], s, v)
				}
			}
		}
		c := r.states[0].Chains[j]
		if u := w.search[j]; u == nil {
			if c.Started {
				t.Fatalf("step %d: individual %d has the chain %+v, in the twin none", r.states[0].Sample.Step, j, c)
			}
		} else if c.Ok != u.OK || c.Bad != u.Bad || c.Pending != u.Pending || math.Abs(c.Rho-u.Rho) > 1e-9*u.Rho {
			t.Fatalf("step %d: individual %d has chain %+v, twin rho %g, %d successes, %d failures",
				r.states[0].Sample.Step, j, c, u.Rho, u.OK, u.Bad)
		}
	}
}
