package maswseq

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// deviceEngine holds the population on one device, in the only shard of its placement.
type deviceEngine struct {
	p          problems.Problem
	s          solvers.Setup
	population int
	check      bool // whether values are compared with the host reference
	searching  bool // the last row is the point that is improved
	known      int  // individuals that were evaluated, the first ones
	layout     solvers.Info

	pl      *shard.Placement
	on      *vectors
	memory  *device.Memory
	kernels struct{ draw, evaluate, evolve, begin, improve, end *device.Kernel }
	paces   struct{ evolve, begin, improve, end shard.Pace }
}

// engine compiles the kernels and allocates the vectors.
func (m *MASWSeq) engine(p problems.Problem, g *shard.Devices, s solvers.Setup, shards []shard.Shard) (_ *deviceEngine,
	err error) {
	e := &deviceEngine{p: p, s: s, population: m.population(), known: m.population(), check: g.Checked(),
		on: &vectors{}}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	dim := p.Domain().N
	info := g.Infos()[shards[0].Device]
	base, candidate, err := m.localBytes(p, s.Precision, min(groupSize(dim), shard.GroupSize(info)))
	if err != nil {
		return nil, err
	}
	if int64(base) > info.LocalMem {
		return nil, solvers.Settingf("population=%d needs %d bytes of local memory, and a device has %d; use a "+
			"smaller population or the method masw", m.population(), base, info.LocalMem)
	}
	// A local search keeps its normal deviates if there is room.
	room := min(48<<10, info.LocalMem)
	local, keep := int64(base+candidate) <= room, int64(base+candidate+4*dim) <= room
	sums := "sums"
	if !info.FP64 {
		sums = "pairs" // of float32
	}
	var coefs []string
	for _, c := range p.Linear() {
		bits := math.Float64bits(c)
		if !info.FP64 {
			bits = uint64(math.Float32bits(float32(c)))
		}
		coefs = append(coefs, fmt.Sprintf("%#xul", bits))
	}
	defines := []kernels.Define{
		kernels.Number("POP", m.population()), kernels.Flag("Y_LOCAL", local), kernels.Flag("KEEP", keep),
		{Name: "CHAIN_REAL", Value: "real"}, {Name: "COEFS", Value: strings.Join(coefs, ", ")},
		{Name: "MASW_ALPHA", Value: problems.Literal(m.alpha())},
		{Name: "MASW_MUTATE", Value: fmt.Sprintf("%dul", uint64(m.mutation()*(1<<32)))},
	}
	view := shard.View{Group: groupSize(dim), Points: 1, Single: true, Fixed: true,
		Parts: []kernels.Part{kernels.Get("solvers/maswseq/view.cl")}}
	e.pl, err = shard.Place(g, p, s.Precision, shards, view, p.Accumulators(), defines,
		kernels.Get("solvers/maswseq/maswseq.cl"), kernels.Get("lib/solis_wets.cl"),
		kernels.Get("solvers/maswseq/search.cl"))
	if err != nil {
		return nil, err
	}
	e.memory, err = device.Allocate(e.pl, func(int, shard.Shard) device.Share {
		share := m.share(e.on, p, s.Precision, local, sums)
		share.Values = device.Values{"seed": s.Key.Seed, "run": s.Key.Run}
		return share
	})
	if err != nil {
		return nil, err
	}
	kernel := func(name, params string) *device.Kernel { return e.memory.Kernel(e.pl, name, params) }
	k := &e.kernels
	k.draw = kernel("maswseq_draw", "x given seed run")
	k.evaluate = kernel("maswseq_evaluate", "x acc row0 tables")
	k.evolve = kernel("maswseq_evolve", "x acc chain now work when count seed run tables")
	k.begin = kernel("maswseq_begin", "x acc chain pace now cycle seed run")
	k.improve = kernel("maswseq_improve", "x bias acc chain pace now work when count seed run tables")
	k.end = kernel("maswseq_end", "x acc chain now")
	return e, nil
}

func (e *deviceEngine) info() solvers.Info { return e.layout }

func (e *deviceEngine) close() {
	e.memory.Close()
	e.pl.Close()
}

// rounds makes rounds of work with one work-group. After ctx is cancelled it returns how many were made.
func (e *deviceEngine) rounds(ctx context.Context, k *device.Kernel, pace *shard.Pace, rounds int,
	more func(from, rounds int) device.Values) (made int, err error) {
	var stretches []shard.Stretch
	err = e.pl.Rounds(ctx, pace, rounds, true, &stretches, func(_, _, _, from, rounds int) error {
		group := e.pl.GroupSize(0)
		return k.Launch(0, []int{group}, []int{group}, more(from, rounds))
	})
	if err == nil {
		return rounds, nil
	}
	for _, s := range stretches {
		made = s.Rounds
	}
	return made, err
}

// one makes one round of work.
func (e *deviceEngine) one(k *device.Kernel, pace *shard.Pace, values device.Values) error {
	_, err := e.rounds(context.Background(), k, pace, 1, func(int, int) device.Values { return values })
	return err
}

// numbered returns the arguments of rounds whose numbers begin at when.
func numbered(when uint32) func(from, rounds int) device.Values {
	return func(from, rounds int) device.Values {
		return device.Values{"when": when + uint32(from), "count": rounds}
	}
}

func (e *deviceEngine) populate(ctx context.Context) (made int, err error) {
	dim := e.p.Domain().N
	if err := e.pl.Each(func(int, shard.Shard, *cl.Device) error {
		for j, x := range e.s.X0 {
			if err := e.on.x.Write(j*dim, e.p.Domain().Stored(e.s.Precision, 0, x)); err != nil {
				return err
			}
		}
		return e.kernels.draw.Launch(0, []int{(dim + 3) / 4, e.population}, nil, device.Values{"given": len(e.s.X0)})
	}); err != nil {
		return 0, err
	}
	e.known, err = e.evaluate(ctx, e.population)
	if err != nil || !e.check {
		return e.known, err
	}
	return e.known, e.compare()
}

// evaluate computes the accumulators of the first rows. After ctx is cancelled it returns how many it has computed.
func (e *deviceEngine) evaluate(ctx context.Context, rows int) (made int, err error) {
	if err = e.pl.Each(func(s int, _ shard.Shard, _ *cl.Device) error {
		group := e.pl.GroupSize(s)
		return e.pl.Slices(s, rows, rows, func(from, n int) error {
			if err := ctx.Err(); err != nil {
				made = from
				return err
			}
			return e.kernels.evaluate.Launch(s, []int{n * group}, []int{group}, device.Values{"row0": from})
		})
	}); err != nil {
		return made, err
	}
	return rows, nil
}

// compare compares the values of the first three individuals with the host reference.
func (e *deviceEngine) compare() error {
	h, ok := e.p.(problems.Referenced)
	if !ok {
		return nil
	}
	f, err := e.values(3)
	if err != nil {
		return err
	}
	return e.pl.Each(func(_ int, _ shard.Shard, d *cl.Device) error {
		for j, got := range f {
			x := host.Drawn(e.p, e.s.Precision, e.s.Key, uint32(j), 0, rng.Init, 0, e.p.Domain().N)
			if j < len(e.s.X0) {
				x = e.p.Domain().Stored(e.s.Precision, 0, e.s.X0[j])
			}
			want, err := problems.Eval(h, x)
			if err != nil {
				return err
			}
			if tol := e.p.Tolerance(e.s.Precision); host.Finite(want) && !(math.Abs(got-want) <= tol*math.Abs(want)) {
				return &shard.CheckError{Device: d.String(), Point: j, Got: got, Want: want}
			}
		}
		return nil
	})
}

func (e *deviceEngine) evolve(ctx context.Context, when uint32, count int) (made int, err error) {
	return e.rounds(ctx, e.kernels.evolve, &e.paces.evolve, count, numbered(when))
}

func (e *deviceEngine) begin(cycle uint32) error {
	e.searching = true
	return e.one(e.kernels.begin, &e.paces.begin, device.Values{"cycle": cycle})
}

func (e *deviceEngine) improve(ctx context.Context, when uint32, count int) (made int, err error) {
	return e.rounds(ctx, e.kernels.improve, &e.paces.improve, count, numbered(when))
}

func (e *deviceEngine) end() error {
	e.searching = false
	return e.one(e.kernels.end, &e.paces.end, nil)
}

// rows returns the number of rows whose values are known: the individuals and, during a local search, the point that is
// improved.
func (e *deviceEngine) rows() int {
	if e.searching {
		return e.population + 1
	}
	return e.known
}

// values returns the stored values of the first rows.
func (e *deviceEngine) values(rows int) (f []float64, err error) {
	acc := make([]float64, rows*e.p.Accumulators())
	if err = e.pl.Each(func(int, shard.Shard, *cl.Device) error { return e.on.acc.Read(0, acc) }); err != nil {
		return nil, err
	}
	if err := gather(e, acc); err != nil {
		return nil, err
	}
	return shard.Values(e.p, acc), nil
}

// gather gives all ranks the numbers of the one that has the population.
func gather[T shard.Number](e *deviceEngine, numbers []T) error {
	return shard.GatherShards(e.pl, numbers, func(int) int { return len(numbers) })
}

// now returns the numbers of the current individual and of the values that were not finite.
func (e *deviceEngine) now() ([]uint32, error) {
	now := make([]uint32, 2)
	if err := e.pl.Each(func(int, shard.Shard, *cl.Device) error { return e.on.now.Read(0, now) }); err != nil {
		return nil, err
	}
	return now, gather(e, now)
}

// top returns the first row with the best value.
func (e *deviceEngine) top() (row int, f float64, err error) {
	all, err := e.values(e.rows())
	if err != nil {
		return 0, 0, err
	}
	for j, v := range all {
		if host.Better(v, all[row]) {
			row = j
		}
	}
	return row, all[row], nil
}

func (e *deviceEngine) best() (f float64, nonFinite int64, err error) {
	now, err := e.now()
	if err != nil {
		return 0, 0, err
	}
	_, f, err = e.top()
	return f, int64(now[1]), err
}

func (e *deviceEngine) incumbent(first int, x []float64) error {
	row, _, err := e.top()
	if err != nil {
		return err
	}
	return e.pl.ReadPoint(first, x, func(_, lo int, dst []float64) error {
		return e.on.x.Read(row*e.p.Domain().N+lo, dst)
	})
}
