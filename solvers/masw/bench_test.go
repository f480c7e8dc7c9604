package masw

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// The benchmarks run on the devices of CLOPT_BENCH_DEVICES (a selector; empty means the default devices)
// and on the problems of CLOPT_BENCH_PROBLEMS (specs separated by semicolons). They report variable
// evaluations per second: the number of variables times the number of evaluated points. The sizes suit a
// graphics card; with -short they are small.

func benchRun(b *testing.B, spec string, n, pop int, prec problems.Precision) (*maswRun, *shard.Devices) {
	b.Helper()
	infos, err := cl.Discover()
	if err == nil {
		infos, err = cl.Select(infos, os.Getenv("CLOPT_BENCH_DEVICES"))
	}
	if err != nil {
		b.Fatal(err)
	}
	var ds []*cl.Device
	for _, i := range infos {
		d, err := cl.Open(i)
		if err != nil {
			b.Fatal(err)
		}
		ds = append(ds, d)
	}
	g, err := shard.NewDevices(ds, shard.Options{NoCheck: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(g.Close)
	p, err := catalog.Parse(spec, problems.Options{Dim: n})
	if err != nil {
		b.Fatal(err)
	}
	m := &MASW{Population: pop, Iterations: 1 << 29}
	run, err := m.Start(context.Background(), p, g, solvers.Setup{Key: rng.Key{Seed: 1}, Precision: prec})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(run.Close)
	r := run.(*maswRun)
	for range 3 { // population, and two generations to settle the pace of launches
		if _, _, err := r.Step(context.Background(), solvers.Unlimited); err != nil {
			b.Fatal(err)
		}
	}
	return r, g
}

func BenchmarkStep(b *testing.B) {
	type size struct{ n, pop int }
	sizes := []size{{1000, 100}, {1e6, 100}, {1e7, 50}}
	if testing.Short() {
		sizes = []size{{1000, 20}, {10000, 20}}
	}
	specs := []string{"cec2013/f1", "cec2013/f2", "cec2013/f8", "cec2013/f12"}
	if list := os.Getenv("CLOPT_BENCH_PROBLEMS"); list != "" {
		specs = strings.Split(list, ";")
	}
	for _, spec := range specs {
		for _, s := range sizes {
			if s.n == 1e7 && spec != "cec2013/f1" {
				continue
			}
			b.Run(fmt.Sprintf("%s/n=%.0e", spec, float64(s.n)), func(b *testing.B) {
				r, g := benchRun(b, spec, s.n, s.pop, problems.FP64)
				benchParts(b, g, r, s.n, s.pop)
			})
		}
	}
}

// benchParts times one generation and one local search step, and their parts.
func benchParts(b *testing.B, g *shard.Devices, r *maswRun, n, pop int) {
	ctx := context.Background()
	part := func(name string, points int, f func() error) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
				for _, d := range r.devicesForBench() {
					if err := d.Finish(); err != nil {
						b.Fatal(err)
					}
				}
			}
			if points > 0 {
				b.ReportMetric(float64(points)*float64(n)*float64(b.N)/b.Elapsed().Seconds(), "vars/s")
			}
		})
	}
	part("mates", 0, func() error { return r.choose(ctx) })
	part("generation", pop, func() error { _, err := r.generation(ctx); return err })
	moves := make([]proposal, pop)
	for j := range moves {
		moves[j] = proposal{when: 1, rho: 1e-3, scale: 0, sign: 1}
	}
	part("neighbours", pop, func() error { _, err := r.evaluateMoves(ctx, moves); return err })
	shards := r.moves.Shards()
	plain, err := shard.Place(g, r.p, r.s.Precision, shards, shard.Plain(), pop*r.p.Accumulators(), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer plain.Close()
	part("stored", pop, func() error {
		_, err := plain.Eval(ctx, pop, func(s int) []any {
			return []any{r.on[s].x.Arg(), uint64(shards[s].Vars()), uint32(shards[s].ReadLo)}
		})
		return err
	})
	all := make([]uint32, pop)
	for j := range all {
		all[j] = uint32(j)
	}
	part("apply", 0, func() error { return r.apply(all) })
	swaps := []uint32{2, 2 + 2*uint32(pop)} // see survivors
	for j := range pop {
		swaps = append(swaps, uint32(j), uint32(j))
	}
	part("write", 0, func() error { return r.write(swaps) })
	r.states[0].Phase = r.iters + 1
	part("localstep", pop, func() error { _, err := r.localStep(ctx); return err })
}

func (r *maswRun) devicesForBench() (ds []*cl.Device) {
	for _, o := range r.on {
		ds = append(ds, o.mate.Device())
	}
	return ds
}

// BenchmarkBatch times a step of ten runs that share launches, as MinimizeRuns makes them. With two variables that is
// the work of the host, and waiting.
func BenchmarkBatch(b *testing.B) {
	for _, c := range []struct {
		name string
		m    MASW
	}{{"generation", MASW{Iterations: 1 << 29}}, {"localstep", MASW{Iterations: 1}}} {
		b.Run(c.name, func(b *testing.B) {
			_, g := benchRun(b, "classic/rastrigin", 2, 4, problems.FP64)
			p, err := catalog.Parse("classic/rastrigin", problems.Options{Dim: 2})
			if err != nil {
				b.Fatal(err)
			}
			runs := make([]solvers.Settings, 10)
			for k := range runs {
				runs[k] = solvers.Settings{Key: rng.Key{Run: uint32(k)},
					Budget: solvers.Budget{Evaluations: int64(100 * (b.N + 1))}}
			}
			_, errs := solvers.MinimizeRuns(context.Background(), p, g, runs, &c.m)
			if err := errors.Join(errs...); err != nil {
				b.Fatal(err)
			}
		})
	}
}
