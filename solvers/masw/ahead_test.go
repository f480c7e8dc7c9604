package masw

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// batchOf starts runs on one device. decides says whether the device decides about steps.
func batchOf(t *testing.T, m *MASW, p problems.Problem, prec problems.Precision, runs int, decides bool,
	o shard.Options) *maswRun {
	t.Helper()
	started, err := m.startBatch(context.Background(), p, solvertest.OpenDevices(t, 1, o),
		solvers.Setup{Key: rng.Key{Seed: 8, Run: 1}, Precision: prec}, runs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(started.Close)
	r := started.(*maswRun)
	if r.ahead == 0 {
		t.Fatal("the host decides about every step")
	}
	if !decides {
		r.ahead = 0
	}
	return r
}

// stored returns the points and biases of all individuals.
func stored(t *testing.T, r *maswRun) (all []float64) {
	t.Helper()
	for _, v := range []*shard.Reals{r.on[0].x, r.on[0].bias} {
		part := make([]float64, r.all()*r.p.Domain().N)
		if err := v.Read(0, part); err != nil {
			t.Fatal(err)
		}
		all = append(all, part...)
	}
	return all
}

// partly has values that are not finite, and a number of variables that is no multiple of four.
const partly = `
//@ bounds -1 1
//@ n 5
//@ reads k
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += k == 3u && at(x, k) < R(0.0) ? (real)NAN : sq(at(x, k));
}
`

// Steps about which the device decides have the bits of those about which the host decides. So has the state in the
// middle of the steps that the device has made by itself.
func TestDeviceDecides(t *testing.T) {
	for _, c := range shorttest.Rows(1, []struct {
		spec string
		prec problems.Precision
		m    MASW
		runs int
		o    shard.Options
	}{
		{"cec2013/f12", problems.FP64, MASW{Population: 8, Iterations: 12}, 3, shard.Options{Rounds: true}},
		{"cec2013/f13", problems.FP64, MASW{Population: 7, Iterations: 12, Mates: 1}, 2, shard.Options{}},
		{"cec2013/f13", problems.FP64, MASW{Population: 9, Iterations: 12}, 3, shard.Options{Points: 4, Rounds: true}},
		{"cec2013/f2", problems.FP32, MASW{Population: 8, Iterations: 12, Mates: 2}, 2, shard.Options{}},
		{partly, problems.FP64, MASW{Population: 8, Iterations: 30}, 2,
			shard.Options{}},
	}) {
		var p problems.Problem
		var err error
		if c.spec != partly {
			p = solvertest.ParseProblem(t, c.spec)
		} else if p, err = opencl.Parse(strings.NewReader(partly), nil, 0); err != nil {
			t.Fatal(err)
		}
		one := batchOf(t, &c.m, p, c.prec, c.runs, true, c.o)
		other := batchOf(t, &c.m, p, c.prec, c.runs, false, c.o)
		between, accepted := 0, 0
		for step := range 2 + 5*c.m.Iterations {
			for _, r := range []*maswRun{one, other} {
				if _, ok, err := r.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
					t.Fatalf("%s: step %d: %v, %v", c.spec, step, ok, err)
				}
			}
			if got, want := one.Samples(), other.Samples(); !slices.Equal(got, want) {
				t.Fatalf("%s: step %d: the samples are %+v, with decisions of the host %+v", c.spec, step, got, want)
			}
			if step%7 != 3 {
				continue
			}
			if one.leading() {
				between++
			}
			if err := one.settle(); err != nil || one.leading() {
				t.Fatalf("%s: step %d: %v, ahead: %v", c.spec, step, err, one.leading())
			}
			for k, got := range one.states {
				want := other.states[k]
				if got.Phase != want.Phase || got.Generation != want.Generation || got.LocalStep != want.LocalStep ||
					!slices.Equal(got.Chains, want.Chains) || !same(got.F, want.F) {
					t.Fatalf("%s: step %d of run %d: the state is %+v, with decisions of the host %+v", c.spec, step,
						k, got, want)
				}
				for _, c := range got.Chains {
					accepted += c.Ok
				}
			}
			if !slices.Equal(stored(t, one), stored(t, other)) {
				t.Fatalf("%s: step %d: the points differ", c.spec, step)
			}
		}
		if between == 0 || accepted == 0 {
			t.Errorf("%s: %d times in the middle of steps, %d accepted", c.spec, between, accepted)
		}
	}
}

// same compares values, of which some may be no numbers.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
}

// A phase of steps is one launch for local search, and two for each generation, and the host reads four vectors after
// it, however many steps it has.
func TestCallsOfPhase(t *testing.T) {
	const iterations = 40
	// A device may take long, so that the steps of a phase are made at once.
	r := batchOf(t, &MASW{Population: 8, Iterations: iterations},
		solvertest.ParseProblem(t, "cec2013/f12"), problems.FP64, 1, true,
		shard.Options{LaunchTime: 1e6, Rounds: true})
	calls := map[string]int{}
	defer cl.Inject(func(c cl.Call) cl.Fault { calls[c.Function]++; return cl.Fault{} })()
	for step := range 1 + 6*iterations {
		if (step-1)%iterations == 0 {
			clear(calls)
		}
		solvertest.Advance(t, r)
		if step <= 4*iterations || step%iterations != 0 { // the first phases learn how long a step takes
			continue
		}
		want := 2 * iterations
		if step == 6*iterations {
			want = 2 // new chains, and all steps
		}
		if n := calls["clEnqueueNDRangeKernel"]; n != want {
			t.Errorf("%d launches in the phase that ends with step %d, want %d", n, step, want)
		}
		if n := calls["clEnqueueReadBuffer"]; n != 4 {
			t.Errorf("%d reads in the phase that ends with step %d, want 4", n, step)
		}
	}
}
