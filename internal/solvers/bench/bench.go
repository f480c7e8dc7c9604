// Package bench measures the speed of a device and of methods on it, and tests whether a device computes
// correctly.
package bench

import (
	"context"
	"slices"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/masw"
)

// Limits are the highest rates that a device reaches, by its own clock.
type Limits struct {
	Copy         float64 // bytes per second, read and written together
	FMA32, FMA64 float64 // operations per second, two for a fused multiply-add; FMA64 is 0 without float64
}

// fmaChains is the number of independent fused multiply-adds of an item of bench_fma. It is large enough to
// fill the vector registers of a processor, and small enough for the registers of a graphics card.
const fmaChains = 32

// MeasureLimits returns the best of times measurements of each limit. It allocates 256 MiB on the device,
// or less if the device has little memory. A processor computes with vectors of four, so wider vector units
// could do more.
func MeasureLimits(d *cl.Device, times int) (l Limits, err error) {
	l.FMA32, err = measureFMA[float32](d, problems.FP32, times)
	if err != nil {
		return l, err
	}
	if d.Info().FP64 {
		l.FMA64, err = measureFMA[float64](d, problems.FP64, times)
		if err != nil {
			return l, err
		}
	}
	l.Copy, err = measureCopy(d, times)
	return l, err
}

// build builds a part in the given precision. The caller closes the program.
func build(d *cl.Device, prec problems.Precision, part string) (*shard.Program, error) {
	defines := []kernels.Define{kernels.Number("GROUP", shard.GroupSize(d.Info())), kernels.Number("CHAINS", fmaChains)}
	return shard.Build(d, shard.Assembly{Precision: prec, Defines: defines,
		Parts: []kernels.Part{kernels.Get(part)}})
}

func measureCopy(d *cl.Device, times int) (float64, error) {
	prog, err := build(d, problems.FP32, "solvers/bench/bench.cl")
	if err != nil {
		return 0, err
	}
	defer prog.Close()
	k, err := prog.Kernel("bench_copy", cl.Mem[uint32](), cl.Mem[uint32](), cl.U32)
	if err != nil {
		return 0, err
	}
	n := int(min(128<<20, d.Info().GlobalMem/16, d.Info().MaxAlloc)) / 16
	var b [2]*cl.Buffer[uint32]
	for i := range b {
		b[i], err = cl.Alloc[uint32](d, 4*n)
		if err != nil {
			return 0, err
		}
		defer b[i].Close()
	}
	size := shard.GroupSize(d.Info())
	groups := min((n+size-1)/size, 1<<14)
	best, err := fastest(times, func() (time.Duration, error) {
		return k.LaunchTimed([]int{groups * size}, []int{size}, b[0], b[1], uint32(n))
	})
	return 2 * 16 * float64(n) / best.Seconds(), err
}

func measureFMA[T float32 | float64](d *cl.Device, prec problems.Precision, times int) (float64, error) {
	scalar := cl.F32
	if prec == problems.FP64 {
		scalar = cl.F64
	}
	prog, err := build(d, prec, "solvers/bench/bench.cl")
	if err != nil {
		return 0, err
	}
	defer prog.Close()
	k, err := prog.Kernel("bench_fma", cl.Mem[T](), scalar, scalar, cl.U32)
	if err != nil {
		return 0, err
	}
	size := shard.GroupSize(d.Info())
	items := 1 << 20
	if d.Info().Type == cl.CPU {
		items = 1 << 12
	}
	items = items / size * size
	out, err := cl.Alloc[T](d, items)
	if err != nil {
		return 0, err
	}
	defer out.Close()
	// The number of rounds is chosen so that they take some milliseconds.
	for rounds := uint32(64); ; rounds *= 4 {
		best, err := fastest(times, func() (time.Duration, error) {
			return k.LaunchTimed([]int{items}, []int{size}, out, any(T(0.999)), any(T(0.001)), rounds)
		})
		if err != nil {
			return 0, err
		}
		if best >= 2*time.Millisecond || rounds > 1<<20 {
			return 2 * fmaChains * float64(rounds) * float64(items) / best.Seconds(), nil
		}
	}
}

// fastest returns the shortest of times measurements, after one to warm up.
func fastest(times int, f func() (time.Duration, error)) (best time.Duration, err error) {
	for i := range times + 1 {
		took, err := f()
		if err != nil {
			return 0, err
		}
		if i == 1 || i > 1 && took < best {
			best = took
		}
	}
	return best, nil
}

// Timing is the measurement of one operation.
type Timing struct {
	What   string          // "evaluate", "generation", "local search" or "both signs"; "/kernel" follows for a kernel
	Points int             // whole points that it evaluates
	Bytes  int64           // least number of bytes of points and biases that it reads, or those exchanged; 0: unknown
	Took   []time.Duration // measured times, in increasing order
	Device bool            // measured by the device's clock, without waits and decisions; else by the host's
}

// Median returns the median time.
func (t Timing) Median() time.Duration {
	if n := len(t.Took); n%2 == 0 {
		return (t.Took[n/2-1] + t.Took[n/2]) / 2
	}
	return t.Took[len(t.Took)/2]
}

// benchWarm is the number of steps before the measured ones. They settle the length of launches and the
// frequency of the chip.
const benchWarm = 3

// Bench measures an evaluation of stored points, a generation and a local search step of method on one
// device: each one as a whole by now, the clock of the host, and each of its kernels by the clock of the
// device. If the devices are checked (shard.Options), it compares values with the host first. Each operation is
// measured times times, at least once. Without steps, only the evaluation is measured.
func Bench(ctx context.Context, p problems.Problem, g *shard.Devices, prec problems.Precision, method solvers.Solver,
	times int, steps bool, now func() time.Time) ([]Timing, error) {
	if len(g.All()) != 1 {
		panic("bench: Bench takes one device")
	}
	if err := solvers.Validate(method); err != nil {
		return nil, err
	}
	// Local search is measured in pairs of steps, so it makes twice as many.
	iterations := benchWarm + 3*times
	m, ok := method.(*masw.MASW)
	if !ok {
		return nil, solvers.Settingf("bench measures masw and sa, not %s", method.Traits().Name)
	}
	more, n := *m, int(solvers.LimitsOf(m, p, prec).Step)
	more.Iterations, method = iterations, &more
	b := &bench{d: g.All()[0], times: times, now: now, kernel: "eval_tiles"}
	if err := b.evaluate(ctx, p, g, prec, n); err != nil || !steps {
		return b.all, err
	}
	run, err := method.Start(ctx, p, g, solvers.Setup{Key: rng.Key{Seed: 1}, Precision: prec})
	if err != nil {
		return nil, err
	}
	defer run.Close()
	step := func() error {
		_, ok, err := run.Step(ctx, solvers.Within(int64(n))) // a generation, or an evaluation of local search of all
		if err == nil && !ok {
			panic("bench: a step without a limit was not made")
		}
		return err
	}
	if err := step(); err != nil { // the population
		return nil, err
	}
	points := int64(n) * int64(p.Domain().N) * int64(prec.Bits()/8)
	if err := b.measure("generation", n, points, 2*times, 1, step); err != nil {
		return nil, err
	}
	return b.all, b.measure("local search", n, 2*points, 2*times, 2, step)
}

// BenchSweeps measures the sweeps of annealing on one device in the way of Bench: a level by the clock of
// the host, and the kernels in it. A sweep counts as one point, so variables per second are moves per
// second.
func BenchSweeps(ctx context.Context, p problems.Problem, g *shard.Devices, prec problems.Precision, m anneal.SA,
	times int, now func() time.Time) ([]Timing, error) {
	if len(g.All()) != 1 {
		panic("bench: BenchSweeps takes one device")
	}
	n, err := m.HoldTemperature(p.Domain().N, g)
	if err != nil {
		return nil, err
	}
	run, err := m.Start(ctx, p, g, solvers.Setup{Key: rng.Key{Seed: 1}, Precision: prec})
	if err != nil {
		return nil, err
	}
	defer run.Close()
	b := &bench{d: g.All()[0], times: times, now: now, kernel: "anneal_sweep_move"}
	if p.Linear() == nil {
		b.kernel = "anneal_sweep_sums"
	}
	err = b.measure("sweeps", n, 0, 2*times, 1, func() error {
		_, ok, err := run.Step(ctx, solvers.Unlimited)
		if err == nil && !ok {
			panic("bench: a step without a limit was not made")
		}
		return err
	})
	return b.all, err
}

type bench struct {
	d     *cl.Device
	times int
	now   func() time.Time
	// kernel evaluates the points of the operation that is measured.
	kernel string
	all    []Timing
}

// measure makes benchWarm steps, then steps that are measured by the host's clock, then some by the
// device's. If pair is 2, it also measures two steps in a row.
func (b *bench) measure(what string, points int, bytes int64, steps, pair int, step func() error) error {
	for range benchWarm {
		if err := step(); err != nil {
			return err
		}
	}
	whole, pairs := Timing{What: what, Points: points, Bytes: bytes}, Timing{What: "both signs", Points: 2 * points,
		Bytes: 2 * bytes}
	for range steps {
		if err := b.d.Finish(); err != nil {
			return err
		}
		start := b.now()
		if err := step(); err != nil {
			return err
		}
		if err := b.d.Finish(); err != nil {
			return err
		}
		whole.Took = append(whole.Took, b.now().Sub(start))
	}
	for i := 1; i < len(whole.Took); i += 2 {
		pairs.Took = append(pairs.Took, whole.Took[i-1]+whole.Took[i])
	}
	b.add(whole)
	if pair == 2 {
		b.add(pairs)
	}
	names := []string{}
	took := map[string][]time.Duration{}
	for i := range b.times {
		b.d.Profile(func(kernel string, t time.Duration) {
			if took[kernel] == nil {
				names = append(names, kernel)
				took[kernel] = make([]time.Duration, b.times)
			}
			took[kernel][i] += t
		})
		err := step()
		b.d.Profile(nil)
		if err != nil {
			return err
		}
	}
	for _, name := range names {
		t := Timing{What: what + "/" + name, Took: took[name], Device: true}
		if name == b.kernel {
			t.Points, t.Bytes = points, bytes
		}
		b.add(t)
	}
	return nil
}

func (b *bench) add(t Timing) {
	slices.Sort(t.Took)
	b.all = append(b.all, t)
}

// evaluate measures n stored points.
func (b *bench) evaluate(ctx context.Context, p problems.Problem, g *shard.Devices, prec problems.Precision,
	n int) error {
	shards := shard.Split(p.Tiling(), []int{p.Tiling().SuperTiles()}, nil)
	pl, err := shard.Place(g, p, prec, shards, shard.Plain(), n*p.Accumulators(), nil)
	if err != nil {
		return err
	}
	defer pl.Close()
	sh := shards[0]
	x, err := shard.AllocReals(b.d, prec, n*sh.Vars())
	if err != nil {
		return err
	}
	defer x.Close()
	// It is one point many times. Equal values make no device faster.
	key := rng.Key{Seed: 1}
	const span = 1 << 20
	for lo := 0; lo < sh.Vars(); lo += span {
		part := host.Drawn(p, prec, key, 0, 0, rng.Init, lo, min(lo+span, sh.Vars()))
		for j := range n {
			if err := x.Write(j*sh.Vars()+lo, part); err != nil {
				return err
			}
		}
	}
	eval := func() error {
		_, err := pl.Eval(ctx, n, func(int) []any { return []any{x.Arg(), uint64(sh.Vars()), uint32(sh.ReadLo)} })
		return err
	}
	if err := eval(); err != nil {
		return err
	}
	if g.Checked() {
		if err := pl.Check(key, n, func(_, lo, hi int) ([]float64, error) {
			return host.Drawn(p, prec, key, 0, 0, rng.Init, lo, hi), nil
		}); err != nil {
			return err
		}
	}
	return b.measure("evaluate", n, int64(n)*int64(p.Domain().N)*int64(prec.Bits()/8), b.times, 1, eval)
}
