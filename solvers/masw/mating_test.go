package masw

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/solvers/memetic"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// TestMatingVariance computes how the variance of a variable changes from parents to children of BLX-alpha. A child of
// a and b is uniform on an interval of length (1 + 2 alpha)|a - b| around their middle, so its variance is
// ((1 + 2 alpha)²/6 + 1/2) times that of independent parents. The farthest of three candidates is farther than that.
func TestMatingVariance(t *testing.T) {
	const n, vars, draws = 100, 1000, 20
	key := rng.Key{Seed: 1}
	for _, spread := range []float64{0, 0.15} { // how much individuals differ in their distance from the middle
		x := make([][]float64, n)
		for j := range x {
			x[j] = make([]float64, vars)
			size := math.Exp(spread * float64(rng.Normal(key.Words(uint32(j), 0, 1, rng.Check), 0)))
			for i := range x[j] {
				x[j][i] = size * float64(rng.Normal(key.Words(uint32(i), uint32(j), 2, rng.Check), 0))
			}
		}
		distance := func(a, b int) (d float64) {
			for i := range vars {
				d += (x[a][i] - x[b][i]) * (x[a][i] - x[b][i])
			}
			return d
		}
		parents := 0.0
		for j := range x {
			for _, v := range x[j] {
				parents += v * v / (n * vars)
			}
		}
		for _, mates := range []int{1, mostMates} {
			ratio := 0.0 // for alpha = 0.5
			const alpha = memetic.DefaultAlpha
			for k := range draws * n {
				j := k % n
				c := candidates(key, n, 0, uint32(j), uint32(k/n))
				far := slices.MaxFunc(c[:mates], func(a, b uint32) int {
					return int(math.Copysign(1, distance(j, int(a))-distance(j, int(b))))
				})
				for i := range vars {
					a, b := x[j][i], x[far][i]
					ratio += ((a+b)*(a+b)/4 + (1+2*alpha)*(1+2*alpha)*(a-b)*(a-b)/12) / (draws * n * vars * parents)
				}
			}
			t.Logf("individuals that differ by %g, %d candidates: %.3f", spread, mates, ratio)
			if want := (1+2*alpha)*(1+2*alpha)/6 + 0.5; mates == 1 && math.Abs(ratio/want-1) > 0.02 ||
				mates > 1 && ratio < want {
				t.Errorf("spread %g, %d candidates: a child has %v times the variance of its parents, a random one %v",
					spread, mates, ratio, want)
			}
		}
	}
}

// TestSurvivors counts the children that survive in each generation. With the published mating evolution stalls: ever
// fewer children survive. With -v it logs the means of every 50 generations, of which docs/results/mating.md has the
// picture.
func TestSurvivors(t *testing.T) {
	if testing.Short() {
		t.Skip("a million evaluations of each mating are for the full tests")
	}
	const n, cycles, bucket = 100, 10, 50
	last := map[string]float64{} // mean of the last cycle
	for name, m := range map[string]*MASW{"published": {}, "random mates": {Mates: 1}, "alpha 0.4": {Alpha: new(0.4)}} {
		m.Population = n
		run := solvertest.Start(t, m, solvertest.ParseProblem(t, "cec2013/f2"),
			solvertest.OpenDevices(t, 1, shard.Options{}), solvers.Setup{Key: rng.Key{Seed: 1}})
		r, sum := run.(*maswRun), 0.0
		for step := range 1 + cycles*2*memetic.DefaultIterations {
			before, generation := slices.Clone(r.states[0].F), r.states[0].Generation
			if _, _, err := r.Step(context.Background(), solvers.Unlimited); err != nil {
				t.Fatal(err)
			}
			if r.states[0].Generation == generation || before == nil {
				continue
			}
			survivors := 0.0
			for j, f := range before {
				if f != r.states[0].F[j] {
					survivors++
				}
			}
			sum += survivors
			if r.states[0].Generation%bucket == 0 {
				t.Logf("%s: %d evaluations, %.2f survivors", name, (step+1)*n, sum/bucket)
				last[name], sum = sum/bucket, 0
			}
		}
		r.Close()
	}
	if last["published"] >= last["random mates"] || last["published"] >= last["alpha 0.4"] {
		t.Errorf("survivors of the last generations: %v", last)
	}
}
